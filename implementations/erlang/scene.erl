%% A world under the control port: who leads it, what it has reported, what it cost.
-module(scene).

-export([open/4, reopen/1, close/1, anchor/1, place/1, troupe/1, speak/2, note/2, spend/2]).
-export([progress/1, alive/1, receipt/2, is_single/1, is_driven/1, is_finished/1]).
-export_type([scene/0, troupe/0]).

-record(scene, {
    play :: module(),
    parameters :: term(),
    place :: play:place(),
    log :: world:log(),
    world :: world:world(),
    cast :: play:cast(),
    %% On a node without a lead: whom that of node 0 has to know.
    troupe = [] :: troupe(),
    tally :: play:tally(),
    finished = false :: boolean(),
    spent = 0 :: non_neg_integer()
}).
-type troupe() :: [{Index :: non_neg_integer(), pid()}].
-opaque scene() :: #scene{}.

%% A world whose actors set themselves up; `ready` will be noted when they have.
%% Throws a refusal, and then leaves nothing behind.
-spec open(module(), term(), play:place(), world:log()) -> scene().
open(Play, Parameters, Place, Log) ->
    World = world:new(Log),
    try Play:set_up(World, Parameters, Place) of
        Cast ->
            #scene{
                play = Play,
                parameters = Parameters,
                place = Place,
                log = Log,
                world = World,
                cast = Cast,
                tally = Play:tally(Parameters, Place)
            }
    catch
        throw:Refusal ->
            world:stop(World),
            throw(Refusal)
    end.

%% The same once more, for the next iteration.
-spec reopen(scene()) -> scene().
reopen(#scene{play = Play, parameters = Parameters, place = Place, log = Log}) ->
    open(Play, Parameters, Place, Log).

%% Returns when nothing of the world is alive any more.
-spec close(scene()) -> ok.
close(#scene{world = World}) ->
    world:stop(World).

-spec anchor(scene()) -> pid().
anchor(#scene{world = World}) -> world:anchor(World).

-spec place(scene()) -> play:place().
place(#scene{place = Place}) -> Place.

-spec troupe(scene()) -> troupe().
troupe(#scene{troupe = Troupe}) -> Troupe.

%% Whether this world can be had only once: a traced or a distributed one (CTRL-6).
-spec is_single(scene()) -> boolean().
is_single(#scene{log = Log, place = Place}) -> Log =/= none orelse Place =/= local.

%% Whether the calls that drive the benchmark come to this node (CTRL-13).
-spec is_driven(scene()) -> boolean().
is_driven(#scene{place = Place}) -> peers:index(Place) =:= 0.

%% Whether all actors of this node have reported that they are done.
-spec is_finished(scene()) -> boolean().
is_finished(#scene{finished = Finished}) -> Finished.

%% `unmoved` if the benchmark has nothing to be told, and nothing will be noted.
-spec speak(play:line(), scene()) -> scene() | unmoved.
speak(run, S = #scene{cast = #{lead := Lead, opening := Opening}}) ->
    {_, Next} = note({spoken, erlang:monotonic_time(nanosecond)}, S),
    Lead ! Opening,
    Next;
speak(Line, S = #scene{play = Play, parameters = Parameters, cast = #{lead := Lead}}) ->
    case Play:message(Line, Parameters) of
        none ->
            unmoved;
        Message ->
            Lead ! Message,
            S
    end.

-spec note(term(), scene()) -> {play:event(), scene()}.
note({troupe, Troupe}, S) ->
    {none, S#scene{troupe = Troupe}};
note(Report, S = #scene{play = Play, tally = Tally, finished = Finished}) ->
    {Event, Next} = Play:note(Report, Tally),
    {Event, S#scene{tally = Next, finished = Finished orelse Event =:= finished}}.

%% Adds the time that a call took; what passes between calls does not count.
-spec spend(non_neg_integer(), scene()) -> scene().
spend(Nanos, S = #scene{spent = Spent}) -> S#scene{spent = Spent + Nanos}.

-spec progress(scene()) -> {non_neg_integer(), pos_integer()}.
progress(#scene{play = Play, tally = Tally}) -> Play:progress(Tally).

-spec alive(scene()) -> non_neg_integer().
alive(#scene{world = World, cast = Cast}) ->
    world:alive(World, maps:get(excepted, Cast, [])).

-spec receipt(non_neg_integer(), scene()) -> map().
receipt(Alive, #scene{play = Play, tally = Tally, spent = Spent}) ->
    {Receipt, RunNanos} = Play:receipt(Tally),
    Receipt#{iteration_nanos => Spent, run_nanos => RunNanos, alive => Alive}.
