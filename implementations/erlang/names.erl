%% Actor names: a class and two indices in one integer (spec/actors.md, ACT-3).
%%
%% Names travel in every message, so they are immediate terms here, which cost nothing
%% to copy. ChatApp's are as in the specification; from class 8 on that would be a
%% bignum, so those, which all have a second index of 0, go without it until they
%% leave this runtime (full/1).
-module(names).

-export([control/0, poker/0, directory/1, client/1, chat/2, accumulator/1, name/1, name/2]).
-export([class/1, index/1, full/1, spell/1]).
-export_type([name/0, class/0, label/0]).

-type name() :: non_neg_integer().
-type class() :: 1..127.
-type label() :: atom().

-define(NAME(Class, First, Second), (((Class) bsl 56) bor ((First) bsl 24) bor (Second))).
-define(SHORT(Class, First), (((Class) bsl 32) bor (First))).

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

%% The only actor of its class.
-spec name(label()) -> name().
name(Label) -> name(Label, 0).

-spec name(label(), non_neg_integer()) -> name().
name(ping, Index) -> ?SHORT(10, Index);
name(pong, Index) -> ?SHORT(11, Index);
name(coordinator, Index) -> ?SHORT(12, Index);
name(peer, Index) -> ?SHORT(13, Index);
name(receiver, Index) -> ?SHORT(14, Index);
name(sender, Index) -> ?SHORT(15, Index);
name(dispatcher, Index) -> ?SHORT(16, Index);
name(worker, Index) -> ?SHORT(17, Index);
name(browser, Index) -> ?SHORT(18, Index);
name(tally, Index) -> ?SHORT(19, Index);
name(adder, Index) -> ?SHORT(20, Index);
name(counter, Index) -> ?SHORT(21, Index);
name(link, Index) -> ?SHORT(22, Index);
name(master, Index) -> ?SHORT(23, Index);
name(runner, Index) -> ?SHORT(24, Index);
name(alarm, Index) -> ?SHORT(25, Index);
name(sleeper, Index) -> ?SHORT(26, Index);
name(sorter, Index) -> ?SHORT(27, Index);
name(employer, Index) -> ?SHORT(28, Index);
name(router, Index) -> ?SHORT(29, Index);
name(employee, Index) -> ?SHORT(30, Index).

-spec class(name()) -> class().
class(Name) -> full(Name) bsr 56.

%% The first index: 17 of client/17.
-spec index(name()) -> non_neg_integer().
index(Name) when Name < ?NAME(1, 0, 0) -> Name band 16#FFFFFFFF;
index(Name) -> (Name bsr 24) band 16#FFFFFFFF.

%% The name as the specification has it.
-spec full(name()) -> name().
full(Name) when Name < ?NAME(1, 0, 0) -> Name bsl 24;
full(Name) -> Name.

%% A name as people read it: client/17, chat/17.2, poker/0.
-spec spell(name()) -> string().
spell(Name) ->
    case class(Name) of
        5 -> lists:concat(["chat/", index(Name), ".", Name band 16#FFFFFF]);
        Class -> lists:concat([label(Class), "/", index(Name)])
    end.

label(Class) ->
    element(
        Class,
        {control, poker, directory, client, chat, accumulator, none, none, none, ping, pong,
            coordinator, peer, receiver, sender, dispatcher, worker, browser, tally, adder,
            counter, link, master, runner, alarm, sleeper, sorter, employer, router, employee}
    ).
