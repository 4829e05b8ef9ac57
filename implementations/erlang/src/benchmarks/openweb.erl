%% Web under an open load (spec/openweb.md): requests arrive when they are due.
-module(openweb).
-behaviour(benchmark).
-behaviour(actor).

-export([lead/0, init/2, disconnect/0, arrivals/1]).
-export([handle/2]).

-include("actor.hrl").

-type nanos() :: non_neg_integer().
-record(source, {
    balancer :: pid(),
    due :: tuple(),
    salt = 0 :: non_neg_integer(),
    %% When it took `start`: what is due is so a little earlier, since control's stamp is older.
    started = 0 :: stopwatch:stamp(),
    %% Readings of the clock, each less when the request was due.
    arrived = [] :: histogram:readings(),
    answered = [] :: histogram:readings(),
    answers = 0 :: non_neg_integer(),
    sum = 0 :: non_neg_integer(),
    used = 0 :: non_neg_integer()
}).
-record(balancer, {
    source :: pid(),
    requests :: pos_integer(),
    servers :: pos_integer(),
    %% Servers, each with 1 if it has not worked yet; and how many they are.
    idle :: queue:queue({0 | 1, pid()}),
    idlers :: non_neg_integer(),
    waiting = queue:new() :: queue:queue({non_neg_integer(), non_neg_integer()}),
    given = 0 :: non_neg_integer(),
    used = 0 :: non_neg_integer()
}).
-record(server, {name :: names:name(), fib_n :: 0..47, source :: pid()}).

%% Sends each request when it is due, and takes the answers (OPEN-2).
handle({start, _Control, Salt}, S = #source{}) ->
    await(0, S#source{salt = Salt, started = stopwatch:stamp()});
handle({arrive, _Source, Number, Due}, S = #source{salt = Salt, arrived = Arrived}) ->
    Stamp = stopwatch:stamp(),
    Value = ?FOLD(?FOLD(Salt, Number), Due band 16#FFFFFFFF),
    S#source.balancer ! {request, ?NAME(?SOURCE), Number, Value},
    await(Number + 1, S#source{arrived = histogram:add(Due, Stamp, Arrived)});
handle({answer, _Server, Number, Value}, S = #source{answered = Answered, sum = Sum}) ->
    Stamp = stopwatch:stamp(),
    Due = element(Number + 1, S#source.due),
    report_when_done(S#source{
        answered = histogram:add(Due, Stamp, Answered),
        answers = S#source.answers + 1,
        sum = ?SUM(Sum, Value)
    });
handle({drained, _Balancer, Used}, S = #source{}) ->
    report_when_done(S#source{used = Used});
handle({disconnect, _Control}, #source{balancer = Balancer}) ->
    Balancer ! {close, ?NAME(?SOURCE)},
    stop;
%% Keeps the order of waiting requests and of idle servers (OPEN-3).
handle({request, _Source, Number, Value}, S = #balancer{waiting = Waiting}) ->
    assign(S#balancer{waiting = queue:in({Number, Value}, Waiting)});
handle({idle, _Server, Server}, S = #balancer{idle = Idle, idlers = Idlers}) ->
    drained(assign(S#balancer{idle = queue:in({0, Server}, Idle), idlers = Idlers + 1}));
handle({close, _Source}, #balancer{idle = Idle}) ->
    Stop = {stop, ?NAME(?BALANCER)},
    lists:foreach(fun({_, Server}) -> Server ! Stop end, queue:to_list(Idle)),
    stop;
%% Computes, answers the source, and is idle again (OPEN-4).
handle({work, _Name, Number, Value, Balancer}, S = #server{name = Name}) ->
    Fib = fibonacci:fibonacci(S#server.fib_n),
    S#server.source ! {answer, Name, Number, ?FOLD(Value, Fib)},
    Balancer ! {idle, Name, self()},
    S;
handle({stop, _Balancer}, #server{}) ->
    stop.

%% The runtime's timer counts milliseconds, and is never early.
await(Number, S = #source{due = Due}) when Number < tuple_size(Due) ->
    Nanos = element(Number + 1, Due),
    Message = {arrive, ?NAME(?SOURCE), Number, Nanos},
    _ = erlang:send_after(
        milliseconds(S#source.started + Nanos), self(), Message, [{abs, true}]
    ),
    S;
await(_Number, S) ->
    S.

%% Rounded up. The runtime's clock begins below 0, where `div` does so by itself.
milliseconds(Nanos) when Nanos > 0 -> (Nanos + 999_999) div 1_000_000;
milliseconds(Nanos) -> Nanos div 1_000_000.

report_when_done(S = #source{used = Used, answers = Answers, due = Due}) when
    Used > 0, Answers =:= tuple_size(Due)
->
    Stamp = stopwatch:stamp(),
    Readings = #{latency => S#source.answered, lateness => S#source.arrived},
    stopwatch:stop(?NAME(?SOURCE), [Answers, S#source.sum, Used], Stamp, Readings),
    S#source{answered = [], arrived = []};
report_when_done(S) ->
    S.

assign(S = #balancer{idlers = 0}) ->
    S;
assign(S = #balancer{idle = Idle, idlers = Idlers, given = Given, used = Used}) ->
    case queue:out(S#balancer.waiting) of
        {empty, _} ->
            S;
        {{value, {Number, Value}}, Waiting} ->
            {{value, {Fresh, Server}}, Others} = queue:out(Idle),
            Server ! {work, ?NAME(?BALANCER), Number, Value, self()},
            S#balancer{
                waiting = Waiting,
                idle = Others,
                idlers = Idlers - 1,
                given = Given + 1,
                used = Used + Fresh
            }
    end.

drained(S = #balancer{given = Requests, requests = Requests, idlers = All, servers = All}) ->
    S#balancer.source ! {drained, ?NAME(?BALANCER), S#balancer.used},
    S;
drained(S) ->
    S.

%% When each request is due, after the start of the run (OPEN-1).
-spec arrivals(benchmark:parameters()) -> [nanos()].
arrivals(#{requests := Requests, gap := Gap, seed := Seed}) ->
    Lengths = list_to_tuple(
        running_sums([1_000_000 div (256 - Step) || Step <- lists:seq(0, 255)])
    ),
    Drawn = [element(Draw div 256 + 1, Lengths) || Draw <- lcg:outputs(Requests, Seed)],
    [Gap * Total div 1000 || Total <- running_sums(Drawn)].

running_sums(Numbers) ->
    {Sums, _} = lists:mapfoldl(fun(Number, Sum) -> {Sum + Number, Sum + Number} end, 0, Numbers),
    Sums.

lead() -> {?MODULE, ?NAME(?SOURCE)}.

init(#{servers := Servers, requests := Requests, fib_n := FibN} = Parameters, _Members) ->
    Source = self(),
    Hire = fun(Index) ->
        Name = ?NAME(?SERVER, Index),
        {1, actor:start(?MODULE, Name, #server{name = Name, fib_n = FibN, source = Source})}
    end,
    Balancer = #balancer{
        source = Source,
        requests = Requests,
        servers = Servers,
        idle = queue:from_list(lists:map(Hire, lists:seq(0, Servers - 1))),
        idlers = Servers
    },
    #source{
        balancer = actor:start(?MODULE, ?NAME(?BALANCER), Balancer),
        due = list_to_tuple(arrivals(Parameters))
    }.

disconnect() -> {disconnect, ?NAME(?CONTROL)}.
