%% The life of an actor: a process that takes every message in order.
%%
%% A plain receive loop rather than a gen_server: the benchmarks count bare messages, and
%% a gen_server would add an envelope to each and a return tuple to each handler, for
%% calls, timeouts and code changes that no actor here has.
-module(actor).

-export([start/3, start_on/4, start_with/3]).
-export([born/3]).
-export_type([message/0]).

%% {Label, SenderName, Arguments..., References...}
-type message() :: tuple().

%% Acts on one message: the next state, or `stop` to end this actor's life.
-callback handle(message(), State) -> State | stop.

%% The message as it is logged, where an argument is work that nobody else needs. Without
%% it: as it is.
-callback logged(message(), State :: term()) -> message().

-optional_callbacks([logged/2]).

%% A new actor. Who spawns it does not matter: every actor's group leader is control, which
%% is how the runtime knows them (world:alive/0).
-spec start(module(), names:name(), State :: term()) -> pid().
start(Module, Name, State) ->
    Watch = watch(Module, Name),
    spawn(fun() -> live(Module, Name, State, Watch) end).

%% One that lives on this node of the world, wherever its maker does. It is there when this returns,
%% and so before whatever its maker sends next (DIST-7).
-spec start_on(node(), module(), names:name(), State :: term()) -> pid().
start_on(Node, Module, Name, State) when Node =:= node() -> start(Module, Name, State);
start_on(Node, Module, Name, State) -> spawn(Node, ?MODULE, born, [Module, Name, State]).

%% In the new process: whether it is watched is known to its own node alone.
-spec born(module(), names:name(), State :: term()) -> term().
born(Module, Name, State) ->
    distribution:adopt(),
    live(Module, Name, State, watch(Module, Name)).

%% One that makes its first state itself.
-spec start_with(module(), names:name(), fun(() -> State :: term())) -> pid().
start_with(Module, Name, Init) ->
    Watch = watch(Module, Name),
    spawn(fun() ->
        try Init() of
            State -> live(Module, Name, State, Watch)
        catch
            Class:Reason:Stack -> fail(Name, Class, Reason, Stack)
        end
    end).

live(Module, Name, State, Watch) ->
    try
        loop(fun Module:handle/2, State, Watch)
    catch
        Class:Reason:Stack -> fail(Name, Class, Reason, Stack)
    end.

loop(Handle, State, Watch) ->
    receive
        Message ->
            case take(Watch, Handle, Message, State) of
                stop -> ok;
                Next -> loop(Handle, Next, Watch)
            end
    end.

-ifdef(BARE).
watch(_Module, _Name) -> none.

take(_Watch, Handle, Message, State) -> Handle(Message, State).
-else.
watch(Module, Name) -> watch:choose(Module, Name).

%% Logged when it is taken, before it is acted on (IMPL-11). A function of its own, so that
%% only the watched have to keep message and state over a call.
take(none, Handle, Message, State) ->
    Handle(Message, State);
take(Watch, Handle, Message, State) ->
    log:take(Watch, Message, State),
    Handle(Message, State).
-endif.

%% The call under way is answered with it (CTRL-10).
fail(Name, Class, Reason, Stack) ->
    Exception = erl_error:format_exception(Class, Reason, Stack),
    distribution:report({failed, [names:spell(Name), ": ", Exception]}).
