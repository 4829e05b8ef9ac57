-include("actor.hrl").

%% Parameters of one iteration; probabilities in percent (CHAT-1).
-record(parameters, {
    clients :: pos_integer(),
    directories :: pos_integer(),
    turns :: pos_integer(),
    compute :: 0..100,
    post :: 0..100,
    leave :: 0..100,
    invite :: 0..100,
    befriend :: 0..100,
    selection :: 1..2,
    fib_n :: 0..47,
    history :: boolean(),
    seed :: lcg:state()
}).

%% The `turn` of a `leave` that happens because its sender logs out.
-define(LOGOUT, 16#FFFFFFFF).
