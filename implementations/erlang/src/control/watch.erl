%% Whose log is kept, and which part of it (TRACE-1).
-module(watch).

-export([set/1, choose/2]).

-define(CLASSES, 127).
-define(ALL_EVENTS, 16#FFFFFFFF).

%% The rows of each class, in their order. A persistent term: an actor looks at it once, at
%% its birth, and nothing has to be handed on.
-spec set([map()]) -> ok.
set(Watches) ->
    Classes = [
        [Watch || Watch = #{class := Of} <- Watches, Of =:= Class orelse Of =:= 0]
     || Class <- lists:seq(1, ?CLASSES)
    ],
    log:reset(),
    persistent_term:put(?MODULE, list_to_tuple(Classes)).

%% Where a new actor has to log what it takes: by the first row that fits.
-spec choose(module(), names:name()) -> none | log:entry().
choose(Module, Name) ->
    case element(names:class(Name), persistent_term:get(?MODULE)) of
        [] -> none;
        Rows -> first(Rows, names:index(Name), Module, Name)
    end.

first([#{modulus := Modulus, remainder := Remainder, first := First, last := Last} = Row | _],
    Index, Module, Name)
when
    First =< Index, Index =< Last, Index rem Modulus =:= Remainder
->
    #{from := From, events := Events} = Row,
    Until =
        case Events of
            ?ALL_EVENTS -> infinity;
            _ -> From + Events
        end,
    log:enter(Module, Name, From, Until);
first([_ | Rows], Index, Module, Name) ->
    first(Rows, Index, Module, Name);
first([], _Index, _Module, _Name) ->
    none.
