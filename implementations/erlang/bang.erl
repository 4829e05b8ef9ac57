%% Bang (spec/bang.md): many senders, one receiver that answers every message.
-module(bang).
-behaviour(micro).
-behaviour(actor).

-export([ranges/1, fields/0, lead/0, direct/3, troupe/1, member/3, spread/0]).
-export([handle/2]).

-record(receiver, {
    world :: world:world(),
    senders :: tuple(),
    windows :: windows:windows(),
    sending :: non_neg_integer(),
    bangs = 0 :: non_neg_integer(),
    answers = 0 :: non_neg_integer()
}).
-record(sender, {
    world :: world:world(),
    name :: names:name(),
    messages :: pos_integer(),
    %% Windowed, until `stop`.
    banging :: boolean(),
    sent = 0 :: non_neg_integer(),
    answers = 0 :: non_neg_integer(),
    receiver = none :: none | pid()
}).

%% Starts the senders, answers them, waits until all have had their answers (BANG-1,
%% BANG-5).
handle({start, _Control}, S = #receiver{windows = Windows}) ->
    Opened = windows:open(Windows),
    to_senders({go, names:name(receiver), self()}, S),
    S#receiver{windows = Opened};
handle({bang, _Sender, Number, Sender}, S = #receiver{bangs = Bangs}) ->
    Sender ! {answer, names:name(receiver), Number},
    S#receiver{bangs = Bangs + 1};
handle({tick, _Receiver, Number}, S = #receiver{windows = Windows, bangs = Bangs}) ->
    {State, Nanos, Next} = windows:tick(Number, Windows),
    {Count, Counted} = windows:count(Bangs, Next),
    windows:report(Count, Nanos, Counted),
    State =:= over andalso to_senders({stop, names:name(receiver)}, S),
    S#receiver{windows = Counted};
handle({finished, _Sender, Answers}, S = #receiver{sending = 1, bangs = Bangs}) ->
    micro:done(S#receiver.world, [Bangs, S#receiver.answers + Answers], [Bangs, 0]),
    stop;
handle({finished, _Sender, Answers}, S = #receiver{sending = Sending}) ->
    S#receiver{sending = Sending - 1, answers = S#receiver.answers + Answers};
%% Sends everything without waiting, then counts the answers (BANG-2, BANG-6).
handle({go, _Receiver, Receiver}, S = #sender{name = Name, messages = Messages}) ->
    bang(0, Messages, Name, Receiver),
    S#sender{sent = Messages, receiver = Receiver};
handle({answer, _Receiver, _Number}, S = #sender{banging = true, sent = Sent}) ->
    bang(Sent, Sent + 1, S#sender.name, S#sender.receiver),
    S#sender{sent = Sent + 1, answers = S#sender.answers + 1};
handle({answer, _Receiver, _Number}, S = #sender{answers = Answers}) ->
    end_when_done(S#sender{answers = Answers + 1});
handle({stop, _Receiver}, S = #sender{}) ->
    end_when_done(S#sender{banging = false}).

to_senders(Message, #receiver{senders = Senders}) ->
    lists:foreach(fun(Sender) -> Sender ! Message end, tuple_to_list(Senders)).

bang(Number, Number, _Name, _Receiver) ->
    ok;
bang(Number, Before, Name, Receiver) ->
    Receiver ! {bang, Name, Number, self()},
    bang(Number + 1, Before, Name, Receiver).

end_when_done(#sender{world = World, name = Name, sent = Sent, answers = Sent} = S) ->
    micro:share(World, [0, Sent]),
    S#sender.receiver ! {finished, Name, Sent},
    stop;
end_when_done(S) ->
    S.

ranges(Message) ->
    windows:ranges(Message, [{senders, 1, 1 bsl 20}, {messages, 1, 16#FFFFFFFF}]).

fields() -> [bangs, answers].

lead() -> names:name(receiver).

direct(World, Parameters, Senders) ->
    #receiver{
        world = World,
        senders = Senders,
        windows = windows:new(World, lead(), Parameters),
        sending = tuple_size(Senders)
    }.

troupe(#{senders := Senders}) -> Senders.

member(World, #{messages := Messages, windows := Windows}, Index) ->
    Name = names:name(sender, Index),
    actor:start(World, ?MODULE, Name, #sender{
        world = World,
        name = Name,
        messages = Messages,
        banging = Windows > 0
    }).

spread() -> others.
