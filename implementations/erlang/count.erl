%% Count (spec/count.md): adders add to one counter, then ask for the sum and reset it.
-module(count).
-behaviour(micro).
-behaviour(actor).

-export([ranges/1, fields/0, lead/0, direct/3, troupe/1, member/3]).
-export([handle/2]).

-record(tally, {
    world :: world:world(),
    adders :: tuple(),
    counter :: pid(),
    adding :: non_neg_integer(),
    adds = 0 :: non_neg_integer(),
    sum = 0 :: non_neg_integer()
}).
-record(adder, {name :: names:name(), adds :: pos_integer(), tally = none :: none | pid()}).
-record(counter, {
    asking :: non_neg_integer(),
    adds = 0 :: non_neg_integer(),
    sum = 0 :: non_neg_integer()
}).

%% Starts the adders and sums their totals (COUNT-1).
handle({start, _Control}, S = #tally{adders = Adders, counter = Counter}) ->
    Go = {go, names:name(tally), self(), Counter},
    lists:foreach(fun(Adder) -> Adder ! Go end, tuple_to_list(Adders)),
    S;
handle({counted, _Adder, Adds, Sum}, S = #tally{adding = 1, world = World}) ->
    micro:done(World, [S#tally.adds + Adds, S#tally.sum + Sum]),
    stop;
handle({counted, _Adder, Adds, Sum}, S = #tally{adding = Adding}) ->
    S#tally{adding = Adding - 1, adds = S#tally.adds + Adds, sum = S#tally.sum + Sum};
%% Adds, then asks (COUNT-2).
handle({go, _Tally, Tally, Counter}, S = #adder{name = Name, adds = Adds}) ->
    add(1, Adds, Name, Counter),
    Counter ! {get_and_reset, Name, self()},
    S#adder{tally = Tally};
handle({total, _Counter, Adds, Sum}, #adder{name = Name, tally = Tally}) ->
    Tally ! {counted, Name, Adds, Sum},
    stop;
%% Holds the sum; ends when every adder has asked (COUNT-3).
handle({add, _Adder, Value}, S = #counter{adds = Adds, sum = Sum}) ->
    S#counter{adds = Adds + 1, sum = Sum + Value};
handle({get_and_reset, _Adder, Adder}, #counter{asking = Asking, adds = Adds, sum = Sum}) ->
    Adder ! {total, names:name(counter), Adds, Sum},
    case Asking of
        1 -> stop;
        _ -> #counter{asking = Asking - 1}
    end.

add(Value, Adds, _Name, _Counter) when Value > Adds ->
    ok;
add(Value, Adds, Name, Counter) ->
    Counter ! {add, Name, Value},
    add(Value + 1, Adds, Name, Counter).

ranges(_Message) -> [{adders, 1, 1 bsl 20}, {adds, 1, 16#FFFFFFFF}].

fields() -> [adds, sum].

lead() -> names:name(tally).

direct(World, #{adders := Count}, Adders) ->
    Counter = actor:start(World, ?MODULE, names:name(counter), #counter{asking = Count}),
    #tally{world = World, adders = Adders, counter = Counter, adding = Count}.

troupe(#{adders := Adders}) -> Adders.

member(World, #{adds := Adds}, Index) ->
    Name = names:name(adder, Index),
    actor:start(World, ?MODULE, Name, #adder{name = Name, adds = Adds}).
