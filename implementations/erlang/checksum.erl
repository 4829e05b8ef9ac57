%% The checksum of what messages carry (spec/mergesort.md, SORT-2).
-module(checksum).

-export([list/1, bytes/1]).

-define(NEXT(Sum, Item), ((31 * (Sum) + (Item)) band 16#FFFFFFFF)).

-spec list([non_neg_integer()]) -> non_neg_integer().
list(Items) -> list(Items, 0).

list([], Sum) -> Sum;
list([Item | Items], Sum) -> list(Items, ?NEXT(Sum, Item)).

-spec bytes(binary()) -> non_neg_integer().
bytes(Bytes) -> bytes(Bytes, 0).

bytes(<<>>, Sum) -> Sum;
bytes(<<Byte, Bytes/binary>>, Sum) -> bytes(Bytes, ?NEXT(Sum, Byte)).
