%% Fanout (spec/fanout.md): a master gives tasks to runners; each answers every one.
-module(fanout).
-behaviour(benchmark).
-behaviour(actor).

-export([lead/0, init/2, members/1, member/2]).
-export([handle/2]).

-include("actor.hrl").

-record(master, {
    %% Pids; from `start` on each with the salt that has its index in it.
    runners :: tuple(),
    tasks :: pos_integer(),
    %% What each runner is given at first.
    ahead :: pos_integer(),
    due :: non_neg_integer(),
    sum = 0 :: non_neg_integer()
}).
-record(runner, {
    index :: non_neg_integer(),
    master :: pid(),
    tasks :: pos_integer(),
    completed = 0 :: non_neg_integer()
}).

%% Hands out tasks, counts what is completed (FANOUT-1).
handle({start, _Control, Salt}, S = #master{runners = Runners, ahead = Ahead}) ->
    Salted = [{P, ?FOLD(Salt, I)} || {I, P} <- lists:enumerate(0, tuple_to_list(Runners))],
    give(0, Ahead, Salted),
    S#master{runners = list_to_tuple(Salted)};
handle({completed, Runner, Number, Value}, S = #master{due = Due, sum = Sum}) ->
    completed(Runner, Number, S#master{due = Due - 1, sum = ?SUM(Sum, Value)});
%% Takes tasks and answers each (FANOUT-2).
handle({task, _Master, Number, Value}, S = #runner{index = Index, completed = Before}) ->
    S#runner.master ! {completed, ?NAME(?RUNNER, Index), Number, ?FOLD(Value, Before)},
    case Before + 1 of
        Completed when Completed =:= S#runner.tasks -> stop;
        Completed -> S#runner{completed = Completed}
    end.

give(Ahead, Ahead, _Runners) ->
    ok;
give(Number, Ahead, Runners) ->
    lists:foreach(fun(Runner) -> task(Number, Runner) end, Runners),
    give(Number + 1, Ahead, Runners).

task(Number, {Runner, Salt}) ->
    Runner ! {task, ?NAME(?MASTER), Number, ?FOLD(Salt, Number)},
    ok.

completed(_Runner, _Number, #master{runners = Runners, tasks = Tasks, due = 0, sum = Sum}) ->
    stopwatch:stop(?NAME(?MASTER), [tuple_size(Runners) * Tasks, Sum]),
    stop;
completed(Runner, Number, S = #master{tasks = Tasks, ahead = Ahead}) when
    Number + Ahead < Tasks
->
    %% A runner answers in order, so this is the first that it has not had.
    task(Number + Ahead, element(?INDEX(Runner) + 1, S#master.runners)),
    S;
completed(_Runner, _Number, S) ->
    S.

lead() -> {?MODULE, ?NAME(?MASTER)}.

init(#{tasks := Tasks, window := Window}, Runners) ->
    Ahead =
        case Window of
            0 -> Tasks;
            _ -> min(Window, Tasks)
        end,
    #master{runners = Runners, tasks = Tasks, ahead = Ahead, due = tuple_size(Runners) * Tasks}.

members(#{runners := Runners}) -> Runners.

member(#{tasks := Tasks}, Index) ->
    Runner = #runner{index = Index, master = self(), tasks = Tasks},
    actor:start(?MODULE, ?NAME(?RUNNER, Index), Runner).
