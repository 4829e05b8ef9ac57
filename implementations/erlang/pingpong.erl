%% Ping-pong (spec/pingpong.md): two actors, two messages a round, on one node or two.
-module(pingpong).
-behaviour(micro).
-behaviour(actor).

-export([ranges/1, fields/0, lead/0, direct/3, opening/2, troupe/1, member/3, spread/0]).
-export([handle/2]).

-record(ping, {
    world :: world:world(),
    peer :: pid(),
    windows :: windows:windows(),
    %% Until the last `tick`.
    windowed :: boolean(),
    pongs = 0 :: non_neg_integer()
}).
-record(pong, {world :: world:world(), pings = 0 :: non_neg_integer()}).

%% Sends `ping`, takes `pong`, until none are left (PING-1, PING-6).
handle({start, _Control, Rounds}, S = #ping{world = World}) ->
    micro:started(World),
    ping(Rounds, S#ping{windows = windows:open(S#ping.windows)});
handle({pong, _Pong, 0}, #ping{world = World, pongs = Pongs}) ->
    micro:done(World, [], [0, Pongs + 1]),
    stop;
handle({pong, _Pong, Left}, S = #ping{pongs = Pongs}) ->
    ping(Left, S#ping{pongs = Pongs + 1});
handle({tick, _Ping, Number}, S = #ping{windows = Windows, pongs = Pongs}) ->
    {State, Nanos, Next} = windows:tick(Number, Windows),
    {Count, Counted} = windows:count(Pongs, Next),
    windows:report(Count, Nanos, Counted),
    S#ping{windows = Counted, windowed = State =:= open};
%% Answers each `ping` with what it carried (PING-2).
handle({ping, _Ping, 0, Ping}, #pong{world = World, pings = Pings}) ->
    micro:share(World, [Pings + 1, 0]),
    Ping ! {pong, names:name(pong), 0},
    stop;
handle({ping, _Ping, Left, Ping}, S = #pong{pings = Pings}) ->
    Ping ! {pong, names:name(pong), Left},
    S#pong{pings = Pings + 1}.

ping(_Left, S = #ping{peer = Peer, windowed = true}) ->
    Peer ! {ping, names:name(ping), 1, self()},
    S;
ping(Left, S = #ping{peer = Peer}) ->
    Peer ! {ping, names:name(ping), Left - 1, self()},
    S.

ranges(Message) ->
    windows:ranges(Message, [{rounds, 1, 16#FFFFFFFF}]).

fields() -> [pings, pongs].

lead() -> names:name(ping).

direct(World, Parameters, {Pong}) ->
    Windows = windows:new(World, lead(), Parameters),
    Windowed = windows:is_windowed(Windows),
    #ping{world = World, peer = Pong, windows = Windows, windowed = Windowed}.

opening(_World, #{rounds := Rounds}) -> {start, names:control(), Rounds}.

troupe(_Parameters) -> 1.

member(World, _Parameters, 0) ->
    actor:start(World, ?MODULE, names:name(pong), #pong{world = World}).

spread() -> others.
