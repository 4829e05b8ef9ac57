%% The life of an actor: a process that takes every message in order.
%%
%% A plain receive loop rather than a gen_server: the benchmarks count bare
%% messages, and a gen_server would add an envelope to each and a return tuple to
%% each handler, for calls, timeouts and code changes that no actor here has.
-module(actor).

-export([start/4, start_link/4]).
-export_type([message/0]).

%% {Tag, SenderName, Arguments..., References...}
-type message() :: tuple().

%% Acts on one message: the next state, or `stop` to end this actor's life.
-callback handle(message(), State) -> State | stop.

%% A new actor of the world.
-spec start(world:world(), module(), names:name(), term()) -> pid().
start(World, Module, Name, State) ->
    spawn(fun() -> perform(World, world:anchor(World), Module, Name, State) end).

%% A new actor that is linked to its creator instead of the world's anchor, and so
%% is not counted there (world:alive/2).
-spec start_link(world:world(), module(), names:name(), term()) -> pid().
start_link(World, Module, Name, State) ->
    Creator = self(),
    spawn(fun() -> perform(World, Creator, Module, Name, State) end).

%% The link carries the reason of an abnormal end to the world's anchor, and from
%% there to the control port; the name makes it one that a person can use.
perform(World, Anchor, Module, Name, State) ->
    Handle = fun Module:handle/2,
    try
        link(Anchor),
        live(World, Name, Handle, State)
    catch
        Class:Reason:Stack -> exit({failed, Name, {Class, Reason, Stack}})
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
