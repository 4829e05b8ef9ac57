%% Mergesort (spec/mergesort.md): a tree of actors that split a list and merge it back.
-module(mergesort).
-behaviour(micro).
-behaviour(actor).

-export([ranges/1, fields/0, lead/0, direct/3, opening/2]).
-export([handle/2]).

-record(sorter, {
    world :: world:world(),
    place :: pos_integer(),
    leaf :: pos_integer(),
    maker = none :: none | pid(),
    length = 0 :: non_neg_integer(),
    half = none :: none | [lcg:state()],
    sorters = 1 :: pos_integer()
}).

%% Splits in two halves, the first the longer if they differ, or sorts (SORT-3).
handle({sort, _Maker, _First, Length, _, Items, Maker}, S = #sorter{leaf = Leaf}) when
    Length =< Leaf
->
    answer(lists:sort(Items), S#sorter{maker = Maker, length = Length});
handle({sort, _Maker, First, Length, _, Items, Maker}, S = #sorter{place = Place}) ->
    Middle = (Length + 1) div 2,
    {Front, Back} = lists:split(Middle, Items),
    split(2 * Place, First, Middle, Front, S),
    split(2 * Place + 1, First + Middle, Length - Middle, Back, S),
    S#sorter{maker = Maker, length = Length};
handle({sorted, _Sorter, _Length, _, Sorters, Items}, S = #sorter{half = none}) ->
    S#sorter{half = Items, sorters = S#sorter.sorters + Sorters};
handle({sorted, _Sorter, _Length, _, Sorters, Items}, S = #sorter{half = Half}) ->
    answer(lists:merge(Half, Items), S#sorter{sorters = S#sorter.sorters + Sorters}).

split(Place, First, Length, Items, #sorter{world = World, place = Mine, leaf = Leaf}) ->
    Sorter = #sorter{world = World, place = Place, leaf = Leaf},
    Checksum = logged_checksum(Items, World),
    actor:start(World, ?MODULE, name(Place), Sorter) !
        {sort, name(Mine), First, Length, Checksum, Items, self()},
    ok.

answer(Items, #sorter{place = 1, world = World, length = Length, sorters = Sorters}) ->
    micro:done(World, [Length, checksum:list(Items), Sorters]),
    stop;
answer(Items, #sorter{world = World, place = Place, maker = Maker} = S) ->
    Checksum = logged_checksum(Items, World),
    Maker ! {sorted, name(Place), S#sorter.length, Checksum, S#sorter.sorters, Items},
    stop.

%% Computed only where somebody looks at it (SORT-2).
logged_checksum(Items, World) ->
    case world:log(World) of
        none -> 0;
        _ -> checksum:list(Items)
    end.

name(Place) -> names:name(sorter, Place).

ranges(_Message) -> [{length, 1, 1 bsl 24}, {leaf, 1, 1 bsl 24}, {seed, 0, 65535}].

fields() -> [none, checksum, sorters].

lead() -> name(1).

direct(World, #{leaf := Leaf}, {}) -> #sorter{world = World, place = 1, leaf = Leaf}.

opening(World, #{length := Length, seed := Seed}) ->
    Items = lcg:outputs(Length, Seed),
    {sort, names:control(), 0, Length, logged_checksum(Items, World), Items, none}.
