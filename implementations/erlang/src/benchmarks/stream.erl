%% Streams (spec/actors.md, ACT-11): the contents of messages.
-module(stream).

-export([take/3]).

-include("fold.hrl").

%% The first Count numbers of the stream from Key, without their lowest Shift bits.
-spec take(Count :: non_neg_integer(), Key :: 0..16#FFFFFFFF, Shift :: 0..32) ->
    [non_neg_integer()].
take(Count, Key, Shift) -> from(0, Count, Key, Shift).

from(Count, Count, _Last, _Shift) ->
    [];
from(Place, Count, Last, Shift) ->
    Next = ?FOLD(Last, Place),
    [Next bsr Shift | from(Place + 1, Count, Next, Shift)].
