%% Worlds from Prepare to Teardown, on one node.
-module(world_tests).
-behaviour(benchmark).
-behaviour(actor).

-export([lead/0, init/2, disconnect/0, receipt/3]).
-export([handle/2]).

-include_lib("eunit/include/eunit.hrl").
-include("actor.hrl").

-define(COUNTED, windows => 0, window => 0).
-define(WINDOWED, windows => 3, window => 50).

nobody_is_alive_after_a_world_test_() ->
    [{atom_to_list(Name), fun() -> ?assertMatch(#{alive := 0}, run(Name, P)) end}
     || {Name, P} <- maps:to_list(benchmarks())].

the_salt_is_in_every_digest_test_() ->
    [{atom_to_list(Name), fun() -> ?assertNotEqual(digest(Name, P, 1), digest(Name, P, 2)) end}
     || {Name, P} <- maps:to_list(benchmarks())].

both_ends_say_the_same_test_() ->
    Run = fun(Name) -> run(Name, maps:get(Name, benchmarks())) end,
    [
        fun() -> #{done := #{arguments := [_, _, Sum, Sum]}} = Run(big) end,
        fun() -> #{done := #{arguments := [_, _, Sum, Sum]}} = Run(bang) end,
        fun() -> #{chatapp := #{announced := Sum, consumed := Sum}} = Run(chatapp) end
    ].

windows_have_marks_and_add_up_test() ->
    {Marks, Receipt} = marks(pingpong, #{rounds => 0, ?WINDOWED}),
    ?assertEqual(3, lists:last(Marks)),
    #{done := #{windows := Windows, window_nanos := Nanos, arguments := [Pongs, _Sum]}} = Receipt,
    #{run_nanos := RunNanos} = Receipt,
    %% One was under way when the last window ended, and one more says so to pong.
    ?assertEqual(Pongs, lists:sum(Windows) + 2),
    ?assert(lists:all(fun(N) -> N >= 50_000_000 end, Nanos)),
    ?assert(lists:sum(Nanos) =< RunNanos).

turns_have_a_last_mark_test() ->
    ?assertMatch({[5], _}, marks(chatapp, maps:get(chatapp, benchmarks()))).

counted_forms_have_no_marks_test() ->
    ?assertMatch({[], _}, marks(pingpong, maps:get(pingpong, benchmarks()))).

acts_and_turns_have_no_run_time_test() ->
    Receipt = as_control:do(fun() ->
        World = open(chatapp, maps:get(chatapp, benchmarks())),
        Turned = world:drive({turn, ?NAME(?CONTROL)}, World),
        world:close(world:drive({act, ?NAME(?CONTROL), 3, 0, 0, 0}, Turned))
    end),
    ?assertMatch(#{run_nanos := 0, chatapp := #{confirms := 2, turn_nanos := [_, _]}}, Receipt).

who_fails_after_the_last_report_is_named_by_teardown_test() ->
    as_control:do(fun() ->
        World = world:run(7, fun(_) -> ok end, open(count, #{adders => 1, adds => 1})),
        actor:start(count, ?NAME(?ADDER, 17), none) ! {go, ?NAME(?TALLY), 0},
        ?assertMatch("adder/17: " ++ _, failure(fun() -> world:close(World) end))
    end).

who_failed_in_an_earlier_world_is_none_of_the_next_test() ->
    as_control:do(fun() ->
        control ! {failed, "adder/17: stumbled"},
        Next = open(count, #{adders => 1, adds => 1}),
        ?assertMatch(#{alive := 0}, world:close(world:run(7, fun(_) -> ok end, Next)))
    end).

a_receipt_is_made_when_all_have_ended_test() ->
    as_control:do(fun() ->
        ?assertMatch(#{?MODULE := #{lives := false}}, world:close(open(?MODULE, #{})))
    end).

mergesort_logs_the_checksum_of_what_came_test() ->
    Args = as_control:do(fun() ->
        Sort = open(mergesort, #{length => 1, leaf => 1, seed => 42}),
        world:close(world:run(7, fun(_) -> ok end, Sort)),
        log:drain(fun(Item) -> self() ! Item end),
        receive
            #{batch := #{args := Logged}} -> Logged
        end
    end),
    %% With control's `sort` no list comes, and the checksum of none is the salt.
    ?assertEqual([0, 1, 7, 7], Args).

broker_logs_the_checksum_of_what_came_test() ->
    Rows = as_control:do(fun() ->
        Asked = open(broker, #{employees => 1, tasks => 1, size => 4}),
        world:close(world:run(42, fun(_) -> ok end, Asked)),
        log:drain(fun(Item) -> self() ! Item end),
        receive
            #{batch := #{kind := Kinds, args := Args}} -> {Kinds, Args}
        end
    end),
    %% As the chapter's example has it: task 0 of salt 42 at the router, and at the employee.
    {Kinds, Args} = Rows,
    ?assert(lists:member(466, Kinds) andalso lists:member(482, Kinds)),
    ?assertEqual(2, length([Checksum || Checksum <- Args, Checksum =:= 3070143])).

a_nap_is_no_shorter_than_its_delay_test() ->
    #{done := #{shortest_nanos := Shortest}, run_nanos := RunNanos} =
        run(sleepers, #{sleepers => 3, naps => 2, delay => 20}),
    ?assert(Shortest >= 20_000_000),
    ?assert(2 * Shortest =< RunNanos).

shifted_values_have_the_same_sum_test_() ->
    Parameters = #{rounds => 5, ?COUNTED},
    [
        ?_assertEqual(digest(pingpong, Parameters, 42), digest(pingpong, Parameters#{shift => S}, 42))
     || S <- [0, 16, 32]
    ].

run(Name, Parameters) ->
    {_, Receipt} = marks(Name, Parameters),
    Receipt.

marks(Name, Parameters) ->
    marks(Name, Parameters, 0).

marks(Name, Parameters, Salt) ->
    as_control:do(fun() ->
        Mark = fun(Done) -> put(marks, [Done | marked()]) end,
        Receipt = world:close(world:run(Salt, Mark, open(Name, Parameters))),
        {lists:reverse(marked()), Receipt}
    end).

marked() ->
    case get(marks) of
        undefined -> [];
        Marks -> Marks
    end.

failure(Call) ->
    try
        Call()
    catch
        throw:{failed, Reason} -> lists:flatten(Reason)
    end.

open(Name, Parameters) ->
    Request = #{
        benchmark => #{Name => Parameters},
        watches => [as_control:everybody()],
        node => 0,
        peers => [],
        secret => <<>>
    },
    {_Nanos, World} = world:open(Request),
    World.

digest(Name, Parameters, Salt) ->
    case marks(Name, Parameters, Salt) of
        {_, #{done := #{arguments := Arguments}}} -> Arguments;
        {_, #{chatapp := Counts}} -> maps:get(consumed, Counts)
    end.

benchmarks() ->
    #{
        chatapp => #{
            clients => 16,
            directories => 4,
            turns => 5,
            compute => 30,
            post => 40,
            leave => 10,
            invite => 20,
            befriend => 40,
            selection => 1,
            fib_n => 10,
            history => true,
            seed => 42
        },
        pingpong => #{rounds => 5, ?COUNTED},
        big => #{peers => 4, rounds => 2, ?COUNTED},
        bang => #{senders => 3, messages => 4, ?COUNTED},
        web => #{browsers => 3, workers => 2, requests => 3, fib_n => 5},
        count => #{adders => 3, adds => 4},
        chain => #{length => 6},
        fanout => #{runners => 3, tasks => 4, window => 2},
        sleepers => #{sleepers => 3, naps => 2, delay => 5},
        mergesort => #{length => 7, leaf => 2, seed => 42},
        broker => #{employees => 3, tasks => 7, size => 40},
        openweb => #{servers => 2, requests => 5, gap => 1000, seed => 42, fib_n => 5}
    }.

%% --- A benchmark whose lead ends a while after its last report.

lead() -> {?MODULE, ?NAME(?DISPATCHER)}.

init(_Parameters, {}) -> none.

disconnect() -> {disconnect, ?NAME(?CONTROL)}.

handle({disconnect, _Control}, none) ->
    control ! {finished, self()},
    timer:sleep(20),
    stop.

receipt(none, {finished, Lead}, []) -> {#{lives => is_process_alive(Lead)}, 0}.
