%% ChatApp (spec/chatapp.md). Its actors, in the model's order: poker, directory, client,
%% chat, accumulator.
-module(chatapp).
-behaviour(world).

-export([lead/0, init/2, first/1, prepare/0, disconnect/0]).

-include("chatapp.hrl").

lead() -> {poker, ?NAME(?POKER)}.

init(Message, {}) ->
    poker:init(list_to_tuple([
        parameters
        | [maps:get(Field, Message) || Field <- record_info(fields, parameters)]
    ])).

first(_Parameters) ->
    fun(Salt) -> {run, ?NAME(?CONTROL), Salt} end.

prepare() -> {prepare, ?NAME(?CONTROL)}.

disconnect() -> {disconnect, ?NAME(?CONTROL)}.
