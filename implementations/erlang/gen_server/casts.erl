%% Makes gen_servers of actors while they are compiled, for the variant `gen_server`: who starts
%% an actor starts it by `served`, and what one actor tells another is cast. What control is told,
%% and what control and timers tell, stays a message as it is.
-module(casts).

-export([parse_transform/2]).

parse_transform(Forms, _Options) ->
    Behaviours = [Of || {attribute, _, Word, Of} <- Forms, lists:member(Word, [behaviour, behavior])],
    [changed(Form, lists:member(actor, Behaviours)) || Form <- Forms].

%% The second says whether this is an actor's module.
changed({op, Line, '!', To, Message}, true) when element(3, To) =/= control ->
    Cast = {remote, Line, {atom, Line, gen_server}, {atom, Line, cast}},
    {call, Line, Cast, [changed(To, true), changed(Message, true)]};
changed({remote, Line, {atom, Of, actor}, Start}, Actor) ->
    {remote, Line, {atom, Of, served}, changed(Start, Actor)};
changed(Form, Actor) when is_tuple(Form) ->
    list_to_tuple(changed(tuple_to_list(Form), Actor));
changed([Form | Forms], Actor) ->
    [changed(Form, Actor) | changed(Forms, Actor)];
changed(Form, _Actor) ->
    Form.
