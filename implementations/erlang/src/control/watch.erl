%% Whose log is kept, and which part of it (TRACE-1).
-module(watch).

-export([set/1, choose/2]).

-define(CLASSES, 127).

%% The rows of each class, in their order. A persistent term: an actor looks at it once, at
%% its birth, and nothing has to be handed on.
-spec set([map()]) -> ok.
set(Watches) ->
    log:reset(),
    Rows = fun(Class) -> [W || W = #{class := Of} <- Watches, Of =:= Class orelse Of =:= 0] end,
    persistent_term:put(?MODULE, list_to_tuple(lists:map(Rows, lists:seq(1, ?CLASSES)))).

%% Where a new actor has to log what it takes: by the first row that fits.
-spec choose(module(), names:name()) -> none | log:entry().
choose(Module, Name) ->
    case element(names:class(Name), persistent_term:get(?MODULE)) of
        [] -> none;
        Rows -> first(Rows, names:index(Name), Module, Name)
    end.

first([Row | Rows], Index, Module, Name) ->
    #{modulus := Modulus, remainder := Remainder, first := First, last := Last} = Row,
    case First =< Index andalso Index =< Last andalso Index rem Modulus =:= Remainder of
        true -> log:enter(Module, Name, Row);
        false -> first(Rows, Index, Module, Name)
    end;
first([], _Index, _Module, _Name) ->
    none.
