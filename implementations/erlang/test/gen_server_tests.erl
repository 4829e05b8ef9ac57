%% What the variant `gen_server` makes of an actor (gen_server/).
-module(gen_server_tests).

-export([handle/2]).

-include_lib("eunit/include/eunit.hrl").
-include("actor.hrl").

%% --- while it is compiled

told_by_an_actor_is_cast_test() ->
    ?assertEqual("gen_server:cast(Pong, {ping, self()})", among("Pong ! {ping, self()}")).

a_message_in_a_fun_is_cast_test() ->
    Fun = "fun(Member) ->\n       gen_server:cast(Member, Forward)\nend",
    ?assertEqual(Fun, among("fun(Member) -> Member ! Forward end")).

what_control_is_told_stays_a_message_test() ->
    ?assertEqual("control ! ready", among("control ! ready")).

who_is_no_actor_casts_nothing_test() ->
    ?assertEqual("Lead ! Message", made("Lead ! Message", [])).

whoever_starts_an_actor_starts_it_served_test() ->
    ?assertEqual("served:start(M, N, S)", made("actor:start(M, N, S)", [])).

%% An actor's expression.
among(Text) -> made(Text, [{attribute, 1, behaviour, actor}]).

made(Text, Attributes) ->
    {ok, Tokens, _} = erl_scan:string("f() -> " ++ Text ++ "."),
    {ok, Function} = erl_parse:parse_form(Tokens),
    {function, _, f, 0, [{clause, _, [], [], [Made]}]} =
        lists:last(casts:parse_transform(Attributes ++ [Function], [])),
    lists:flatten(erl_pp:expr(Made)).

%% --- while it lives

it_takes_casts_and_plain_messages_in_order_until_it_stops_test() ->
    as_control:do(fun() -> taking(served:start(?MODULE, ?NAME(?ADDER, 17), self())) end).

it_makes_its_first_state_before_it_takes_anything_test() ->
    as_control:do(fun() ->
        Test = self(),
        taking(served:start_with(?MODULE, ?NAME(?ADDER, 17), fun() -> Test end))
    end).

taking(Adder) ->
    Monitor = monitor(process, Adder),
    gen_server:cast(Adder, {go, 1}),
    Adder ! {go, 2},
    gen_server:cast(Adder, stop),
    Taken = fun(Number) -> receive {took, Number, Ancestors} -> length(Ancestors) end end,
    ?assertEqual([1, 1], lists:map(Taken, [1, 2])),
    receive {'DOWN', Monitor, process, Adder, Reason} -> ?assertEqual(normal, Reason) end.

handle(stop, _Test) ->
    stop;
handle({go, Number}, Test) ->
    Test ! {took, Number, get('$ancestors')},
    Test.
