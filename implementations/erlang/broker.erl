%% Broker (spec/broker.md): employees ask an employer for work through a router.
-module(broker).
-behaviour(micro).
-behaviour(actor).

-export([ranges/1, fields/0, lead/0, direct/3, troupe/1, member/3]).
-export([handle/2]).

-record(employer, {
    world :: world:world(),
    employees :: tuple(),
    router :: pid(),
    tasks :: pos_integer(),
    size :: pos_integer(),
    employed :: non_neg_integer(),
    given = 0 :: non_neg_integer(),
    results = 0 :: non_neg_integer(),
    checksum_sum = 0 :: non_neg_integer()
}).
-record(router, {employer :: pid(), employed :: non_neg_integer()}).
-record(employee, {name :: names:name(), router = none :: none | pid()}).

-define(EIGHT(B), (B), (B + 1), (B + 2), (B + 3), (B + 4), (B + 5), (B + 6), (B + 7)).

%% Answers each request with a task, as long as there are any (BROKER-1).
handle({start, _Control}, S = #employer{employees = Employees, router = Router}) ->
    Go = {go, names:name(employer), Router},
    lists:foreach(fun(Employee) -> Employee ! Go end, tuple_to_list(Employees)),
    S;
handle({request, _Router, Index, 0, 0, Employee}, S = #employer{}) ->
    give(Index, Employee, S);
handle({request, _Router, Index, _Result, Checksum, Employee}, S = #employer{}) ->
    #employer{results = Results, checksum_sum = Sum} = S,
    give(Index, Employee, S#employer{results = Results + 1, checksum_sum = Sum + Checksum});
%% Passes everything on (BROKER-2).
handle({request, Employee, Result, Checksum, From}, S = #router{employer = Employer}) ->
    Employer ! {request, names:name(router), names:index(Employee), Result, Checksum, From},
    S;
handle({task, _Employer, _Index, Number, Size, Payload, Employee}, S = #router{}) ->
    Employee ! {task, names:name(router), Number, Size, Payload},
    S;
handle({dismiss, _Employer, _Index, Employee}, S = #router{employed = Employed}) ->
    Employee ! {dismiss, names:name(router)},
    case Employed of
        1 -> stop;
        _ -> S#router{employed = Employed - 1}
    end;
%% Reads every byte of each payload, and asks for the next (BROKER-3).
handle({go, _Employer, Router}, S = #employee{name = Name}) ->
    Router ! {request, Name, 0, 0, self()},
    S#employee{router = Router};
handle({task, _Router, Number, _Size, Payload}, S = #employee{name = Name, router = Router}) ->
    Router ! {request, Name, Number + 1, checksum:bytes(Payload), self()},
    S;
handle({dismiss, _Router}, #employee{}) ->
    stop.

give(Index, Employee, S = #employer{given = Given, tasks = Tasks}) when Given < Tasks ->
    #employer{router = Router, size = Size} = S,
    Payload = payload(Given, Size),
    Router ! {task, names:name(employer), Index, Given, Size, Payload, Employee},
    S#employer{given = Given + 1};
give(Index, Employee, S = #employer{world = World, router = Router, employed = Employed}) ->
    Router ! {dismiss, names:name(employer), Index, Employee},
    case Employed of
        1 ->
            micro:done(World, [S#employer.results, S#employer.checksum_sum]),
            stop;
        _ ->
            S#employer{employed = Employed - 1}
    end.

%% Byte I is (Number + I) mod 256, which is what a segment of eight bits keeps. Sixteen
%% at a time, because to append costs as much as to compute so many.
payload(Number, Size) -> payload(Number, Number + Size, <<>>).

payload(B, End, Bytes) when B + 16 =< End ->
    payload(B + 16, End, <<Bytes/binary, ?EIGHT(B), ?EIGHT(B + 8)>>);
payload(B, End, Bytes) when B < End ->
    payload(B + 1, End, <<Bytes/binary, B>>);
payload(_End, _, Bytes) ->
    Bytes.

ranges(_Message) ->
    [{employees, 1, 128}, {tasks, 1, 16#FFFFFFFF}, {size, 4, 65536}].

fields() -> [results, checksum_sum].

lead() -> names:name(employer).

direct(World, #{tasks := Tasks, size := Size}, Employees) ->
    Employed = tuple_size(Employees),
    Router = #router{employer = self(), employed = Employed},
    #employer{
        world = World,
        employees = Employees,
        router = actor:start(World, ?MODULE, names:name(router), Router),
        tasks = Tasks,
        size = Size,
        employed = Employed
    }.

troupe(#{employees := Employees}) -> Employees.

member(World, _Parameters, Index) ->
    Name = names:name(employee, Index),
    actor:start(World, ?MODULE, Name, #employee{name = Name}).
