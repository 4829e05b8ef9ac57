%% A world: what exists from one Prepare or iteration to its end.
%%
%% It is held together by its anchor, a process that does nothing but to be linked
%% to every actor. An actor's normal end leaves the anchor unmoved; an abnormal one
%% kills it, it takes all the others with it, and its owner, the control port,
%% which is linked to it too and traps exits, learns the reason.
-module(world).

-export([new/1, anchor/1, log/1, report/2, watch/3, alive/2, stop/2]).
-export_type([world/0, log/0]).

-type log() :: none | tracing:log().
-opaque world() :: {Anchor :: pid(), Owner :: pid(), log()}.

%% A world without actors, linked to the caller, who owns it.
-spec new(log()) -> world().
new(Log) ->
    %% It never waits for anything but its own end. Not trapping exits, it is sent
    %% no message when an actor ends normally.
    Anchor = spawn_link(timer, sleep, [infinity]),
    {Anchor, self(), Log}.

-spec anchor(world()) -> pid().
anchor({Anchor, _Owner, _Log}) -> Anchor.

-spec log(world()) -> log().
log({_Anchor, _Owner, Log}) -> Log.

%% Puts a report into the control port's inbox. The anchor says from which world it
%% is, so that nothing from a world that was dropped is taken for the next one's.
-spec report(world(), term()) -> ok.
report({Anchor, Owner, _Log}, Report) ->
    Owner ! {report, Anchor, Report},
    ok.

%% For the owner: watches an actor on another node, which no link of this world
%% holds. Its end is news of the form {{lost, Anchor, Name}, _, process, _, Reason}.
-spec watch(world(), names:name(), pid()) -> reference().
watch({Anchor, _Owner, _Log}, Name, Actor) ->
    monitor(process, Actor, [{tag, {lost, Anchor, Name}}]).

%% How many actors are alive, those in Excepted (and linked to them) not counted.
%% The runtime's count: the links that its processes hold to the anchor.
-spec alive(world(), [pid()]) -> non_neg_integer().
alive(World, Excepted) ->
    length(actors(World) -- Excepted).

%% Ends whatever is alive and returns when it is gone. Excepted as in alive/2.
-spec stop(world(), [pid()]) -> ok.
stop({Anchor, _Owner, _Log} = World, Excepted) ->
    Actors = actors(World) ++ lists:append([links(Pid) || Pid <- Excepted]),
    Monitors = [monitor(process, Pid) || Pid <- lists:usort([Anchor | Actors])],
    unlink(Anchor),
    exit(Anchor, kill),
    lists:foreach(fun await_down/1, Monitors),
    receive
        {'EXIT', Anchor, _Reason} -> ok
    after 0 -> ok
    end.

await_down(Monitor) ->
    receive
        {'DOWN', Monitor, process, _Pid, _Reason} -> ok
    end.

actors({Anchor, Owner, _Log}) ->
    [Pid || Pid <- links(Anchor), Pid =/= Owner].

links(Pid) ->
    case process_info(Pid, links) of
        {links, Links} -> [Link || Link <- Links, is_pid(Link)];
        undefined -> []
    end.
