%% Bang (spec/bang.md): many senders, one receiver that answers every message.
-module(bang).
-behaviour(benchmark).
-behaviour(actor).

-export([lead/0, init/2, members/1, member/2]).
-export([handle/2]).

-include("actor.hrl").

-record(receiver, {
    senders :: tuple(),
    windows :: windows:windows(),
    salt = 0 :: non_neg_integer(),
    bangs = 0 :: non_neg_integer(),
    given = 0 :: non_neg_integer(),
    %% Bangs before the open window.
    before = 0 :: non_neg_integer(),
    %% What the senders that have finished said.
    finished = {0, 0, 0} :: {
        Senders :: non_neg_integer(), Answers :: non_neg_integer(), Taken :: non_neg_integer()
    }
}).
-record(sender, {
    index :: non_neg_integer(),
    messages :: pos_integer(),
    %% Windowed, until `stop`.
    banging :: boolean(),
    %% The salt with this sender's index in it.
    salt = 0 :: non_neg_integer(),
    receiver = none :: none | pid(),
    sent = 0 :: non_neg_integer(),
    answers = 0 :: non_neg_integer(),
    taken = 0 :: non_neg_integer()
}).

%% Starts the senders, answers them, waits until all have had their answers (BANG-1,
%% BANG-5).
handle({start, _Control, Salt}, S = #receiver{windows = Windows}) ->
    windows:open(Windows),
    to_senders({go, ?NAME(?RECEIVER), Salt, self()}, S),
    S#receiver{salt = Salt};
handle({bang, Sender, Number, Value}, S = #receiver{bangs = Bangs, given = Given}) ->
    Answer = ?FOLD(Value, S#receiver.salt),
    element(?INDEX(Sender) + 1, S#receiver.senders) ! {answer, ?NAME(?RECEIVER), Number, Answer},
    S#receiver{bangs = Bangs + 1, given = ?SUM(Given, Answer)};
handle({tick, _Receiver, Number}, S = #receiver{windows = Windows, bangs = Bangs}) ->
    Stamp = windows:tick(Number, Windows),
    windows:report(Number, Bangs - S#receiver.before, Stamp, Windows),
    windows:is_last(Number, Windows) andalso to_senders({stop, ?NAME(?RECEIVER)}, S),
    S#receiver{before = Bangs};
handle({finished, _Sender, Answers, Taken}, S = #receiver{finished = {Senders, Sum, Sums}}) ->
    finished(S#receiver{finished = {Senders + 1, Sum + Answers, ?SUM(Sums, Taken)}});
%% Sends everything without waiting, then counts the answers (BANG-2, BANG-6).
handle({go, _Receiver, Salt, Receiver}, S = #sender{index = Index, messages = Messages}) ->
    Own = ?FOLD(Salt, Index),
    bang(0, Messages, Own, ?NAME(?SENDER, Index), Receiver),
    S#sender{salt = Own, receiver = Receiver, sent = Messages};
handle({answer, _Receiver, _Number, Value}, S = #sender{answers = Answers, taken = Taken}) ->
    answered(S#sender{answers = Answers + 1, taken = ?SUM(Taken, Value)});
handle({stop, _Receiver}, S = #sender{}) ->
    answered(S#sender{banging = false}).

to_senders(Message, #receiver{senders = Senders}) ->
    lists:foreach(fun(Sender) -> Sender ! Message end, tuple_to_list(Senders)).

finished(#receiver{senders = Senders, finished = {Finished, Answers, Taken}} = S) when
    Finished =:= tuple_size(Senders)
->
    #receiver{bangs = Bangs, given = Given} = S,
    stopwatch:stop(?NAME(?RECEIVER), [Bangs, Answers, Given, Taken]),
    stop;
finished(S) ->
    S.

bang(Number, Number, _Salt, _Name, _Receiver) ->
    ok;
bang(Number, Before, Salt, Name, Receiver) ->
    Receiver ! {bang, Name, Number, ?FOLD(Salt, Number)},
    bang(Number + 1, Before, Salt, Name, Receiver).

answered(S = #sender{banging = true, index = Index, salt = Salt, sent = Sent}) ->
    bang(Sent, Sent + 1, Salt, ?NAME(?SENDER, Index), S#sender.receiver),
    S#sender{sent = Sent + 1};
answered(#sender{index = Index, sent = Sent, answers = Sent, taken = Taken, receiver = Receiver}) ->
    Receiver ! {finished, ?NAME(?SENDER, Index), Sent, Taken},
    stop;
answered(S) ->
    S.

lead() -> {?MODULE, ?NAME(?RECEIVER)}.

init(Parameters, Senders) ->
    #receiver{senders = Senders, windows = windows:new(?NAME(?RECEIVER), Parameters)}.

members(#{senders := Senders}) -> Senders.

member(#{messages := Messages, windows := Windows}, Index) ->
    Sender = #sender{index = Index, messages = Messages, banging = Windows > 0},
    actor:start(?MODULE, ?NAME(?SENDER, Index), Sender).
