%% Big (spec/big.md): every peer pings every other, the next one upon the last one's pong.
-module(big).
-behaviour(benchmark).
-behaviour(actor).

-export([lead/0, init/2, members/1, member/2]).
-export([handle/2]).

-include("actor.hrl").

-record(coordinator, {
    peers :: tuple(),
    windows :: windows:windows(),
    %% Windows that have ended and are not reported: how many have yet to answer `mark`,
    %% the sum so far, the end.
    marks = #{} :: #{
        Number :: non_neg_integer() =>
            {Due :: pos_integer(), Pongs :: non_neg_integer(), stopwatch:stamp()}
    },
    waiting :: non_neg_integer(),
    busy :: non_neg_integer(),
    pings = 0 :: non_neg_integer(),
    pongs = 0 :: non_neg_integer(),
    given = 0 :: non_neg_integer(),
    taken = 0 :: non_neg_integer()
}).

%% What a peer knows; apart from what changes with every message.
-record(known, {
    index :: non_neg_integer(),
    name :: names:name(),
    peers :: tuple(),
    coordinator :: pid(),
    windows :: windows:windows(),
    %% `ping`s and `pong`s that it takes in the counted form.
    total :: non_neg_integer(),
    %% From `go` on: the salt with this peer's index in it.
    salt = 0 :: non_neg_integer(),
    %% Until the last `mark`.
    pinging = true :: boolean()
}).
-record(peer, {
    known :: #known{},
    pings = 0 :: non_neg_integer(),
    pongs = 0 :: non_neg_integer(),
    given = 0 :: non_neg_integer(),
    taken = 0 :: non_neg_integer(),
    marked = 0 :: non_neg_integer()
}).

%% Starts the peers and waits for them (BIG-1, BIG-5).
handle({start, _Control, Salt}, S = #coordinator{windows = Windows}) ->
    windows:open(Windows),
    to_peers({go, ?NAME(?COORDINATOR), Salt}, S),
    S;
handle({tick, _Coordinator, Number}, S = #coordinator{windows = Windows, marks = Marks}) ->
    Stamp = windows:tick(Number, Windows),
    to_peers({mark, ?NAME(?COORDINATOR), Number}, S),
    S#coordinator{marks = Marks#{Number => {tuple_size(S#coordinator.peers), 0, Stamp}}};
handle({marked, _Peer, Number, Pongs}, S = #coordinator{}) ->
    marked(Number, Pongs, S);
handle({idle, _Peer}, S = #coordinator{waiting = Waiting}) ->
    Waiting =:= 1 andalso to_peers({stop, ?NAME(?COORDINATOR)}, S),
    S#coordinator{waiting = Waiting - 1};
handle({finished, _Peer, Pings, Pongs, Given, Taken}, S = #coordinator{busy = Busy}) ->
    finished(S#coordinator{
        busy = Busy - 1,
        pings = S#coordinator.pings + Pings,
        pongs = S#coordinator.pongs + Pongs,
        given = ?SUM(S#coordinator.given, Given),
        taken = ?SUM(S#coordinator.taken, Taken)
    });
%% Pings its neighbours in turn, starting with the next one (BIG-2, BIG-6).
handle({go, _Coordinator, Salt}, S = #peer{known = Known = #known{index = Index}}) ->
    ping(S#peer{known = Known#known{salt = ?FOLD(Salt, Index)}});
handle({ping, Peer, Round, Value}, S = #peer{known = Known, pings = Pings}) ->
    #known{index = Index, name = Name, peers = Peers} = Known,
    Answer = ?FOLD(Value, Index),
    element(?INDEX(Peer) + 1, Peers) ! {pong, Name, Round, Answer},
    end_when_done(S#peer{pings = Pings + 1, given = ?SUM(S#peer.given, Answer)});
handle({pong, _Peer, _Round, Value}, S = #peer{pongs = Pongs, taken = Taken}) ->
    pong(S#peer{pongs = Pongs + 1, taken = ?SUM(Taken, Value)});
handle({mark, _Coordinator, Number}, S = #peer{known = Known, pongs = Pongs, marked = Marked}) ->
    Known#known.coordinator ! {marked, Known#known.name, Number, Pongs - Marked},
    Pinging = not windows:is_last(Number, Known#known.windows),
    S#peer{known = Known#known{pinging = Pinging}, marked = Pongs};
handle({stop, _Coordinator}, S = #peer{}) ->
    finish(S).

to_peers(Message, #coordinator{peers = Peers}) ->
    lists:foreach(fun(Peer) -> Peer ! Message end, tuple_to_list(Peers)).

%% A peer answers its marks in order, and so the windows get complete in order.
marked(Number, Pongs, S = #coordinator{windows = Windows, marks = Marks}) ->
    case Marks of
        #{Number := {1, Sum, Stamp}} ->
            windows:report(Number, Sum + Pongs, Stamp, Windows),
            S#coordinator{marks = maps:remove(Number, Marks)};
        #{Number := {Due, Sum, Stamp}} ->
            S#coordinator{marks = Marks#{Number := {Due - 1, Sum + Pongs, Stamp}}}
    end.

finished(#coordinator{busy = 0, pings = Pings, pongs = Pongs, given = Given, taken = Taken}) ->
    stopwatch:stop(?NAME(?COORDINATOR), [Pings, Pongs, Given, Taken]),
    stop;
finished(S) ->
    S.

pong(S = #peer{known = #known{total = Total}, pongs = Total}) ->
    end_when_done(S);
pong(S = #peer{known = #known{pinging = true}}) ->
    ping(S);
pong(S = #peer{known = Known}) ->
    Known#known.coordinator ! {idle, Known#known.name},
    S.

ping(S = #peer{known = Known, pongs = Pongs}) ->
    #known{name = Name, index = Index, peers = Peers, salt = Salt} = Known,
    Others = tuple_size(Peers) - 1,
    Round = Pongs div Others,
    Target = (Index + 1 + Pongs rem Others) rem (Others + 1),
    element(Target + 1, Peers) ! {ping, Name, Round, ?FOLD(Salt, Round)},
    S.

end_when_done(S = #peer{known = #known{total = Total}, pings = Total, pongs = Total}) ->
    finish(S);
end_when_done(S) ->
    S.

finish(#peer{known = Known, pings = Pings, pongs = Pongs, given = Given, taken = Taken}) ->
    Known#known.coordinator ! {finished, Known#known.name, Pings, Pongs, Given, Taken},
    stop.

lead() -> {?MODULE, ?NAME(?COORDINATOR)}.

init(Parameters, Peers) ->
    #coordinator{
        peers = Peers,
        windows = windows:new(?NAME(?COORDINATOR), Parameters),
        waiting = tuple_size(Peers),
        busy = tuple_size(Peers)
    }.

members(#{peers := Peers}) -> Peers.

member(Parameters = #{rounds := Rounds}, Index) ->
    Name = ?NAME(?PEER, Index),
    actor:start_with(?MODULE, Name, fun() ->
        {Peers, Coordinator} = placement:await_introduction(),
        #peer{
            known = #known{
                index = Index,
                name = Name,
                peers = Peers,
                coordinator = Coordinator,
                windows = windows:new(?NAME(?COORDINATOR), Parameters),
                total = Rounds * (tuple_size(Peers) - 1)
            }
        }
    end).
