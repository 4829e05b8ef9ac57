%% Erlang distribution for a run over several nodes, without epmd.
%%
%% Nodes find each other without any daemon, because a node's name says where it
%% listens: peer1_40123@10.0.0.2. This module stands in for OTP's erl_epmd (the
%% flag -epmd_module) and only has to read that name.
-module(peers).

-export([parse/2, join/2, leave/0]).
-export([start_link/0, register_node/2, register_node/3, listen_port_please/2]).
-export([address_please/3, port_please/2, port_please/3, names/1]).
-export_type([peer/0]).

%% The version of the distribution protocol since OTP 23.
-define(DISTRIBUTION_VERSION, 6).

-type peer() :: {inet:ip4_address(), inet:port_number()}.

%% This node's index and all peers, as a request of Prepare has them. Throws a refusal.
-spec parse(module(), map()) -> {non_neg_integer(), [peer()]}.
parse(Play, Request) ->
    Peers = [peer(Peer) || Peer <- maps:get(<<"peers">>, Request, [])],
    case {Play, length(Peers)} of
        {_, 0} -> ok;
        {pingpong, 2} -> ok;
        {pingpong, Other} -> refusal:invalid("peers", Other, "none or 2");
        _ -> refusal:unimplemented([atom_to_list(Play), " over several nodes"])
    end,
    {refusal:integer("", <<"node">>, Request, 0, max(length(Peers) - 1, 0)), Peers}.

peer(Peer = #{<<"host">> := Host}) ->
    Port = refusal:integer("peers.", <<"port">>, Peer, 1, 65535),
    case inet:parse_ipv4strict_address(binary_to_list(Host)) of
        {ok, Address} -> {Address, Port};
        {error, einval} -> refusal:invalid("peers.host", Host, "an IPv4 address")
    end.

%% Makes this runtime the Index-th of these nodes. Throws a refusal.
-spec join(non_neg_integer(), [peer()]) -> play:place().
join(0, []) ->
    local;
join(Index, Peers) ->
    Nodes = [name(I, Peer) || {I, Peer} <- lists:enumerate(0, Peers)],
    {Address, _Port} = lists:nth(Index + 1, Peers),
    ok = application:set_env(kernel, inet_dist_use_interface, Address),
    %% Hidden, so that `global` does not start to talk to the peers as well.
    Options = #{name_domain => longnames, hidden => true},
    case net_kernel:start(lists:nth(Index + 1, Nodes), Options) of
        {ok, _} -> {Index, Nodes};
        {error, Reason} -> refusal:internal(io_lib:format("distribution: ~0tp", [Reason]))
    end.

-spec leave() -> ok.
leave() ->
    is_alive() andalso (ok = net_kernel:stop()),
    ok.

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
