%% Tests that need the place of control: its name, its group, its tables.
-module(as_control).

-export([do/1, everybody/0]).

%% Runs Test in a process that is control; returns what it returns, or fails as it does.
do(Test) ->
    {Pid, Monitor} = spawn_monitor(fun() ->
        true = register(control, self()),
        world:found(),
        watch:set([]),
        exit({returned, Test()})
    end),
    receive
        {'DOWN', Monitor, process, Pid, {returned, Value}} -> Value;
        {'DOWN', Monitor, process, Pid, Reason} -> error(Reason)
    end.

%% The watch that fits every actor, from its first message on.
everybody() ->
    #{
        class => 0,
        modulus => 1,
        remainder => 0,
        first => 0,
        last => 16#FFFFFFFF,
        from => 0,
        events => 16#FFFFFFFF
    }.
