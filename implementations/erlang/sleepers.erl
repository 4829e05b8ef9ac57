%% Sleepers (spec/sleepers.md): as fanout, but every answer waits for a timer.
-module(sleepers).
-behaviour(micro).
-behaviour(actor).

-export([ranges/1, fields/0, lead/0, direct/3, troupe/1, member/3]).
-export([handle/2]).

-record(alarm, {
    world :: world:world(),
    sleepers :: tuple(),
    naps :: pos_integer(),
    total :: pos_integer(),
    awake = 0 :: non_neg_integer()
}).
-record(sleeper, {
    name :: names:name(),
    naps :: pos_integer(),
    delay :: non_neg_integer(),
    alarm = none :: none | pid()
}).

%% Sends everybody to sleep, again and again (SLEEP-1).
handle({start, _Control}, S = #alarm{sleepers = Sleepers}) ->
    Sleep = {sleep, names:name(alarm), 0, self()},
    lists:foreach(fun(Sleeper) -> Sleeper ! Sleep end, tuple_to_list(Sleepers)),
    S;
handle({awake, _Sleeper, _Number}, #alarm{world = World, total = Total, awake = Awake}) when
    Awake + 1 =:= Total
->
    micro:done(World, [Total]),
    stop;
handle({awake, Sleeper, Number}, S = #alarm{naps = Naps, awake = Awake}) ->
    Number + 1 < Naps andalso
        (element(names:index(Sleeper) + 1, S#alarm.sleepers) !
            {sleep, names:name(alarm), Number + 1, self()}),
    S#alarm{awake = Awake + 1};
%% Sleeps when told to, on the runtime's timer (SLEEP-2).
handle({sleep, _Alarm, Number, Alarm}, S = #sleeper{name = Name, delay = Delay}) ->
    _ = erlang:send_after(Delay, self(), {wake, Name, Number}),
    S#sleeper{alarm = Alarm};
handle({wake, _Self, Number}, S = #sleeper{name = Name, naps = Naps, alarm = Alarm}) ->
    Alarm ! {awake, Name, Number},
    case Number + 1 of
        Naps -> stop;
        _ -> S
    end.

ranges(_Message) ->
    [{sleepers, 1, 1 bsl 20}, {naps, 1, 16#FFFFFFFF}, {delay, 0, 60000}].

fields() -> [naps].

lead() -> names:name(alarm).

direct(World, #{naps := Naps}, Sleepers) ->
    Total = tuple_size(Sleepers) * Naps,
    #alarm{world = World, sleepers = Sleepers, naps = Naps, total = Total}.

troupe(#{sleepers := Sleepers}) -> Sleepers.

member(World, #{naps := Naps, delay := Delay}, Index) ->
    Name = names:name(sleeper, Index),
    actor:start(World, ?MODULE, Name, #sleeper{name = Name, naps = Naps, delay = Delay}).
