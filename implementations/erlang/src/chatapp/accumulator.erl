%% Counts the work of one turn, level by level (CHAT-30).
-module(accumulator).
-behaviour(actor).

-export([start/3, handle/2]).

-include("chatapp.hrl").

-record(accumulator, {
    turn :: non_neg_integer(),
    poker :: pid(),
    %% Units expected less units consumed, for each level. Below zero while a
    %% level's consumption is ahead of the news of its production.
    due :: {integer(), integer(), integer()},
    value = 0 :: non_neg_integer(),
    stops = 0 :: non_neg_integer(),
    announced = 0 :: non_neg_integer(),
    consumed = 0 :: non_neg_integer()
}).

-spec start(non_neg_integer(), pos_integer(), pid()) -> pid().
start(Turn, Expected, Poker) ->
    actor:start(?MODULE, ?NAME(?ACCUMULATOR, Turn), #accumulator{
        turn = Turn,
        poker = Poker,
        due = {Expected, 0, 0}
    }).

handle({stop, _Sender, 0, Value}, S = #accumulator{due = {Due, Due1, Due2}}) ->
    confirm_when_done(S#accumulator{
        due = {Due - 1, Due1, Due2},
        value = S#accumulator.value + Value
    });
handle({stop, _Sender, Level, Digest}, S = #accumulator{due = Due}) ->
    confirm_when_done(S#accumulator{
        due = setelement(Level + 1, Due, element(Level + 1, Due) - 1),
        stops = S#accumulator.stops + 1,
        consumed = ?SUM(S#accumulator.consumed, Digest)
    });
handle({bump, _Sender, 0, N, Digest}, S = #accumulator{due = {Due, Due1, Due2}}) ->
    confirm_when_done(S#accumulator{
        due = {Due - 1, Due1 + N, Due2},
        announced = ?SUM(S#accumulator.announced, Digest)
    });
handle({bump, _Sender, 1, N, Digest}, S = #accumulator{due = {Due, Due1, Due2}}) ->
    confirm_when_done(S#accumulator{
        due = {Due, Due1 - 1, Due2 + N},
        announced = ?SUM(S#accumulator.announced, Digest)
    }).

confirm_when_done(S = #accumulator{due = {0, 0, 0}, turn = Turn}) ->
    #accumulator{value = Value, stops = Stops, announced = Announced, consumed = Consumed} = S,
    S#accumulator.poker !
        {confirm, ?NAME(?ACCUMULATOR, Turn), Turn, Value, Stops, Announced, Consumed},
    stop;
confirm_when_done(S) ->
    S.
