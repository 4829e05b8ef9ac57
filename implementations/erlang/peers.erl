%% Erlang distribution for a run over several nodes, without epmd.
%%
%% Nodes find each other without any daemon, because a node's name says where it
%% listens: peer1_40123@10.0.0.2. This module stands in for OTP's erl_epmd (the
%% flag -epmd_module) and only has to read that name.
-module(peers).

-export([parse/2, join/3, leave/0, index/1, others/1, missing/1, spell/1]).
-export([start_link/0, register_node/2, register_node/3, listen_port_please/2]).
-export([address_please/3, port_please/2, port_please/3, names/1]).
-export_type([peer/0]).

%% The version of the distribution protocol since OTP 23.
-define(DISTRIBUTION_VERSION, 6).

-type peer() :: {inet:ip4_address(), inet:port_number()}.

%% This node's index and all peers, as a request of Prepare has them. Throws a refusal.
-spec parse(Most :: non_neg_integer(), map()) -> {non_neg_integer(), [peer()]}.
parse(Most, Request) ->
    Peers = [peer(Peer) || Peer <- maps:get(<<"peers">>, Request, [])],
    case length(Peers) of
        0 ->
            ok;
        _ when Most < 2 ->
            refusal:unimplemented("this benchmark over several nodes");
        Count when Count >= 2, Count =< Most ->
            ok;
        Count ->
            refusal:invalid("peers", Count, io_lib:format("none or in 2..~b", [Most]))
    end,
    {refusal:integer("", <<"node">>, Request, 0, max(length(Peers) - 1, 0)), Peers}.

peer(Peer = #{<<"host">> := Host}) ->
    Port = refusal:integer("peers.", <<"port">>, Peer, 1, 65535),
    case inet:parse_ipv4strict_address(binary_to_list(Host)) of
        {ok, Address} -> {Address, Port};
        {error, einval} -> refusal:invalid("peers.host", Host, "an IPv4 address")
    end.

%% Makes this runtime the Index-th of these nodes and connects it to those that are there
%% already: all with a higher index, in a star only if it is node 0. So connections are
%% made one node after the other, and none while a benchmark runs. Throws a refusal.
-spec join(non_neg_integer(), [peer()], star | mesh) -> play:place().
join(0, [], _Shape) ->
    local;
join(Index, Peers, Shape) ->
    Nodes = [name(I, Peer) || {I, Peer} <- lists:enumerate(0, Peers)],
    {Address, _Port} = lists:nth(Index + 1, Peers),
    ok = application:set_env(kernel, inet_dist_use_interface, Address),
    %% Hidden, so that `global` does not start to talk to the peers as well.
    Options = #{name_domain => longnames, hidden => true},
    case net_kernel:start(lists:nth(Index + 1, Nodes), Options) of
        {ok, _} -> ok;
        {error, Reason} -> refusal:internal(io_lib:format("distribution: ~0tp", [Reason]))
    end,
    Higher = lists:nthtail(Index + 1, Nodes),
    [connect(Node) || Node <- Higher, Shape =:= mesh orelse Index =:= 0],
    {Index, Nodes}.

connect(Node) ->
    net_kernel:connect_node(Node) orelse
        begin
            leave(),
            refusal:internal([spell(Node), " cannot be connected to"])
        end,
    %% {nodedown, Node}, for the control port.
    monitor_node(Node, true).

-spec leave() -> ok.
leave() ->
    is_alive() andalso (ok = net_kernel:stop()),
    ok.

-spec index(play:place()) -> non_neg_integer().
index(local) -> 0;
index({Index, _Nodes}) -> Index.

%% All nodes but this one.
-spec others(play:place()) -> [node()].
others(local) -> [];
others({Index, Nodes}) -> lists:delete(lists:nth(Index + 1, Nodes), Nodes).

%% The nodes that are no longer connected.
-spec missing(play:place()) -> [node()].
missing(Place) -> others(Place) -- nodes(hidden).

%% A node as people know it: by its index.
-spec spell(node()) -> iodata().
spell(Node) ->
    ["peer" ++ Index | _] = string:split(atom_to_list(Node), "_"),
    ["node ", Index, " (", atom_to_list(Node), ")"].

name(Index, {Address, Port}) ->
    list_to_atom(lists:concat(["peer", Index, "_", Port, "@", inet:ntoa(Address)])).

start_link() -> ignore.

register_node(Name, Port) -> register_node(Name, Port, inet).

register_node(_Name, _Port, _Family) -> {ok, 1}.

listen_port_please(Name, _Host) -> {ok, port(Name)}.

address_please(_Name, Host, _Family) -> inet:parse_address(Host).

port_please(Name, Host) -> port_please(Name, Host, infinity).

port_please(Name, _Host, _Timeout) -> {port, port(Name), ?DISTRIBUTION_VERSION}.

names(_Host) -> {error, address}.

port(Name) ->
    [_Peer, Port] = string:split(lists:concat([Name]), "_"),
    list_to_integer(Port).
