%% ChatApp (spec/chatapp.md). Its actors, in the model's order: poker, directory, client,
%% chat, accumulator.
-module(chatapp).
-behaviour(benchmark).

-export([lead/0, init/2, first/1, prepare/0, disconnect/0, collect/2, receipt/3]).

-include("chatapp.hrl").

%% The sums in `finished`, by the fields of the receipt.
-define(COUNTS, [lcg_checksum, computes, posts, leaves, invites, nones, deliveries, joins]).

%% What the poker has confirmed.
-record(confirmed, {
    value = 0 :: non_neg_integer(),
    stops = 0 :: non_neg_integer(),
    announced = 0 :: non_neg_integer(),
    consumed = 0 :: non_neg_integer(),
    %% By turn: the poker's two stamps.
    turns = array:new() :: array:array({stopwatch:stamp(), stopwatch:stamp()})
}).

lead() -> {poker, ?NAME(?POKER)}.

init(Message, {}) ->
    poker:init(list_to_tuple([
        parameters
        | [maps:get(Field, Message) || Field <- record_info(fields, parameters)]
    ])).

first(_Parameters) ->
    fun(Salt) -> {run, ?NAME(?CONTROL), Salt} end.

prepare() -> {prepare, ?NAME(?CONTROL)}.

disconnect() -> {disconnect, ?NAME(?CONTROL)}.

%% One turn more. Turns are put in order as they come, and not in Teardown: there may be many.
collect(Report, []) ->
    collect(Report, #confirmed{});
collect({confirmed, _, Turn, Value, Stops, Announced, Consumed, Stamp, Ended}, C) ->
    #confirmed{
        value = C#confirmed.value + Value,
        stops = C#confirmed.stops + Stops,
        announced = ?SUM(C#confirmed.announced, Announced),
        consumed = ?SUM(C#confirmed.consumed, Consumed),
        turns = array:set(Turn, {Stamp, Ended}, C#confirmed.turns)
    }.

%% From `finished` and what was confirmed.
receipt(Started, Finished, []) ->
    receipt(Started, Finished, #confirmed{});
receipt(Started, Finished, C = #confirmed{}) ->
    [finished, _Poker | Counts] = tuple_to_list(Finished),
    Turns = array:to_list(C#confirmed.turns),
    Receipt = (maps:from_list(lists:zip(?COUNTS, Counts)))#{
        fib_sum => C#confirmed.value,
        confirms => length(Turns),
        stops => C#confirmed.stops,
        announced => C#confirmed.announced,
        consumed => C#confirmed.consumed,
        turn_nanos => [Ended - Stamp || {Stamp, Ended} <- Turns]
    },
    {Receipt, run_nanos(Started, Turns)}.

%% From the stamp of turn 0 to the last `confirm` (MEAS-3); 0 without a run.
run_nanos(none, _Turns) -> 0;
run_nanos(_Started, Turns = [{Stamp, _} | _]) -> lists:max([E || {_, E} <- Turns]) - Stamp.
