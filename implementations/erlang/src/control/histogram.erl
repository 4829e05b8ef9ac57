%% Histograms of a receipt, in the buckets of the specification (OPEN-5).
-module(histogram).

-export([receipt/2, bucket/1]).

%% Of a lead that took the time of each request: its readings of the clock, less when each request
%% was due, become histograms of what they are after the start. Any other receipt stays as it is.
-spec receipt(stopwatch:stamp(), map()) -> map().
receipt(Started, Counts = #{latency := Latency, lateness := Lateness}) ->
    Counts#{latency := counts(Started, Latency), lateness := counts(Started, Lateness)};
receipt(_Started, Counts) ->
    Counts.

%% The bucket that so many nanoseconds are in.
-spec bucket(non_neg_integer()) -> non_neg_integer().
bucket(Nanos) -> bucket(Nanos, 0).

bucket(Nanos, Shift) when is_integer(Nanos), Nanos < 256 -> 128 * Shift + Nanos;
bucket(Nanos, Shift) -> bucket(Nanos bsr 1, Shift + 1).

%% How many are in each bucket, from bucket 0 to the last that is not empty.
counts(Started, Readings) ->
    Last = bucket(lists:max(Readings) - Started),
    Counts = counters:new(Last + 1, []),
    Count = fun(Reading) -> counters:add(Counts, bucket(Reading - Started) + 1, 1) end,
    lists:foreach(Count, Readings),
    [counters:get(Counts, Bucket + 1) || Bucket <- lists:seq(0, Last)].
