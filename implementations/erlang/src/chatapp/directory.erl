%% Creates its clients, makes them friends, and passes the poker's word on to them.
-module(directory).
-behaviour(actor).

-export([start/4, handle/2]).

-include("chatapp.hrl").

-record(directory, {
    name :: names:name(),
    poker :: pid(),
    parameters :: #parameters{},
    lcg :: lcg:state(),
    %% In login order from `settle` on, until then newest first.
    clients = [] :: [client:client()],
    settling = 0 :: non_neg_integer(),
    online = 0 :: non_neg_integer(),
    sums = [0, 0, 0, 0, 0, 0, 0, 0] :: [non_neg_integer()]
}).

-spec start(non_neg_integer(), lcg:state(), pid(), #parameters{}) -> pid().
start(Index, Seed, Poker, Parameters) ->
    Name = ?NAME(?DIRECTORY, Index),
    actor:start_on(placement:of_directory(Index), ?MODULE, Name, #directory{
        name = Name,
        poker = Poker,
        parameters = Parameters,
        lcg = Seed
    }).

handle({login, _Poker, Number}, S = #directory{clients = Clients}) ->
    Seed = lcg:next(S#directory.lcg),
    Client = client:start(Number, S#directory.parameters, self(), Seed),
    S#directory{lcg = Seed, clients = [{Number, Client} | Clients]};
handle({befriend, _Poker}, S = #directory{lcg = Lcg}) ->
    Clients = lists:reverse(S#directory.clients),
    Befriend = fun(Friend, L) -> befriend(Friend, Clients, S, L) end,
    S#directory{lcg = lists:foldl(Befriend, Lcg, Clients)};
handle({settle, _Poker}, S) ->
    Clients = lists:reverse(S#directory.clients),
    to_clients({settle, S#directory.name}, Clients),
    S#directory{clients = Clients, settling = length(Clients)};
handle({settled, _Client}, S = #directory{settling = Settling}) ->
    Settling =:= 1 andalso (S#directory.poker ! {settled, S#directory.name}),
    S#directory{settling = Settling - 1};
handle({poke, _Poker, Turn, Salt, Accumulator}, S) ->
    Act = {act, S#directory.name, Turn, ?CHOICE_DRAW, 0, 0, Salt, Accumulator},
    to_clients(Act, S#directory.clients),
    S;
handle({act, _Poker, Turn, Number, Choice, Index, K, Accumulator}, S) ->
    {Number, Client} = lists:keyfind(Number, 1, S#directory.clients),
    Client ! {act, S#directory.name, Turn, Choice, Index, K, 0, Accumulator},
    S;
handle({disconnect, _Poker}, S = #directory{clients = Clients}) ->
    to_clients({logout, S#directory.name}, Clients),
    S#directory{online = length(Clients)};
handle(Left, S = #directory{sums = Mine, online = Online}) when element(1, Left) =:= left ->
    [left, _Client | Theirs] = tuple_to_list(Left),
    Sums = lists:zipwith(fun erlang:'+'/2, Mine, Theirs),
    case Online of
        1 ->
            S#directory.poker ! list_to_tuple([finished, S#directory.name | Sums]),
            stop;
        _ ->
            S#directory{sums = Sums, online = Online - 1}
    end.

%% Passes over all clients until one of them made a friendship.
befriend(Friend, Clients, S, Lcg) ->
    case pass(Clients, Friend, S, Lcg, false) of
        {true, Next} -> Next;
        {false, Next} -> befriend(Friend, Clients, S, Next)
    end.

pass([], _Friend, _S, Lcg, Befriended) ->
    {Befriended, Lcg};
pass([Client | Clients], Friend, S, Lcg, Befriended) ->
    %% Drawn for every client, also for Friend itself.
    {Draw, Next} = lcg:next_int(100, Lcg),
    case Draw < S#directory.parameters#parameters.befriend andalso Client =/= Friend of
        true ->
            introduce(Client, Friend, S),
            pass(Clients, Friend, S, Next, true);
        false ->
            pass(Clients, Friend, S, Next, Befriended)
    end.

introduce({C, Client}, {F, Friend}, #directory{name = Name}) ->
    Client ! {befriend, Name, F, Friend},
    Friend ! {befriend, Name, C, Client},
    ok.

to_clients(Message, Clients) ->
    lists:foreach(fun({_Number, Client}) -> Client ! Message end, Clients).
