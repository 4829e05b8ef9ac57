%% Broker (spec/broker.md): employees ask an employer for work through a router.
-module(broker).
-behaviour(benchmark).
-behaviour(actor).

-export([lead/0, init/2, disconnect/0, members/1, member/2]).
-export([handle/2]).

-include("actor.hrl").

-record(employer, {
    employees :: tuple(),
    router :: pid(),
    tasks :: pos_integer(),
    size :: pos_integer(),
    given = 0 :: non_neg_integer(),
    waiting = 0 :: non_neg_integer(),
    results = 0 :: non_neg_integer(),
    sum = 0 :: non_neg_integer()
}).
-record(router, {employer :: pid(), employed :: non_neg_integer()}).
-record(employee, {
    index :: non_neg_integer(),
    salt = 0 :: non_neg_integer(),
    router = none :: none | pid()
}).

-define(EIGHT(B), (B), (B + 1), (B + 2), (B + 3), (B + 4), (B + 5), (B + 6), (B + 7)).

%% Answers each request with a task, as long as there are any (BROKER-1).
handle({start, _Control, Salt}, S = #employer{employees = Employees, router = Router}) ->
    Go = {go, ?NAME(?EMPLOYER), Salt, Router},
    lists:foreach(fun(Employee) -> Employee ! Go end, tuple_to_list(Employees)),
    S;
handle({request, _Router, Index, 0, _None, Employee}, S = #employer{}) ->
    give(Index, Employee, S);
handle({request, _Router, Index, _Result, Checksum, Employee}, S = #employer{}) ->
    #employer{results = Results, sum = Sum} = S,
    give(Index, Employee, S#employer{results = Results + 1, sum = ?SUM(Sum, Checksum)});
handle({disconnect, _Control}, #employer{employees = Employees, router = Router}) ->
    lists:foreach(
        fun({Index, Employee}) -> Router ! {dismiss, ?NAME(?EMPLOYER), Index, Employee} end,
        lists:enumerate(0, tuple_to_list(Employees))
    ),
    stop;
%% Passes everything on (BROKER-2).
handle({request, Employee, Result, Checksum, From}, S = #router{employer = Employer}) ->
    Employer ! {request, ?NAME(?ROUTER), ?INDEX(Employee), Result, Checksum, From},
    S;
handle({task, _Employer, _Index, Number, Size, Payload, Employee}, S = #router{}) ->
    Employee ! {task, ?NAME(?ROUTER), Number, Size, Payload},
    S;
handle({dismiss, _Employer, _Index, Employee}, S = #router{employed = Employed}) ->
    Employee ! {dismiss, ?NAME(?ROUTER)},
    case Employed of
        1 -> stop;
        _ -> S#router{employed = Employed - 1}
    end;
%% Reads every byte of each payload, and asks for the next (BROKER-3).
handle({go, _Employer, Salt, Router}, S = #employee{index = Index}) ->
    Router ! {request, ?NAME(?EMPLOYEE, Index), 0, 0, self()},
    S#employee{salt = Salt, router = Router};
handle({task, _Router, Number, _Size, Payload}, S = #employee{index = Index, salt = Salt}) ->
    Checksum = checksum(Payload, ?FOLD(Salt, Number)),
    Result = ?FOLD(Checksum, Number),
    S#employee.router ! {request, ?NAME(?EMPLOYEE, Index), Number + 1, Result, self()},
    S;
handle({dismiss, _Router}, #employee{}) ->
    stop.

give(Index, Employee, S = #employer{given = Given, tasks = Tasks}) when Given < Tasks ->
    #employer{router = Router, size = Size} = S,
    Payload = payload(Given, Size),
    Router ! {task, ?NAME(?EMPLOYER), Index, Given, Size, Payload, Employee},
    S#employer{given = Given + 1};
give(_Index, _Employee, S = #employer{employees = Employees, waiting = Waiting}) ->
    Waiting + 1 =:= tuple_size(Employees) andalso
        stopwatch:stop(?NAME(?EMPLOYER), #{
            results => S#employer.results,
            sum => S#employer.sum
        }),
    S#employer{waiting = Waiting + 1}.

%% Byte I is (Number + I) mod 256, which is what a segment of eight bits keeps. Sixteen
%% at a time, because to append costs as much as to compute so many.
payload(Number, Size) -> payload(Number, Number + Size, <<>>).

payload(B, End, Bytes) when B + 16 =< End ->
    payload(B + 16, End, <<Bytes/binary, ?EIGHT(B), ?EIGHT(B + 8)>>);
payload(B, End, Bytes) when B < End ->
    payload(B + 1, End, <<Bytes/binary, B>>);
payload(_End, _, Bytes) ->
    Bytes.

checksum(<<Byte, Bytes/binary>>, Sum) -> checksum(Bytes, ?CHECK(Sum, Byte));
checksum(<<>>, Sum) -> Sum.

lead() -> {?MODULE, ?NAME(?EMPLOYER)}.

init(#{tasks := Tasks, size := Size}, Employees) ->
    Router = #router{employer = self(), employed = tuple_size(Employees)},
    #employer{
        employees = Employees,
        router = actor:start(?MODULE, ?NAME(?ROUTER), Router),
        tasks = Tasks,
        size = Size
    }.

disconnect() -> {disconnect, ?NAME(?CONTROL)}.

members(#{employees := Employees}) -> Employees.

member(_Parameters, Index) ->
    actor:start(?MODULE, ?NAME(?EMPLOYEE, Index), #employee{index = Index}).
