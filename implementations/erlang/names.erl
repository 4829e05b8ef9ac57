%% Actor names: a class and two indices in one integer (spec/actors.md, ACT-3).
%%
%% ChatApp's classes are small enough that its names are immediate terms, which
%% cost nothing to copy into a message.
-module(names).

-export([control/0, poker/0, directory/1, client/1, chat/2, accumulator/1, ping/0, pong/0]).
-export([class/1, spell/1]).
-export_type([name/0, class/0]).

-type name() :: non_neg_integer().
-type class() :: 1..127.

-define(NAME(Class, First, Second), (((Class) bsl 56) bor ((First) bsl 24) bor (Second))).

-spec control() -> name().
control() -> ?NAME(1, 0, 0).

-spec poker() -> name().
poker() -> ?NAME(2, 0, 0).

-spec directory(non_neg_integer()) -> name().
directory(Index) -> ?NAME(3, Index, 0).

-spec client(non_neg_integer()) -> name().
client(Number) -> ?NAME(4, Number, 0).

%% The chat that client Creator created after Created others.
-spec chat(non_neg_integer(), non_neg_integer()) -> name().
chat(Creator, Created) -> ?NAME(5, Creator, Created).

-spec accumulator(non_neg_integer()) -> name().
accumulator(Turn) -> ?NAME(6, Turn, 0).

-spec ping() -> name().
ping() -> ?NAME(10, 0, 0).

-spec pong() -> name().
pong() -> ?NAME(11, 0, 0).

-spec class(name()) -> class().
class(Name) -> Name bsr 56.

%% A name as people read it: client/17, chat/17.2, poker/0.
-spec spell(name()) -> string().
spell(Name) ->
    First = (Name bsr 24) band 16#FFFFFFFF,
    case class(Name) of
        5 -> lists:concat(["chat/", First, ".", Name band 16#FFFFFF]);
        Class -> lists:concat([label(Class), "/", First])
    end.

label(2) -> poker;
label(3) -> directory;
label(4) -> client;
label(6) -> accumulator;
label(10) -> ping;
label(11) -> pong.
