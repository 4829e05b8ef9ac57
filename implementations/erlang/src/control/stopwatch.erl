%% The two stamps of a run, and the clock of all others (MEAS-1, MEAS-3).
-module(stopwatch).

-export([stamp/0, start/2, stop/2, stop/3]).
-export_type([stamp/0]).

-type stamp() :: integer().

%% Nanoseconds of the runtime's monotonic clock.
-spec stamp() -> stamp().
stamp() -> erlang:monotonic_time(nanosecond).

%% By control: hands the first message to the lead, and says when.
-spec start(pid(), actor:message()) -> stamp().
start(Lead, First) ->
    Stamp = stamp(),
    Lead ! First,
    Stamp.

%% By the lead, when it has done what its last message asks for: reports `done` to control,
%% with the fields of its receipt.
-spec stop(names:name(), Counts :: map()) -> ok.
stop(Lead, Counts) -> stop(Lead, Counts, stamp()).

%% The same with a stamp that it took before it counted.
-spec stop(names:name(), Counts :: map(), stamp()) -> ok.
stop(Lead, Counts, Stamp) ->
    control ! {done, Lead, Counts, Stamp},
    ok.
