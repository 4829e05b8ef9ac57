%% The work of a client that computes (spec/implementers.md, IMPL-6).
-module(fibonacci).

-export([fibonacci/1]).

%% The naive, doubly recursive Fibonacci number. BEAM neither memoises calls nor
%% turns them into a loop, and the value is used: it travels in `stop`.
-spec fibonacci(non_neg_integer()) -> non_neg_integer().
fibonacci(N) when N < 2 -> N;
fibonacci(N) -> fibonacci(N - 1) + fibonacci(N - 2).
