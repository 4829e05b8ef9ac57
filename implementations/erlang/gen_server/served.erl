%% The life of an actor as a gen_server's, for the variant `gen_server`: what `actor` is to all
%% others. Casts come from other actors, and all else from control and from timers.
-module(served).
-behaviour(gen_server).

-export([start/3, start_on/4, start_with/3]).
-export([born/3]).
-export([init/1, handle_continue/2, handle_call/3, handle_cast/2, handle_info/2, terminate/2]).

-type state() :: {fun((actor:message(), term()) -> term()), State :: term(), none | log:entry()}.

%% A new actor, as `actor:start/3` makes it.
-spec start(module(), names:name(), State :: term()) -> pid().
start(Module, Name, State) ->
    enter(Name, {fun Module:handle/2, State, watch:choose(Module, Name)}, []).

%% One that lives on this node, as `actor:start_on/4` makes it.
-spec start_on(node(), module(), names:name(), State :: term()) -> pid().
start_on(Node, Module, Name, State) when Node =:= node() -> start(Module, Name, State);
start_on(Node, Module, Name, State) -> proc_lib:spawn(Node, ?MODULE, born, [Module, Name, State]).

-spec born(module(), names:name(), State :: term()) -> term().
born(Module, Name, State) ->
    distribution:adopt(),
    live(Name, {fun Module:handle/2, State, watch:choose(Module, Name)}, []).

%% One that makes its first state itself, and takes no message before.
-spec start_with(module(), names:name(), fun(() -> State :: term())) -> pid().
start_with(Module, Name, Init) ->
    enter(Name, {fun Module:handle/2, none, watch:choose(Module, Name)}, [{continue, Init}]).

%% `gen_server:start/3`, but for one thing: it does not wait. That waits for a message of the new
%% process, for which it looks through the whole mailbox of whoever starts it.
-spec enter(names:name(), state(), [{continue, fun()}]) -> pid().
enter(Name, State, Action) ->
    proc_lib:spawn(fun() -> live(Name, State, Action) end).

live(Name, State, Action) ->
    put(name, Name),
    %% Every process keeps a list of all its ancestors, which is copied for each that it starts.
    %% A chain would take memory of the square of its length. `enter_loop` asks for the first.
    put('$ancestors', lists:sublist(get('$ancestors'), 1)),
    apply(gen_server, enter_loop, [?MODULE, [], State | Action]).

-spec init(state()) -> {ok, state()}.
init(State) -> {ok, State}.

handle_continue(Init, {Handle, none, Watch}) ->
    {noreply, {Handle, Init(), Watch}}.

handle_call(Request, _From, State) ->
    {stop, {nobody_calls, Request}, State}.

handle_cast(Message, State) -> take(Message, State).

handle_info(Message, State) -> take(Message, State).

%% Logged when it is taken, before it is acted on (IMPL-11).
take(Message, {Handle, State, Watch}) ->
    _ = Watch =:= none orelse log:take(Watch, Message, State),
    case Handle(Message, State) of
        stop -> {stop, normal, none};
        Next -> {noreply, {Handle, Next, Watch}}
    end.

%% The call under way is answered with it (CTRL-10).
terminate(normal, _State) ->
    ok;
terminate(Reason, _State) ->
    Said = io_lib:format("~tp", [Reason]),
    distribution:report({failed, [names:spell(get(name)), ": ", unicode:characters_to_binary(Said)]}).
