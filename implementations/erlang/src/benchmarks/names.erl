%% Actor names: a class and two indices in one integer (ACT-3).
%%
%% Names travel in every message, so here they are immediate terms of 60 bits, which cost
%% nothing to copy: `chat`, the only class with a second index, as in the specification,
%% and all others without it. `?NAME` and `?CHAT_NAME` of actor.hrl make them.
-module(names).

-export([class/1, index/1, full/1, spell/1]).
-export_type([name/0]).

-include("actor.hrl").

-type name() :: non_neg_integer().

-define(IS_CHAT(Name), (Name >= ?CHAT_NAME(0, 0))).

-spec class(name()) -> 1..127.
class(Name) when ?IS_CHAT(Name) -> ?CHAT;
class(Name) -> Name bsr 32.

%% The first index: 17 of client/17.
-spec index(name()) -> non_neg_integer().
index(Name) when ?IS_CHAT(Name) -> (Name bsr 24) band 16#FFFFFFFF;
index(Name) -> Name band 16#FFFFFFFF.

%% The name as the specification has it.
-spec full(name()) -> non_neg_integer().
full(Name) when ?IS_CHAT(Name) -> Name;
full(Name) -> Name bsl 24.

%% A name as people read it: client/17, chat/17.2.
-spec spell(name()) -> iolist().
spell(Name) when ?IS_CHAT(Name) ->
    io_lib:format("chat/~b.~b", [index(Name), Name band 16#FFFFFF]);
spell(Name) ->
    io_lib:format("~s/~b", [maps:get(class(Name), ?LABELS), index(Name)]).
