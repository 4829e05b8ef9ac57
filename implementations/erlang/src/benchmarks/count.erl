%% Count (spec/count.md): adders add to one counter, then ask for the sum and reset it.
-module(count).
-behaviour(benchmark).
-behaviour(actor).

-export([lead/0, init/2, members/1, member/2]).
-export([handle/2]).

-include("actor.hrl").

-record(tally, {
    adders :: tuple(),
    counter :: pid(),
    adding :: non_neg_integer(),
    adds = 0 :: non_neg_integer(),
    sum = 0 :: non_neg_integer()
}).
-record(adder, {index :: non_neg_integer(), adds :: pos_integer(), tally = none :: none | pid()}).
-record(counter, {
    asking :: non_neg_integer(),
    adds = 0 :: non_neg_integer(),
    sum = 0 :: non_neg_integer()
}).

%% Starts the adders and sums their totals (COUNT-1).
handle({start, _Control, Salt}, S = #tally{adders = Adders, counter = Counter}) ->
    Go = {go, ?NAME(?TALLY), Salt, self(), Counter},
    lists:foreach(fun(Adder) -> Adder ! Go end, tuple_to_list(Adders)),
    S;
handle({counted, _Adder, Adds, Sum}, S = #tally{adding = Adding}) ->
    counted(S#tally{
        adding = Adding - 1,
        adds = S#tally.adds + Adds,
        sum = ?SUM(S#tally.sum, Sum)
    });
%% Adds, then asks (COUNT-2).
handle({go, _Tally, Salt, Tally, Counter}, S = #adder{index = Index, adds = Adds}) ->
    Name = ?NAME(?ADDER, Index),
    add(0, Adds, ?FOLD(Salt, Index), Name, Counter),
    Counter ! {get_and_reset, Name, self()},
    S#adder{tally = Tally};
handle({total, _Counter, Adds, Sum}, #adder{index = Index, tally = Tally}) ->
    Tally ! {counted, ?NAME(?ADDER, Index), Adds, Sum},
    stop;
%% Holds the sum; ends when every adder has asked (COUNT-3).
handle({add, _Adder, Value}, S = #counter{adds = Adds, sum = Sum}) ->
    S#counter{adds = Adds + 1, sum = ?SUM(Sum, Value)};
handle({get_and_reset, _Adder, Adder}, #counter{asking = Asking, adds = Adds, sum = Sum}) ->
    Adder ! {total, ?NAME(?COUNTER), Adds, Sum},
    case Asking of
        1 -> stop;
        _ -> #counter{asking = Asking - 1}
    end.

counted(#tally{adding = 0, adds = Adds, sum = Sum}) ->
    stopwatch:stop(?NAME(?TALLY), [Adds, Sum]),
    stop;
counted(S) ->
    S.

add(Adds, Adds, _Salt, _Name, _Counter) ->
    ok;
add(Number, Adds, Salt, Name, Counter) ->
    Counter ! {add, Name, ?FOLD(Salt, Number)},
    add(Number + 1, Adds, Salt, Name, Counter).

lead() -> {?MODULE, ?NAME(?TALLY)}.

init(#{adders := Count}, Adders) ->
    Counter = actor:start(?MODULE, ?NAME(?COUNTER), #counter{asking = Count}),
    #tally{adders = Adders, counter = Counter, adding = Count}.

members(#{adders := Adders}) -> Adders.

member(#{adds := Adds}, Index) ->
    actor:start(?MODULE, ?NAME(?ADDER, Index), #adder{index = Index, adds = Adds}).
