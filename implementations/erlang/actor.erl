%% The life of an actor: a process that takes every message in order.
%%
%% A plain receive loop rather than a gen_server: the benchmarks count bare
%% messages, and a gen_server would add an envelope to each and a return tuple to
%% each handler, for calls, timeouts and code changes that no actor here has.
-module(actor).

-export([start/4, start_link/4, start_lead/4, start_usher/3]).
-export([start_stranger/4, introduce/3]).
-export_type([message/0]).

%% {Tag, SenderName, Arguments..., References...}
-type message() :: tuple().

%% Acts on one message: the next state, or `stop` to end this actor's life.
-callback handle(message(), State) -> State | stop.

%% A new actor of the world.
-spec start(world:world(), module(), names:name(), term()) -> pid().
start(World, Module, Name, State) ->
    spawn(fun() -> perform(World, Module, Name, State) end).

%% A new actor that is linked to its creator. So whoever is excepted from the count of
%% those alive can have others excepted with it (world:alive/2).
-spec start_link(world:world(), module(), names:name(), term()) -> pid().
start_link(World, Module, Name, State) ->
    spawn_link(fun() -> perform(World, Module, Name, State) end).

%% The actor that control speaks to. SetUp, which brings the others to life, runs in it:
%% they may be many, and control has to go on listening.
-spec start_lead(world:world(), module(), names:name(), fun(() -> term())) -> pid().
start_lead(World, Module, Name, SetUp) ->
    begin_with(World, Name, SetUp, fun(State) ->
        world:report(World, ready),
        perform(World, Module, Name, State)
    end).

%% Who brings the actors of a node without a lead to life, and is none itself.
-spec start_usher(world:world(), names:name(), fun(() -> term())) -> pid().
start_usher(World, Lead, SetUp) ->
    begin_with(World, Lead, SetUp, fun(_) -> world:report(World, ready) end).

%% An actor that has to know others who are not there yet. Its life begins when it is
%% introduced to them.
-spec start_stranger(world:world(), module(), names:name(), fun((tuple(), pid()) -> term())) ->
    pid().
start_stranger(World, Module, Name, State) ->
    Introduced = fun() ->
        receive
            {introduce, Others, Lead} ->
                Lead ! introduced,
                State(Others, Lead)
        end
    end,
    begin_with(World, Name, Introduced, fun(S) -> perform(World, Module, Name, S) end).

%% Tells a stranger whom it has to know; its answer to Lead is `introduced`.
-spec introduce(pid(), tuple(), pid()) -> ok.
introduce(Stranger, Others, Lead) ->
    Stranger ! {introduce, Others, Lead},
    ok.

begin_with(World, Name, SetUp, Then) ->
    spawn(fun() ->
        world:enter(World),
        try SetUp() of
            Made -> Then(Made)
        catch
            Class:Reason:Stack -> world:fail(World, {failed, Name, {Class, Reason, Stack}})
        end
    end).

%% An exception ends the world with a reason that a person can use.
perform(World, Module, Name, State) ->
    world:enter(World),
    try
        live(World, Name, fun Module:handle/2, State)
    catch
        Class:Reason:Stack -> world:fail(World, {failed, Name, {Class, Reason, Stack}})
    end.

-ifdef(BARE).
live(_World, _Name, Handle, State) ->
    loop(Handle, State).
-else.
live(World, Name, Handle, State) ->
    case world:log(World) of
        none -> loop(Handle, State);
        Log -> loop(Handle, State, Log, Name, 0)
    end.
-endif.

loop(Handle, State) ->
    receive
        Message ->
            case Handle(Message, State) of
                stop -> ok;
                Next -> loop(Handle, Next)
            end
    end.

-ifndef(BARE).
%% The same loop, for a world whose receive logs are kept.
loop(Handle, State, Log, Name, Seq) ->
    receive
        Message ->
            tracing:log(Log, Name, Seq, Message),
            case Handle(Message, State) of
                stop -> ok;
                Next -> loop(Handle, Next, Log, Name, Seq + 1)
            end
    end.
-endif.
