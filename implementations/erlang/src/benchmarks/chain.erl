%% Chain (spec/chain.md): each link makes the next; the last one's `finish` walks back.
-module(chain).
-behaviour(benchmark).
-behaviour(actor).

-export([lead/0, init/2, first/1]).
-export([handle/2]).

-include("actor.hrl").

%% The maker of link 0 is control.
-record(link, {index :: non_neg_integer(), maker :: none | pid()}).

%% One link (CHAIN-1, CHAIN-2).
handle({grow, _Maker, 0, Digest}, S) ->
    finish(1, ?FOLD(Digest, 0), S);
handle({grow, _Maker, Left, Digest}, S = #link{index = Index}) ->
    Next = actor:start(?MODULE, name(Index + 1), #link{index = Index + 1, maker = self()}),
    Next ! {grow, name(Index), Left - 1, ?FOLD(Digest, Left)},
    S;
handle({finish, _Next, Length, Digest}, S) ->
    finish(Length + 1, ?FOLD(Digest, Length), S).

finish(Length, Digest, #link{index = 0}) ->
    stopwatch:stop(name(0), [Length, Digest]),
    stop;
finish(Length, Digest, #link{index = Index, maker = Maker}) ->
    Maker ! {finish, name(Index), Length, Digest},
    stop.

name(Index) -> ?NAME(?LINK, Index).

lead() -> {?MODULE, name(0)}.

init(_Parameters, {}) -> #link{index = 0, maker = none}.

first(#{length := Length}) ->
    fun(Salt) -> {grow, ?NAME(?CONTROL), Length - 1, Salt} end.
