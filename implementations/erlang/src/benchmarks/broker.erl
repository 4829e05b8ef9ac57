%% Broker (spec/broker.md): employees ask an employer for work through a router.
-module(broker).
-behaviour(benchmark).
-behaviour(actor).

-export([lead/0, init/2, disconnect/0, members/1, member/2, probe/1]).
-export([handle/2, logged/2]).
-export([payload/2, checksum/1]).

-include("actor.hrl").

-record(employer, {
    employees :: tuple(),
    router :: pid(),
    tasks :: pos_integer(),
    size :: pos_integer(),
    salt = 0 :: benchmark:salt(),
    given = 0 :: non_neg_integer(),
    waiting = 0 :: non_neg_integer(),
    results = 0 :: non_neg_integer(),
    sum = 0 :: non_neg_integer()
}).
-record(router, {employer :: pid(), employed :: non_neg_integer()}).
-record(employee, {index :: non_neg_integer(), router = none :: none | pid()}).

%% Answers each request with a task, as long as there are any (BROKER-1).
handle({start, _Control, Salt}, S = #employer{employees = Employees, router = Router}) ->
    Go = {go, ?NAME(?EMPLOYER), Router},
    lists:foreach(fun(Employee) -> Employee ! Go end, tuple_to_list(Employees)),
    S#employer{salt = Salt};
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
handle({go, _Employer, Router}, S = #employee{index = Index}) ->
    Router ! {request, ?NAME(?EMPLOYEE, Index), 0, 0, self()},
    S#employee{router = Router};
handle({task, _Router, Number, _Size, Payload}, S = #employee{index = Index}) ->
    Result = result(Number, Payload),
    S#employee.router ! {request, ?NAME(?EMPLOYEE, Index), Number + 1, Result, self()},
    S;
handle({dismiss, _Router}, #employee{}) ->
    stop.

%% With the checksum of the payload instead of the payload (BROKER-5).
logged({task, Employer, Index, Number, Size, Payload, _Employee}, _S) ->
    {task, Employer, Index, Number, Size, checksum(Payload)};
logged({task, Router, Number, Size, Payload}, _S) ->
    {task, Router, Number, Size, checksum(Payload)};
logged(Message, _S) ->
    Message.

give(Index, Employee, S = #employer{given = Given, tasks = Tasks}) when Given < Tasks ->
    #employer{router = Router, size = Size, salt = Salt} = S,
    Payload = payload(?FOLD(Salt, Given), Size),
    Router ! {task, ?NAME(?EMPLOYER), Index, Given, Size, Payload, Employee},
    S#employer{given = Given + 1};
give(_Index, _Employee, S = #employer{employees = Employees, waiting = Waiting}) ->
    Waiting + 1 =:= tuple_size(Employees) andalso
        stopwatch:stop(?NAME(?EMPLOYER), [S#employer.results, S#employer.sum]),
    S#employer{waiting = Waiting + 1}.

%% Size bytes, the highest of each number of the stream from Key (BROKER-3). Eight at a time,
%% because to append costs as much as to fold so many.
-spec payload(Key :: benchmark:salt(), Size :: non_neg_integer()) -> binary().
payload(Key, Size) -> payload(0, Size, Key, <<>>).

payload(I, Size, X, Bytes) when I + 8 =< Size ->
    A = ?FOLD(X, I),
    B = ?FOLD(A, I + 1),
    C = ?FOLD(B, I + 2),
    D = ?FOLD(C, I + 3),
    E = ?FOLD(D, I + 4),
    F = ?FOLD(E, I + 5),
    G = ?FOLD(F, I + 6),
    H = ?FOLD(G, I + 7),
    Eight =
        <<(A bsr 24), (B bsr 24), (C bsr 24), (D bsr 24), (E bsr 24), (F bsr 24), (G bsr 24),
            (H bsr 24)>>,
    payload(I + 8, Size, H, <<Bytes/binary, Eight/binary>>);
payload(I, Size, X, Bytes) when I < Size ->
    Next = ?FOLD(X, I),
    payload(I + 1, Size, Next, <<Bytes/binary, (Next bsr 24)>>);
payload(_Size, _, _X, Bytes) ->
    Bytes.

-spec checksum(binary()) -> non_neg_integer().
checksum(Payload) -> checksum(Payload, 0).

checksum(<<Byte, Bytes/binary>>, Sum) -> checksum(Bytes, ?CHECK(Sum, Byte));
checksum(<<>>, Sum) -> Sum.

%% What an employee finds in this payload.
result(Number, Payload) ->
    Checksum = checksum(Payload),
    ?FOLD(Checksum, Number).

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

%% The sum of all results with this salt, of payloads that are made and read as in a run.
probe(#{salt := Salt, tasks := Tasks, size := Size}) ->
    [
        lists:foldl(
            fun(Number, Sum) -> ?SUM(Sum, result(Number, payload(?FOLD(Salt, Number), Size))) end,
            0,
            lists:seq(0, Tasks - 1)
        )
    ].
