%% Web (spec/web.md): browsers ask a dispatcher, which gives work to idle workers only.
-module(web).
-behaviour(benchmark).
-behaviour(actor).

-export([lead/0, init/2, disconnect/0, members/1, member/2]).
-export([handle/2]).

-include("actor.hrl").

-type request() ::
    {Browser :: non_neg_integer(), Number :: non_neg_integer(), Value :: non_neg_integer()}.
-record(dispatcher, {
    browsers :: tuple(),
    workers :: pos_integer(),
    browsing :: non_neg_integer(),
    %% Workers, each with 1 if it has not worked yet; and how many they are.
    idle :: queue:queue({0 | 1, pid()}),
    idlers :: non_neg_integer(),
    waiting = queue:new() :: queue:queue(request()),
    answers = 0 :: non_neg_integer(),
    sum = 0 :: non_neg_integer(),
    used = 0 :: non_neg_integer()
}).
-record(worker, {name :: names:name(), fib_n :: 0..47, dispatcher :: pid()}).
-record(browser, {
    index :: non_neg_integer(),
    requests :: pos_integer(),
    %% The salt with this browser's index in it.
    salt = 0 :: non_neg_integer(),
    dispatcher = none :: none | pid(),
    answers = 0 :: non_neg_integer(),
    sum = 0 :: non_neg_integer()
}).

%% Keeps the order of waiting requests and of idle workers (WEB-1).
handle({start, _Control, Salt}, S = #dispatcher{browsers = Browsers}) ->
    Go = {go, ?NAME(?DISPATCHER), Salt, self()},
    lists:foreach(fun(Browser) -> Browser ! Go end, tuple_to_list(Browsers)),
    S;
handle({request, Browser, Number, Value}, S = #dispatcher{waiting = Waiting}) ->
    Request = {?INDEX(Browser), Number, Value},
    assign(S#dispatcher{waiting = queue:in(Request, Waiting)});
handle({idle, _Worker, Worker}, S = #dispatcher{idle = Idle, idlers = Idlers}) ->
    report_when_done(assign(S#dispatcher{idle = queue:in({0, Worker}, Idle), idlers = Idlers + 1}));
handle({finished, _Browser, Answers, Sum}, S = #dispatcher{browsing = Browsing}) ->
    report_when_done(S#dispatcher{
        browsing = Browsing - 1,
        answers = S#dispatcher.answers + Answers,
        sum = ?SUM(S#dispatcher.sum, Sum)
    });
handle({disconnect, _Control}, #dispatcher{idle = Idle}) ->
    Stop = {stop, ?NAME(?DISPATCHER)},
    lists:foreach(fun({_, Worker}) -> Worker ! Stop end, queue:to_list(Idle)),
    stop;
%% Computes, answers the browser, and is idle again (WEB-2).
handle({work, _Dispatcher, _Index, Number, Value, Browser}, S = #worker{name = Name}) ->
    Fib = fibonacci:fibonacci(S#worker.fib_n),
    Browser ! {answer, Name, Number, ?FOLD(Value, Fib)},
    S#worker.dispatcher ! {idle, Name, self()},
    S;
handle({stop, _Dispatcher}, #worker{}) ->
    stop;
%% Asks, waits for the answer, asks again (WEB-3).
handle({go, _Dispatcher, Salt, Dispatcher}, S = #browser{index = Index}) ->
    request(S#browser{salt = ?FOLD(Salt, Index), dispatcher = Dispatcher});
handle({answer, _Worker, _Number, Value}, S = #browser{answers = Answers, sum = Sum}) ->
    request(S#browser{answers = Answers + 1, sum = ?SUM(Sum, Value)}).

assign(S = #dispatcher{idlers = 0}) ->
    S;
assign(S = #dispatcher{idle = Idle, idlers = Idlers, used = Used}) ->
    case queue:out(S#dispatcher.waiting) of
        {empty, _} ->
            S;
        {{value, {Index, Number, Value}}, Waiting} ->
            {{value, {Fresh, Worker}}, Others} = queue:out(Idle),
            Browser = element(Index + 1, S#dispatcher.browsers),
            Worker ! {work, ?NAME(?DISPATCHER), Index, Number, Value, Browser},
            S#dispatcher{waiting = Waiting, idle = Others, idlers = Idlers - 1, used = Used + Fresh}
    end.

report_when_done(S = #dispatcher{browsing = 0, workers = Workers, idlers = Workers}) ->
    #dispatcher{answers = Answers, sum = Sum, used = Used} = S,
    stopwatch:stop(?NAME(?DISPATCHER), [Answers, Sum, Used]),
    S;
report_when_done(S) ->
    S.

request(#browser{index = Index, requests = Requests, answers = Requests, sum = Sum} = S) ->
    S#browser.dispatcher ! {finished, ?NAME(?BROWSER, Index), Requests, Sum},
    stop;
request(S = #browser{index = Index, salt = Salt, answers = Number}) ->
    Request = {request, ?NAME(?BROWSER, Index), Number, ?FOLD(Salt, Number)},
    S#browser.dispatcher ! Request,
    S.

lead() -> {?MODULE, ?NAME(?DISPATCHER)}.

init(#{workers := Workers, fib_n := FibN}, Browsers) ->
    Hire = fun(Index) ->
        Name = ?NAME(?WORKER, Index),
        Worker = #worker{name = Name, fib_n = FibN, dispatcher = self()},
        {1, actor:start(?MODULE, Name, Worker)}
    end,
    #dispatcher{
        browsers = Browsers,
        workers = Workers,
        browsing = tuple_size(Browsers),
        idle = queue:from_list(lists:map(Hire, lists:seq(0, Workers - 1))),
        idlers = Workers
    }.

disconnect() -> {disconnect, ?NAME(?CONTROL)}.

members(#{browsers := Browsers}) -> Browsers.

member(#{requests := Requests}, Index) ->
    Browser = #browser{index = Index, requests = Requests},
    actor:start(?MODULE, ?NAME(?BROWSER, Index), Browser).
