%% The windowed form of ping-pong, big and bang (spec/windows.md): the lead's windows, on
%% the runtime's own timer.
-module(windows).

-export([ranges/2, new/3, is_windowed/1, open/1, tick/2, count/2, report/3]).
-export_type([windows/0]).

-define(MOST, 86400).
-define(LONGEST, 60000).

-record(windows, {
    world :: world:world(),
    lead :: names:name(),
    windows :: non_neg_integer(),
    millis :: non_neg_integer(),
    %% When the open one was opened, and the count at that time.
    opened = 0 :: integer(),
    before = 0 :: non_neg_integer()
}).
-opaque windows() :: #windows{}.

%% Those of the counted form, or what they become in the form that the message chooses.
-spec ranges(map(), [micro:range()]) -> [micro:range()].
ranges(Message, Counted) ->
    case maps:get(<<"windows">>, Message, 0) of
        0 ->
            Counted ++ [{windows, 0, 0}, {window, 0, 0}];
        _ ->
            %% There is nothing to be counted, only time.
            Rounds = lists:keyreplace(rounds, 1, Counted, {rounds, 0, 0}),
            Rounds ++ [{windows, 0, ?MOST}, {window, 1, ?LONGEST}]
    end.

-spec new(world:world(), names:name(), micro:parameters()) -> windows().
new(World, Lead, #{windows := Windows, window := Millis}) ->
    #windows{world = World, lead = Lead, windows = Windows, millis = Millis}.

-spec is_windowed(windows()) -> boolean().
is_windowed(#windows{windows = Windows}) -> Windows > 0.

%% Upon `start`, by the lead, before it sends anything else (WIN-1).
-spec open(windows()) -> windows().
open(W = #windows{windows = 0}) -> W;
open(W) -> open(0, W).

%% Upon `tick`, by the lead: how long the window lasted, and the next one, if there is any.
-spec tick(Number :: non_neg_integer(), windows()) ->
    {open | over, Nanos :: pos_integer(), windows()}.
tick(Number, W = #windows{windows = Windows, opened = Opened}) when Number + 1 < Windows ->
    Next = open(Number + 1, W),
    {open, Next#windows.opened - Opened, Next};
tick(_Last, W = #windows{opened = Opened}) ->
    {over, erlang:monotonic_time(nanosecond) - Opened, W}.

%% How far Total has come since this was last asked.
-spec count(Total :: non_neg_integer(), windows()) -> {non_neg_integer(), windows()}.
count(Total, W = #windows{before = Before}) ->
    {Total - Before, W#windows{before = Total}}.

%% Tells control what fell into a window; in order (WIN-2).
-spec report(Count :: non_neg_integer(), Nanos :: pos_integer(), windows()) -> ok.
report(Count, Nanos, #windows{world = World}) ->
    world:report(World, {window, Count, Nanos}).

open(Number, W = #windows{lead = Lead, millis = Millis}) ->
    Now = erlang:monotonic_time(nanosecond),
    _ = erlang:send_after(Millis, self(), {tick, Lead, Number}),
    W#windows{opened = Now}.
