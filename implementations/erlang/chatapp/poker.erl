%% Sets the scene, starts every turn and ends the iteration.
-module(poker).
-behaviour(actor).

-export([start/2, handle/2]).

-include("chatapp.hrl").

-record(poker, {
    world :: world:world(),
    parameters :: #parameters{},
    directories = {} :: tuple(),
    turns = 0 :: non_neg_integer(),
    started = #{} :: #{Turn :: non_neg_integer() => Nanos :: integer()},
    settling :: non_neg_integer(),
    confirms = 0 :: non_neg_integer(),
    running = false :: boolean(),
    online :: non_neg_integer(),
    sums = [0, 0, 0, 0, 0, 0, 0, 0] :: [non_neg_integer()]
}).

-spec start(world:world(), #parameters{}) -> pid().
start(World, Parameters) ->
    Directories = Parameters#parameters.directories,
    actor:start(World, ?MODULE, names:poker(), #poker{
        world = World,
        parameters = Parameters,
        settling = Directories,
        online = Directories
    }).

handle({prepare, _Control}, S = #poker{world = World, parameters = P}) ->
    {Started, _Lcg} = lists:mapfoldl(
        fun(Index, Lcg) ->
            Seed = lcg:next(Lcg),
            {directory:start_link(World, Index, Seed, self(), P), Seed}
        end,
        P#parameters.seed,
        lists:seq(0, P#parameters.directories - 1)
    ),
    Directories = list_to_tuple(Started),
    Name = names:poker(),
    lists:foreach(
        fun(Client) -> directory_of(Client, Directories) ! {login, Name, Client} end,
        lists:seq(0, P#parameters.clients - 1)
    ),
    lists:foreach(
        fun(Directory) ->
            P#parameters.befriend > 0 andalso (Directory ! {befriend, Name}),
            Directory ! {settle, Name}
        end,
        Started
    ),
    S#poker{directories = Directories};
handle({settled, _Directory}, S = #poker{settling = 1, world = World}) ->
    world:report(World, ready),
    S#poker{settling = 0};
handle({settled, _Directory}, S = #poker{settling = Settling}) ->
    S#poker{settling = Settling - 1};
handle({act, _Control, Client, Choice, Index, K}, S) ->
    {Turn, Accumulator, Next} = next_turn(1, S),
    Directory = directory_of(Client, S#poker.directories),
    Directory ! {act, names:poker(), Turn, Client, Choice, Index, K, Accumulator},
    Next;
handle({turn, _Control}, S) ->
    turn(S);
handle({run, _Control}, S) ->
    run(S#poker.parameters#parameters.turns, S#poker{running = true});
handle({confirm, _Accumulator, Turn, Value}, S) ->
    confirm(Turn, Value, erlang:monotonic_time(nanosecond), S);
handle({disconnect, _Control}, S) ->
    disconnect(S);
handle(Finished, S = #poker{sums = Mine}) when element(1, Finished) =:= finished ->
    [finished, _Directory | Theirs] = tuple_to_list(Finished),
    Sums = lists:zipwith(fun erlang:'+'/2, Mine, Theirs),
    Online = S#poker.online - 1,
    Online =:= 0 andalso world:report(S#poker.world, {finished, Sums}),
    S#poker{sums = Sums, online = Online}.

run(0, S) -> S;
run(Turns, S) -> run(Turns - 1, turn(S)).

turn(S) ->
    {Turn, Accumulator, Next} = next_turn(S#poker.parameters#parameters.clients, S),
    to_directories({poke, names:poker(), Turn, Accumulator}, Next),
    Next.

next_turn(Expected, S = #poker{turns = Turn}) ->
    Accumulator = accumulator:start(S#poker.world, Turn, Expected, self()),
    Started = (S#poker.started)#{Turn => erlang:monotonic_time(nanosecond)},
    {Turn, Accumulator, S#poker{turns = Turn + 1, started = Started}}.

confirm(Turn, Value, Now, S = #poker{parameters = #parameters{turns = Turns}}) ->
    {Then, Started} = maps:take(Turn, S#poker.started),
    world:report(S#poker.world, {confirmed, Turn, Value, Then, Now}),
    Confirms = S#poker.confirms + 1,
    Next = S#poker{started = Started, confirms = Confirms},
    case S#poker.running andalso Confirms =:= Turns of
        true -> disconnect(Next);
        false -> Next
    end.

disconnect(S) ->
    to_directories({disconnect, names:poker()}, S),
    S.

to_directories(Message, #poker{directories = Directories}) ->
    lists:foreach(fun(Directory) -> Directory ! Message end, tuple_to_list(Directories)).

directory_of(Client, Directories) ->
    element(Client rem tuple_size(Directories) + 1, Directories).
