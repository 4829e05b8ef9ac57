%% The two stamps of a run, and the clock of all others (MEAS-1, MEAS-3).
-module(stopwatch).

-export([stamp/0, start/2, stop/3]).
-export_type([stamp/0]).

-type stamp() :: integer().

%% Nanoseconds of the runtime's monotonic clock.
-spec stamp() -> stamp().
stamp() ->
    erlang:monotonic_time(nanosecond).

%% By control: hands the first message to the lead, and says when.
-spec start(pid(), actor:message()) -> stamp().
start(Lead, First) ->
    Stamp = stamp(),
    Lead ! First,
    Stamp.

%% By the lead, with the stamp that it took upon its last message: reports `done` to control.
-spec stop(stamp(), names:name(), Receipt :: map()) -> ok.
stop(Stamp, Lead, Receipt) ->
    control ! {done, Lead, Receipt, Stamp},
    ok.
