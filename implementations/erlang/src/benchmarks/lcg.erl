%% The shared random generator (spec/lcg.md): 16 bits of state, full period.
%%
%% Purely functional, in the manner of rand:uniform_s/2: every draw takes the
%% state and returns the next one. The state is itself the last output.
-module(lcg).

-export([next/1, next_int/2, outputs/2, shuffle/2]).
-export_type([state/0]).

-define(MULTIPLIER, 1309).
-define(INCREMENT, 13849).

-type state() :: 0..65535.

%% The next raw number, which is also the next state (LCG-1).
-spec next(state()) -> state().
next(State) ->
    (?MULTIPLIER * State + ?INCREMENT) band 16#FFFF.

%% The next number below Limit; with 0 the raw number. Always one draw (LCG-2).
-spec next_int(non_neg_integer(), state()) -> {non_neg_integer(), state()}.
next_int(0, State) ->
    Next = next(State),
    {Next, Next};
next_int(Limit, State) ->
    Next = next(State),
    {Next rem Limit, Next}.

%% The first Length raw numbers.
-spec outputs(non_neg_integer(), state()) -> [state()].
outputs(0, _State) ->
    [];
outputs(Length, State) ->
    Next = next(State),
    [Next | outputs(Length - 1, Next)].

%% Shuffles from the back with one draw less than there are elements (LCG-3).
%%
%% Nothing is swapped: position I is final once it has been drawn for, so it goes
%% straight into the result, and a map remembers only what was moved down into a
%% position still to come. Hence O(n log n), where setelement/3 takes O(n^2).
-spec shuffle(tuple(), state()) -> {tuple(), state()}.
shuffle(Items, State) ->
    shuffle(tuple_size(Items), Items, #{}, [], State).

shuffle(I, Items, Moved, Shuffled, State) when I > 1 ->
    {J, Next} = next_int(I, State),
    Drawn = at(J + 1, Items, Moved),
    Last = at(I, Items, Moved),
    shuffle(I - 1, Items, Moved#{J + 1 => Last}, [Drawn | Shuffled], Next);
shuffle(1, Items, Moved, Shuffled, State) ->
    {list_to_tuple([at(1, Items, Moved) | Shuffled]), State};
shuffle(0, Items, _Moved, _Shuffled, State) ->
    {Items, State}.

at(I, Items, Moved) ->
    case Moved of
        #{I := Item} -> Item;
        #{} -> element(I, Items)
    end.
