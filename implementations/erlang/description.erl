%% The answer to Describe: who this is, and three questions of arithmetic (level 0).
-module(description).

-export([describe/1]).

-spec describe(map()) -> map().
describe(Request) ->
    #{
        name => erlang,
        runtime => <<"Erlang/OTP">>,
        runtime_version => text("~s", [erlang:system_info(otp_release)]),
        benchmarks => [chatapp | micro:names()],
        distributed => micro:distributed(),
        schedulers => erlang:system_info(schedulers_online),
        details => details(),
        answers => [#{values => answer(P)} || P <- maps:get(<<"probes">>, Request, [])],
        spec_version => <<"1">>
    }.

%% What bears on the numbers. The emulator does not tell its own flags; `run` does.
details() ->
    {ok, Flags} = application:get_env(dramaturg_erlang, flags),
    #{
        erts => text("~s", [erlang:system_info(version)]),
        emulator => text("~s", [erlang:system_info(emu_flavor)]),
        build => text("~s", [erlang:system_info(build_type)]),
        flags => text("~s", [Flags]),
        message_queue_data => text("~s", [erlang:system_info(message_queue_data)]),
        word_size => text("~b", [erlang:system_info(wordsize)])
    }.

answer(#{<<"lcg">> := #{<<"moduli">> := Moduli} = Probe}) ->
    Seed = refusal:integer("lcg.", <<"seed">>, Probe, 0, 65535),
    {Draws, _} = lists:mapfoldl(fun lcg:next_int/2, Seed, Moduli),
    Draws;
answer(#{<<"shuffle">> := Probe}) ->
    Seed = refusal:integer("shuffle.", <<"seed">>, Probe, 0, 65535),
    Length = refusal:integer("shuffle.", <<"length">>, Probe, 0, 16#FFFFFF),
    {Shuffled, State} = lcg:shuffle(list_to_tuple(lists:seq(0, Length - 1)), Seed),
    tuple_to_list(Shuffled) ++ [State];
answer(#{<<"fibonacci">> := Probe}) ->
    [fibonacci:fibonacci(refusal:integer("fibonacci.", <<"n">>, Probe, 0, 47))];
answer(Other) ->
    refusal:invalid("probe", Other, "lcg, shuffle or fibonacci").

text(Format, Arguments) ->
    unicode:characters_to_binary(io_lib:format(Format, Arguments)).
