%% What all actors' modules include.
-include("protocol.hrl").
-include("fold.hrl").

%% Names inside this runtime (see names.erl).
-define(NAME(Class), ?NAME(Class, 0)).
-define(NAME(Class, Index), (((Class) bsl 32) bor (Index))).
%% The index, of any class but `chat`.
-define(INDEX(Name), ((Name) band 16#FFFFFFFF)).
-define(CHAT_NAME(Creator, Created), ((?CHAT bsl 56) bor ((Creator) bsl 24) bor (Created))).
