%% Who is watched, and what of it is logged (TRACE-1 ff.).
-module(log_tests).
-behaviour(actor).

-export([handle/2]).

-include_lib("eunit/include/eunit.hrl").
-include("actor.hrl").

%% An adder that tells Test what it takes and does nothing.
handle({total, _Sender, Number, _Sum}, Test) ->
    Test ! {took, Number},
    Test;
handle({go, _Sender, _Salt}, _Test) ->
    error(stumbled).

nobody_is_watched_without_a_watch_test() ->
    ?assertEqual({[], []}, logged([], [0, 1], 3)).

everybody_is_logged_from_the_first_message_on_test() ->
    {Rows, Counts} = logged([as_control:everybody()], [0, 1], 3),
    ?assertEqual([{I, 322, [N, 7]} || I <- [0, 1], N <- [0, 1, 2]], Rows),
    ?assertEqual([{0, 3}, {1, 3}], Counts).

only_the_slice_is_logged_and_all_is_counted_test() ->
    Watch = (watch())#{from := 2, events := 2},
    {Rows, Counts} = logged([Watch], [5], 9),
    ?assertEqual([{5, 322, [N, 7]} || N <- [2, 3]], Rows),
    ?assertEqual([{5, 9}], Counts).

who_has_taken_nothing_is_counted_test() ->
    ?assertEqual({[], [{4, 0}]}, logged([watch()], [4], 0)).

a_watch_fits_by_class_range_and_remainder_test() ->
    Other = (watch())#{class := ?RUNNER},
    Some = (watch())#{modulus := 3, remainder := 1, first := 2, last := 8},
    {_, Counts} = logged([Other, Some], lists:seq(0, 12), 0),
    ?assertEqual([{4, 0}, {7, 0}], Counts).

the_first_watch_that_fits_is_the_one_test() ->
    First = (watch())#{last := 0, events := 1},
    {Rows, _} = logged([First, watch()], [0, 1], 2),
    ?assertEqual([{0, 322, [0, 7]}, {1, 322, [0, 7]}, {1, 322, [1, 7]}], Rows).

what_was_drained_does_not_come_again_test() ->
    as_control:do(fun() ->
        watch:set([watch()]),
        tell(start(0), 2),
        {[_, _], [{0, 2}]} = drain(),
        ?assertEqual({[], [{0, 2}]}, drain())
    end).

a_full_log_holds_actors_back_until_it_is_delivered_test() ->
    as_control:do(fun() ->
        Adders = limited(5, 3),
        lists:foreach(fun(Adder) -> send(Adder, 4) end, Adders),
        taken(5),
        ?assertMatch({[_, _, _, _, _], []}, drain()),
        taken(5),
        log:limit(0),
        taken(2),
        {Rows, Counts} = drain(),
        ?assertEqual({7, [{0, 4}, {1, 4}, {2, 4}]}, {length(Rows), Counts})
    end).

what_was_logged_before_the_limit_counts_test() ->
    as_control:do(fun() ->
        watch:set([watch()]),
        Adder = start(0),
        tell(Adder, 3),
        log:limit(4),
        send(Adder, 3),
        taken(1),
        ?assertMatch({[_, _, _, _], []}, drain()),
        taken(2)
    end).

the_limit_is_exact_and_mailboxes_stay_in_order_test() ->
    as_control:do(fun() ->
        Adders = limited(7, 50),
        lists:foreach(fun(Adder) -> send(Adder, 40) end, Adders),
        Rows = drained(50 * 40),
        ?assertEqual([{I, 322, [N, 7]} || I <- lists:seq(0, 49), N <- lists:seq(0, 39)], Rows)
    end).

an_actor_that_fails_is_named_test() ->
    as_control:do(fun() ->
        start(17) ! {go, ?NAME(?TALLY), 0},
        receive
            {failed, Reason} ->
                ?assertMatch("adder/17: " ++ _, lists:flatten(Reason)),
                ?assert(string:find(Reason, "stumbled") =/= nomatch)
        end
    end).

watch() -> (as_control:everybody())#{class := ?ADDER}.

start(Index) -> actor:start(?MODULE, ?NAME(?ADDER, Index), self()).

%% So many adders, under a limit.
limited(Limit, Adders) ->
    watch:set([watch()]),
    log:limit(Limit),
    lists:map(fun start/1, lists:seq(0, Adders - 1)).

send(Actor, Times) ->
    lists:foreach(fun(Number) -> add(Actor, Number) end, lists:seq(0, Times - 1)).

add(Actor, Number) -> Actor ! {total, ?NAME(?COUNTER), Number, 7}.

%% So many messages are acted on, and no more.
taken(0) ->
    receive
        {took, Number} -> error({one_more, Number})
    after 50 -> ok
    end;
taken(Times) ->
    receive
        {took, _} -> taken(Times - 1)
    end.

%% So many rows, by actor, of which no drain brings more than 7.
drained(Count) -> lists:sort(drained(Count, [])).

drained(0, Rows) ->
    Rows;
drained(Count, Rows) ->
    {Some, []} = drain(),
    ?assert(length(Some) =< 7),
    drained(Count - length(Some), Some ++ Rows).

tell(Actor, Times) ->
    lists:foreach(
        fun(Number) ->
            add(Actor, Number),
            receive
                {took, Number} -> ok
            end
        end,
        lists:seq(0, Times - 1)
    ).

%% Rows and counts, by index, after each of these actors took so many messages.
logged(Watches, Indices, Times) ->
    as_control:do(fun() ->
        watch:set(Watches),
        lists:foreach(fun(Index) -> tell(start(Index), Times) end, Indices),
        drain()
    end).

drain() ->
    log:drain(fun(Item) -> self() ! Item end),
    Items = items(),
    #{footer := #{events := Events, watched := Watched}} = lists:last(Items),
    Rows = lists:append([rows(Batch) || #{batch := Batch} <- Items]),
    Counts = lists:append([lists:zip(A, T) || #{counts := #{actor := A, taken := T}} <- Items]),
    ?assertEqual({Events, Watched}, {length(Rows), length(Counts)}),
    {Rows, [{index(Name), Taken} || {Name, Taken} <- Counts]}.

items() ->
    receive
        Item = #{footer := _} -> [Item];
        Item when is_map(Item) -> [Item | items()]
    end.

%% Every row here has two arguments.
rows(#{actor := Actors, sender := Senders, kind := Kinds, args := Args}) ->
    Counter = names:full(?NAME(?COUNTER)),
    ?assert(lists:all(fun(Sender) -> Sender =:= Counter end, Senders)),
    [
        {index(Actor), Kind, lists:sublist(Args, 2 * I + 1, 2)}
     || {I, Actor, Kind} <- lists:zip3(lists:seq(0, length(Actors) - 1), Actors, Kinds)
    ].

index(FullName) -> (FullName bsr 24) band 16#FFFFFFFF.
