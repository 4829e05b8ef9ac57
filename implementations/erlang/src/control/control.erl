%% The control port (spec/control.md): takes one call after the other, and is done with it
%% before it takes the next. The exception is Trace, which needs nothing of what this
%% process knows and runs in one of its own (CTRL-9).
%%
%% A plain process, because most calls are a message to the lead actor and a wait for what
%% the actors report: they and `request/1` are the only ones who write to it.
-module(control).

-export([start_link/0, request/1]).
-export([init/0]).

-include("actor.hrl").

-spec start_link() -> {ok, pid()}.
start_link() ->
    Pid = proc_lib:spawn_link(?MODULE, init, []),
    true = register(?MODULE, Pid),
    {ok, Pid}.

%% A request of the harness. It is answered by way of stdio.
-spec request(map()) -> ok.
request(#{call := <<"trace">>, id := Id}) ->
    Emit = fun(Item) -> stdio:write(#{id => Id, item => Item}) end,
    Trace = fun() -> log:drain(Emit), stdio:write(#{id => Id, 'end' => true}) end,
    _ = proc_lib:spawn_opt(Trace, [link, {priority, high}]),
    ok;
request(Request) ->
    ?MODULE ! {request, Request},
    ok.

-spec init() -> no_return().
init() ->
    %% Ahead of a hundred thousand runnable actors.
    process_flag(priority, high),
    world:found(),
    serve(none).

serve(World) ->
    receive
        {request, #{id := Id, call := Call, request := Request}} ->
            Mark = fun(Done) -> stdio:write(#{id => Id, item => #{mark => #{done => Done}}}) end,
            try call(Call, Request, Mark, World) of
                {Answer, Next} ->
                    stdio:write(Answer#{id => Id}),
                    serve(Next)
            catch
                throw:{failed, Reason} ->
                    stdio:write(#{id => Id, error => unicode:characters_to_binary(Reason)}),
                    serve(World)
            end
    end.

%% The last answer, and the world after the call. Throws `{failed, Reason}` if an actor
%% fails (CTRL-10).
call(<<"describe">>, #{probes := Probes}, _Mark, World) ->
    {#{reply => description:describe(Probes)}, World};
call(<<"prepare">>, Request, _Mark, _Last) ->
    {Nanos, World} = world:open(Request),
    {#{reply => #{setup_nanos => Nanos}}, World};
call(<<"act">>, #{client := Client, choice := Choice, index := Index, k := K}, _Mark, World) ->
    {#{reply => #{}}, world:drive({act, ?NAME(?CONTROL), Client, Choice, Index, K}, World)};
call(<<"turn">>, _Request, _Mark, World) ->
    {#{reply => #{}}, world:drive({turn, ?NAME(?CONTROL)}, World)};
call(<<"run">>, Request = #{salt := Salt}, Mark, World) ->
    log:limit(maps:get(log_limit, Request, 0)),
    try
        {#{'end' => true}, world:run(Salt, Mark, World)}
    after
        log:limit(0)
    end;
call(<<"teardown">>, _Request, _Mark, World) ->
    {#{reply => #{receipt => world:close(World)}}, none}.
