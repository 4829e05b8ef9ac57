%% What a benchmark's file says of it: who is there at first, what control says to the lead,
%% how a receipt is filled.
-module(benchmark).

-export([start/2, members/2, member/3, first/2, disconnect/2, collect/3, receipt/4, probe/2]).
-export_type([parameters/0, salt/0, reports/0]).

-include("actor.hrl").

-type parameters() :: #{atom() => term()}.
-type salt() :: 0..16#FFFFFFFF.
%% What a benchmark collects of its lead's reports; `[]` before the first.
-type reports() :: [tuple()] | tuple().

%% The lead, to whom control speaks: the module of its actor, and its name.
-callback lead() -> {module(), names:name()}.

%% The lead's first state, made in its own process; of the members all are there.
-callback init(parameters(), Members :: tuple()) -> State :: term().

%% How many numbered actors the lead has to know, who may live on several nodes; and a new
%% one, the Index-th from 0. Without them: none.
-callback members(parameters()) -> pos_integer().
-callback member(parameters(), Index :: non_neg_integer()) -> pid().

%% What control tells the lead so that it sets the world up and says `ready`. Without it
%% the lead is ready when it has its first state.
-callback prepare() -> actor:message().

%% What control tells the lead in a run, but for the salt (ACT-7). Without it: `start`.
-callback first(parameters()) -> fun((salt()) -> actor:message()).

%% What control tells the lead upon Teardown. Without it: nothing.
-callback disconnect() -> actor:message().

%% One more of the lead's reports. Without it they are a list, newest first.
-callback collect(Report :: tuple(), reports()) -> reports().

%% A receipt of its own, of them and of what the lead says upon `disconnect`. Without it the last
%% one is `done`, which the receipt repeats.
-callback receipt(Started :: stopwatch:stamp() | none, Last :: tuple(), reports()) ->
    {map(), RunNanos :: non_neg_integer()}.

%% The answer to a question of level 0 about the work of this benchmark. Only where there is one.
-callback probe(Asked :: map()) -> [non_neg_integer()].

-optional_callbacks([
    members/1, member/2, prepare/0, first/1, disconnect/0, collect/2, receipt/3, probe/1
]).

%% Brings the lead to life. Control hears `ready` when it has set the world up.
-spec start(module(), parameters()) -> Lead :: pid().
start(Benchmark, Parameters) ->
    {Module, Name} = Benchmark:lead(),
    Prepares = erlang:function_exported(Benchmark, prepare, 0),
    Lead = actor:start_with(Module, Name, fun() ->
        State = Benchmark:init(Parameters, placement:members(Benchmark, Parameters)),
        Prepares orelse (control ! {ready, Name}),
        State
    end),
    Prepares andalso (Lead ! Benchmark:prepare()),
    Lead.

-spec members(module(), parameters()) -> non_neg_integer().
members(Benchmark, Parameters) ->
    case erlang:function_exported(Benchmark, members, 1) of
        true -> Benchmark:members(Parameters);
        false -> 0
    end.

-spec member(module(), parameters(), Index :: non_neg_integer()) -> pid().
member(Benchmark, Parameters, Index) ->
    Benchmark:member(Parameters, Index).

-spec first(module(), parameters()) -> fun((salt()) -> actor:message()).
first(Benchmark, Parameters) ->
    case erlang:function_exported(Benchmark, first, 1) of
        true -> Benchmark:first(Parameters);
        false -> fun(Salt) -> {start, ?NAME(?CONTROL), Salt} end
    end.

%% Says whether the lead reports something upon it.
-spec disconnect(module(), Lead :: pid()) -> reports | silent.
disconnect(Benchmark, Lead) ->
    erlang:function_exported(Benchmark, disconnect, 0) andalso (Lead ! Benchmark:disconnect()),
    case erlang:function_exported(Benchmark, receipt, 3) of
        true -> reports;
        false -> silent
    end.

-spec collect(module(), Report :: tuple(), reports()) -> reports().
collect(Benchmark, Report, Reports) ->
    case erlang:function_exported(Benchmark, collect, 2) of
        true -> Benchmark:collect(Report, Reports);
        false -> [Report | Reports]
    end.

%% What the receipt has of the benchmark, under its own name or `done`.
-spec receipt(module(), stopwatch:stamp() | none, Last :: tuple() | none, reports()) ->
    {#{module() => map()}, RunNanos :: non_neg_integer()}.
receipt(Benchmark, Started, Last, Reports) ->
    case erlang:function_exported(Benchmark, receipt, 3) of
        true ->
            {Own, RunNanos} = Benchmark:receipt(Started, Last, Reports),
            {#{Benchmark => Own}, RunNanos};
        false ->
            [{done, _Lead, Arguments, Ended, Readings} | Windows] = Reports,
            Read = histogram:receipt(Started, Readings),
            Timed = maps:merge(Read, windows:receipt(Started, Windows)),
            Done = Timed#{benchmark => Benchmark, arguments => Arguments},
            {#{done => Done}, Ended - Started}
    end.

-spec probe(module(), Asked :: map()) -> [non_neg_integer()].
probe(Benchmark, Asked) ->
    Benchmark:probe(Asked).
