%% What ping-pong and the micro-benchmarks have in common (spec/actors.md): a lead who
%% takes one message from control and reports when all is done, a troupe of numbered
%% actors whom it directs, and a receipt made of what they report.
%%
%% The troupe may be spread over several nodes (spec/distributed.md).
-module(micro).
-behaviour(play).

-export([names/0, distributed/0, play/2, started/1, done/2, done/3, share/2]).
-export([nodes/1, set_up/3, message/2, tally/2, note/2, progress/1, receipt/1]).
-export_type([parameters/0, range/0]).

-type parameters() :: #{atom() => non_neg_integer()}.
-type range() :: {Key :: atom(), Min :: non_neg_integer(), Max :: non_neg_integer()}.

%% What each parameter must be in, ends included (benchmarks.proto).
-callback ranges(Message :: map()) -> [range()].

%% The fields of the receipt, in the order of what is reported; `none`: not in it.
-callback fields() -> [atom()].

-callback lead() -> names:name().

%% The lead's state; runs in the lead. All of the troupe are there and know whom they must.
-callback direct(world:world(), parameters(), Troupe :: tuple()) -> State :: term().

%% What control has to say to the lead. Without it: `start`.
-callback opening(world:world(), parameters()) -> actor:message().

%% How many there are in the troupe. Without it: nobody.
-callback troupe(parameters()) -> non_neg_integer().

%% A new actor of the troupe, the Index-th from 0.
-callback member(world:world(), parameters(), Index :: non_neg_integer()) -> pid().

%% Where the troupe lives if there are several nodes: on `all`, or on all `others` than
%% node 0. Each of them then has a share of the receipt (share/2). Without it: on node 0.
-callback spread() -> all | others.

%% Whether the troupe are strangers, who have to know each other.
-callback acquainted() -> true.

-optional_callbacks([opening/2, troupe/1, member/3, spread/0, acquainted/0]).

-record(tally, {
    play :: {module(), parameters()},
    %% How many have yet to report: the lead, and who has a share.
    due :: non_neg_integer(),
    started = 0 :: integer(),
    ended = 0 :: integer(),
    %% What the lead says of all, and the sum of what each says of itself.
    total = [] :: [non_neg_integer()],
    shares = [] :: [non_neg_integer()],
    %% Newest first.
    windows = [] :: [{Count :: non_neg_integer(), Nanos :: non_neg_integer()}]
}).

-spec names() -> [module()].
names() ->
    [pingpong, big, bang, web, count, chain, fanout, sleepers, mergesort, broker].

%% Those that can be spread over several nodes.
-spec distributed() -> [module()].
distributed() ->
    [Module || Module <- names(), can(Module, spread, 0)].

%% A benchmark with its parameters, as a request has them. Throws a refusal.
-spec play(module(), map()) -> {module(), parameters()}.
play(Module, Message) ->
    Parameters = [
        {Key, refusal:integer([atom_to_list(Module), "."], atom_to_binary(Key), Message, Min, Max)}
     || {Key, Min, Max} <- Module:ranges(Message)
    ],
    {Module, maps:from_list(Parameters)}.

%% From a lead whose run time begins later than when control speaks.
-spec started(world:world()) -> ok.
started(World) ->
    world:report(World, {spoken, erlang:monotonic_time(nanosecond)}).

%% From the lead: everything is done, with the arguments of control's `done`.
-spec done(world:world(), [non_neg_integer()]) -> ok.
done(World, Total) -> done(World, Total, []).

%% The same, with the lead's own share.
-spec done(world:world(), [non_neg_integer()], [non_neg_integer()]) -> ok.
done(World, Total, Share) ->
    world:report(World, {done, Total, Share, erlang:monotonic_time(nanosecond)}).

%% From one of a troupe that can be spread, and before what makes the lead report: its own
%% part of the receipt, for the control port of its own node (DIST-4).
-spec share(world:world(), [non_neg_integer()]) -> ok.
share(World, Share) ->
    world:report(World, {share, Share}).

%% No node is empty (distributed.md). Only where the troupe is acquainted do nodes other
%% than 0 have to talk to each other.
-spec nodes({module(), parameters()}) -> {non_neg_integer(), star | mesh}.
nodes({Module, Parameters}) ->
    case can(Module, spread, 0) andalso Module:spread() of
        false -> {1, star};
        all -> {Module:troupe(Parameters), mesh};
        others -> {Module:troupe(Parameters) + 1, star}
    end.

%% Brings the lead to life, who looks after the others, or this node's part of the troupe.
-spec set_up(world:world(), {module(), parameters()}, play:place()) -> play:cast().
set_up(World, {Module, Parameters} = Play, Place) ->
    case peers:index(Place) of
        0 ->
            Opening = opening(Module, World, Parameters),
            Direct = fun() -> Module:direct(World, Parameters, assemble(World, Play, Place)) end,
            #{lead => actor:start_lead(World, Module, Module:lead(), Direct), opening => Opening};
        _ ->
            Gather = fun() -> world:report(World, {troupe, members(World, Play, Place)}) end,
            #{lead => actor:start_usher(World, Module:lead(), Gather)}
    end.

opening(Module, World, Parameters) ->
    case can(Module, opening, 2) of
        true -> Module:opening(World, Parameters);
        false -> {start, names:control()}
    end.

%% The whole troupe, by their indices, in the lead of a world.
assemble(World, {Module, _} = Play, Place) ->
    Here = members(World, Play, Place),
    There = [control:troupe(Node) || Node <- peers:others(Place)],
    Troupe = list_to_tuple([Pid || {_, Pid} <- lists:sort(lists:append([Here | There]))]),
    case can(Module, acquainted, 0) of
        true ->
            introduce(Here, Troupe, Place);
        false ->
            Troupe
    end.

introduce(Here, Troupe, Place) ->
    Lead = self(),
    lists:foreach(fun({_, Pid}) -> actor:introduce(Pid, Troupe, Lead) end, Here),
    lists:foreach(
        fun(Node) -> control:introduce(Node, Troupe, Lead) end,
        peers:others(Place)
    ),
    lists:foreach(
        fun(_) ->
            receive
                introduced -> ok
            end
        end,
        tuple_to_list(Troupe)
    ),
    Troupe.

members(World, {Module, Parameters} = Play, Place) ->
    [{Index, Module:member(World, Parameters, Index)} || Index <- indices(Play, Place)].

%% Who of the troupe lives on this node (DIST-1).
indices({Module, Parameters}, Place) ->
    Count =
        case can(Module, troupe, 1) of
            true -> Module:troupe(Parameters);
            false -> 0
        end,
    [Index || Index <- lists:seq(0, Count - 1), lives_on(Place, Module, Index)].

lives_on(local, _Module, _Index) ->
    true;
lives_on({Node, Nodes}, Module, Index) ->
    case Module:spread() of
        all -> Index rem length(Nodes) =:= Node;
        others -> 1 + Index rem (length(Nodes) - 1) =:= Node
    end.

can(Module, Function, Arity) ->
    {module, Module} = code:ensure_loaded(Module),
    erlang:function_exported(Module, Function, Arity).

-spec message(play:line(), {module(), parameters()}) -> actor:message() | none.
message(disconnect, _Play) -> none;
message({act, _Request}, _Play) -> refusal:early(act, "a prepare of chatapp is missing");
message(turn, _Play) -> refusal:early(turn, "a prepare of chatapp is missing").

-spec tally({module(), parameters()}, play:place()) -> #tally{}.
tally({Module, _} = Play, Place) ->
    Lead =
        case peers:index(Place) of
            0 -> 1;
            _ -> 0
        end,
    Sharing =
        case can(Module, spread, 0) of
            true -> length(indices(Play, Place));
            false -> 0
        end,
    #tally{play = Play, due = Lead + Sharing}.

-spec note(term(), #tally{}) -> {play:event(), #tally{}}.
note(ready, T) ->
    {ready, T};
note({spoken, Nanos}, T) ->
    {none, T#tally{started = Nanos}};
note({window, Count, Nanos}, T = #tally{windows = Windows}) ->
    {none, T#tally{windows = [{Count, Nanos} | Windows]}};
note({share, Share}, T = #tally{shares = Shares}) ->
    settle(T#tally{shares = add(Share, Shares)});
note({done, Total, Share, Nanos}, T = #tally{shares = Shares}) ->
    settle(T#tally{total = Total, shares = add(Share, Shares), ended = Nanos}).

add([], Shares) -> Shares;
add(Share, []) -> Share;
add(Share, Shares) -> lists:zipwith(fun erlang:'+'/2, Share, Shares).

settle(T = #tally{due = 1}) -> {finished, T#tally{due = 0}};
settle(T = #tally{due = Due}) -> {none, T#tally{due = Due - 1}}.

%% Windows, or else the one iteration: the lead keeps its count for itself.
-spec progress(#tally{}) -> {non_neg_integer(), pos_integer()}.
progress(#tally{play = {_, #{windows := Windows}}, windows = Over}) when Windows > 0 ->
    {length(Over), Windows};
progress(#tally{total = []}) ->
    {0, 1};
progress(_) ->
    {1, 1}.

-spec receipt(#tally{}) -> {map(), non_neg_integer()}.
receipt(T = #tally{play = {Module, _}, total = Total, shares = Shares}) ->
    Counts =
        case Shares of
            [] -> Total;
            _ -> Shares
        end,
    {Windows, Nanos} = lists:unzip(lists:reverse(T#tally.windows)),
    Fields = maps:from_list(lists:zip(lists:sublist(Module:fields(), length(Counts)), Counts)),
    Receipt = (maps:remove(none, Fields))#{windows => Windows, window_nanos => Nanos},
    {#{Module => maps:filter(fun(_, Value) -> Value =/= [] end, Receipt)},
        T#tally.ended - T#tally.started}.
