%% What the control port needs to know of a benchmark.
-module(play).

-export_type([tally/0, event/0, place/0, line/0, cast/0]).

%% What the actors have reported so far; each benchmark has its own.
-type tally() :: term().

%% What a report completes: the set-up, an act or a turn, the iteration, or nothing.
-type event() ::
    ready
    | {confirmed, Turn :: non_neg_integer(), Nanos :: non_neg_integer()}
    | finished
    | none.

%% This node's place among the nodes of the run; `local` if there are no others.
-type place() :: local | {Index :: non_neg_integer(), [node()]}.

%% What the control port has to say to the lead actor.
-type line() :: {act, map()} | turn | run | disconnect.

%% Lead: the actor that control speaks to. Opening: what it is told to run the benchmark.
%% Those excepted (and what is linked to them) may outlive the iteration.
-type cast() :: #{lead := pid(), opening => actor:message(), excepted => [pid()]}.

%% Over how many nodes at most it can be spread, and whether all of them have to be
%% connected or only each to node 0.
-callback nodes(Parameters :: term()) -> {non_neg_integer(), star | mesh}.

%% Brings the actors to life. A report follows when the set-up is done.
-callback set_up(world:world(), Parameters :: term(), place()) -> cast().

%% The message that puts any other line to the lead; `none` if the benchmark needs none.
%% Throws a refusal for a line that the benchmark does not have.
-callback message(line(), Parameters :: term()) -> actor:message() | none.

-callback tally(Parameters :: term(), place()) -> tally().

%% What an actor has reported, or `{spoken, Nanos}`: control is about to say the opening.
-callback note(Report :: term(), tally()) -> {event(), tally()}.

%% In the benchmark's own units: turns, windows.
-callback progress(tally()) -> {Done :: non_neg_integer(), Total :: non_neg_integer()}.

%% The benchmark's own part of a receipt, and run_nanos.
-callback receipt(tally()) -> {map(), RunNanos :: non_neg_integer()}.
