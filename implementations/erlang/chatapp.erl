%% ChatApp (spec/chatapp.md): its parameters, its script and its receipt.
%%
%% The actors are in chatapp/, in the model's order: poker, directory, client,
%% chat, accumulator.
-module(chatapp).
-behaviour(play).

-export([parameters/1, nodes/1, set_up/3, message/2, tally/2, note/2, progress/1, receipt/1]).

-include("chatapp/chatapp.hrl").

-record(tally, {
    total :: pos_integer(),
    turns = [] :: [{Turn :: non_neg_integer(), Nanos :: non_neg_integer()}],
    confirms = 0 :: non_neg_integer(),
    fib_sum = 0 :: non_neg_integer(),
    first = infinity :: integer() | infinity,
    last = 0 :: integer(),
    sums = [0, 0, 0, 0, 0, 0, 0, 0] :: [non_neg_integer()]
}).

-define(UINT32, 16#FFFFFFFF).

-spec parameters(map()) -> #parameters{}.
parameters(Message) ->
    Integer = fun(Key, Min, Max) -> refusal:integer("chatapp.", Key, Message, Min, Max) end,
    Percent = fun(Key) -> Integer(Key, 0, 100) end,
    Clients = Integer(<<"clients">>, 1, ?UINT32),
    #parameters{
        clients = Clients,
        directories = Integer(<<"directories">>, 1, Clients),
        turns = Integer(<<"turns">>, 1, ?UINT32),
        compute = Percent(<<"compute">>),
        post = Percent(<<"post">>),
        leave = Percent(<<"leave">>),
        invite = Percent(<<"invite">>),
        befriend = Percent(<<"befriend">>),
        selection = Integer(<<"selection">>, 1, 2),
        fib_n = Integer(<<"fib_n">>, 0, 47),
        history = maps:get(<<"history">>, Message, false),
        seed = Integer(<<"seed">>, 0, 65535)
    }.

-spec nodes(#parameters{}) -> {1, star}.
nodes(_Parameters) -> {1, star}.

-spec set_up(world:world(), #parameters{}, play:place()) -> play:cast().
set_up(World, Parameters, local) ->
    Poker = poker:start(World, Parameters),
    Poker ! {prepare, names:control()},
    #{lead => Poker, opening => {run, names:control()}, excepted => [Poker]}.

-spec message(play:line(), #parameters{}) -> actor:message().
message({act, Request}, #parameters{clients = Clients}) ->
    Integer = fun(Key, Max) -> refusal:integer("", Key, Request, 0, Max) end,
    Client = Integer(<<"client">>, Clients - 1),
    Choice = Integer(<<"choice">>, ?JOIN),
    Index = Integer(<<"index">>, ?UINT32),
    K = Integer(<<"k">>, ?UINT32),
    {act, names:control(), Client, Choice, Index, K};
message(Line, _Parameters) ->
    {Line, names:control()}.

-spec tally(#parameters{}, play:place()) -> #tally{}.
tally(#parameters{turns = Turns}, _Place) ->
    #tally{total = Turns}.

%% What the poker reports (world:report/2): the control port's inbox of the
%% specification, and to each confirmed turn the poker's two stamps.
-spec note(term(), #tally{}) -> {play:event(), #tally{}}.
note(ready, T) ->
    {ready, T};
note({spoken, _Nanos}, T) ->
    {none, T};
note({confirmed, Turn, Value, Started, Confirmed}, T) ->
    Nanos = Confirmed - Started,
    {{confirmed, Turn, Nanos}, T#tally{
        turns = [{Turn, Nanos} | T#tally.turns],
        confirms = T#tally.confirms + 1,
        fib_sum = T#tally.fib_sum + Value,
        first = min(T#tally.first, Started),
        last = Confirmed
    }};
note({finished, Sums}, T) ->
    {finished, T#tally{sums = Sums}}.

-spec progress(#tally{}) -> {non_neg_integer(), pos_integer()}.
progress(#tally{confirms = Confirms, total = Total}) ->
    {Confirms, Total}.

-spec receipt(#tally{}) -> {map(), non_neg_integer()}.
receipt(#tally{confirms = Confirms, first = First, last = Last, sums = Sums} = T) ->
    [Lcg, Computes, Posts, Leaves, Invites, Nones, Deliveries, Joins] = Sums,
    Receipt = #{
        computes => Computes,
        posts => Posts,
        leaves => Leaves,
        invites => Invites,
        nones => Nones,
        joins => Joins,
        deliveries => Deliveries,
        lcg_checksum => Lcg,
        fib_sum => T#tally.fib_sum,
        confirms => Confirms,
        turn_nanos => [Nanos || {_Turn, Nanos} <- lists:keysort(1, T#tally.turns)]
    },
    RunNanos =
        case First of
            infinity -> 0;
            _ -> Last - First
        end,
    {#{chatapp => Receipt}, RunNanos}.
