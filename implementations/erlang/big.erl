%% Big (spec/big.md): every peer pings every other, the next one upon the last one's pong.
-module(big).
-behaviour(micro).
-behaviour(actor).

-export([ranges/1, fields/0, lead/0, direct/3, troupe/1, member/3, spread/0, acquainted/0]).
-export([handle/2]).

-record(coordinator, {
    world :: world:world(),
    peers :: tuple(),
    windows :: windows:windows(),
    %% Windows that have ended and are not reported: how many have yet to answer `mark`,
    %% the sum so far, the duration.
    marks = #{} :: #{
        Number :: non_neg_integer() =>
            {Due :: pos_integer(), Pongs :: non_neg_integer(), Nanos :: pos_integer()}
    },
    waiting :: non_neg_integer(),
    playing :: non_neg_integer(),
    pings = 0 :: non_neg_integer(),
    pongs = 0 :: non_neg_integer()
}).

%% What a peer knows from the beginning; apart from what changes with every message.
-record(known, {
    world :: world:world(),
    index :: non_neg_integer(),
    name :: names:name(),
    peers :: tuple(),
    coordinator :: pid(),
    windows :: non_neg_integer(),
    %% `ping`s and `pong`s that it takes in the counted form.
    total :: non_neg_integer()
}).
-record(peer, {
    known :: #known{},
    pings = 0 :: non_neg_integer(),
    pongs = 0 :: non_neg_integer(),
    marked = 0 :: non_neg_integer(),
    pinging = true :: boolean()
}).

%% Starts the peers and waits for them (BIG-1, BIG-5).
handle({start, _Control}, S = #coordinator{windows = Windows}) ->
    Opened = windows:open(Windows),
    to_peers({go, names:name(coordinator)}, S),
    S#coordinator{windows = Opened};
handle({tick, _Coordinator, Number}, S = #coordinator{windows = Windows, marks = Marks}) ->
    to_peers({mark, names:name(coordinator), Number}, S),
    {_State, Nanos, Next} = windows:tick(Number, Windows),
    Mark = {tuple_size(S#coordinator.peers), 0, Nanos},
    S#coordinator{windows = Next, marks = Marks#{Number => Mark}};
handle({marked, _Peer, Number, Pongs}, S = #coordinator{}) ->
    marked(Number, Pongs, S);
handle({idle, _Peer}, S = #coordinator{waiting = Waiting}) ->
    Waiting =:= 1 andalso to_peers({stop, names:name(coordinator)}, S),
    S#coordinator{waiting = Waiting - 1};
handle({finished, _Peer, Pings, Pongs}, S = #coordinator{playing = 1, world = World}) ->
    micro:done(World, [S#coordinator.pings + Pings, S#coordinator.pongs + Pongs]),
    stop;
handle({finished, _Peer, Pings, Pongs}, S = #coordinator{playing = Playing}) ->
    S#coordinator{
        playing = Playing - 1,
        pings = S#coordinator.pings + Pings,
        pongs = S#coordinator.pongs + Pongs
    };
%% Pings its neighbours in turn, starting with the next one (BIG-2, BIG-6).
handle({go, _Coordinator}, S = #peer{}) ->
    ping(S);
handle({ping, _Peer, Round, Peer}, S = #peer{known = Known, pings = Pings}) ->
    Peer ! {pong, Known#known.name, Round},
    end_when_done(S#peer{pings = Pings + 1});
handle({pong, _Peer, _Round}, S = #peer{known = #known{total = Total}, pongs = Pongs}) when
    Pongs + 1 =:= Total
->
    end_when_done(S#peer{pongs = Pongs + 1});
handle({pong, _Peer, _Round}, S = #peer{pinging = true, pongs = Pongs}) ->
    ping(S#peer{pongs = Pongs + 1});
handle({pong, _Peer, _Round}, S = #peer{known = Known, pongs = Pongs}) ->
    Known#known.coordinator ! {idle, Known#known.name},
    S#peer{pongs = Pongs + 1};
handle({mark, _Coordinator, Number}, S = #peer{known = Known, pongs = Pongs, marked = Marked}) ->
    Known#known.coordinator ! {marked, Known#known.name, Number, Pongs - Marked},
    S#peer{marked = Pongs, pinging = Number + 1 < Known#known.windows};
handle({stop, _Coordinator}, S = #peer{}) ->
    finish(S).

to_peers(Message, #coordinator{peers = Peers}) ->
    lists:foreach(fun(Peer) -> Peer ! Message end, tuple_to_list(Peers)).

%% A peer answers its marks in order, and so the windows get complete in order.
marked(Number, Pongs, S = #coordinator{windows = Windows, marks = Marks}) ->
    case Marks of
        #{Number := {1, Sum, Nanos}} ->
            windows:report(Sum + Pongs, Nanos, Windows),
            S#coordinator{marks = maps:remove(Number, Marks)};
        #{Number := {Due, Sum, Nanos}} ->
            S#coordinator{marks = Marks#{Number := {Due - 1, Sum + Pongs, Nanos}}}
    end.

ping(S = #peer{known = Known, pongs = Pongs}) ->
    #known{name = Name, index = Index, peers = Peers} = Known,
    Others = tuple_size(Peers) - 1,
    Target = (Index + 1 + Pongs rem Others) rem (Others + 1),
    element(Target + 1, Peers) ! {ping, Name, Pongs div Others, self()},
    S.

end_when_done(S = #peer{known = #known{total = Total}, pings = Total, pongs = Total}) ->
    finish(S);
end_when_done(S) ->
    S.

finish(#peer{known = Known, pings = Pings, pongs = Pongs}) ->
    micro:share(Known#known.world, [Pings, Pongs]),
    Known#known.coordinator ! {finished, Known#known.name, Pings, Pongs},
    stop.

ranges(Message) ->
    windows:ranges(Message, [{peers, 2, 1 bsl 20}, {rounds, 1, 16#FFFFFFFF}]).

fields() -> [pings, pongs].

lead() -> names:name(coordinator).

direct(World, Parameters, Peers) ->
    #coordinator{
        world = World,
        peers = Peers,
        windows = windows:new(World, lead(), Parameters),
        waiting = tuple_size(Peers),
        playing = tuple_size(Peers)
    }.

troupe(#{peers := Peers}) -> Peers.

member(World, #{rounds := Rounds, windows := Windows}, Index) ->
    Name = names:name(peer, Index),
    actor:start_stranger(World, ?MODULE, Name, fun(Peers, Coordinator) ->
        #peer{
            known = #known{
                world = World,
                index = Index,
                name = Name,
                peers = Peers,
                coordinator = Coordinator,
                windows = Windows,
                total = Rounds * (tuple_size(Peers) - 1)
            }
        }
    end).

spread() -> all.

acquainted() -> true.
