%% Mergesort (spec/mergesort.md): a tree of actors that split a list and merge it back.
-module(mergesort).
-behaviour(benchmark).
-behaviour(actor).

-export([lead/0, init/2, first/1]).
-export([handle/2, logged/2]).

-include("actor.hrl").

-record(sorter, {
    place :: pos_integer(),
    leaf :: pos_integer(),
    %% Of the root, that makes the integers.
    seed = none :: none | 0..65535,
    maker = none :: none | pid(),
    salt = 0 :: non_neg_integer(),
    length = 0 :: non_neg_integer(),
    half = none :: none | [0..65535],
    sorters = 1 :: pos_integer()
}).

%% To the root comes no list: it makes one (SORT-1).
handle({sort, Control, First, Length, Salt, [], none}, S = #sorter{place = 1, seed = Seed}) ->
    Items = stream:take(Length, ?FOLD(Salt, Seed), 16),
    handle({sort, Control, First, Length, Salt, Items, none}, S);
%% Splits in two halves, the first the longer if they differ, or sorts (SORT-3).
handle({sort, _Maker, _First, Length, Salt, Items, Maker}, S = #sorter{leaf = Leaf}) when
    Length =< Leaf
->
    answer(lists:sort(Items), S#sorter{maker = Maker, salt = Salt, length = Length});
handle({sort, _Maker, First, Length, Salt, Items, Maker}, S = #sorter{place = Place}) ->
    Middle = (Length + 1) div 2,
    {Front, Back} = lists:split(Middle, Items),
    Sorter = S#sorter{maker = Maker, salt = Salt, length = Length},
    split(2 * Place, First, Middle, Front, Sorter),
    split(2 * Place + 1, First + Middle, Length - Middle, Back, Sorter),
    Sorter;
handle({sorted, _Sorter, _Length, Sorters, Items}, S = #sorter{half = none}) ->
    S#sorter{half = Items, sorters = S#sorter.sorters + Sorters};
handle({sorted, _Sorter, _Length, Sorters, Items}, S = #sorter{half = Half}) ->
    answer(lists:merge(Half, Items), S#sorter{sorters = S#sorter.sorters + Sorters}).

%% With the checksum of the list instead of the list (SORT-2).
logged({sort, Maker, First, Length, Salt, Items, _}, _S) ->
    {sort, Maker, First, Length, Salt, checksum(Salt, Items)};
logged({sorted, Sorter, Length, Sorters, Items}, #sorter{salt = Salt}) ->
    {sorted, Sorter, Length, Sorters, checksum(Salt, Items)}.

split(Place, First, Length, Items, #sorter{place = Mine, leaf = Leaf, salt = Salt}) ->
    Sorter = actor:start(?MODULE, name(Place), #sorter{place = Place, leaf = Leaf}),
    Sorter ! {sort, name(Mine), First, Length, Salt, Items, self()},
    ok.

answer(Items, #sorter{place = 1, salt = Salt, length = Length, sorters = Sorters}) ->
    Ended = stopwatch:stamp(),
    stopwatch:stop(name(1), [Length, Sorters, checksum(Salt, Items)], Ended),
    stop;
answer(Items, #sorter{place = Place, maker = Maker, length = Length, sorters = Sorters}) ->
    Maker ! {sorted, name(Place), Length, Sorters, Items},
    stop.

checksum(Salt, Items) ->
    lists:foldl(fun(Item, Sum) -> ?CHECK(Sum, Item) end, Salt, Items).

name(Place) -> ?NAME(?SORTER, Place).

lead() -> {?MODULE, name(1)}.

init(#{leaf := Leaf, seed := Seed}, {}) -> #sorter{place = 1, leaf = Leaf, seed = Seed}.

first(#{length := Length}) ->
    fun(Salt) -> {sort, ?NAME(?CONTROL), 0, Length, Salt, [], none} end.
