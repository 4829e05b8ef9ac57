%% Chain (spec/chain.md): each link makes the next; the last one's `finish` walks back.
-module(chain).
-behaviour(micro).
-behaviour(actor).

-export([ranges/1, fields/0, lead/0, direct/3, opening/2]).
-export([handle/2]).

-record(link, {
    world :: world:world(),
    index :: non_neg_integer(),
    %% For link 0: control.
    maker = none :: none | pid()
}).

%% One link (CHAIN-1, CHAIN-2). Link 0 is made in set-up and reports to control.
handle({grow, _Maker, 0, Maker}, S) ->
    finish(1, S#link{maker = Maker});
handle({grow, _Maker, Left, Maker}, S = #link{world = World, index = Index}) ->
    Following = #link{world = World, index = Index + 1},
    actor:start(World, ?MODULE, name(Index + 1), Following) !
        {grow, name(Index), Left - 1, self()},
    S#link{maker = Maker};
handle({finish, _Following, Length}, S) ->
    finish(Length + 1, S).

finish(Length, #link{index = 0, world = World}) ->
    micro:done(World, [Length]),
    stop;
finish(Length, #link{index = Index, maker = Maker}) ->
    Maker ! {finish, name(Index), Length},
    stop.

name(Index) -> names:name(link, Index).

ranges(_Message) -> [{length, 1, 1 bsl 24}].

fields() -> [length].

lead() -> name(0).

direct(World, _Parameters, {}) -> #link{world = World, index = 0}.

opening(_World, #{length := Length}) -> {grow, names:control(), Length - 1, none}.
