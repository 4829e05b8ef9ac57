%% The control port (spec/control.md): which call may come when, and who is waiting
%% for an answer. It never waits for an actor: a call that the actors complete is
%% kept until their report arrives, so that Trace and Teardown can be answered in the
%% meantime (CTRL-9).
-module(control).
-behaviour(gen_server).

-export([start_link/0, request/3, troupe/1, introduce/3]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2]).

-define(PROGRESS_MILLIS, 500).

%% An actor's end is asynchronous. Those that are still there so long after the last
%% report count as alive.
-define(SETTLE_NANOS, 5_000_000_000).
-define(SETTLE_POLL_MILLIS, 1).

-record(call, {
    name :: prepare | act | turn | run | teardown,
    id :: integer(),
    since :: integer(),
    %% Of a run: the iteration under way, and how many there are.
    iteration = 0 :: non_neg_integer(),
    iterations = 1 :: pos_integer()
}).

-record(control, {
    %% touched: by an act or a turn. over: torn down, though its log may be had.
    phase = vacant :: vacant | prepared | touched | ran | over,
    scene = none :: none | scene:scene(),
    call = none :: none | #call{},
    log = none :: world:log() | dropped,
    failure = none :: none | binary()
}).

-spec start_link() -> {ok, pid()} | {error, term()} | ignore.
start_link() ->
    gen_server:start_link({local, ?MODULE}, ?MODULE, [], []).

%% A request of the harness. It is answered by way of stdio.
-spec request(integer(), binary(), map()) -> ok.
request(Id, Call, Request) ->
    gen_server:cast(?MODULE, {request, Id, Call, Request}).

%% Whom another node has brought to life. Throws a refusal.
-spec troupe(node()) -> scene:troupe().
troupe(Node) ->
    try gen_server:call({?MODULE, Node}, troupe, infinity) of
        none -> refusal:internal([peers:spell(Node), " has not been prepared"]);
        Troupe -> Troupe
    catch
        exit:{Reason, _} -> refusal:internal(io_lib:format("~s: ~0tp", [peers:spell(Node), Reason]))
    end.

%% Has another node introduce its actors to all; they answer to Lead. The table crosses
%% the network once for each node rather than once for each actor.
-spec introduce(node(), tuple(), pid()) -> ok.
introduce(Node, Troupe, Lead) ->
    gen_server:cast({?MODULE, Node}, {introduce, Troupe, Lead}).

init([]) ->
    process_flag(trap_exit, true),
    %% Ahead of a hundred thousand runnable actors.
    process_flag(priority, high),
    {ok, #control{}}.

handle_call(troupe, _From, S = #control{scene = none}) ->
    {reply, none, S};
handle_call(troupe, _From, S = #control{scene = Scene}) ->
    {reply, scene:troupe(Scene), S}.

handle_cast({introduce, _Troupe, _Lead}, S = #control{scene = none}) ->
    {noreply, S};
handle_cast({introduce, Troupe, Lead}, S = #control{scene = Scene}) ->
    [actor:introduce(Pid, Troupe, Lead) || {_, Pid} <- scene:troupe(Scene)],
    {noreply, S};
handle_cast({request, Id, Name, Request}, S) ->
    try call(Name, Id, Request, S) of
        Next -> {noreply, Next}
    catch
        throw:{refused, Code, Text} ->
            stdio:error(Id, Code, Text),
            {noreply, S}
    end.

handle_info({report, Anchor, Report}, S) ->
    if_current(Anchor, S, fun() ->
        {Event, Scene} = scene:note(Report, S#control.scene),
        completed(Event, S#control{scene = Scene})
    end);
handle_info({'EXIT', Anchor, Reason}, S) ->
    if_current(Anchor, S, fun() -> failed(Reason, S) end);
%% After a run, nodes may leave as they like.
handle_info({nodedown, Node}, S = #control{call = #call{name = Name}}) when
    Name =:= prepare; Name =:= run
->
    {noreply, failed({lost, Node}, S)};
handle_info({settle, Id, Deadline}, S = #control{call = #call{id = Id}}) ->
    {noreply, settle(Deadline, S)};
handle_info({progress, Id}, S = #control{call = Call = #call{id = Id}}) ->
    progress(Call, S#control.scene),
    {noreply, S};
handle_info(_Late, S) ->
    {noreply, S}.

%% News of a world that was dropped is no news.
if_current(Anchor, S = #control{scene = Scene}, Then) ->
    case Scene =/= none andalso scene:anchor(Scene) =:= Anchor of
        true -> {noreply, Then()};
        false -> {noreply, S}
    end.

%% --- Calls: each returns the next state, or throws a refusal and changes nothing.

call(<<"describe">>, Id, Request, S) ->
    stdio:reply(Id, description:describe(Request)),
    S;
call(<<"prepare">>, Id, Request, S) ->
    prepare(Id, Request, S);
call(<<"act">>, Id, Request, S) ->
    require(act, [prepared, touched], S),
    speak({act, Request}, new_call(act, Id), touched, S);
call(<<"turn">>, Id, _Request, S) ->
    require(turn, [prepared, touched], S),
    speak(turn, new_call(turn, Id), touched, S);
call(<<"run">>, Id, Request, S) ->
    run(Id, Request, S);
call(<<"trace">>, Id, _Request, S) ->
    trace(Id, S);
call(<<"teardown">>, Id, #{<<"abandon">> := true}, S) ->
    abandon(Id, S);
call(<<"teardown">>, Id, _Request, S) ->
    require(teardown, [prepared, touched, ran], S),
    teardown(Id, S);
call(<<"shutdown">>, Id, _Request, _S) ->
    stdio:reply(Id, #{}),
    %% Flushes the answer; init:stop/0 would take a second to end the actors one by one.
    halt(0);
call(Name, _Id, _Request, _S) ->
    refusal:unimplemented(Name).

prepare(Id, Request, S) ->
    require(prepare, [vacant, over], S),
    can_trace(Request),
    {Play, Parameters} = benchmark(maps:get(<<"benchmark">>, Request, #{})),
    {Most, Shape} = Play:nodes(Parameters),
    {Index, Peers} = peers:parse(Most, Request),
    Call = new_call(prepare, Id),
    Place = peers:join(Index, Peers, Shape),
    Log =
        case Request of
            #{<<"trace">> := true} -> tracing:new();
            _ -> none
        end,
    try scene:open(Play, Parameters, Place, Log) of
        Scene ->
            forget(S#control.log),
            #control{phase = prepared, scene = Scene, call = Call, log = Log}
    catch
        throw:Refusal ->
            forget(Log),
            peers:leave(),
            throw(Refusal)
    end.

-ifdef(BARE).
can_trace(#{<<"trace">> := true}) ->
    refusal:invalid("trace", true, "false: this build cannot trace");
can_trace(_Request) ->
    ok.
-else.
can_trace(_Request) ->
    ok.
-endif.

benchmark(#{<<"chatapp">> := Message}) ->
    {chatapp, chatapp:parameters(Message)};
benchmark(Benchmark) ->
    case [{M, Of} || M <- micro:names(), {ok, Of} <- [maps:find(atom_to_binary(M), Benchmark)]] of
        [{Module, Message}] -> {micro, micro:play(Module, Message)};
        [] -> refusal:invalid("benchmark", Benchmark, "one of those that `describe` names")
    end.

speak(Line, Call, Phase, S = #control{scene = Scene}) ->
    S#control{phase = Phase, call = Call, scene = scene:speak(Line, Scene)}.

run(Id, Request, S = #control{scene = Scene}) ->
    require(run, [prepared], S),
    scene:is_driven(Scene) orelse refusal:early(run, "node 0 has to be called instead"),
    [refusal:internal(explain({lost, Node})) || Node <- peers:missing(scene:place(Scene))],
    Max =
        case scene:is_single(Scene) of
            true -> 1;
            false -> 16#FFFFFFFF
        end,
    Iterations = refusal:integer("", <<"iterations">>, Request, 1, Max),
    self() ! {progress, Id},
    speak(run, (new_call(run, Id))#call{iterations = Iterations}, ran, S).

trace(_Id, #control{phase = vacant}) ->
    refusal:early(trace, "a prepare is missing");
trace(_Id, #control{log = none}) ->
    refusal:early(trace, "a prepare with trace = true is missing");
trace(_Id, #control{log = dropped}) ->
    refusal:early(trace, "a prepare is missing since a teardown dropped the log");
trace(Id, S = #control{log = Log}) ->
    Events = tracing:take(Log, fun(Batch) -> stdio:item(Id, #{batch => Batch}) end),
    stdio:item(Id, #{footer => #{events => Events}}),
    stdio:done(Id),
    S.

%% After a run: the iteration has ended by itself, and its receipt was handed over.
teardown(Id, S = #control{phase = ran}) ->
    stdio:reply(Id, #{}),
    close(S);
teardown(Id, S = #control{scene = Scene}) ->
    Call = new_call(teardown, Id),
    case scene:is_finished(Scene) orelse scene:speak(disconnect, Scene) of
        true ->
            %% On another node than 0, after the run.
            settle(now_nanos() + ?SETTLE_NANOS, S#control{call = Call});
        unmoved ->
            %% Nothing to be waited for: what is alive is removed, then counted.
            scene:close(Scene),
            conclude(scene:alive(Scene), S#control{call = Call});
        Spoken ->
            S#control{call = Call, scene = Spoken}
    end.

abandon(_Id, #control{scene = none}) ->
    refusal:early(teardown, "a prepare is missing");
abandon(Id, S = #control{call = Call, log = Log}) ->
    Call =:= none orelse
        stdio:error(Call#call.id, <<"CANCELLED">>, <<"abandoned by a teardown">>),
    Closed = close(S),
    forget(Log),
    stdio:reply(Id, #{}),
    case Log of
        none -> Closed;
        _ -> Closed#control{log = dropped}
    end.

%% Throws unless Call may come now.
require(Call, _Phases, #control{call = #call{name = Name}}) ->
    refusal:early(Call, ["came too early: ", atom_to_list(Name), " is under way"]);
require(Call, Phases, #control{phase = Phase, failure = Failure}) ->
    case lists:member(Phase, Phases) of
        true when Failure =/= none -> refusal:internal(Failure);
        true -> ok;
        false -> refusal:early(Call, missing(Call, Phase))
    end.

missing(prepare, _Phase) -> "a teardown of the last world is missing";
missing(_Call, vacant) -> "a prepare is missing";
missing(_Call, over) -> "a prepare is missing since the last teardown";
missing(_Call, ran) -> "a teardown and a prepare are missing since the last run";
missing(run, touched) -> "a teardown and a prepare are missing since the last act or turn".

%% --- What the actors' reports complete.

completed(ready, S = #control{call = Call = #call{name = prepare}}) ->
    Nanos = elapsed(Call),
    stdio:reply(Call#call.id, #{setup_nanos => Nanos}),
    S#control{call = none, scene = scene:spend(Nanos, S#control.scene)};
completed(ready, S = #control{call = Call = #call{name = run}}) ->
    speak(run, Call, ran, S);
completed({confirmed, Turn, Nanos}, S = #control{call = Call = #call{name = Name}}) when
    Name =:= act; Name =:= turn
->
    Reply =
        case Name of
            act -> #{turn => Turn};
            turn -> #{turn => Turn, nanos => Nanos}
        end,
    stdio:reply(Call#call.id, Reply),
    S#control{call = none, scene = scene:spend(elapsed(Call), S#control.scene)};
completed(finished, S = #control{call = Call = #call{name = Name}}) when
    Name =:= run; Name =:= teardown
->
    Scene = scene:spend(elapsed(Call), S#control.scene),
    settle(now_nanos() + ?SETTLE_NANOS, S#control{scene = Scene});
completed(_Event, S) ->
    S.

settle(Deadline, S = #control{scene = Scene, call = #call{id = Id}}) ->
    Alive = scene:alive(Scene),
    case Alive =:= 0 orelse now_nanos() >= Deadline of
        true ->
            conclude(Alive, S);
        false ->
            erlang:send_after(?SETTLE_POLL_MILLIS, self(), {settle, Id, Deadline}),
            S
    end.

conclude(Alive, S = #control{scene = Scene, call = Call = #call{name = teardown}}) ->
    stdio:reply(Call#call.id, #{receipt => scene:receipt(Alive, Scene)}),
    close(S);
conclude(Alive, S = #control{scene = Scene, call = Call = #call{name = run, id = Id}}) ->
    stdio:item(Id, #{receipt => scene:receipt(Alive, Scene)}),
    case Call#call.iteration + 1 of
        Last when Last =:= Call#call.iterations ->
            stdio:done(Id),
            S#control{call = none};
        Next ->
            scene:close(Scene),
            Since = now_nanos(),
            S#control{
                scene = scene:reopen(Scene),
                call = Call#call{iteration = Next, since = Since}
            }
    end.

%% Nobody goes on acting in a world that has failed; one that was never set up is gone.
failed(Reason, S = #control{call = Call, scene = Scene, log = Log}) ->
    Failure = unicode:characters_to_binary(explain(Reason)),
    Call =:= none orelse stdio:error(Call#call.id, <<"INTERNAL">>, Failure),
    case Call of
        #call{name = prepare} ->
            forget(Log),
            (close(S))#control{phase = vacant, log = none};
        _ ->
            scene:close(Scene),
            S#control{call = none, failure = Failure}
    end.

explain({lost, Node}) ->
    [peers:spell(Node), " was lost"];
explain({failed, _Name, {throw, {refused, _Code, Text}, _Stack}}) ->
    Text;
explain({failed, Name, {Class, Reason, Stack}}) ->
    [names:spell(Name), ": ", erl_error:format_exception(Class, Reason, Stack)];
explain(Reason) ->
    io_lib:format("an actor was ended from outside: ~0tp", [Reason]).

progress(#call{id = Id, iteration = Iteration}, Scene) ->
    {Done, Total} = scene:progress(Scene),
    stdio:item(Id, #{progress => #{iteration => Iteration, done => Done, total => Total}}),
    erlang:send_after(?PROGRESS_MILLIS, self(), {progress, Id}).

close(S = #control{scene = Scene}) ->
    scene:close(Scene),
    peers:leave(),
    S#control{phase = over, scene = none, call = none, failure = none}.

forget(Log) when Log =:= none; Log =:= dropped -> ok;
forget(Log) -> tracing:delete(Log).

new_call(Name, Id) ->
    #call{name = Name, id = Id, since = now_nanos()}.

elapsed(#call{since = Since}) ->
    now_nanos() - Since.

now_nanos() ->
    erlang:monotonic_time(nanosecond).
