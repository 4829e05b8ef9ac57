%% Receive logs (spec/actors.md).
%%
%% In ETS tables rather than in a process, because an insertion is there when it returns:
%% nothing that was logged before a Trace can be in flight during it (CTRL-7), and millions
%% of rows are on no heap.
-module(log).

-export([new/0, reset/0, limit/1, enter/3, take/3, drain/1]).
-export_type([entry/0]).

-include("actor.hrl").

-record(entry, {
    name :: names:name(),
    %% Kind and arity of what this actor receives.
    kinds :: #{atom() => {pos_integer(), non_neg_integer()}},
    logged :: fun((actor:message(), term()) -> actor:message()),
    %% How many messages it has taken.
    taken :: atomics:atomics_ref(),
    from :: non_neg_integer(),
    until :: pos_integer() | infinity
}).
-opaque entry() :: #entry{}.

%% Rows by {Name, Number}; not `write_concurrency`, under which Trace might see a row of an
%% actor and miss the one before. And the counters of the watched, by name.
-define(TABLES, [log_rows, log_watched]).

%% Half of what a batch may hold: eight arguments of ten bytes a row, and still below 4 MiB
%% encoded.
-define(BATCH, 32768).

-define(ALL_EVENTS, 16#FFFFFFFF).

%% By control, once.
-spec new() -> ok.
new() ->
    Options = [ordered_set, public, named_table],
    lists:foreach(fun(Table) -> ets:new(Table, Options) end, ?TABLES),
    room:new().

%% Forgets everything.
-spec reset() -> ok.
reset() ->
    lists:foreach(fun ets:delete_all_objects/1, ?TABLES).

%% Lets no more than so many events be logged and not delivered, from now on; 0 is no limit
%% (CTRL-18).
-spec limit(non_neg_integer()) -> ok.
limit(0) ->
    room:limit(0, 0);
limit(Events) ->
    room:limit(Events, ets:info(log_rows, size)).

%% A new actor, that is to log the slice of this watch.
-spec enter(module(), names:name(), map()) -> entry().
enter(Module, Name, #{from := From, events := Events}) ->
    Taken = atomics:new(1, []),
    ets:insert(log_watched, {Name, Taken}),
    #entry{
        name = Name,
        kinds = maps:get(names:class(Name), ?KINDS),
        logged = logged(Module),
        taken = Taken,
        from = From,
        until = until(From, Events)
    }.

until(_From, ?ALL_EVENTS) -> infinity;
until(From, Events) -> From + Events.

logged(Module) ->
    %% Nothing is exported by a module that has not been loaded yet.
    {module, Module} = code:ensure_loaded(Module),
    case erlang:function_exported(Module, logged, 2) of
        true -> fun Module:logged/2;
        false -> fun(Message, _State) -> Message end
    end.

%% Counts a message just taken from the mailbox, and logs it if it is in the slice: as soon as
%% there is room. Counted before it is logged, so that nobody ever sees more rows than messages,
%% and when it has room, so that a Trace looks for no more than what has.
-spec take(entry(), actor:message(), State :: term()) -> boolean().
take(Entry = #entry{taken = Taken, from = From, until = Until}, Message, State) ->
    Number = atomics:get(Taken, 1),
    Logs = Number >= From andalso Number < Until,
    Logs andalso room:take(),
    atomics:put(Taken, 1, Number + 1),
    Logs andalso insert(Entry, Number, Message, State).

insert(#entry{name = Name, kinds = Kinds, logged = Logged}, Number, Message, State) ->
    [Label, Sender | Rest] = tuple_to_list(Logged(Message, State)),
    #{Label := {Kind, Arity}} = Kinds,
    ets:insert(log_rows, {{Name, Number}, Sender, Kind, lists:sublist(Rest, Arity)}).

%% Hands everything to Emit, item by item: what was logged since this was last asked, then
%% how much each has taken, then the footer. Of each actor no more than it had taken when this
%% was called: whoever logs faster than that can be said would never let it end (CTRL-9). While
%% there is a limit nobody's count is said, and what was handed over leaves room at the end.
-spec drain(fun((map()) -> term())) -> ok.
drain(Emit) ->
    %% The run may end meanwhile.
    Limited = room:is_limited(),
    Until = [{Name, atomics:get(Taken, 1)} || {Name, Taken} <- ets:tab2list(log_watched)],
    Events = rows(Until, Emit, [], 0, 0),
    Watched =
        case Limited of
            true -> 0;
            false -> each(log_watched, fun(Rows) -> Emit(#{counts => counts(Rows)}) end)
        end,
    Emit(#{footer => #{events => Events, watched => Watched}}),
    room:delivered(Events).

%% Rows of some actors, batch by batch; says how many there were.
rows(Actors, Emit, Waiting, Waits, Count) when Waits >= ?BATCH; Actors =:= [] ->
    Rows = lists:append(lists:reverse(Waiting)),
    Rows =:= [] orelse Emit(#{batch => batch(Rows)}),
    case Actors of
        [] -> Count + Waits;
        _ -> rows(Actors, Emit, [], 0, Count + Waits)
    end;
rows([Actor = {Name, Until} | Actors], Emit, Waiting, Waits, Count) ->
    Wanted = [{{{Name, '$1'}, '_', '_', '_'}, [{'<', '$1', Until}], ['$_']}],
    case ets:select(log_rows, Wanted, ?BATCH - Waits) of
        '$end_of_table' ->
            rows(Actors, Emit, Waiting, Waits, Count);
        {Rows, _} ->
            lists:foreach(fun({Key, _, _, _}) -> ets:delete(log_rows, Key) end, Rows),
            rows([Actor | Actors], Emit, [Rows | Waiting], Waits + length(Rows), Count)
    end.

%% All of a table by the batch, in order; says how many rows there were.
each(Table, Do) ->
    each(ets:select(Table, [{'_', [], ['$_']}], ?BATCH), Do, 0).

each('$end_of_table', _Do, Count) ->
    Count;
each({Rows, Continuation}, Do, Count) ->
    Do(Rows),
    each(ets:select(Continuation), Do, Count + length(Rows)).

batch(Rows) ->
    #{
        actor => [names:full(Name) || {{Name, _}, _, _, _} <- Rows],
        sender => [names:full(Sender) || {_, Sender, _, _} <- Rows],
        kind => [Kind || {_, _, Kind, _} <- Rows],
        args => lists:append([Args || {_, _, _, Args} <- Rows])
    }.

counts(Rows) ->
    {Names, Taken} = lists:unzip(Rows),
    #{
        actor => lists:map(fun names:full/1, Names),
        taken => [atomics:get(Counter, 1) || Counter <- Taken]
    }.
