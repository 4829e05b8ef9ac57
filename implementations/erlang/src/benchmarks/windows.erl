%% The windowed form of ping-pong, big and bang (spec/windows.md), on the runtime's timer.
-module(windows).

-export([new/2, is_windowed/1, is_last/2, open/1, tick/2, report/4, receipt/2]).
-export_type([windows/0]).

-record(windows, {
    lead :: names:name(),
    windows :: non_neg_integer(),
    millis :: non_neg_integer()
}).
-opaque windows() :: #windows{}.

-spec new(names:name(), benchmark:parameters()) -> windows().
new(Lead, #{windows := Windows, window := Millis}) ->
    #windows{lead = Lead, windows = Windows, millis = Millis}.

-spec is_windowed(windows()) -> boolean().
is_windowed(#windows{windows = Windows}) -> Windows > 0.

-spec is_last(Number :: non_neg_integer(), windows()) -> boolean().
is_last(Number, #windows{windows = Windows}) -> Number + 1 =:= Windows.

%% Upon `start`, by the lead, before it sends anything else (WIN-1).
-spec open(windows()) -> ok.
open(#windows{windows = 0}) -> ok;
open(W) -> schedule(0, W).

%% Upon `tick`, by the lead: the stamp that ends the window; the next one is open.
-spec tick(Number :: non_neg_integer(), windows()) -> stopwatch:stamp().
tick(Number, W) ->
    Stamp = stopwatch:stamp(),
    is_last(Number, W) orelse schedule(Number + 1, W),
    Stamp.

%% Tells control what fell into a window, which ended at Stamp; in order (WIN-2).
-spec report(non_neg_integer(), non_neg_integer(), stopwatch:stamp(), windows()) -> ok.
report(Number, Count, Stamp, #windows{lead = Lead}) ->
    control ! {window, Lead, Number, Count, Stamp},
    ok.

%% What the receipt has of them: their counts and durations (WIN-3), in order. Of the counted
%% form: nothing.
-spec receipt(stopwatch:stamp(), Newest :: [tuple()]) -> map().
receipt(_Started, []) ->
    #{};
receipt(Started, Reports) ->
    {Counts, Ends} = lists:unzip([{N, End} || {window, _, _, N, End} <- lists:reverse(Reports)]),
    Nanos = lists:zipwith(fun erlang:'-'/2, Ends, [Started | lists:droplast(Ends)]),
    #{windows => Counts, window_nanos => Nanos}.

schedule(Number, #windows{lead = Lead, millis = Millis}) ->
    _ = erlang:send_after(Millis, self(), {tick, Lead, Number}),
    ok.
