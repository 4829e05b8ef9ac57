%% The room that the log limit leaves for events that are not delivered yet (CTRL-18).
%%
%% Counted in atomics, which whoever logs looks at; a process is woken only if it had to wait.
-module(room).

-export([new/0, limit/2, is_limited/0, take/0, delivered/1]).

%% The atomics. Without a limit the first is 0, and the second says nothing.
-define(LIMIT, 1).
-define(HELD, 2).

%% Actors that wait, as {Reference, Pid}. A process that takes the row of another one away sends it
%% the reference.
-define(WAITING, room_waiting).

%% By control, once.
-spec new() -> ok.
new() ->
    ?WAITING = ets:new(?WAITING, [public, named_table]),
    persistent_term:put(?MODULE, atomics:new(2, [])).

%% Lets so many events be held, of which some are held already, from now on, when nobody takes
%% anything. 0 is no limit.
-spec limit(non_neg_integer(), Held :: non_neg_integer()) -> ok.
limit(Limit, Held) ->
    Room = persistent_term:get(?MODULE),
    atomics:put(Room, ?HELD, Held),
    atomics:put(Room, ?LIMIT, Limit),
    wake().

-spec is_limited() -> boolean().
is_limited() ->
    atomics:get(persistent_term:get(?MODULE), ?LIMIT) =/= 0.

%% Takes the room of one event, and waits for it while the log is full.
-spec take() -> ok.
take() ->
    Room = persistent_term:get(?MODULE),
    take(Room, atomics:get(Room, ?LIMIT)).

take(_Room, 0) ->
    ok;
take(Room, Limit) ->
    case atomics:get(Room, ?HELD) of
        Held when Held < Limit ->
            case atomics:compare_exchange(Room, ?HELD, Held, Held + 1) of
                ok -> ok;
                _Other -> take()
            end;
        _ ->
            wait(Room),
            take()
    end.

%% Its reference is newer than every message in the mailbox, so none of them is looked at.
wait(Room) ->
    Reference = make_ref(),
    ets:insert(?WAITING, {Reference, self()}),
    %% Room that came before that has woken others only.
    case is_full(Room) orelse ets:take(?WAITING, Reference) of
        [_Mine] ->
            ok;
        _ ->
            receive
                Reference -> ok
            end
    end.

is_full(Room) ->
    Limit = atomics:get(Room, ?LIMIT),
    Limit =/= 0 andalso atomics:get(Room, ?HELD) >= Limit.

%% Gives the room of these events back.
-spec delivered(non_neg_integer()) -> ok.
delivered(Events) ->
    atomics:sub(persistent_term:get(?MODULE), ?HELD, Events),
    wake().

wake() ->
    lists:foreach(
        fun({Reference, _}) ->
            [Pid ! Reference || {_, Pid} <- ets:take(?WAITING, Reference)]
        end,
        ets:tab2list(?WAITING)
    ).
