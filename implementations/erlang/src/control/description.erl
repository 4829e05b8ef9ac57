%% The answer to Describe: what runtime this is, and questions of arithmetic (level 0).
-module(description).

-export([describe/1]).

-include("actor.hrl").

-spec describe([map()]) -> map().
describe(Probes) ->
    Details = [version, emu_flavor, build_type, wordsize, process_limit, message_queue_data],
    #{
        runtime => <<"Erlang/OTP">>,
        runtime_version => list_to_binary(erlang:system_info(otp_release)),
        schedulers => erlang:system_info(schedulers_online),
        details => maps:merge(
            maps:from_list([{Key, text(erlang:system_info(Key))} || Key <- Details]),
            application:get_env(dramaturg, details, #{})
        ),
        answers => [#{values => answer(Probe)} || Probe <- Probes]
    }.

text(Info) -> iolist_to_binary(lists:concat([Info])).

answer(#{lcg := #{seed := Seed, moduli := Moduli}}) ->
    {Draws, _} = lists:mapfoldl(fun lcg:next_int/2, Seed, Moduli),
    Draws;
answer(#{shuffle := #{seed := Seed, length := Length}}) ->
    {Shuffled, State} = lcg:shuffle(list_to_tuple(lists:seq(0, Length - 1)), Seed),
    tuple_to_list(Shuffled) ++ [State];
answer(#{fibonacci := #{n := N}}) ->
    [fibonacci:fibonacci(N)];
answer(#{fold := #{salt := Salt, numbers := Numbers}}) ->
    [lists:foldl(fun(Number, Digest) -> ?FOLD(Digest, Number) end, Salt, Numbers)];
answer(#{latencies := Asked}) ->
    histogram:probe(Asked);
answer(#{payloads := Asked}) ->
    benchmark:probe(broker, Asked).
