%% What control hears of a world, and the receipt that becomes of it.
-module(receipt).

-export([new/2, start/2, note/2, done/1, is_complete/1, is_finished/1, render/1]).
-export_type([receipt/0]).

-include("actor.hrl").

-record(receipt, {
    benchmark :: module(),
    %% ChatApp's turns in a run.
    turns :: pos_integer() | none,
    %% The stopwatch; `none` without a run.
    started = none :: stopwatch:stamp() | none,
    ended = none :: stopwatch:stamp() | none,
    %% Turns that were confirmed, each with its duration, or windows that ended, each with
    %% its count and stamp; newest first.
    events = [] :: [{non_neg_integer(), stopwatch:stamp()}],
    done = 0 :: non_neg_integer(),
    %% Of all turns: values, stops, announced, consumed.
    sums = {0, 0, 0, 0} :: tuple(),
    %% What the lead said in the end.
    counts = #{} :: #{atom() => non_neg_integer()}
}).
-opaque receipt() :: #receipt{}.

-spec new(module(), world:parameters()) -> receipt().
new(Benchmark, Parameters) ->
    #receipt{benchmark = Benchmark, turns = maps:get(turns, Parameters, none)}.

%% Begins a run.
-spec start(stopwatch:stamp(), receipt()) -> receipt().
start(Started, R) ->
    R#receipt{started = Started}.

%% Adds what an actor reports to control (trace.proto); a stamp comes with each.
-spec note(tuple(), receipt()) -> receipt().
note({confirmed, _Poker, Turn, Value, Stops, Announced, Consumed, Poked, Confirmed}, R) ->
    {Values, AllStops, AllAnnounced, AllConsumed} = R#receipt.sums,
    R#receipt{
        started = started(Turn, Poked, R),
        ended = Confirmed,
        events = [{Turn, Confirmed - Poked} | R#receipt.events],
        done = R#receipt.done + 1,
        sums = {
            Values + Value,
            AllStops + Stops,
            ?SUM(AllAnnounced, Announced),
            ?SUM(AllConsumed, Consumed)
        }
    };
note({finished, _Poker, Counts}, R) ->
    R#receipt{counts = Counts};
note({window, _Lead, _Number, Count, Ticked}, R) ->
    R#receipt{events = [{Count, Ticked} | R#receipt.events], done = R#receipt.done + 1};
note({done, _Lead, Counts, Ended}, R) ->
    R#receipt{counts = Counts, ended = Ended}.

%% A run of ChatApp starts with the first poke, which only the poker sees (MEAS-3).
started(0, Poked, #receipt{started = Started}) when Started =/= none -> Poked;
started(_Turn, _Poked, #receipt{started = Started}) -> Started.

%% Turns confirmed, or windows ended.
-spec done(receipt()) -> non_neg_integer().
done(#receipt{done = Done}) -> Done.

%% Whether the run is over.
-spec is_complete(receipt()) -> boolean().
is_complete(#receipt{turns = none, ended = Ended}) -> Ended =/= none;
is_complete(#receipt{turns = Turns, done = Done}) -> Done =:= Turns.

%% Whether the lead has nothing to add upon Teardown.
-spec is_finished(receipt()) -> boolean().
is_finished(#receipt{turns = Turns}) -> Turns =:= none.

%% As benchmarks.proto has it.
-spec render(receipt()) -> map().
render(R = #receipt{benchmark = Benchmark, started = Started, ended = Ended}) ->
    RunNanos =
        case Started of
            none -> 0;
            _ -> Ended - Started
        end,
    #{Benchmark => own(R), run_nanos => RunNanos}.

own(R = #receipt{turns = Turns, sums = {Values, Stops, Announced, Consumed}}) when
    Turns =/= none
->
    (R#receipt.counts)#{
        fib_sum => Values,
        confirms => R#receipt.done,
        stops => Stops,
        announced => Announced,
        consumed => Consumed,
        turn_nanos => [Nanos || {_Turn, Nanos} <- lists:keysort(1, R#receipt.events)]
    };
own(#receipt{events = [], counts = Counts}) ->
    Counts;
own(#receipt{started = Started, events = Events, counts = Counts}) ->
    {Windows, Ticked} = lists:unzip(lists:reverse(Events)),
    Nanos = lists:zipwith(fun erlang:'-'/2, Ticked, [Started | lists:droplast(Ticked)]),
    Counts#{windows => Windows, window_nanos => Nanos}.
