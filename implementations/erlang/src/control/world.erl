%% A world: what exists from one Prepare to its Teardown.
-module(world).

-export([found/0, open/1, drive/2, run/3, close/1]).
-export_type([world/0]).

-record(world, {
    benchmark :: module(),
    %% On node 0.
    lead :: pid() | none,
    first :: fun((benchmark:salt()) -> actor:message()),
    %% Confirmed turns that make a run, or `infinity`: it lasts until `done`.
    turns :: pos_integer() | infinity,
    started = none :: stopwatch:stamp() | none,
    %% What the lead has reported, and what it has reported upon `disconnect`.
    reports = [] :: benchmark:reports(),
    last = none :: tuple() | none
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
open(Request = #{benchmark := Chosen, watches := Watches}) ->
    Began = stopwatch:stamp(),
    forget(),
    watch:set(Watches),
    [{Benchmark, Parameters}] = maps:to_list(Chosen),
    distribution:join(Benchmark, Request),
    World = #world{
        benchmark = Benchmark,
        lead = lead(Benchmark, Parameters, distribution:place()),
        first = benchmark:first(Benchmark, Parameters),
        turns = maps:get(turns, Parameters, infinity)
    },
    {stopwatch:stamp() - Began, World}.

lead(Benchmark, Parameters, {0, _Nodes}) ->
    Lead = benchmark:start(Benchmark, Parameters),
    {ready, _} = await(),
    Lead;
lead(Benchmark, Parameters, _Place) ->
    placement:settle(Benchmark, Parameters),
    none.

%% Tells the lead something that it answers with one report.
-spec drive(actor:message(), world()) -> world().
drive(Message, World = #world{lead = Lead}) ->
    Lead ! Message,
    collect(await(), World).

collect(Report, World = #world{benchmark = Benchmark, reports = Reports}) ->
    World#world{reports = benchmark:collect(Benchmark, Report, Reports)}.

%% Mark is called with the turns or windows so far, now and then and in the end (CTRL-6).
-spec run(benchmark:salt(), fun((pos_integer()) -> term()), world()) -> world().
run(Salt, Mark, World = #world{lead = Lead, first = First}) ->
    Taken = stopwatch:stamp(),
    Started = stopwatch:start(Lead, First(Salt)),
    follow(0, Taken, Mark, World#world{started = Started}).

follow(Done, Marked, Mark, World = #world{turns = Turns}) ->
    Report = await(),
    Next = collect(Report, World),
    Now = stopwatch:stamp(),
    case element(1, Report) of
        done ->
            Done > 0 andalso Mark(Done),
            Next;
        confirmed when Done + 1 =:= Turns ->
            Mark(Turns),
            Next;
        _ when Now - Marked >= ?MARK_NANOS ->
            Mark(Done + 1),
            follow(Done + 1, Now, Mark, Next);
        _ ->
            follow(Done + 1, Marked, Mark, Next)
    end.

%% Ends the world; its receipt, which is made when all have ended: no part of their end (MEAS-4).
-spec close(world()) -> map().
close(World) ->
    Began = stopwatch:stamp(),
    Reported = disconnect(World),
    {Ended, Alive} = settle(stopwatch:stamp(), alive()),
    distribution:leave(),
    raise(),
    (receipt(Reported))#{teardown_nanos => Ended - Began, alive => Alive}.

%% Waits for what the lead reports upon it, if anything.
disconnect(World = #world{lead = none}) ->
    World;
disconnect(World = #world{benchmark = Benchmark, lead = Lead}) ->
    case benchmark:disconnect(Benchmark, Lead) of
        reports -> World#world{last = await()};
        silent -> World
    end.

receipt(#world{lead = none}) ->
    #{};
receipt(#world{benchmark = Benchmark, started = Started, last = Last, reports = Reports}) ->
    {Own, RunNanos} = benchmark:receipt(Benchmark, Started, Last, Reports),
    Own#{run_nanos => RunNanos}.

settle(_Since, 0) ->
    {stopwatch:stamp(), 0};
settle(Since, Alive) ->
    timer:sleep(?POLL_MILLIS),
    Now = stopwatch:stamp(),
    case alive() of
        Alive when Now - Since >= ?SETTLE_NANOS -> {Now, Alive};
        Alive -> settle(Since, Alive);
        Other -> settle(Now, Other)
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

%% Throws what an actor failed of when nothing more was awaited (CTRL-10). It says so before
%% it ends, so of those who have ended nothing is still to come.
raise() ->
    receive
        {failed, Reason} -> throw({failed, Reason})
    after 0 -> ok
    end.

%% What was said of an earlier world is not of this one; requests are of none.
forget() ->
    receive
        Report when element(1, Report) =/= request -> forget()
    after 0 -> ok
    end.
