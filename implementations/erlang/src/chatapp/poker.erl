%% Sets everything up, starts every turn and ends the iteration.
-module(poker).
-behaviour(actor).

-export([init/1, handle/2]).

-include("chatapp.hrl").

-record(poker, {
    parameters :: #parameters{},
    directories = {} :: tuple(),
    turns = 0 :: non_neg_integer(),
    poked = #{} :: #{Turn :: non_neg_integer() => stopwatch:stamp()},
    settling :: non_neg_integer(),
    online :: non_neg_integer(),
    sums = [0, 0, 0, 0, 0, 0, 0, 0] :: [non_neg_integer()]
}).

-spec init(#parameters{}) -> #poker{}.
init(Parameters = #parameters{directories = Directories}) ->
    #poker{parameters = Parameters, settling = Directories, online = Directories}.

handle({prepare, _Control}, S = #poker{parameters = P}) ->
    {Started, _Lcg} = lists:mapfoldl(
        fun(Index, Lcg) ->
            Seed = lcg:next(Lcg),
            {directory:start(Index, Seed, self(), P), Seed}
        end,
        P#parameters.seed,
        lists:seq(0, P#parameters.directories - 1)
    ),
    Directories = list_to_tuple(Started),
    lists:foreach(
        fun(Client) -> directory_of(Client, Directories) ! {login, ?NAME(?POKER), Client} end,
        lists:seq(0, P#parameters.clients - 1)
    ),
    lists:foreach(
        fun(Directory) ->
            P#parameters.befriend > 0 andalso (Directory ! {befriend, ?NAME(?POKER)}),
            Directory ! {settle, ?NAME(?POKER)}
        end,
        Started
    ),
    S#poker{directories = Directories};
handle({settled, _Directory}, S = #poker{settling = Settling}) ->
    Settling =:= 1 andalso (control ! {ready, ?NAME(?POKER)}),
    S#poker{settling = Settling - 1};
handle({act, _Control, Client, Choice, Index, K}, S) ->
    {Turn, Accumulator, Next} = next_turn(1, S),
    Directory = directory_of(Client, S#poker.directories),
    Directory ! {act, ?NAME(?POKER), Turn, Client, Choice, Index, K, Accumulator},
    Next;
handle({turn, _Control}, S) ->
    turn(0, S);
handle({run, _Control, Salt}, S = #poker{parameters = #parameters{turns = Turns}}) ->
    run(Turns, Salt, S);
handle({confirm, _Accumulator, Turn, Value, Stops, Announced, Consumed}, S) ->
    Confirmed = stopwatch:stamp(),
    {Poked, Others} = maps:take(Turn, S#poker.poked),
    control !
        {confirmed, ?NAME(?POKER), Turn, Value, Stops, Announced, Consumed, Poked, Confirmed},
    S#poker{poked = Others};
handle({disconnect, _Control}, S) ->
    to_directories({disconnect, ?NAME(?POKER)}, S),
    S;
handle(Finished, S = #poker{sums = Mine, online = Online}) when element(1, Finished) =:= finished ->
    [finished, _Directory | Theirs] = tuple_to_list(Finished),
    Sums = lists:zipwith(fun erlang:'+'/2, Mine, Theirs),
    case Online of
        1 ->
            control ! list_to_tuple([finished, ?NAME(?POKER) | Sums]),
            stop;
        _ ->
            S#poker{sums = Sums, online = Online - 1}
    end.

run(0, _Salt, S) -> S;
run(Turns, Salt, S) -> run(Turns - 1, Salt, turn(Salt, S)).

turn(Salt, S) ->
    {Turn, Accumulator, Next} = next_turn(S#poker.parameters#parameters.clients, S),
    to_directories({poke, ?NAME(?POKER), Turn, Salt, Accumulator}, Next),
    Next.

%% The stamp comes before everything else of the turn (MEAS-2).
next_turn(Expected, S = #poker{turns = Turn, poked = Poked}) ->
    Stamp = stopwatch:stamp(),
    Accumulator = accumulator:start(Turn, Expected, self()),
    {Turn, Accumulator, S#poker{turns = Turn + 1, poked = Poked#{Turn => Stamp}}}.

to_directories(Message, #poker{directories = Directories}) ->
    lists:foreach(fun(Directory) -> Directory ! Message end, tuple_to_list(Directories)).

directory_of(Client, Directories) ->
    element(Client rem tuple_size(Directories) + 1, Directories).
