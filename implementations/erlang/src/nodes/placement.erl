%% Who lives where (DIST-1), and how all get to know each other (DIST-2).
-module(placement).

-export([is_mesh/1, of_directory/1, of_client/2, settle/2, members/2, await_introduction/0]).
-export([settled/0, introduce/2]).

-type member() :: {Index :: non_neg_integer(), pid()}.

%% Whether all nodes have to talk to each other, or only each to node 0.
-spec is_mesh(module()) -> boolean().
is_mesh(Benchmark) -> lists:member(Benchmark, [big, chatapp]).

%% ChatApp's actors are no members: they are made where they live. A chat lives where its maker does.
-spec of_directory(non_neg_integer()) -> node().
of_directory(Index) -> distribution:node_at(Index).

-spec of_client(non_neg_integer(), Directories :: pos_integer()) -> node().
of_client(Number, Directories) -> distribution:node_at(Number div Directories).

%% On node Node of Nodes. Node 0 has whoever is not a member.
lives(_Benchmark, _Index, _Node, 1) -> true;
lives(big, Index, Node, Nodes) -> Index rem Nodes =:= Node;
lives(_Benchmark, Index, Node, Nodes) -> 1 + Index rem (Nodes - 1) =:= Node.

%% On a node without a lead: its members, for that of node 0.
-spec settle(module(), benchmark:parameters()) -> none.
settle(Benchmark, Parameters) ->
    persistent_term:put(?MODULE, here(Benchmark, Parameters)),
    none.

%% By the lead of another node.
-spec settled() -> [member()].
settled() ->
    persistent_term:get(?MODULE).

%% In the lead: the members of all nodes, in the order of their indices.
-spec members(module(), benchmark:parameters()) -> tuple().
members(Benchmark, Parameters) ->
    Here = here(Benchmark, Parameters),
    There = [call(Node, settled, []) || Node <- distribution:others()],
    Members = list_to_tuple([Pid || {_, Pid} <- lists:sort(lists:append([Here | There]))]),
    is_mesh(Benchmark) andalso acquaint(Here, Members),
    Members.

%% The table of all crosses the network once for each node, not once for each actor.
acquaint(Here, Members) ->
    introduce(Here, Members, self()),
    lists:foreach(
        fun(Node) -> ok = call(Node, introduce, [Members, self()]) end,
        distribution:others()
    ),
    lists:foreach(
        fun(_) ->
            receive
                introduced -> ok
            end
        end,
        tuple_to_list(Members)
    ).

%% By the lead of another node.
-spec introduce(tuple(), pid()) -> ok.
introduce(Members, Lead) ->
    introduce(settled(), Members, Lead).

introduce(Here, Members, Lead) ->
    lists:foreach(fun({_, Pid}) -> Pid ! {introduce, Members, Lead} end, Here).

%% In a member of a mesh, before its life begins: all members, and the lead.
-spec await_introduction() -> {tuple(), pid()}.
await_introduction() ->
    receive
        {introduce, Members, Lead} ->
            Lead ! introduced,
            {Members, Lead}
    end.

here(Benchmark, Parameters) ->
    {Node, Nodes} = distribution:place(),
    [
        {Index, benchmark:member(Benchmark, Parameters, Index)}
     || Index <- lists:seq(0, benchmark:members(Benchmark, Parameters) - 1),
        lives(Benchmark, Index, Node, Nodes)
    ].

call(Node, Function, Arguments) ->
    try
        erpc:call(Node, ?MODULE, Function, Arguments)
    catch
        error:{erpc, Reason} -> error({Node, Reason})
    end.
