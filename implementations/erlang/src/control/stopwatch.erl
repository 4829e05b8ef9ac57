%% The two stamps of a run, and the clock of all others (MEAS-1, MEAS-3).
-module(stopwatch).

-export([stamp/0, start/2, stop/2, stop/3, stop/4]).
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
%% with the arguments that its receipt repeats.
-spec stop(names:name(), Arguments :: [non_neg_integer()]) -> ok.
stop(Lead, Arguments) -> stop(Lead, Arguments, stamp()).

%% The same with a stamp that it took before it counted.
-spec stop(names:name(), [non_neg_integer()], stamp()) -> ok.
stop(Lead, Arguments, Stamp) -> stop(Lead, Arguments, Stamp, #{}).

%% The same with what it read off its clock, by the fields of its receipt.
-spec stop(names:name(), [non_neg_integer()], stamp(), Readings :: map()) -> ok.
stop(Lead, Arguments, Stamp, Readings) ->
    control ! {done, Lead, Arguments, Stamp, Readings},
    ok.
