%% The answer to Describe: what runtime this is, and questions of arithmetic (level 0).
-module(description).

-export([describe/1]).

-include("actor.hrl").

-spec describe([map()]) -> map().
describe(Probes) ->
    #{
        runtime => <<"Erlang/OTP">>,
        runtime_version => text(otp_release),
        schedulers => erlang:system_info(schedulers_online),
        details => details(),
        answers => [#{values => answer(Probe)} || Probe <- Probes]
    }.

%% What bears on the numbers.
details() ->
    Keys = [version, emu_flavor, build_type, wordsize, process_limit, message_queue_data],
    maps:from_list([{Key, text(Key)} || Key <- Keys]).

text(Key) ->
    case erlang:system_info(Key) of
        Text when is_list(Text) -> list_to_binary(Text);
        Term -> iolist_to_binary(io_lib:format("~0tp", [Term]))
    end.

answer(#{lcg := #{seed := Seed, moduli := Moduli}}) ->
    {Draws, _} = lists:mapfoldl(fun lcg:next_int/2, Seed, Moduli),
    Draws;
answer(#{shuffle := #{seed := Seed, length := Length}}) ->
    {Shuffled, State} = lcg:shuffle(list_to_tuple(lists:seq(0, Length - 1)), Seed),
    tuple_to_list(Shuffled) ++ [State];
answer(#{fibonacci := #{n := N}}) ->
    [fibonacci:fibonacci(N)];
answer(#{fold := #{salt := Salt, numbers := Numbers}}) ->
    [lists:foldl(fun(Number, Digest) -> ?FOLD(Digest, Number) end, Salt, Numbers)].
