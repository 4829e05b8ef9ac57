%% Histograms of a receipt, in the buckets of the specification (OPEN-5).
-module(histogram).

-export([add/3, receipt/2, probe/1, bucket/1]).
-export_type([readings/0]).

%% Of the clock, each less when its request was due.
-type readings() :: [stopwatch:stamp()].

%% One more request, due so many nanoseconds after the start, and a reading of the clock.
-spec add(Due :: non_neg_integer(), stopwatch:stamp(), readings()) -> readings().
add(Due, Stamp, Readings) -> [Stamp - Due | Readings].

%% Of a lead that took the time of each request: its readings become histograms of what they are
%% after the start. What any other has read stays as it is.
-spec receipt(stopwatch:stamp(), map()) -> map().
receipt(Started, Readings = #{latency := Latency, lateness := Lateness}) ->
    Readings#{latency := counts(Started, Latency), lateness := counts(Started, Lateness)};
receipt(_Started, Readings) ->
    Readings.

%% The histogram of requests that are due at once, and of when each is answered (OPEN-9): counted
%% as those of a run that starts when the clock shows 0.
-spec probe(map()) -> [non_neg_integer()].
probe(#{due := Due, answered := Answered}) ->
    Readings = lists:foldl(fun(Stamp, Sofar) -> add(Due, Stamp, Sofar) end, [], Answered),
    counts(0, Readings).

%% The bucket that so many nanoseconds are in.
-spec bucket(non_neg_integer()) -> non_neg_integer().
bucket(Nanos) -> bucket(Nanos, 0).

bucket(Nanos, Shift) when is_integer(Nanos), Nanos < 256 -> 128 * Shift + Nanos;
bucket(Nanos, Shift) -> bucket(Nanos bsr 1, Shift + 1).

%% How many are in each bucket, from bucket 0 to the last that is not empty.
counts(_Started, []) ->
    [];
counts(Started, Readings) ->
    Last = bucket(lists:max(Readings) - Started),
    Counts = counters:new(Last + 1, []),
    Count = fun(Reading) -> counters:add(Counts, bucket(Reading - Started) + 1, 1) end,
    lists:foreach(Count, Readings),
    [counters:get(Counts, Bucket + 1) || Bucket <- lists:seq(0, Last)].
