%% A world: what exists from one Prepare to its Teardown.
-module(world).

-export([found/0, open/1, act/2, turn/1, run/3, close/1]).
-export_type([world/0, parameters/0]).

-include("actor.hrl").

-type parameters() :: #{atom() => term()}.

%% The lead, to whom control speaks: the module of its actor, and its name.
-callback lead() -> {module(), names:name()}.

%% The lead's first state, made in its own process; of the members all are there.
-callback init(parameters(), Members :: tuple()) -> State :: term().

%% How many numbered actors the lead has to know, who may live on several nodes; and a new
%% one, the Index-th from 0. Without them: none.
-callback members(parameters()) -> pos_integer().
-callback member(parameters(), Index :: non_neg_integer()) -> pid().

%% What control tells the lead in a run, but for the salt (ACT-7). Without it: `start`.
-callback first(parameters()) -> fun((Salt :: 0..16#FFFFFFFF) -> actor:message()).

%% What control tells the lead so that it sets the world up and says `ready`. Without it
%% the lead is ready when it has its first state.
-callback prepare() -> actor:message().

%% What control tells the lead upon Teardown. Without it: nothing.
-callback disconnect() -> actor:message().

-optional_callbacks([members/1, member/2, first/1, prepare/0, disconnect/0]).

-record(world, {
    benchmark :: module(),
    %% On node 0.
    lead = none :: pid() | none,
    first :: fun((0..16#FFFFFFFF) -> actor:message()),
    receipt :: receipt:receipt()
}).
-opaque world() :: #world{}.

%% At most ten marks a second (CTRL-6).
-define(MARK_NANOS, 100_000_000).

%% How long nothing changes before those who are left count as alive (CTRL-8).
-define(SETTLE_NANOS, 1_000_000_000).
-define(POLL_MILLIS, 1).

%% Makes the caller control: the group leader of all actors, whom spawning makes members of
%% that group as it does in OTP's applications.
-spec found() -> ok.
found() ->
    group_leader(self(), self()),
    log:new().

%% Sets a world up; says how long that took, in nanoseconds. This and all below throw
%% `{failed, Reason}` if an actor fails or a node is lost.
-spec open(map()) -> {non_neg_integer(), world()}.
open(Request = #{benchmark := Chosen}) ->
    Began = stopwatch:stamp(),
    [{Benchmark, Parameters}] = maps:to_list(Chosen),
    distribution:join(Benchmark, Request),
    World = #world{
        benchmark = Benchmark,
        lead = lead(Benchmark, Parameters, distribution:place()),
        first = first(Benchmark, Parameters),
        receipt = receipt:new(Benchmark, Parameters)
    },
    {stopwatch:stamp() - Began, World}.

lead(Benchmark, Parameters, {0, _Nodes}) ->
    {Module, Name} = Benchmark:lead(),
    Prepares = erlang:function_exported(Benchmark, prepare, 0),
    Lead = actor:start_with(Module, Name, fun() ->
        State = Benchmark:init(Parameters, placement:members(Benchmark, Parameters)),
        Prepares orelse (control ! {ready, Name}),
        State
    end),
    Prepares andalso (Lead ! Benchmark:prepare()),
    {ready, _} = await(),
    Lead;
lead(Benchmark, Parameters, _Place) ->
    placement:settle(Benchmark, Parameters),
    none.

first(Benchmark, Parameters) ->
    case erlang:function_exported(Benchmark, first, 1) of
        true -> Benchmark:first(Parameters);
        false -> fun(Salt) -> {start, ?NAME(?CONTROL), Salt} end
    end.

-spec act([non_neg_integer()], world()) -> world().
act(Arguments, World) ->
    speak(list_to_tuple([act, ?NAME(?CONTROL) | Arguments]), World).

-spec turn(world()) -> world().
turn(World) ->
    speak({turn, ?NAME(?CONTROL)}, World).

speak(Message, World = #world{lead = Lead, receipt = Receipt}) ->
    Lead ! Message,
    World#world{receipt = receipt:note(await(), Receipt)}.

%% Mark is called with the turns or windows so far, now and then and in the end (CTRL-6).
-spec run(0..16#FFFFFFFF, fun((pos_integer()) -> term()), world()) -> world().
run(Salt, Mark, World = #world{lead = Lead, first = First, receipt = Receipt}) ->
    Taken = stopwatch:stamp(),
    Started = stopwatch:start(Lead, First(Salt)),
    World#world{receipt = follow(receipt:start(Started, Receipt), Taken, Mark)}.

follow(Receipt, Marked, Mark) ->
    Next = receipt:note(await(), Receipt),
    Now = stopwatch:stamp(),
    Done = receipt:done(Next),
    case receipt:is_complete(Next) of
        true ->
            Done > 0 andalso Mark(Done),
            Next;
        false when Now - Marked >= ?MARK_NANOS ->
            Mark(Done),
            follow(Next, Now, Mark);
        false ->
            follow(Next, Marked, Mark)
    end.

%% Ends the world; its receipt.
-spec close(world()) -> map().
close(World) ->
    Began = stopwatch:stamp(),
    Receipt = farewell(World),
    {Ended, Alive} = settle(stopwatch:stamp(), alive()),
    distribution:leave(),
    Receipt#{teardown_nanos => Ended - Began, alive => Alive}.

farewell(#world{lead = none}) ->
    #{};
farewell(#world{benchmark = Benchmark, lead = Lead, receipt = Receipt}) ->
    erlang:function_exported(Benchmark, disconnect, 0) andalso (Lead ! Benchmark:disconnect()),
    case receipt:is_finished(Receipt) of
        true -> receipt:render(Receipt);
        false -> receipt:render(receipt:note(await(), Receipt))
    end.

settle(Since, 0) ->
    {Since, 0};
settle(Since, Alive) ->
    timer:sleep(?POLL_MILLIS),
    Now = stopwatch:stamp(),
    case alive() of
        Alive when Now - Since >= ?SETTLE_NANOS -> {Now, Alive};
        Alive -> settle(Since, Alive);
        Fewer -> settle(stopwatch:stamp(), Fewer)
    end.

%% The runtime's own count of actors.
alive() ->
    Actor = {group_leader, self()},
    length([Pid || Pid <- processes(), process_info(Pid, group_leader) =:= Actor]) - 1.

%% What an actor reports next.
await() ->
    receive
        {failed, Reason} -> throw({failed, Reason});
        {nodedown, Node} -> throw({failed, [distribution:spell(Node), " was lost"]});
        Report -> Report
    end.
