-module(names_tests).

-include_lib("eunit/include/eunit.hrl").
-include("actor.hrl").

a_name_is_class_and_indices_in_64_bits_test_() ->
    [
        ?_assertEqual((30 bsl 56) bor (17 bsl 24), names:full(?NAME(?EMPLOYEE, 17))),
        ?_assertEqual((2 bsl 56), names:full(?NAME(?POKER))),
        ?_assertEqual((5 bsl 56) bor (17 bsl 24) bor 2, names:full(?CHAT_NAME(17, 2)))
    ].

class_and_first_index_can_be_had_from_a_name_test_() ->
    Last = 16#FFFFFFFF,
    [
        ?_assertEqual({Class, Last}, {names:class(Name), names:index(Name)})
     || {Class, Name} <- [
            {?CLIENT, ?NAME(?CLIENT, Last)},
            {?EMPLOYEE, ?NAME(?EMPLOYEE, Last)},
            {?CHAT, ?CHAT_NAME(Last, 3)}
        ]
    ].

people_read_a_name_as_label_and_indices_test_() ->
    [
        ?_assertEqual("client/17", lists:flatten(names:spell(?NAME(?CLIENT, 17)))),
        ?_assertEqual("chat/17.2", lists:flatten(names:spell(?CHAT_NAME(17, 2))))
    ].
