%% The standard-input protocol (spec/stdio.md): one JSON object a line, both ways.
%%
%% A port on the two descriptors rather than OTP's I/O server: it frames lines itself
%% and says `eof`, and no other output can get in between.
-module(stdio).
-behaviour(gen_server).

-export([start_link/0, reply/2, item/2, done/1, error/3]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2]).

-define(CHUNK_BYTES, 65536).

%% For answers to what was asked just before the input ended.
-define(GRACE_MILLIS, 100).

-record(stdio, {port :: port(), chunks = [] :: [binary()]}).

-spec start_link() -> {ok, pid()} | {error, term()} | ignore.
start_link() ->
    gen_server:start_link({local, ?MODULE}, ?MODULE, [], []).

-spec reply(integer(), map()) -> ok.
reply(Id, Reply) -> write(#{id => Id, reply => Reply}).

-spec item(integer(), map()) -> ok.
item(Id, Item) -> write(#{id => Id, item => Item}).

-spec done(integer()) -> ok.
done(Id) -> write(#{id => Id, 'end' => true}).

-spec error(integer(), binary(), binary()) -> ok.
error(Id, Code, Text) -> write(#{id => Id, error => #{code => Code, message => Text}}).

%% Encoded by the caller, who then waits: a long trace proceeds at the reader's pace.
write(Message) ->
    Line = iolist_to_binary([jiffy:encode(Message), $\n]),
    gen_server:call(?MODULE, {write, Line}, infinity).

init([]) ->
    %% As in control: requests must be read whatever the actors are doing.
    process_flag(priority, high),
    {ok, #stdio{port = open_port({fd, 0, 1}, [{line, ?CHUNK_BYTES}, binary, eof])}}.

handle_call({write, Line}, _From, S = #stdio{port = Port}) ->
    port_command(Port, Line),
    {reply, ok, S}.

handle_cast(_Unknown, S) ->
    {noreply, S}.

handle_info({Port, {data, {noeol, Chunk}}}, S = #stdio{port = Port, chunks = Chunks}) ->
    {noreply, S#stdio{chunks = [Chunk | Chunks]}};
handle_info({Port, {data, {eol, Chunk}}}, S = #stdio{port = Port, chunks = Chunks}) ->
    Line = iolist_to_binary(lists:reverse(Chunks, [Chunk])),
    #{<<"id">> := Id, <<"call">> := Call} = Message = jiffy:decode(Line, [return_maps]),
    control:request(Id, Call, maps:get(<<"request">>, Message, #{})),
    {noreply, S#stdio{chunks = []}};
handle_info({Port, eof}, S = #stdio{port = Port}) ->
    _ = erlang:send_after(?GRACE_MILLIS, self(), end_of_input),
    {noreply, S};
handle_info(end_of_input, _S) ->
    %% Whatever the actors are doing (STDIO-9).
    halt(0).
