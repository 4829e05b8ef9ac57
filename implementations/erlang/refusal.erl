%% Refusing a call: a gRPC status and a text for the person who must act.
%%
%% Thrown where the reason is found, caught at one place in control.erl.
-module(refusal).

-export([invalid/3, early/2, unimplemented/1, internal/1, integer/5]).
-export_type([refusal/0]).

-type refusal() :: {refused, Code :: binary(), Text :: binary()}.

-spec invalid(iodata(), term(), iodata()) -> no_return().
invalid(Field, Value, Range) ->
    refuse(<<"INVALID_ARGUMENT">>, "~s = ~0tp, must be ~s", [Field, Value, Range]).

%% A call out of order: names the call that is missing or came too early (CTRL-2).
-spec early(atom(), iodata()) -> no_return().
early(Call, Reason) ->
    refuse(<<"FAILED_PRECONDITION">>, "~s: ~s", [Call, Reason]).

-spec unimplemented(iodata()) -> no_return().
unimplemented(What) ->
    refuse(<<"UNIMPLEMENTED">>, "~s", [What]).

-spec internal(iodata()) -> no_return().
internal(Reason) ->
    refuse(<<"INTERNAL">>, "~s", [Reason]).

%% The integer at Key, which people know as Prefix followed by Key, in Min..Max.
-spec integer(iodata(), binary(), map(), integer(), integer()) -> integer().
integer(Prefix, Key, Message, Min, Max) ->
    case maps:get(Key, Message, 0) of
        Value when is_integer(Value), Value >= Min, Value =< Max -> Value;
        Value -> invalid([Prefix, Key], Value, io_lib:format("in ~b..~b", [Min, Max]))
    end.

-spec refuse(binary(), io:format(), [term()]) -> no_return().
refuse(Code, Format, Arguments) ->
    throw({refused, Code, unicode:characters_to_binary(io_lib:format(Format, Arguments))}).
