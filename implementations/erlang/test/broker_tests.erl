-module(broker_tests).

-include_lib("eunit/include/eunit.hrl").
-include("actor.hrl").

makes_and_reads_payloads_as_the_vectors_have_it_test_() ->
    [
        fun() ->
            Payload = broker:payload(?FOLD(Salt, Number), Size),
            ?assertEqual(Size, byte_size(Payload)),
            ?assertEqual(First, binary_to_list(Payload, 1, 4)),
            ?assertEqual(Checksum, broker:checksum(Payload)),
            ?assertEqual(Result, ?FOLD(Checksum, Number))
        end
     || #{
            salt := Salt,
            number := Number,
            size := Size,
            first := First,
            checksum := Checksum,
            result := Result
        } <- tasks()
    ].

the_probe_adds_the_results_of_the_first_tasks_test_() ->
    [
        ?_assertMatch(
            #{answers := [#{values := [Result]}]},
            description:describe([#{payloads => #{salt => Salt, tasks => 1, size => Size}}])
        )
     || #{salt := Salt, number := 0, size := Size, result := Result} <- tasks()
    ].

tasks() ->
    {ok, Text} = file:read_file("test/vectors.json"),
    #{task := Tasks} = stdio:decode(Text),
    Tasks.
