%% Ping-pong (spec/pingpong.md): two actors, two messages a round, on one node or two.
-module(pingpong).
-behaviour(benchmark).
-behaviour(actor).

-export([lead/0, init/2, first/1, members/1, member/2]).
-export([handle/2]).

-include("actor.hrl").

-record(ping, {
    pong :: pid(),
    windows :: windows:windows(),
    %% Until the last `tick`.
    windowed :: boolean(),
    %% Bits by which values are shifted when they are sent (PING-7).
    shift :: 0..32,
    salt = 0 :: non_neg_integer(),
    pongs = 0 :: non_neg_integer(),
    sum = 0 :: non_neg_integer(),
    %% Pongs before the open window.
    before = 0 :: non_neg_integer()
}).
-record(pong, {shift :: 0..32, pings = 0 :: non_neg_integer()}).

%% Sends `ping`, takes `pong`, until none are left (PING-1, PING-6).
handle({start, _Control, Rounds, Salt}, S = #ping{windows = Windows}) ->
    windows:open(Windows),
    ping(Rounds, S#ping{salt = Salt});
handle({pong, _Pong, 0, Value}, #ping{shift = Shift, pongs = Pongs, sum = Sum}) ->
    stopwatch:stop(?NAME(?PING), [Pongs + 1, ?SUM(Sum, Value bsr Shift)]),
    stop;
handle({pong, _Pong, Left, Value}, S = #ping{shift = Shift, pongs = Pongs, sum = Sum}) ->
    ping(Left, S#ping{pongs = Pongs + 1, sum = ?SUM(Sum, Value bsr Shift)});
handle({tick, _Ping, Number}, S = #ping{windows = Windows, pongs = Pongs}) ->
    Stamp = windows:tick(Number, Windows),
    windows:report(Number, Pongs - S#ping.before, Stamp, Windows),
    S#ping{windowed = not windows:is_last(Number, Windows), before = Pongs};
%% Answers each `ping` (PING-2).
handle({ping, _Ping, Left, Value, Ping}, S = #pong{shift = Shift, pings = Pings}) ->
    Ping ! {pong, ?NAME(?PONG), Left, wide(?FOLD(Value bsr Shift, Pings), Shift)},
    case Left of
        0 -> stop;
        _ -> S#pong{pings = Pings + 1}
    end.

ping(Left, S = #ping{pong = Pong, windowed = Windowed, salt = Salt, pongs = Pongs}) ->
    Value = wide(?FOLD(Salt, Pongs), S#ping.shift),
    Following =
        case Windowed of
            true -> 1;
            false -> Left - 1
        end,
    Pong ! {ping, ?NAME(?PING), Following, Value, self()},
    S.

lead() -> {?MODULE, ?NAME(?PING)}.

init(Parameters, {Pong}) ->
    Windows = windows:new(?NAME(?PING), Parameters),
    #ping{
        pong = Pong,
        windows = Windows,
        windowed = windows:is_windowed(Windows),
        shift = shift(Parameters)
    }.

first(#{rounds := Rounds}) ->
    fun(Salt) -> {start, ?NAME(?CONTROL), Rounds, Salt} end.

members(_Parameters) -> 1.

member(Parameters, 0) ->
    actor:start(?MODULE, ?NAME(?PONG), #pong{shift = shift(Parameters)}).

shift(Parameters) -> maps:get(shift, Parameters, 0).

%% A value as it is sent: shifted, and its lowest bits once more behind it (PING-7).
wide(Value, Shift) -> (Value bsl Shift) bor (Value band ((1 bsl Shift) - 1)).
