%% Erlang distribution for a world on several nodes, without epmd (spec/distributed.md).
%%
%% Nodes find each other without any daemon, because a node's name says where it listens:
%% node1_40123@10.0.0.2. This module stands in for OTP's erl_epmd (the flag -epmd_module)
%% and only has to read that name.
%%
%% Nodes are hidden. With `visible` in the application's environment they are what OTP makes of
%% them by default: all are connected to all, and `global` runs among them.
-module(distribution).

-export([join/2, leave/0, place/0, node_at/1, others/0, adopt/0, report/1, spell/1]).
-export([start_link/0, register_node/2, register_node/3, listen_port_please/2]).
-export([address_please/3, port_please/2, port_please/3, names/1]).

%% The version of the distribution protocol since OTP 23.
-define(DISTRIBUTION_VERSION, 6).

%% Makes this runtime one of the nodes of the request, and connects it to those that are
%% there already: all with a higher index where there is a mesh; else only node 0
%% connects. So connections are made one node after the other, and none while a benchmark
%% runs. Throws `{failed, Reason}`.
-spec join(module(), map()) -> ok.
join(Benchmark, #{node := Index, peers := Peers, secret := Secret}) ->
    Nodes = [name(I, Peer) || {I, Peer} <- lists:enumerate(0, Peers)],
    application:set_env(dramaturg, nodes, Nodes),
    Nodes =:= [] orelse
        begin
            start(lists:nth(Index + 1, Nodes), lists:nth(Index + 1, Peers), Secret),
            Connects = Index =:= 0 orelse placement:is_mesh(Benchmark) orelse visible(),
            Higher = lists:nthtail(Index + 1, Nodes),
            Connects andalso lists:foreach(fun connect/1, Higher)
        end,
    ok.

start(Name, #{host := Host}, Secret) ->
    {ok, Address} = inet:parse_address(binary_to_list(Host)),
    ok = application:set_env(kernel, inet_dist_use_interface, Address),
    ok = application:set_env(dramaturg, secret, binary_to_atom(Secret)),
    %% Hidden, so that `global` does not start to talk to the peers as well.
    case net_kernel:start(Name, #{name_domain => longnames, hidden => not visible()}) of
        {ok, _} -> ok;
        {error, Reason} -> throw({failed, io_lib:format("distribution: ~0tp", [Reason])})
    end.

visible() ->
    application:get_env(dramaturg, visible, false).

connect(Node) ->
    net_kernel:connect_node(Node) orelse
        throw({failed, [spell(Node), " cannot be connected to"]}),
    %% {nodedown, Node}, for control.
    monitor_node(Node, true).

%% This node's place among those of the world, and how many they are.
-spec place() -> {non_neg_integer(), pos_integer()}.
place() ->
    case nodes_of_world() of
        [] -> {0, 1};
        Nodes -> {length(lists:takewhile(fun(Node) -> Node =/= node() end, Nodes)), length(Nodes)}
    end.

%% The node at this place, where places are dealt over all nodes one after the other.
-spec node_at(non_neg_integer()) -> node().
node_at(Place) ->
    case nodes_of_world() of
        [] -> node();
        Nodes -> lists:nth(Place rem length(Nodes) + 1, Nodes)
    end.

%% Makes the caller, whom a process of another node has spawned, one of this node's actors: whose
%% group leader its own would not be.
-spec adopt() -> true.
adopt() ->
    group_leader(whereis(control), self()).

%% All nodes of the world but this one.
-spec others() -> [node()].
others() ->
    lists:delete(node(), nodes_of_world()).

nodes_of_world() ->
    {ok, Nodes} = application:get_env(dramaturg, nodes),
    Nodes.

%% Tells control of this node, and that of node 0, whose call is under way while all others
%% wait.
-spec report(tuple()) -> ok.
report(Report) ->
    [First | _] = application:get_env(dramaturg, nodes, []) ++ [node()],
    lists:foreach(fun(Node) -> {control, Node} ! Report end, lists:usort([First, node()])).

%% From now on nodes may go as they like.
-spec leave() -> ok.
leave() ->
    lists:foreach(fun(Node) -> monitor_node(Node, false) end, others()),
    is_alive() andalso (ok = net_kernel:stop()),
    ok.

%% A node as people know it: by its index.
-spec spell(node()) -> iolist().
spell(Node) ->
    ["node" ++ Index | _] = string:split(atom_to_list(Node), "_"),
    ["node ", Index, " (", atom_to_list(Node), ")"].

name(Index, #{host := Host, port := Port}) ->
    list_to_atom(lists:concat([node, Index, "_", Port, "@", binary_to_list(Host)])).

%% --- As OTP's erl_epmd.

start_link() -> ignore.

register_node(Name, Port) -> register_node(Name, Port, inet).

%% The node listens by now, but accepts nobody yet: no connection is made with any cookie
%% but this world's (DIST-6).
register_node(_Name, _Port, _Family) ->
    {ok, Secret} = application:get_env(dramaturg, secret),
    true = erlang:set_cookie(Secret),
    {ok, 1}.

listen_port_please(Name, _Host) -> {ok, port(Name)}.

address_please(_Name, Host, _Family) -> inet:parse_address(Host).

port_please(Name, Host) -> port_please(Name, Host, infinity).

port_please(Name, _Host, _Timeout) -> {port, port(Name), ?DISTRIBUTION_VERSION}.

names(_Host) -> {error, address}.

port(Name) ->
    [_Node, Port] = string:split(lists:concat([Name]), "_"),
    list_to_integer(Port).
