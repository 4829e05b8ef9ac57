%% What the actors' modules share: names, and arithmetic of 32 bits.
-include("protocol.hrl").

%% Names inside this runtime (see names.erl).
-define(NAME(Class), ?NAME(Class, 0)).
-define(NAME(Class, Index), (((Class) bsl 32) bor (Index))).
-define(CHAT_NAME(Creator, Created), ((?CHAT bsl 56) bor ((Creator) bsl 24) bor (Created))).

%% A digest with one more number in it, and the sum of two (ACT-8). Macros, because a call
%% to another module would be most of what they cost.
-define(FOLD(Digest, Number), ((31 * ((Digest) bxor (Number)) + 1) band 16#FFFFFFFF)).
-define(SUM(A, B), (((A) + (B)) band 16#FFFFFFFF)).
