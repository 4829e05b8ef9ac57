%% What a call of Fibonacci's function costs on this runtime, in nanoseconds: the least of
%% many short runs, by the text that implementations compute with (IMPL-6).
-module(floor).

-export([main/0]).

-define(N, 21).

main() ->
    Ended = erlang:monotonic_time(nanosecond) + 1_000_000_000,
    io:format("~.6f~n", [least(Ended, 1.0e18) / (2 * fibonacci(?N + 1) - 1)]),
    halt().

least(Ended, Least) ->
    Begun = erlang:monotonic_time(nanosecond),
    _ = fibonacci(?N),
    Now = erlang:monotonic_time(nanosecond),
    case Now < Ended of
        true -> least(Ended, min(Least, Now - Begun));
        false -> min(Least, Now - Begun)
    end.

fibonacci(N) when N < 2 -> N;
fibonacci(N) -> fibonacci(N - 1) + fibonacci(N - 2).
