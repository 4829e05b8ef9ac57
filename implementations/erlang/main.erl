%% The command line's entry: the application, and the supervisor of its two servers.
%%
%% Worlds are not supervised. Nothing may be restarted behind the back of a
%% measurement: a world whose actor fails goes down as one, and the control port,
%% to which it is linked, reports it.
-module(main).
-behaviour(application).
-behaviour(supervisor).

-export([start/0]).
-export([start/2, stop/1]).
-export([init/1]).

%% Permanent: without the application there is no reason for the runtime to go on.
-spec start() -> ok.
start() ->
    {ok, _} = application:ensure_all_started(dramaturg_erlang, permanent),
    ok.

-spec start(application:start_type(), term()) -> {ok, pid()} | {error, term()}.
start(_Type, _Arguments) ->
    supervisor:start_link(?MODULE, []).

-spec stop(term()) -> ok.
stop(_State) ->
    ok.

%% Neither server can go on without what the other remembers.
init([]) ->
    Children = [
        #{id => control, start => {control, start_link, []}},
        #{id => stdio, start => {stdio, start_link, []}}
    ],
    {ok, {#{strategy => one_for_all, intensity => 0}, Children}}.
