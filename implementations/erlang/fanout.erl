%% Fanout (spec/fanout.md): a master gives tasks to runners; each answers every one.
-module(fanout).
-behaviour(micro).
-behaviour(actor).

-export([ranges/1, fields/0, lead/0, direct/3, troupe/1, member/3]).
-export([handle/2]).

-record(master, {
    world :: world:world(),
    runners :: tuple(),
    tasks :: pos_integer(),
    %% What each runner is given at first.
    ahead :: pos_integer(),
    due :: non_neg_integer(),
    attempted = 0 :: non_neg_integer(),
    completed = 0 :: non_neg_integer()
}).
-record(runner, {
    name :: names:name(),
    tasks :: pos_integer(),
    attempted = 0 :: non_neg_integer()
}).

%% Hands out tasks, counts what is completed (FANOUT-1).
handle({start, _Control}, S = #master{runners = Runners, ahead = Ahead}) ->
    give(0, Ahead, tuple_to_list(Runners)),
    S;
handle({completed, _Runner, _Number, Attempted}, S = #master{due = 1}) ->
    micro:done(S#master.world, [S#master.attempted + Attempted, S#master.completed + 1]),
    stop;
handle({completed, Runner, Number, _Attempted}, S = #master{tasks = Tasks, ahead = Ahead}) when
    Number + Ahead < Tasks
->
    %% A runner answers in order, so this is the first that it has not had.
    Next = {task, names:name(master), Number + Ahead, self()},
    element(names:index(Runner) + 1, S#master.runners) ! Next,
    S#master{due = S#master.due - 1, completed = S#master.completed + 1};
handle({completed, _Runner, _Number, Attempted}, S = #master{tasks = Attempted}) ->
    #master{due = Due, attempted = Sum, completed = Completed} = S,
    S#master{due = Due - 1, attempted = Sum + Attempted, completed = Completed + 1};
handle({completed, _Runner, _Number, _Attempted}, S) ->
    S#master{due = S#master.due - 1, completed = S#master.completed + 1};
%% Takes tasks and answers each (FANOUT-2).
handle({task, _Master, Number, Master}, S = #runner{name = Name, attempted = Before}) ->
    Attempted = Before + 1,
    Master ! {completed, Name, Number, Attempted},
    case S#runner.tasks of
        Attempted -> stop;
        _ -> S#runner{attempted = Attempted}
    end.

give(Number, Ahead, _Runners) when Number =:= Ahead ->
    ok;
give(Number, Ahead, Runners) ->
    Task = {task, names:name(master), Number, self()},
    lists:foreach(fun(Runner) -> Runner ! Task end, Runners),
    give(Number + 1, Ahead, Runners).

ranges(_Message) ->
    [{runners, 1, 1 bsl 20}, {tasks, 1, 16#FFFFFFFF}, {window, 0, 16#FFFFFFFF}].

fields() -> [attempted, completed].

lead() -> names:name(master).

direct(World, #{tasks := Tasks, window := Window}, Runners) ->
    Ahead =
        case Window of
            0 -> Tasks;
            _ -> min(Window, Tasks)
        end,
    Due = tuple_size(Runners) * Tasks,
    #master{world = World, runners = Runners, tasks = Tasks, ahead = Ahead, due = Due}.

troupe(#{runners := Runners}) -> Runners.

member(World, #{tasks := Tasks}, Index) ->
    Name = names:name(runner, Index),
    actor:start(World, ?MODULE, Name, #runner{name = Name, tasks = Tasks}).
