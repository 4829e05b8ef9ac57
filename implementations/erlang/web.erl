%% Web (spec/web.md): browsers ask a dispatcher, which gives work to idle workers only.
-module(web).
-behaviour(micro).
-behaviour(actor).

-export([ranges/1, fields/0, lead/0, direct/3, troupe/1, member/3, spread/0]).
-export([handle/2]).

-record(dispatcher, {
    world :: world:world(),
    browsers :: tuple(),
    workers :: pos_integer(),
    browsing :: non_neg_integer(),
    %% Workers, each with 1 if it has not worked yet; and how many they are.
    idle :: queue:queue({0 | 1, pid()}),
    idlers :: non_neg_integer(),
    waiting = queue:new() :: queue:queue({names:name(), Number :: non_neg_integer(), pid()}),
    answers = 0 :: non_neg_integer(),
    sum = 0 :: non_neg_integer(),
    used = 0 :: non_neg_integer()
}).
-record(worker, {name :: names:name(), fib_n :: 0..47, dispatcher :: pid()}).
-record(browser, {
    world :: world:world(),
    name :: names:name(),
    requests :: pos_integer(),
    dispatcher = none :: none | pid(),
    answers = 0 :: non_neg_integer(),
    sum = 0 :: non_neg_integer()
}).

%% Keeps the order of waiting requests and of idle workers (WEB-1).
handle({start, _Control}, S = #dispatcher{browsers = Browsers}) ->
    Go = {go, names:name(dispatcher), self()},
    lists:foreach(fun(Browser) -> Browser ! Go end, tuple_to_list(Browsers)),
    S;
handle({request, Name, Number, Browser}, S = #dispatcher{waiting = Waiting}) ->
    assign(S#dispatcher{waiting = queue:in({Name, Number, Browser}, Waiting)});
handle({idle, _Worker, Worker}, S = #dispatcher{idle = Idle, idlers = Idlers}) ->
    end_when_done(assign(S#dispatcher{idle = queue:in({0, Worker}, Idle), idlers = Idlers + 1}));
handle({finished, _Browser, Answers, Sum}, S = #dispatcher{browsing = Browsing}) ->
    end_when_done(S#dispatcher{
        browsing = Browsing - 1,
        answers = S#dispatcher.answers + Answers,
        sum = S#dispatcher.sum + Sum
    });
%% Computes, answers the browser, and is idle again (WEB-2).
handle({work, _Dispatcher, _Index, Number, Browser}, S = #worker{name = Name}) ->
    Browser ! {answer, Name, Number, fibonacci:fibonacci(S#worker.fib_n)},
    S#worker.dispatcher ! {idle, Name, self()},
    S;
handle({stop, _Dispatcher}, #worker{}) ->
    stop;
%% Asks, waits for the answer, asks again (WEB-3).
handle({go, _Dispatcher, Dispatcher}, S = #browser{name = Name}) ->
    Dispatcher ! {request, Name, 0, self()},
    S#browser{dispatcher = Dispatcher};
handle({answer, _Worker, _Number, Value}, S = #browser{name = Name, dispatcher = Dispatcher}) ->
    Answers = S#browser.answers + 1,
    Sum = S#browser.sum + Value,
    case S#browser.requests of
        Answers ->
            micro:share(S#browser.world, [Answers, Sum, 0]),
            Dispatcher ! {finished, Name, Answers, Sum},
            stop;
        _ ->
            Dispatcher ! {request, Name, Answers, self()},
            S#browser{answers = Answers, sum = Sum}
    end.

assign(S = #dispatcher{idlers = 0}) ->
    S;
assign(S = #dispatcher{idle = Idle, idlers = Idlers, used = Used}) ->
    case queue:out(S#dispatcher.waiting) of
        {empty, _} ->
            S;
        {{value, {Name, Number, Browser}}, Waiting} ->
            {{value, {Fresh, Worker}}, Others} = queue:out(Idle),
            Worker ! {work, names:name(dispatcher), names:index(Name), Number, Browser},
            S#dispatcher{waiting = Waiting, idle = Others, idlers = Idlers - 1, used = Used + Fresh}
    end.

end_when_done(S = #dispatcher{browsing = 0, workers = Workers, idlers = Workers}) ->
    #dispatcher{world = World, answers = Answers, sum = Sum, used = Used} = S,
    Stop = {stop, names:name(dispatcher)},
    lists:foreach(fun({_, Worker}) -> Worker ! Stop end, queue:to_list(S#dispatcher.idle)),
    micro:done(World, [Answers, Sum, Used], [0, 0, Used]),
    stop;
end_when_done(S) ->
    S.

ranges(_Message) ->
    [
        {browsers, 1, 1 bsl 20},
        {workers, 1, 1 bsl 20},
        {requests, 1, 16#FFFFFFFF},
        {fib_n, 0, 47}
    ].

fields() -> [answers, value_sum, workers_used].

lead() -> names:name(dispatcher).

direct(World, #{workers := Workers, fib_n := FibN}, Browsers) ->
    Hire = fun(Index) ->
        Name = names:name(worker, Index),
        Worker = #worker{name = Name, fib_n = FibN, dispatcher = self()},
        {1, actor:start(World, ?MODULE, Name, Worker)}
    end,
    #dispatcher{
        world = World,
        browsers = Browsers,
        workers = Workers,
        browsing = tuple_size(Browsers),
        idle = queue:from_list(lists:map(Hire, lists:seq(0, Workers - 1))),
        idlers = Workers
    }.

troupe(#{browsers := Browsers}) -> Browsers.

member(World, #{requests := Requests}, Index) ->
    Name = names:name(browser, Index),
    actor:start(World, ?MODULE, Name, #browser{world = World, name = Name, requests = Requests}).

spread() -> others.
