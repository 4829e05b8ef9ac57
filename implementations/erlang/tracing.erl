%% Receive logs (spec/actors.md) and the registry of message kinds (trace.proto).
%%
%% This is the `trace` of the other implementations; OTP 27 has a module of that
%% name. The log is an ETS table rather than a process, because an insertion is
%% there when it returns: what was logged before a call of Trace cannot be in
%% flight during it (CTRL-7), and millions of rows are on no heap.
-module(tracing).

-export([new/0, delete/1, log/4, take/2]).
-export_type([log/0]).

-type log() :: ets:tid().
-type batch() :: #{actor | seq | sender | kind | args := [non_neg_integer()]}.

%% Half of what a batch may hold: eight arguments of ten bytes a row and still
%% below 4 MiB encoded.
-define(BATCH_ROWS, 32768).

-spec new() -> log().
new() ->
    %% Ordered by {Name, Seq}: taken in this order each actor's rows are in its own.
    ets:new(?MODULE, [ordered_set, public, {write_concurrency, true}]).

-spec delete(log()) -> true.
delete(Log) ->
    ets:delete(Log).

%% Logs a message just taken from the mailbox. All messages are laid out alike:
%% tag, sender's name, the arguments of trace.proto in its order, then references.
-spec log(log(), names:name(), non_neg_integer(), actor:message()) -> true.
log(Log, Name, Seq, Message) ->
    [Tag, Sender | Rest] = tuple_to_list(Message),
    {Kind, Arity} = kind(names:class(Name), Tag),
    ets:insert(Log, {{Name, Seq}, Sender, Kind, lists:sublist(Rest, Arity)}).

%% Hands everything logged and not yet taken to Emit, batch by batch; says how
%% many rows that were.
-spec take(log(), fun((batch()) -> term())) -> non_neg_integer().
take(Log, Emit) ->
    take(Log, Emit, ets:select(Log, [{'_', [], ['$_']}], ?BATCH_ROWS), 0).

take(_Log, _Emit, '$end_of_table', Events) ->
    Events;
take(Log, Emit, {Rows, Continuation}, Events) ->
    Emit(batch(Rows)),
    lists:foreach(fun({Key, _, _, _}) -> ets:delete(Log, Key) end, Rows),
    take(Log, Emit, ets:select(Continuation), Events + length(Rows)).

batch(Rows) ->
    #{
        actor => [names:full(Name) || {{Name, _}, _, _, _} <- Rows],
        seq => [Seq || {{_, Seq}, _, _, _} <- Rows],
        sender => [names:full(Sender) || {_, Sender, _, _} <- Rows],
        kind => [Kind || {_, _, Kind, _} <- Rows],
        args => lists:append([Args || {_, _, _, Args} <- Rows])
    }.

%% The number and the arity of a message kind, by the receiver's class.
kind(2, prepare) -> {33, 0};
kind(2, settled) -> {34, 0};
kind(2, act) -> {35, 4};
kind(2, turn) -> {36, 0};
kind(2, run) -> {37, 0};
kind(2, confirm) -> {38, 2};
kind(2, disconnect) -> {39, 0};
kind(2, finished) -> {40, 8};
kind(3, login) -> {49, 1};
kind(3, befriend) -> {50, 0};
kind(3, settle) -> {51, 0};
kind(3, settled) -> {52, 0};
kind(3, poke) -> {53, 1};
kind(3, act) -> {54, 5};
kind(3, disconnect) -> {55, 0};
kind(3, left) -> {56, 8};
kind(4, befriend) -> {65, 1};
kind(4, settle) -> {66, 0};
kind(4, act) -> {67, 4};
kind(4, forward) -> {68, 3};
kind(4, accepted) -> {69, 2};
kind(4, left) -> {70, 1};
kind(4, logout) -> {71, 0};
kind(5, post) -> {81, 2};
kind(5, join) -> {82, 2};
kind(5, leave) -> {83, 1};
kind(6, stop) -> {97, 2};
kind(6, bump) -> {98, 2};
kind(10, start) -> {161, 1};
kind(10, pong) -> {162, 1};
kind(10, tick) -> {163, 1};
kind(11, ping) -> {177, 1};
kind(12, start) -> {193, 0};
kind(12, finished) -> {194, 2};
kind(12, tick) -> {195, 1};
kind(12, marked) -> {196, 2};
kind(12, idle) -> {197, 0};
kind(13, go) -> {209, 0};
kind(13, ping) -> {210, 1};
kind(13, pong) -> {211, 1};
kind(13, mark) -> {212, 1};
kind(13, stop) -> {213, 0};
kind(14, start) -> {225, 0};
kind(14, bang) -> {226, 1};
kind(14, finished) -> {227, 1};
kind(14, tick) -> {228, 1};
kind(15, go) -> {241, 0};
kind(15, answer) -> {242, 1};
kind(15, stop) -> {243, 0};
kind(16, start) -> {257, 0};
kind(16, request) -> {258, 1};
kind(16, idle) -> {259, 0};
kind(16, finished) -> {260, 2};
kind(17, work) -> {273, 2};
kind(17, stop) -> {274, 0};
kind(18, go) -> {289, 0};
kind(18, answer) -> {290, 2};
kind(19, start) -> {305, 0};
kind(19, counted) -> {306, 2};
kind(20, go) -> {321, 0};
kind(20, total) -> {322, 2};
kind(21, add) -> {337, 1};
kind(21, get_and_reset) -> {338, 0};
kind(22, grow) -> {353, 1};
kind(22, finish) -> {354, 1};
kind(23, start) -> {369, 0};
kind(23, completed) -> {370, 2};
kind(24, task) -> {385, 1};
kind(25, start) -> {401, 0};
kind(25, awake) -> {402, 1};
kind(26, sleep) -> {417, 1};
kind(26, wake) -> {418, 1};
kind(27, sort) -> {433, 3};
kind(27, sorted) -> {434, 3};
kind(28, start) -> {449, 0};
kind(28, request) -> {450, 3};
kind(29, request) -> {465, 2};
kind(29, task) -> {466, 3};
kind(29, dismiss) -> {467, 1};
kind(30, go) -> {481, 0};
kind(30, task) -> {482, 2};
kind(30, dismiss) -> {483, 0}.
