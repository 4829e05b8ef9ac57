%% The application, and the supervisor of its two processes.
%%
%% Actors are not supervised, and nothing is ever restarted: that would be behind the back
%% of a measurement.
-module(main).
-behaviour(application).
-behaviour(supervisor).

-export([start/0]).
-export([start/2, stop/1]).
-export([init/1]).

%% The command line's entry. Permanent: without the application the runtime has to end.
-spec start() -> ok.
start() ->
    {ok, _} = application:ensure_all_started(dramaturg, permanent),
    ok.

%% All code is loaded first, so that no run has to wait for a file.
start(_Type, _Arguments) ->
    {ok, Modules} = application:get_key(modules),
    ok = code:ensure_modules_loaded(Modules),
    supervisor:start_link(?MODULE, []).

stop(_State) ->
    ok.

init([]) ->
    Children = [
        #{id => control, start => {control, start_link, []}},
        #{id => stdio, start => {stdio, start_link, []}}
    ],
    {ok, {#{strategy => one_for_all, intensity => 0}, Children}}.
