%% Sleepers (spec/sleepers.md): as fanout, but every answer waits for a timer.
-module(sleepers).
-behaviour(benchmark).
-behaviour(actor).

-export([lead/0, init/2, members/1, member/2]).
-export([handle/2]).

-include("actor.hrl").

-record(alarm, {
    sleepers :: tuple(),
    naps :: pos_integer(),
    %% When each was last told to sleep, by its index from 1; and the shortest nap of all (SLEEP-5).
    asleep :: atomics:atomics_ref(),
    shortest = infinity :: non_neg_integer() | infinity,
    salt = 0 :: non_neg_integer(),
    awake = 0 :: non_neg_integer(),
    sum = 0 :: non_neg_integer()
}).
-record(sleeper, {
    index :: non_neg_integer(),
    naps :: pos_integer(),
    delay :: non_neg_integer(),
    alarm :: pid(),
    %% Of the `sleep` that it sleeps upon.
    value = 0 :: non_neg_integer()
}).

%% Sends everybody to sleep, again and again (SLEEP-1).
handle({start, _Control, Salt}, S = #alarm{sleepers = Sleepers}) ->
    Started = S#alarm{salt = Salt},
    Indices = lists:seq(0, tuple_size(Sleepers) - 1),
    lists:foreach(fun(Index) -> sleep(0, Index, Started) end, Indices),
    Started;
handle({awake, Sleeper, Number, Value}, S = #alarm{naps = Naps, awake = Awake, sum = Sum}) ->
    Index = ?INDEX(Sleeper),
    Nap = stopwatch:stamp() - atomics:get(S#alarm.asleep, Index + 1),
    Number + 1 < Naps andalso sleep(Number + 1, Index, S),
    %% Any number is less than an atom.
    Shortest = min(Nap, S#alarm.shortest),
    awake(S#alarm{awake = Awake + 1, sum = ?SUM(Sum, Value), shortest = Shortest});
%% Sleeps when told to, on the runtime's timer (SLEEP-2).
handle({sleep, _Alarm, Number, Value}, S = #sleeper{index = Index, delay = Delay}) ->
    _ = erlang:send_after(Delay, self(), {wake, ?NAME(?SLEEPER, Index), Number}),
    S#sleeper{value = Value};
handle({wake, Self, Number}, S = #sleeper{naps = Naps, delay = Delay, value = Value}) ->
    S#sleeper.alarm ! {awake, Self, Number, ?FOLD(Value, Delay)},
    case Number + 1 of
        Naps -> stop;
        _ -> S
    end.

sleep(Number, Index, #alarm{sleepers = Sleepers, asleep = Asleep, salt = Salt}) ->
    Value = ?FOLD(?FOLD(Salt, Index), Number),
    atomics:put(Asleep, Index + 1, stopwatch:stamp()),
    element(Index + 1, Sleepers) ! {sleep, ?NAME(?ALARM), Number, Value}.

awake(#alarm{sleepers = Sleepers, naps = Naps, awake = Awake} = S) when
    Awake =:= tuple_size(Sleepers) * Naps
->
    #alarm{sum = Sum, shortest = Shortest} = S,
    stopwatch:stop(?NAME(?ALARM), [Awake, Sum], stopwatch:stamp(), #{shortest_nanos => Shortest}),
    stop;
awake(S) ->
    S.

lead() -> {?MODULE, ?NAME(?ALARM)}.

init(#{naps := Naps}, Sleepers) ->
    #alarm{sleepers = Sleepers, naps = Naps, asleep = atomics:new(tuple_size(Sleepers), [])}.

members(#{sleepers := Sleepers}) -> Sleepers.

member(#{naps := Naps, delay := Delay}, Index) ->
    Sleeper = #sleeper{index = Index, naps = Naps, delay = Delay, alarm = self()},
    actor:start(?MODULE, ?NAME(?SLEEPER, Index), Sleeper).
