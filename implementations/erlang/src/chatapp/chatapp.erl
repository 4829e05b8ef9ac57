%% ChatApp (spec/chatapp.md). Its actors, in the model's order: poker, directory, client,
%% chat, accumulator.
-module(chatapp).
-behaviour(benchmark).

-export([lead/0, init/2, first/1, prepare/0, disconnect/0, receipt/2]).

-include("chatapp.hrl").

%% The sums in `finished`, by the fields of the receipt.
-define(COUNTS, [lcg_checksum, computes, posts, leaves, invites, nones, deliveries, joins]).

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

%% From `finished` and each turn's `confirmed`, newest first, with the poker's stamps.
receipt(Started, [Finished | Confirmed]) ->
    [finished, _Poker | Counts] = tuple_to_list(Finished),
    Sums = lists:foldl(fun add/2, {0, 0, 0, 0}, Confirmed),
    {Values, Stops, Announced, Consumed} = Sums,
    Turns = lists:sort([
        {Turn, Stamp, Ended}
     || {confirmed, _, Turn, _, _, _, _, Stamp, Ended} <- Confirmed
    ]),
    Receipt = (maps:from_list(lists:zip(?COUNTS, Counts)))#{
        fib_sum => Values,
        confirms => length(Turns),
        stops => Stops,
        announced => Announced,
        consumed => Consumed,
        turn_nanos => [Ended - Stamp || {_Turn, Stamp, Ended} <- Turns]
    },
    {Receipt, run_nanos(Started, Turns)}.

add({confirmed, _, _, Value, Stops, Announced, Consumed, _, _}, {V, S, A, C}) ->
    {V + Value, S + Stops, ?SUM(A, Announced), ?SUM(C, Consumed)}.

%% From the stamp of turn 0 to the last `confirm` (MEAS-3); 0 without a run.
run_nanos(none, _Turns) -> 0;
run_nanos(_Started, Turns = [{0, Stamp, _} | _]) -> lists:max([E || {_, _, E} <- Turns]) - Stamp.
