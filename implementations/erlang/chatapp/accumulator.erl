%% Counts the work of one turn, level by level (CHAT-30).
-module(accumulator).
-behaviour(actor).

-export([start/4, handle/2]).

-record(accumulator, {
    turn :: non_neg_integer(),
    poker :: pid(),
    %% Units expected less units consumed, for each level. Below zero while a
    %% level's consumption is ahead of the news of its production.
    due :: {integer(), integer(), integer()},
    value = 0 :: non_neg_integer()
}).

-spec start(world:world(), non_neg_integer(), pos_integer(), pid()) -> pid().
start(World, Turn, Expected, Poker) ->
    actor:start(World, ?MODULE, names:accumulator(Turn), #accumulator{
        turn = Turn,
        poker = Poker,
        due = {Expected, 0, 0}
    }).

handle({stop, _Sender, Level, Value}, S = #accumulator{due = Due}) ->
    consume(Level, Due, S#accumulator.value + Value, S);
handle({bump, _Sender, Level, N}, S = #accumulator{due = Due}) ->
    Produced = setelement(Level + 2, Due, element(Level + 2, Due) + N),
    consume(Level, Produced, S#accumulator.value, S).

consume(Level, Due, Value, S) ->
    case setelement(Level + 1, Due, element(Level + 1, Due) - 1) of
        {0, 0, 0} ->
            #accumulator{turn = Turn, poker = Poker} = S,
            Poker ! {confirm, names:accumulator(Turn), Turn, Value},
            stop;
        Remaining ->
            S#accumulator{due = Remaining, value = Value}
    end.
