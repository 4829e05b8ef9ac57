%% The control port (spec/control.md): takes one call after the other, and is done with it
%% before it takes the next. The exception is Trace, which needs nothing of what this
%% process knows and runs in one of its own (CTRL-9).
%%
%% A plain process, because most calls are a message to the lead actor and a wait for what
%% the actors report: `request/3` and they are the only ones who write to it.
-module(control).

-export([start_link/0, request/3]).
-export([init/0]).

-spec start_link() -> {ok, pid()}.
start_link() ->
    Pid = proc_lib:spawn_link(?MODULE, init, []),
    true = register(?MODULE, Pid),
    {ok, Pid}.

%% A request of the harness. It is answered by way of stdio.
-spec request(integer(), atom(), map()) -> ok.
request(Id, trace, _Request) ->
    _ = proc_lib:spawn_opt(fun() -> trace(Id) end, [link, {priority, high}]),
    ok;
request(Id, Call, Request) ->
    ?MODULE ! {request, Id, Call, Request},
    ok.

-spec init() -> no_return().
init() ->
    %% Ahead of a hundred thousand runnable actors.
    process_flag(priority, high),
    world:found(),
    serve(none).

serve(World) ->
    receive
        {request, Id, Call, Request} ->
            try call(Call, Id, Request, World) of
                Next -> serve(Next)
            catch
                throw:{failed, Reason} ->
                    stdio:error(Id, Reason),
                    serve(World)
            end
    end.

%% Each returns the world after it. Throws `{failed, Reason}` if an actor fails (CTRL-10).
call(describe, Id, #{probes := Probes}, World) ->
    stdio:reply(Id, description:describe(Probes)),
    World;
call(prepare, Id, Request = #{watches := Watches}, _Last) ->
    watch:set(Watches),
    {SetUpNanos, World} = world:open(Request),
    stdio:reply(Id, #{setup_nanos => SetUpNanos}),
    World;
call(act, Id, #{client := Client, choice := Choice, index := Index, k := K}, World) ->
    Next = world:act([Client, Choice, Index, K], World),
    stdio:reply(Id, #{}),
    Next;
call(turn, Id, _Request, World) ->
    Next = world:turn(World),
    stdio:reply(Id, #{}),
    Next;
call(run, Id, #{salt := Salt}, World) ->
    Mark = fun(Done) -> stdio:item(Id, #{mark => #{done => Done}}) end,
    Next = world:run(Salt, Mark, World),
    stdio:done(Id),
    Next;
call(teardown, Id, _Request, World) ->
    stdio:reply(Id, #{receipt => world:close(World)}),
    none.

trace(Id) ->
    log:drain(fun(Item) -> stdio:item(Id, Item) end),
    stdio:done(Id).
