%% Ping-pong (spec/pingpong.md): two actors, two messages a round, on one node or two.
-module(pingpong).
-behaviour(play).
-behaviour(actor).

-export([parameters/1, set_up/3, message/2, tally/2, note/2, progress/1, receipt/1]).
-export([handle/2]).

-record(ping, {
    world :: world:world(),
    peer :: pid(),
    started = 0 :: integer(),
    pongs = 0 :: non_neg_integer()
}).
-record(pong, {world :: world:world(), pings = 0 :: non_neg_integer()}).

%% `due`: which of the two actors have yet to report from this node.
-record(tally, {
    rounds :: pos_integer(),
    due :: [ping | pong],
    pings = 0 :: non_neg_integer(),
    pongs = 0 :: non_neg_integer(),
    nanos = 0 :: non_neg_integer()
}).

%% Sends `ping`, takes `pong`, until none are left (PING-1).
handle({start, _Control, Rounds}, S = #ping{peer = Peer}) ->
    Started = erlang:monotonic_time(nanosecond),
    Peer ! {ping, names:ping(), Rounds - 1, self()},
    S#ping{started = Started};
handle({pong, _Pong, 0}, #ping{world = World, started = Started, pongs = Pongs}) ->
    world:report(World, {played, Pongs + 1, Started, erlang:monotonic_time(nanosecond)}),
    stop;
handle({pong, _Pong, Left}, S = #ping{peer = Peer, pongs = Pongs}) ->
    Peer ! {ping, names:ping(), Left - 1, self()},
    S#ping{pongs = Pongs + 1};
%% Answers each `ping` with what it carried (PING-2). Its half of the receipt goes
%% to its own node's control port before the last answer, which ends the run.
handle({ping, _Ping, 0, Ping}, #pong{world = World, pings = Pings}) ->
    world:report(World, {answered, Pings + 1}),
    Ping ! {pong, names:pong(), 0},
    stop;
handle({ping, _Ping, Left, Ping}, S = #pong{pings = Pings}) ->
    Ping ! {pong, names:pong(), Left},
    S#pong{pings = Pings + 1}.

-spec parameters(map()) -> pos_integer().
parameters(Message) ->
    refusal:integer("pingpong.", <<"rounds">>, Message, 1, 16#FFFFFFFF).

%% The lead is ping, on node 1 pong; neither outlives the iteration.
-spec set_up(world:world(), pos_integer(), play:place()) -> {pid(), []}.
set_up(World, _Rounds, Place) ->
    Lead =
        case Place of
            local -> ping(World, pong(World));
            {0, [_, Node]} -> ping(World, remote_pong(World, Node));
            {1, _} -> pong(World)
        end,
    world:report(World, ready),
    {Lead, []}.

ping(World, Peer) ->
    actor:start(World, ?MODULE, names:ping(), #ping{world = World, peer = Peer}).

remote_pong(World, Node) ->
    Pong = control:lead(Node),
    world:watch(World, names:pong(), Pong),
    Pong.

pong(World) ->
    actor:start(World, ?MODULE, names:pong(), #pong{world = World}).

-spec message(play:line(), pos_integer()) -> actor:message() | none.
message(run, Rounds) -> {start, names:control(), Rounds};
message(disconnect, _Rounds) -> none;
message({act, _Request}, _Rounds) -> refusal:early(act, "a prepare of chatapp is missing");
message(turn, _Rounds) -> refusal:early(turn, "a prepare of chatapp is missing").

-spec tally(pos_integer(), play:place()) -> #tally{}.
tally(Rounds, local) -> #tally{rounds = Rounds, due = [ping, pong]};
tally(Rounds, {0, _}) -> #tally{rounds = Rounds, due = [ping]};
tally(Rounds, {1, _}) -> #tally{rounds = Rounds, due = [pong]}.

-spec note(term(), #tally{}) -> {play:event(), #tally{}}.
note(ready, T) ->
    {ready, T};
note({played, Pongs, Started, Ended}, T) ->
    settle(ping, T#tally{pongs = Pongs, nanos = Ended - Started});
note({answered, Pings}, T) ->
    settle(pong, T#tally{pings = Pings}).

settle(Actor, T = #tally{due = Due}) ->
    case lists:delete(Actor, Due) of
        [] -> {finished, T#tally{due = []}};
        Still -> {none, T#tally{due = Still}}
    end.

%% Ping keeps count for itself; all that is known from outside is whether it is done.
-spec progress(#tally{}) -> {non_neg_integer(), pos_integer()}.
progress(#tally{pongs = Pongs, rounds = Rounds}) ->
    {Pongs, Rounds}.

-spec receipt(#tally{}) -> {map(), non_neg_integer()}.
receipt(#tally{pings = Pings, pongs = Pongs, nanos = Nanos}) ->
    {#{pingpong => #{pings => Pings, pongs => Pongs}}, Nanos}.
