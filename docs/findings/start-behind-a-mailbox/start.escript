#!/usr/bin/env escript
%% gen_server:start waits for a message of the new process, and looks for it in the whole mailbox
%% of whoever starts it. An actor with many messages waiting pays for all of them at each start.
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2]).
-mode(compile).

main([Messages, Starts]) ->
    io:format("Erlang/OTP ~s~n", [erlang:system_info(otp_release)]),
    Number = list_to_integer(Starts),
    Empty = per_start(0, Number),
    io:format("empty mailbox: ~.1f microseconds for each start~n", [Empty]),
    Full = per_start(list_to_integer(Messages), Number),
    io:format("~s messages waiting: ~.1f microseconds for each start~n", [Messages, Full]),
    halt(
        case Full > 10 * Empty of
            true -> 0;
            false -> 1
        end
    ).

per_start(Messages, Starts) ->
    Self = self(),
    spawn_link(fun() ->
        [self() ! I || I <- lists:seq(1, Messages)],
        {Took, _} = timer:tc(fun() ->
            [{ok, _} = gen_server:start(?MODULE, [], []) || _ <- lists:seq(1, Starts)]
        end),
        Self ! Took / Starts
    end),
    receive
        PerStart -> PerStart
    end.

init([]) -> {ok, none, 0}.

handle_info(timeout, State) -> {stop, normal, State}.

handle_call(_, _, State) -> {reply, ok, State}.

handle_cast(_, State) -> {noreply, State}.
