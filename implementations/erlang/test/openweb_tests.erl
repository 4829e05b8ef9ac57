-module(openweb_tests).

-include_lib("eunit/include/eunit.hrl").

arrivals_are_those_of_the_chapter_test() ->
    Due = openweb:arrivals(#{requests => 3, gap => 1000, seed => 42}),
    ?assertEqual([52008, 2924682, 3085009], Due).

times_are_in_the_buckets_of_the_chapter_test() ->
    Buckets = [histogram:bucket(Nanos) || Nanos <- [0, 255, 256, 257, 258, 1000, 1_000_000_000]],
    ?assertEqual([0, 255, 256, 256, 257, 506, 3054], Buckets).

a_histogram_counts_from_the_start_of_the_run_test() ->
    Read = fun(Due, Stamps) -> lists:foldl(fun(S, R) -> histogram:add(Due, S, R) end, [], Stamps) end,
    Readings = #{
        latency => Read(10, [117, 115, 117]),
        lateness => Read(0, [102, 100, 100]),
        answers => 3
    },
    ?assertEqual(
        #{
            latency => [0, 0, 0, 0, 0, 1, 0, 2],
            lateness => [2, 0, 1],
            answers => 3
        },
        histogram:receipt(100, Readings)
    ).

other_receipts_stay_as_they_are_test() ->
    ?assertEqual(#{shortest_nanos => 3}, histogram:receipt(100, #{shortest_nanos => 3})).
