%% Forwards what is posted to all its members; ends with its last member.
-module(chat).
-behaviour(actor).

-export([start/4, handle/2]).

-include("chatapp.hrl").

-record(chat, {
    name :: names:name(),
    members :: [pid()],
    %% Payloads, newest first; `none` if this chat does not keep them.
    history :: [non_neg_integer()] | none,
    %% The sum of its digests.
    digests = 0 :: non_neg_integer()
}).

-spec start(non_neg_integer(), non_neg_integer(), pid(), #parameters{}) -> pid().
start(Creator, Created, Member, #parameters{history = Keeps}) ->
    Name = ?CHAT_NAME(Creator, Created),
    History =
        case Keeps of
            true -> [];
            false -> none
        end,
    actor:start(?MODULE, Name, #chat{name = Name, members = [Member], history = History}).

handle({post, _Member, Turn, Payload, Accumulator}, S = #chat{name = Name, members = Members}) ->
    Count = length(Members),
    Digest = ?DIGEST(Payload),
    Accumulator ! {bump, Name, 0, Count, (Count * Digest) band 16#FFFFFFFF},
    Forward = {forward, Name, Turn, 1, Payload, Accumulator},
    lists:foreach(fun(Member) -> Member ! Forward end, Members),
    remember(Payload, Digest, S);
handle({join, _Member, Turn, _Number, Friend, Accumulator}, S = #chat{name = Name}) ->
    Level = replay(S, Turn, Friend, Accumulator),
    Friend ! {accepted, Name, Turn, Level, self(), Accumulator},
    S#chat{members = S#chat.members ++ [Friend]};
handle({leave, _Member, Turn, Member, Accumulator}, S = #chat{members = Members}) ->
    Member ! {left, S#chat.name, Turn, Accumulator},
    case lists:delete(Member, Members) of
        [] -> stop;
        Remaining -> S#chat{members = Remaining}
    end.

remember(_Payload, _Digest, S = #chat{history = none}) ->
    S;
remember(Payload, Digest, S = #chat{history = History, digests = Digests}) ->
    S#chat{history = [Payload | History], digests = ?SUM(Digests, Digest)}.

%% Sends the history, if there is any, and returns the level of the `accepted`.
replay(#chat{history = none}, _Turn, _Friend, _Accumulator) ->
    1;
replay(#chat{history = []}, _Turn, _Friend, _Accumulator) ->
    1;
replay(#chat{name = Name, history = History, digests = Digests}, Turn, Friend, Accumulator) ->
    Accumulator ! {bump, Name, 1, length(History) + 1, Digests},
    lists:foreach(
        fun(Payload) -> Friend ! {forward, Name, Turn, 2, Payload, Accumulator} end,
        lists:reverse(History)
    ),
    2.
