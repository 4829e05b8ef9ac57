%% Has friends, takes part in chats, and acts once a turn.
-module(client).
-behaviour(actor).

-export([start/4, handle/2]).
-export_type([client/0]).

-include("chatapp.hrl").

%% How others know a client.
-type client() :: {Number :: non_neg_integer(), pid()}.

-record(client, {
    number :: non_neg_integer(),
    name :: names:name(),
    parameters :: #parameters{},
    directory :: pid(),
    lcg :: lcg:state(),
    %% A list, newest first, until `settle`; then nobody befriends any more.
    friends = [] :: [client()] | tuple(),
    chats = array:new() :: array:array(pid()),
    created = 0 :: non_neg_integer(),
    posted = 0 :: non_neg_integer(),
    leaving = 0 :: non_neg_integer(),
    picks = {0, 0, 0, 0, 0} :: tuple(),
    deliveries = 0 :: non_neg_integer(),
    joins = 0 :: non_neg_integer()
}).

-spec start(non_neg_integer(), #parameters{}, pid(), lcg:state()) -> pid().
start(Number, Parameters, Directory, Seed) ->
    Name = ?NAME(?CLIENT, Number),
    Node = placement:of_client(Number, Parameters#parameters.directories),
    actor:start_on(Node, ?MODULE, Name, #client{
        number = Number,
        name = Name,
        parameters = Parameters,
        directory = Directory,
        lcg = Seed
    }).

handle({befriend, _Directory, Number, Friend}, S = #client{friends = Friends}) ->
    S#client{friends = [{Number, Friend} | Friends]};
handle({settle, _Directory}, S = #client{friends = Friends}) ->
    S#client.directory ! {settled, S#client.name},
    S#client{friends = list_to_tuple(lists:reverse(Friends))};
handle({act, _Directory, Turn, ?CHOICE_DRAW, _, _, Salt, Accumulator}, S) ->
    {Index, Lcg} = lcg:next_int(array:size(S#client.chats), S#client.lcg),
    {Choice, Next} = select(S#client.parameters, Lcg),
    act(Choice, Index, drawn, Salt, Turn, Accumulator, pick(Choice, S#client{lcg = Next}));
handle({act, _Directory, Turn, Choice, Index, K, Salt, Accumulator}, S) ->
    act(Choice, Index, K, Salt, Turn, Accumulator, pick(Choice, S));
handle({forward, _Chat, _Turn, Level, Payload, Accumulator}, S) ->
    Accumulator ! {stop, S#client.name, Level, ?DIGEST(Payload)},
    S#client{deliveries = S#client.deliveries + 1};
handle({accepted, _Chat, _Turn, Level, Chat, Accumulator}, S) ->
    Accumulator ! {stop, S#client.name, Level, 0},
    S#client{joins = S#client.joins + 1, chats = append(Chat, S#client.chats)};
handle({left, _Chat, ?LOGOUT, _}, S = #client{leaving = 1}) ->
    report(S);
handle({left, _Chat, ?LOGOUT, _}, S = #client{leaving = Leaving}) ->
    S#client{leaving = Leaving - 1};
handle({left, _Chat, _Turn, Accumulator}, S) ->
    Accumulator ! {stop, S#client.name, 0, 0},
    S;
handle({logout, _Directory}, S = #client{chats = Chats}) ->
    Leave = {leave, S#client.name, ?LOGOUT, self(), none},
    lists:foreach(fun(Chat) -> Chat ! Leave end, array:to_list(Chats)),
    case array:size(Chats) of
        0 -> report(S);
        Leaving -> S#client{leaving = Leaving}
    end.

act(?CHOICE_COMPUTE, _, _, _, _, Accumulator, S) ->
    Value = fibonacci:fibonacci(S#client.parameters#parameters.fib_n),
    Accumulator ! {stop, S#client.name, 0, Value},
    S;
act(Choice, Index, K, Salt, Turn, Accumulator, S = #client{chats = Chats, friends = Friends}) ->
    HasChat = Index < array:size(Chats),
    case Choice of
        ?CHOICE_POST when HasChat ->
            post(array:get(Index, Chats), Salt, Turn, Accumulator, S);
        ?CHOICE_LEAVE when HasChat ->
            Leave = {leave, S#client.name, Turn, self(), Accumulator},
            array:get(Index, Chats) ! Leave,
            S#client{chats = remove(Index, Chats)};
        ?CHOICE_INVITE when Friends =/= {}, K =:= drawn ->
            {Shuffled, Lcg} = lcg:shuffle(Friends, S#client.lcg),
            {Drawn, Next} = lcg:next_int(tuple_size(Shuffled), Lcg),
            invite(Drawn, Turn, Accumulator, S#client{lcg = Next, friends = Shuffled});
        ?CHOICE_INVITE when Friends =/= {} ->
            invite(K, Turn, Accumulator, S);
        ?CHOICE_JOIN when HasChat, K < tuple_size(Friends) ->
            Accumulator ! {bump, S#client.name, 0, 1, 0},
            join(element(K + 1, Friends), array:get(Index, Chats), Turn, Accumulator, S),
            S;
        _ ->
            Accumulator ! {stop, S#client.name, 0, 0},
            S
    end.

select(P = #parameters{selection = 1}, Lcg) ->
    {Draw, Next} = lcg:next_int(100, Lcg),
    {cumulative(Draw, P), Next};
select(P = #parameters{selection = 2}, Lcg) ->
    cascade([?CHOICE_COMPUTE, ?CHOICE_POST, ?CHOICE_LEAVE, ?CHOICE_INVITE], P, Lcg).

cumulative(Draw, #parameters{compute = C, post = P, leave = L, invite = I}) ->
    if
        Draw < C -> ?CHOICE_COMPUTE;
        Draw < C + P -> ?CHOICE_POST;
        Draw < C + P + L -> ?CHOICE_LEAVE;
        Draw < C + P + L + I -> ?CHOICE_INVITE;
        true -> ?CHOICE_NONE
    end.

cascade([], _P, Lcg) ->
    {?CHOICE_NONE, Lcg};
cascade([Choice | Choices], P, Lcg) ->
    {Draw, Next} = lcg:next_int(100, Lcg),
    case Draw < chance(Choice, P) of
        true -> {Choice, Next};
        false -> cascade(Choices, P, Next)
    end.

chance(?CHOICE_COMPUTE, P) -> P#parameters.compute;
chance(?CHOICE_POST, P) -> P#parameters.post;
chance(?CHOICE_LEAVE, P) -> P#parameters.leave;
chance(?CHOICE_INVITE, P) -> P#parameters.invite.

pick(?CHOICE_JOIN, S) ->
    S;
pick(Choice, S = #client{picks = Picks}) ->
    S#client{picks = setelement(Choice, Picks, element(Choice, Picks) + 1)}.

post(Chat, Salt, Turn, Accumulator, S = #client{number = Number, posted = Posted}) ->
    Payload = (Number bsl 32) bor ?SUM(Salt, Posted),
    Chat ! {post, S#client.name, Turn, Payload, Accumulator},
    S#client{posted = Posted + 1}.

invite(K, Turn, Accumulator, S = #client{number = Number, created = Created}) ->
    Chat = chat:start(Number, Created, self(), S#client.parameters),
    Guests = lists:sublist(tuple_to_list(S#client.friends), max(K, 1)),
    Accumulator ! {bump, S#client.name, 0, length(Guests), 0},
    lists:foreach(fun(Friend) -> join(Friend, Chat, Turn, Accumulator, S) end, Guests),
    S#client{created = Created + 1, chats = append(Chat, S#client.chats)}.

join({Number, Friend}, Chat, Turn, Accumulator, #client{name = Name}) ->
    Chat ! {join, Name, Turn, Number, Friend, Accumulator},
    ok.

append(Chat, Chats) ->
    array:set(array:size(Chats), Chat, Chats).

%% Closes the gap, so that the order of the others stays.
remove(Index, Chats) ->
    {Before, [_ | After]} = lists:split(Index, array:to_list(Chats)),
    array:from_list(Before ++ After).

report(S = #client{picks = {Computes, Posts, Leaves, Invites, Nones}}) ->
    #client{name = Name, lcg = Lcg, deliveries = Deliveries, joins = Joins} = S,
    S#client.directory !
        {left, Name, Lcg, Computes, Posts, Leaves, Invites, Nones, Deliveries, Joins},
    stop.
