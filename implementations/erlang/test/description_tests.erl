%% The questions of level 0, with the answers of vectors.json.
-module(description_tests).

-include_lib("eunit/include/eunit.hrl").
-include("actor.hrl").

answers_probes_as_the_vectors_have_it_test_() ->
    #{lcg := Lcg, shuffle := Shuffle, fibonacci := Fibonacci, fold := Fold} = vectors(),
    #{latency := Latency} = vectors(),
    Asked =
        [{#{lcg => V}, maps:get(values, V)} || V <- Lcg] ++
            [{#{shuffle => V}, maps:get(values, V) ++ [maps:get(state, V)]} || V <- Shuffle] ++
            [{#{fibonacci => V}, [maps:get(value, V)]} || V = #{n := N} <- Fibonacci, N < 30] ++
            [{#{fold => V}, [maps:get(digest, V)]} || V <- Fold] ++
            [{#{latencies => V}, counted(Buckets)} || V = #{buckets := Buckets} <- Latency],
    [?_assertMatch(#{answers := [#{values := Values}]}, description:describe([Probe]))
     || {Probe, Values} <- Asked].

digests_payloads_as_the_vectors_have_it_test_() ->
    [?_assertEqual(Digest, ?DIGEST(Payload))
     || #{payload := Payload, digest := Digest} <- maps:get(payload, vectors())].

makes_streams_as_the_vectors_have_it_test_() ->
    [?_assertEqual(Numbers, stream:take(length(Numbers), Key, 0))
     || #{key := Key, numbers := Numbers} <- maps:get(stream, vectors())].

says_what_it_runs_on_test() ->
    #{runtime_version := Version, schedulers := Schedulers} = description:describe([]),
    ?assertEqual(erlang:system_info(otp_release), binary_to_list(Version)),
    ?assert(Schedulers > 0).

%% The histogram of one request in each of these buckets.
counted(Buckets) ->
    [
        length([Bucket || Bucket <- Buckets, Bucket =:= Place])
     || Place <- lists:seq(0, lists:max(Buckets))
    ].

vectors() ->
    {ok, Text} = file:read_file("test/vectors.json"),
    stdio:decode(Text).
