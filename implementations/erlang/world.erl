%% A world: what exists from one Prepare or iteration to its end.
%%
%% It is held together by its anchor, a process that does nothing but to be the group
%% leader of every actor. As in OTP's applications that is how the runtime knows who
%% belongs together: whom an actor spawns inherits it, at no cost. (Links to the anchor
%% would do as well, but to make and to break one takes as long as to spawn an actor.)
%% An actor that fails ends the anchor; its owner, the control port, which is linked to
%% it and traps exits, learns the reason and ends the rest.
-module(world).

-export([new/1, anchor/1, log/1, enter/1, report/2, fail/2, alive/2, stop/1]).
-export_type([world/0, log/0]).

-type log() :: none | tracing:log().
-opaque world() :: {Anchor :: pid(), Owner :: pid(), log()}.

%% A world without actors, linked to the caller, who owns it.
-spec new(log()) -> world().
new(Log) ->
    Anchor = spawn_link(timer, sleep, [infinity]),
    {Anchor, self(), Log}.

-spec anchor(world()) -> pid().
anchor({Anchor, _Owner, _Log}) -> Anchor.

-spec log(world()) -> log().
log({_Anchor, _Owner, Log}) -> Log.

%% Makes the caller a member of this world, if its creator was none. In a world that has
%% been stopped the caller ends: who is not found by stop/1 finds the anchor gone.
-spec enter(world()) -> true.
enter({Anchor, _Owner, _Log}) ->
    group_leader() =:= Anchor orelse
        begin
            group_leader(Anchor, self()),
            is_process_alive(Anchor) orelse exit(normal)
        end.

%% Puts a report into the control port's inbox. The anchor says from which world it
%% is, so that nothing from a world that was dropped is taken for the next one's.
-spec report(world(), term()) -> ok.
report({Anchor, Owner, _Log}, Report) ->
    Owner ! {report, Anchor, Report},
    ok.

%% Ends the world, and tells its owner why.
-spec fail(world(), term()) -> true.
fail({Anchor, _Owner, _Log}, Reason) ->
    exit(Anchor, Reason).

%% How many actors are alive, those in Excepted (and linked to them) not counted: the
%% runtime's count.
-spec alive(world(), [pid()]) -> non_neg_integer().
alive(World, Excepted) ->
    length((members(World) -- Excepted) -- lists:append([links(Pid) || Pid <- Excepted])).

%% Ends whatever is alive and returns when it is gone.
-spec stop(world()) -> ok.
stop(World = {Anchor, _Owner, _Log}) ->
    unlink(Anchor),
    Monitor = monitor(process, Anchor),
    exit(Anchor, kill),
    receive
        {'DOWN', Monitor, process, Anchor, _} -> ok
    end,
    sweep(members(World), World),
    receive
        {'EXIT', Anchor, _Reason} -> ok
    after 0 -> ok
    end.

%% While nobody else runs, nobody can spawn, and all are found; else a million might be
%% outrun by those whom they spawn meanwhile.
sweep([], _World) ->
    ok;
sweep(_Some, World) ->
    erlang:system_flag(multi_scheduling, block_normal),
    Members = members(World),
    lists:foreach(fun(Pid) -> exit(Pid, kill) end, Members),
    erlang:system_flag(multi_scheduling, unblock_normal),
    %% Answered only after the signal above.
    lists:foreach(fun(Pid) -> false = is_process_alive(Pid) end, Members),
    sweep(members(World), World).

members({Anchor, _Owner, _Log}) ->
    [Pid || Pid <- processes(), process_info(Pid, group_leader) =:= {group_leader, Anchor}].

links(Pid) ->
    case process_info(Pid, links) of
        {links, Links} -> Links;
        undefined -> []
    end.
