%% The standard-input protocol (spec/stdio.md): one JSON object a line, both ways.
%%
%% A port on each descriptor rather than OTP's I/O server: the one frames lines itself and
%% says `eof`, and into the other no other output can get. One port for both would not say
%% it while the other end is not reading.
-module(stdio).
-behaviour(gen_server).

-export([start_link/0, write/1, decode/1]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2]).

-define(CHUNK_BYTES, 65536).

%% For answers to what was asked just before the input ended.
-define(GRACE_MILLIS, 100).

-spec start_link() -> gen_server:start_ret().
start_link() ->
    gen_server:start_link({local, ?MODULE}, ?MODULE, [], []).

%% Writes an answer. Whoever writes faster than the harness reads is suspended.
-spec write(map()) -> true.
write(Answer) ->
    port_command(stdout, [jiffy:encode(Answer), $\n]).

init([]) ->
    %% Ahead of a hundred thousand runnable actors.
    process_flag(priority, high),
    true = register(stdin, open_port({fd, 0, 0}, [in, {line, ?CHUNK_BYTES}, binary, eof])),
    true = register(stdout, open_port({fd, 1, 1}, [out])),
    {ok, []}.

handle_call(_Unknown, _From, Chunks) ->
    {noreply, Chunks}.

handle_cast(_Unknown, Chunks) ->
    {noreply, Chunks}.

handle_info({_Port, {data, {noeol, Chunk}}}, Chunks) ->
    {noreply, [Chunk | Chunks]};
handle_info({_Port, {data, {eol, Chunk}}}, Chunks) ->
    control:request(decode(lists:reverse(Chunks, [Chunk]))),
    {noreply, []};
handle_info({_Port, eof}, Chunks) ->
    _ = erlang:send_after(?GRACE_MILLIS, self(), end_of_input),
    {noreply, Chunks};
handle_info(end_of_input, _Chunks) ->
    %% Nobody has to read what is still to be written.
    halt(0, [{flush, false}]).

%% JSON as maps. Keys become atoms: they are the protocol's own names, and so there are few.
-spec decode(iodata()) -> term().
decode(Text) ->
    keys(jiffy:decode(Text, [return_maps])).

keys(Object) when is_map(Object) ->
    maps:from_list([{binary_to_atom(Key), keys(Value)} || {Key, Value} <- maps:to_list(Object)]);
keys(List) when is_list(List) ->
    lists:map(fun keys/1, List);
keys(Value) ->
    Value.
