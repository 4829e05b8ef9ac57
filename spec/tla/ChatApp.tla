------------------------------ MODULE ChatApp ------------------------------
(***************************************************************************)
(* The message protocol of ChatApp (spec/chatapp.md, CHAT-8 to CHAT-39),   *)
(* under every schedule that actors allow: messages of one sender to one   *)
(* receiver arrive in order, and nothing else is promised. With nodes      *)
(* (spec/distributed.md), under every schedule that they allow, if between *)
(* two of them there is one connection each way.                           *)
(*                                                                         *)
(* Beside this module: harness/dramaturg/model/chatapp.py. Actors and      *)
(* messages have the same names and stand in the same order. A step is one *)
(* actor taking one message, all its sends included.                       *)
(***************************************************************************)
EXTENDS Integers, Sequences, FiniteSets

CONSTANTS
    Clients,      \* how many
    Directories,  \* how many
    Turns,        \* how many, pipelined
    Actions,      \* what a client may choose: "compute", "post", "leave", "invite", "join"
    MaxChats,     \* at most so many are ever made: keeps the state space finite and small
    MaxGuests,    \* at most so many are invited at once
    Nodes,        \* how many; 0: no node is known of, and each pair of actors has a channel
    Placement,    \* of several nodes: who lives where
    MayLose,      \* nodes of which one may be lost
    SetUp,        \* whether actors on other nodes have yet to be born
    Departures    \* where the program departs from the specification; {} is the specification

(* Each is a published program's way (spec/errata.md), or a mistake that   *)
(* shows that a property can fail.                                         *)
ASSUME Departures \subseteq
    { "join counts itself twice",     \* erratum 1
      "single counter",               \* erratum 2: all levels are one number
      "synchronous bump",             \* erratum 2: Erlang's remedy
      "removed on left",              \* erratum 3
      "logout leaves each chat once", \* against CHAT-35: duplicates forgotten
      "last leave is not answered",   \* against CHAT-39
      "births take another way",      \* against DIST-7
      "a lost node is waited for" }   \* against DIST-5

(* Without "compute" a client could have nothing to choose, and stand still. *)
ASSUME "compute" \in Actions
ASSUME Actions \subseteq {"compute", "post", "leave", "invite", "join"}
ASSUME Clients > 1 /\ Directories \in 1 .. Clients /\ Turns > 0
ASSUME Placement \in {"dealt", "with the directory"} \/ Nodes < 2
ASSUME MayLose \subseteq 1 .. Nodes - 1
ASSUME SetUp \in BOOLEAN /\ (SetUp => Nodes > 0)

Departs(departure) == departure \in Departures

(* Names are those of the wire: a class and two indices. *)
Control        == <<"control", 0, 0>>
Poker          == <<"poker", 0, 0>>
Directory(i)   == <<"directory", i, 0>>
Client(c)      == <<"client", c, 0>>
Chat(c, n)     == <<"chat", c, n>>
Accumulator(t) == <<"accumulator", t, 0>>

ClientNumbers    == 0 .. Clients - 1
DirectoryNumbers == 0 .. Directories - 1
TurnNumbers      == 0 .. Turns - 1
Levels           == 0 .. 2
Chats            == {Chat(c, n) : c \in ClientNumbers, n \in 0 .. MaxChats - 1}
DirectoryOf(c)   == c % Directories
ClientsOf(i)     == {c \in ClientNumbers : DirectoryOf(c) = i}

(* DIST-1: "dealt" is the specification's. "with the directory" is where   *)
(* one would put clients first: friends then share a node.                 *)
Placed == Nodes > 0

HomeOfClient(c) == IF Placement = "dealt" THEN (c \div Directories) % Nodes
                   ELSE DirectoryOf(c) % Nodes

Home(actor) == CASE actor[1] = "directory" -> actor[2] % Nodes
                 [] actor[1] \in {"client", "chat"} -> HomeOfClient(actor[2])
                 [] OTHER -> 0

(* The turn of a `leave` because of `logout`: 4294967295 in the trace,     *)
(* which TLC's integers do not reach.                                      *)
LogoutTurn == -1

VARIABLES
    channels,     \* where -> what is under way there; empty channels are left out
    poker,        \* confirms: how many it took; online: directories that have not finished
    directory,    \* number -> clients of its own that have not left; 0: it has ended
    client,       \* number -> its state
    chat,         \* name -> its state
    accumulator,  \* turn -> its state
    nodes         \* born: who is; settled: how many settled with whom; lost: nodes that are;
                  \* named: whether node 0 was told; missed: turns of which something is lost

vars == <<channels, poker, directory, client, chat, accumulator, nodes>>

----------------------------------------------------------------------------
(* Sequences, used as lists *)

Occurrences(x, list) == Cardinality({i \in DOMAIN list : list[i] = x})

Without(list, i) == SubSeq(list, 1, i - 1) \o SubSeq(list, i + 1, Len(list))

(* A departing client can leave a chat twice, so `x` need not be there.    *)
RemoveFirst(x, list) ==
    IF Occurrences(x, list) = 0 THEN list
    ELSE Without(list, CHOOSE i \in DOMAIN list :
                           list[i] = x /\ \A j \in 1 .. i - 1 : list[j] # x)

Mapped(list, F(_)) == [i \in DOMAIN list |-> F(list[i])]

Repeated(n, x) == [i \in 1 .. n |-> x]

RECURSIVE Joined(_)
Joined(lists) == IF lists = <<>> THEN <<>> ELSE Head(lists) \o Joined(Tail(lists))

Range(list) == {list[i] : i \in DOMAIN list}

(* A set of numbers in order: in which order a sender serves different     *)
(* receivers cannot be seen, as they are different channels.               *)
RECURSIVE Ordered(_)
Ordered(numbers) ==
    IF numbers = {} THEN <<>>
    ELSE LET least == CHOOSE n \in numbers : \A m \in numbers : n <= m
         IN <<least>> \o Ordered(numbers \ {least})

----------------------------------------------------------------------------
(* Messages, as in trace.proto. Payloads and values are left out: nothing  *)
(* that is sent depends on them.                                           *)

To(receiver, message) == [to |-> receiver, message |-> message]

Poke(t)            == [kind |-> "poke", turn |-> t]
Act(t)             == [kind |-> "act", turn |-> t]
Forward(t, l)      == [kind |-> "forward", turn |-> t, level |-> l]
Accepted(t, l)     == [kind |-> "accepted", turn |-> t, level |-> l]
Post(t)            == [kind |-> "post", turn |-> t]
Join(t, friend)    == [kind |-> "join", turn |-> t, friend |-> friend]
Leave(t)           == [kind |-> "leave", turn |-> t]
Left(t)            == [kind |-> "left", turn |-> t]
Confirm(t)         == [kind |-> "confirm", turn |-> t]
Plain(kind)        == [kind |-> kind]   \* disconnect, logout, left, finished,
                                      \* and in set-up settle, settled, birth

Stop(t, l)    == To(Accumulator(t), [kind |-> "stop", turn |-> t, level |-> l])
Bump(t, l, n) == To(Accumulator(t), [kind |-> "bump", turn |-> t, level |-> l, n |-> n])

(* Without nodes a channel is a pair of actors. With them a node puts what *)
(* its actors send each other into mailboxes at once, and has a connection *)
(* to each other node for the rest. A birth goes the way of messages.      *)
Mailbox(actor)    == <<"mailbox", actor>>
Connection(i, j)  == <<"connection", i, j>>
OtherWay(i, j)    == <<"other way", i, j>>

Channel(sender, letter) ==
    LET here == Home(sender)
        there == Home(letter.to)
    IN IF ~Placed THEN <<sender, letter.to>>
       ELSE IF here = there THEN Mailbox(letter.to)
       ELSE IF letter.message.kind = "birth" /\ Departs("births take another way")
       THEN OtherWay(here, there)
       ELSE Connection(here, there)

(* There a message has the names of both with it.                          *)
Parcel(sender, letter) ==
    IF ~Placed THEN letter.message
    ELSE [from |-> sender, to |-> letter.to, message |-> letter.message]

Without1(under_way, where) ==
    IF Len(under_way[where]) = 1
    THEN [w \in DOMAIN under_way \ {where} |-> under_way[w]]
    ELSE [under_way EXCEPT ![where] = Tail(@)]

With1(under_way, where, what) ==
    LET old == IF where \in DOMAIN under_way THEN under_way[where] ELSE <<>>
    IN [w \in DOMAIN under_way \cup {where} |->
           IF w = where THEN Append(old, what) ELSE under_way[w]]

Taken(way) == Without1(channels, IF Placed THEN Mailbox(way[2]) ELSE way)

(* What is sent to a node that is lost is lost.                            *)
IsLost(letter) == Placed /\ Home(letter.to) \in nodes.lost

RECURSIVE Sent(_, _, _)
Sent(under_way, sender, letters) ==
    IF letters = <<>> THEN under_way
    ELSE LET letter == Head(letters)
             new == IF IsLost(letter) THEN under_way
                    ELSE With1(under_way, Channel(sender, letter), Parcel(sender, letter))
         IN Sent(new, sender, Tail(letters))

(* Turns whose work these messages are.                                    *)
TurnsOf(messages) == {m.turn : m \in {m \in messages : "turn" \in DOMAIN m}} \ {LogoutTurn}

Missed(letters) ==
    TurnsOf({l.message : l \in {l \in Range(letters) : IsLost(l)}})

----------------------------------------------------------------------------
(* Accumulator: counts the work of one turn in units, level by level       *)

Zero == [l \in Levels |-> 0]

(* One counter for all is what is published: what it calls `expected` is   *)
(* expected[0] - reported[0] here.                                         *)
Level(l) == IF Departs("single counter") THEN 0 ELSE l

(* CHAT-31, CHAT-32 *)
Counted(a, m) ==
    LET reported == [a EXCEPT !.reported[Level(m.level)] = @ + 1]
    IN IF m.kind = "bump"
       THEN [reported EXCEPT !.expected[Level(m.level + 1)] = @ + m.n]
       ELSE reported

(* CHAT-33. Published, only a `stop` looks whether there is nothing left.  *)
Confirms(a, m) ==
    /\ a.expected = a.reported
    /\ m.kind = "stop" \/ ~Departs("single counter")

(* Confirming and ending are one step, and what ended keeps no state. But  *)
(* the accumulators of Pony and CAF go on counting.                        *)
AccumulatorEnded(t) == accumulator[t].confirms > 0 /\ ~Departs("single counter")

AfterConfirm(a) ==
    IF Departs("single counter") THEN [a EXCEPT !.confirms = @ + 1]
    ELSE [expected |-> Zero, reported |-> Zero, confirms |-> a.confirms + 1]

AccumulatorTakes(way, t, m) ==
    LET a == Counted(accumulator[t], m)
    IN /\ accumulator' = [accumulator EXCEPT ![t] = IF Confirms(a, m) THEN AfterConfirm(a) ELSE a]
       /\ channels' = Sent(Taken(way), way[2],
              IF Confirms(a, m) THEN <<To(Poker, Confirm(t))>> ELSE <<>>)
       /\ UNCHANGED <<poker, directory, client, chat, nodes>>

(* A synchronous `bump` is counted before its sender goes on.              *)
IsCall(letter) == Departs("synchronous bump") /\ letter.message.kind = "bump"

RECURSIVE Called(_, _)
Called(accumulators, letters) ==
    IF letters = <<>> THEN accumulators
    ELSE LET m == Head(letters).message
         IN Called(IF IsCall(Head(letters))
                   THEN [accumulators EXCEPT ![m.turn] = Counted(@, m)] ELSE accumulators,
                   Tail(letters))

(* Whoever is no accumulator takes the message and sends these, in order.  *)
Sends(way, letters) ==
    /\ channels' = Sent(Taken(way), way[2], SelectSeq(letters, LAMBDA l : ~IsCall(l)))
    /\ accumulator' = Called(accumulator, letters)
    /\ nodes' = [nodes EXCEPT !.missed = @ \cup Missed(letters)]

----------------------------------------------------------------------------
(* Poker: has started every turn in the initial state, and ends the        *)
(* iteration (CHAT-8, CHAT-9)                                              *)

(* `confirmed` and `finished` to control are left out. Control sends       *)
(* `disconnect` when every turn was confirmed (ACT-7, CTRL-8). It lies in  *)
(* its channel from then on, and the poker takes it as late as it likes.   *)
Farewell == IF poker'.confirms = Turns THEN <<To(Poker, Plain("disconnect"))>> ELSE <<>>

(* Who makes somebody on its own node has made it; on another one a birth  *)
(* has to get there (DIST-7).                                              *)
Born(maker, made) == {a \in made : Home(a) = Home(maker)}
Births(maker, made) == Mapped(SelectSeq(made, LAMBDA a : Home(a) # Home(maker)),
                              LAMBDA a : To(a, Plain("birth")))

(* Of several nodes set-up is modelled: somebody may not be there yet.     *)
(* `login` is folded into `settle`. The last `settled` is `ready`, upon    *)
(* which control has the poker `run`.                                      *)
Pokes == Joined(Mapped(Ordered(DirectoryNumbers), LAMBDA i :
             [t \in 1 .. Turns |-> To(Directory(i), Poke(t - 1))]))

PokerSettles(way) ==
    LET count == nodes.settled[Poker] + 1
        all == count = Directories
    IN /\ channels' = Sent(Taken(way), way[2], IF all THEN Pokes ELSE <<>>)
       /\ nodes' = [nodes EXCEPT !.settled[Poker] = count,
              !.missed = IF all /\ nodes.lost # {} THEN TurnNumbers ELSE @]
       /\ UNCHANGED <<poker, directory, client, chat, accumulator>>

DirectorySettles(way, i, m) ==
    LET made == Mapped(Ordered(ClientsOf(i)), LAMBDA c : Client(c))
        settle == Mapped(made, LAMBDA c : To(c, Plain("settle")))
        letters == Births(way[2], made) \o settle
        count == nodes.settled[way[2]] + 1
        all == count = Cardinality(ClientsOf(i))
    IN /\ UNCHANGED <<poker, directory, client, chat, accumulator>>
       /\ \/ /\ m.kind = "settle"
             /\ channels' = Sent(Taken(way), way[2], letters)
             /\ nodes' = [nodes EXCEPT !.born = @ \cup Born(way[2], Range(made))]
          \/ /\ m.kind = "settled"
             /\ channels' = Sent(Taken(way), way[2],
                    IF all THEN <<To(Poker, Plain("settled"))>> ELSE <<>>)
             /\ nodes' = [nodes EXCEPT !.settled[way[2]] = count]

PokerTakes(way, m) ==
    \/ m.kind = "settled" /\ PokerSettles(way)
    \/ /\ m.kind = "confirm"
       /\ poker' = [poker EXCEPT !.confirms = @ + 1]
       /\ channels' = Sent(Taken(way), Control, Farewell)
       /\ UNCHANGED <<directory, client, chat, accumulator, nodes>>
    \/ /\ m.kind = "disconnect"
       /\ Sends(way, Mapped(Ordered(DirectoryNumbers),
                            LAMBDA i : To(Directory(i), Plain("disconnect"))))
       /\ UNCHANGED <<poker, directory, client, chat>>
    \/ /\ m.kind = "finished"
       /\ poker' = [poker EXCEPT !.online = @ - 1]
       /\ Sends(way, <<>>)
       /\ UNCHANGED <<directory, client, chat>>

(* With the last directory's `finished` the poker ends as well.            *)
Finished == poker.online = 0

----------------------------------------------------------------------------
(* Directory: has passed on every `poke`, logs its clients out, and ends   *)
(* when the last of them has left (CHAT-15)                                *)

DirectoryTakes(way, i, m) ==
    \/ m.kind \in {"settle", "settled"} /\ DirectorySettles(way, i, m)
    \/ /\ m.kind = "poke"
       /\ Sends(way, Mapped(Ordered(ClientsOf(i)), LAMBDA c : To(Client(c), Act(m.turn))))
       /\ UNCHANGED <<poker, directory, client, chat>>
    \/ /\ m.kind = "disconnect"
       /\ Sends(way, Mapped(Ordered(ClientsOf(i)), LAMBDA c : To(Client(c), Plain("logout"))))
       /\ UNCHANGED <<poker, directory, client, chat>>
    \/ /\ m.kind = "left"
       /\ directory' = [directory EXCEPT ![i] = @ - 1]
       /\ Sends(way, IF directory'[i] = 0 THEN <<To(Poker, Plain("finished"))>> ELSE <<>>)
       /\ UNCHANGED <<poker, client, chat>>

----------------------------------------------------------------------------
(* Client *)

(* Where it matters who lives where, friends are of one directory (CHAT-11). *)
Friends(c) == (IF Placed THEN ClientsOf(DirectoryOf(c)) ELSE ClientNumbers) \ {c}

(* A list of friends is in any order after a shuffle and may hold          *)
(* duplicates, so that its beginning can be any such list.                 *)
Guests(c) == UNION {[1 .. k -> Friends(c)] : k \in 1 .. MaxGuests}

RECURSIVE Sum(_, _)
Sum(f, domain) ==
    IF domain = {} THEN 0
    ELSE LET x == CHOOSE x \in domain : TRUE IN f[x] + Sum(f, domain \ {x})

Made == Sum([c \in ClientNumbers |-> client[c].created], ClientNumbers)

(* CHAT-23, CHAT-28. Compute, none and what cannot be carried out send the *)
(* same message.                                                           *)
Compute(way, c, t) ==
    /\ Sends(way, <<Stop(t, 0)>>)
    /\ UNCHANGED <<poker, directory, client, chat>>

(* CHAT-24 *)
PostTo(way, c, t, i) ==
    /\ Sends(way, <<To(client[c].chats[i], Post(t))>>)
    /\ UNCHANGED <<poker, directory, client, chat>>

(* CHAT-25 *)
LeaveFrom(way, c, t, i) ==
    /\ client' = IF Departs("removed on left") THEN client
                 ELSE [client EXCEPT ![c].chats = Without(@, i)]
    /\ Sends(way, <<To(client[c].chats[i], Leave(t))>>)
    /\ UNCHANGED <<poker, directory, chat>>

(* CHAT-26 *)
Invite(way, c, t, guests) ==
    LET name == Chat(c, client[c].created)
    IN /\ client' = [client EXCEPT ![c].created = @ + 1, ![c].chats = Append(@, name)]
       /\ chat' = [chat EXCEPT ![name] = [status |-> "alive", members |-> <<c>>, history |-> 0]]
       /\ Sends(way, <<Bump(t, 0, Len(guests))>> \o Mapped(guests, LAMBDA f : To(name, Join(t, f))))
       /\ UNCHANGED <<poker, directory>>

(* CHAT-27. Only directed acts do this; here any client may, in any turn.  *)
DirectedJoin(way, c, t, i, friend) ==
    /\ Sends(way, <<Bump(t, 0, 1), To(client[c].chats[i], Join(t, friend))>>)
    /\ UNCHANGED <<poker, directory, client, chat>>

(* CHAT-18 to CHAT-28. The choice is free: that covers all draws of all    *)
(* seeds, with either selection and any percentages.                       *)
ClientActs(way, c, t) ==
    LET places == DOMAIN client[c].chats
    IN \/ "compute" \in Actions /\ Compute(way, c, t)
       \/ "post" \in Actions /\ \E i \in places : PostTo(way, c, t, i)
       \/ "leave" \in Actions /\ \E i \in places : LeaveFrom(way, c, t, i)
       \/ "invite" \in Actions /\ Made < MaxChats
                               /\ \E guests \in Guests(c) : Invite(way, c, t, guests)
       \/ "join" \in Actions /\ \E i \in places, f \in Friends(c) : DirectedJoin(way, c, t, i, f)

(* CHAT-36 *)
Report(c) == <<To(Directory(DirectoryOf(c)), Plain("left"))>>

(* CHAT-35 *)
Logout(way, c) ==
    LET chats == client[c].chats
        first(i) == \A j \in 1 .. i - 1 : chats[j] # chats[i]
        whole(list) == IF ~Departs("logout leaves each chat once") THEN list
                       ELSE LET kept == Ordered({i \in DOMAIN list : first(i)})
                            IN Mapped(kept, LAMBDA i : list[i])
        leaves == Mapped(whole(chats), LAMBDA name : To(name, Leave(LogoutTurn)))
        status == IF leaves = <<>> THEN "ended" ELSE "leaving"
    IN /\ client' = [client EXCEPT ![c].chats = <<>>, ![c].leaving = Len(leaves),
                                   ![c].status = status]
       /\ Sends(way, IF leaves = <<>> THEN Report(c) ELSE leaves)
       /\ UNCHANGED <<poker, directory, chat>>

(* CHAT-34, CHAT-36 *)
ClientLeft(way, c, t) ==
    /\ IF t = LogoutTurn
       THEN LET leaving == client[c].leaving - 1
            IN /\ client' = [client EXCEPT ![c].leaving = leaving,
                                           ![c].status = IF leaving = 0 THEN "ended" ELSE @]
               /\ Sends(way, IF leaving = 0 THEN Report(c) ELSE <<>>)
       ELSE /\ client' = IF ~Departs("removed on left") THEN client
                         ELSE [client EXCEPT ![c].chats = RemoveFirst(way[1], @)]
            /\ Sends(way, <<Stop(t, 0)>>)
    /\ UNCHANGED <<poker, directory, chat>>

ClientTakes(way, c, m) ==
    \/ /\ m.kind = "settle"
       /\ Sends(way, <<To(way[1], Plain("settled"))>>)
       /\ UNCHANGED <<poker, directory, client, chat>>
    \/ m.kind = "act" /\ ClientActs(way, c, m.turn)
    \/ /\ m.kind = "forward"        \* CHAT-29
       /\ Sends(way, <<Stop(m.turn, m.level)>>)
       /\ UNCHANGED <<poker, directory, client, chat>>
    \/ /\ m.kind = "accepted"       \* CHAT-29
       /\ client' = [client EXCEPT ![c].chats = Append(@, way[1])]
       /\ Sends(way, <<Stop(m.turn, m.level)>>)
       /\ UNCHANGED <<poker, directory, chat>>
    \/ m.kind = "left" /\ ClientLeft(way, c, m.turn)
    \/ m.kind = "logout" /\ Logout(way, c)

----------------------------------------------------------------------------
(* Chat *)

(* CHAT-37 *)
ChatPost(way, name, t) ==
    LET members == chat[name].members
    IN /\ chat' = [chat EXCEPT ![name].history = @ + 1]
       /\ Sends(way, <<Bump(t, 0, Len(members))>>
                     \o Mapped(members, LAMBDA c : To(Client(c), Forward(t, 1))))
       /\ UNCHANGED <<poker, directory, client>>

(* CHAT-38. Published: the bump announces the replayed posts only, takes   *)
(* the unit of the join, and `accepted` takes that unit again.             *)
ChatJoin(way, name, t, friend) ==
    LET h == chat[name].history
        twice == Departs("join counts itself twice")
        replay == <<Bump(t, 1, IF twice THEN h ELSE h + 1)>>
                  \o Repeated(h, To(Client(friend), Forward(t, 2)))
        accepted == <<To(Client(friend), Accepted(t, IF h = 0 \/ twice THEN 1 ELSE 2))>>
    IN /\ chat' = [chat EXCEPT ![name].members = Append(@, friend)]
       /\ Sends(way, IF h = 0 THEN accepted ELSE replay \o accepted)
       /\ UNCHANGED <<poker, directory, client>>

Gone == [status |-> "ended", members |-> <<>>, history |-> 0]

(* CHAT-39 *)
ChatLeave(way, name, t) ==
    LET members == RemoveFirst(way[1][2], chat[name].members)
        last == members = <<>>
    IN /\ chat' = [chat EXCEPT ![name] = IF last THEN Gone ELSE [@ EXCEPT !.members = members]]
       /\ Sends(way, IF last /\ Departs("last leave is not answered") THEN <<>>
                     ELSE <<To(way[1], Left(t))>>)
       /\ UNCHANGED <<poker, directory, client>>

ChatTakes(way, name, m) ==
    \/ m.kind = "post" /\ ChatPost(way, name, m.turn)
    \/ m.kind = "join" /\ ChatJoin(way, name, m.turn, m.friend)
    \/ m.kind = "leave" /\ ChatLeave(way, name, m.turn)

----------------------------------------------------------------------------
(* The world *)

Ended(actor) ==
    CASE actor[1] = "poker" -> Finished
      [] actor[1] = "directory" -> directory[actor[2]] = 0
      [] actor[1] = "client" -> client[actor[2]].status = "ended"
      [] actor[1] = "chat" -> chat[actor].status = "ended"
      [] actor[1] = "accumulator" -> AccumulatorEnded(actor[2])

(* What reaches an ended actor is lost, as in every runtime.               *)
Lost(way) ==
    /\ channels' = Taken(way)
    /\ UNCHANGED <<poker, directory, client, chat, accumulator, nodes>>

Takes(way, m) ==
    LET me == way[2]
    IN IF Ended(me) THEN Lost(way)
       ELSE CASE me[1] = "poker" -> PokerTakes(way, m)
              [] me[1] = "directory" -> DirectoryTakes(way, me[2], m)
              [] me[1] = "client" -> ClientTakes(way, me[2], m)
              [] me[1] = "chat" -> ChatTakes(way, me, m)
              [] me[1] = "accumulator" -> AccumulatorTakes(way, me[2], m)

(* What a connection carries comes into mailboxes, in order. A birth is    *)
(* carried out by the node, whoever computes there.                        *)
Delivers(where) ==
    LET parcel == Head(channels[where])
        rest == Without1(channels, where)
        kind == parcel.message.kind
    IN /\ UNCHANGED <<poker, directory, client, chat, accumulator>>
       /\ channels' = IF kind \in {"birth", "closed"} THEN rest
                      ELSE With1(rest, Mailbox(parcel.to), parcel)
       /\ nodes' = CASE kind = "birth"  -> [nodes EXCEPT !.born = @ \cup {parcel.to}]
                     [] kind = "closed" -> [nodes EXCEPT !.named = TRUE]
                     [] OTHER           -> nodes

Longest == LET lengths == {Len(channels[where]) : where \in DOMAIN channels}
           IN IF lengths = {} THEN 0 ELSE CHOOSE n \in lengths : \A m \in lengths : m <= n

(* A node is lost with its actors and with what was to reach them. What it *)
(* had sent may come yet, as far as it had got: any beginning of it. Then  *)
(* node 0 sees that the connection is closed, and names it (DIST-5).       *)
Loses(k) ==
    LET gone(where) == \/ where[1] = "mailbox" /\ Home(where[2]) = k
                       \/ where[1] # "mailbox" /\ where[3] = k
        from(where) == where[1] # "mailbox" /\ where[2] = k
        kept == {where \in DOMAIN channels : ~gone(where)}
        closed == [from |-> Control, to |-> Control, message |-> Plain("closed")]
        messages(where, n) == {channels[where][i].message : i \in n + 1 .. Len(channels[where])}
    IN \E comes \in [{where \in kept : from(where)} -> 0 .. Longest] :
       /\ \A where \in DOMAIN comes : comes[where] <= Len(channels[where])
       /\ LET left == [where \in {w \in kept : ~from(w) \/ comes[w] > 0} |->
                         IF from(where) THEN SubSeq(channels[where], 1, comes[where])
                         ELSE channels[where]]
              missing == UNION ({messages(where, comes[where]) : where \in DOMAIN comes}
                                \cup {messages(where, 0) : where \in DOMAIN channels \ kept})
          IN /\ channels' = IF Departs("a lost node is waited for") THEN left
                            ELSE With1(left, Connection(k, 0), closed)
             /\ nodes' = [nodes EXCEPT !.lost = {k}, !.missed = @ \cup TurnsOf(missing)]
       /\ UNCHANGED <<poker, directory, client, chat, accumulator>>

(* Without nodes `run` and `poke` have been taken: all acts of all turns   *)
(* lie in the channels from the directories to the clients. No schedule is *)
(* lost by that: a client may take its acts as late as it likes.           *)
Init ==
    /\ poker = [confirms |-> 0, online |-> Directories]
    /\ directory = [i \in DirectoryNumbers |-> Cardinality(ClientsOf(i))]
    /\ client = [c \in ClientNumbers |->
                    [status |-> "online", chats |-> <<>>, created |-> 0, leaving |-> 0]]
    /\ chat = [name \in Chats |-> [status |-> "unborn", members |-> <<>>, history |-> 0]]
    /\ accumulator = [t \in TurnNumbers |->
                         [expected |-> [Zero EXCEPT ![0] = Clients], \* CHAT-30
                          reported |-> Zero,
                          confirms |-> 0]]
    /\ LET made == Mapped(Ordered(DirectoryNumbers), LAMBDA i : Directory(i))
           settling == {Poker} \cup Range(made)
           everybody == settling \cup {Client(c) : c \in ClientNumbers}
       IN nodes = [born |-> IF SetUp THEN {Poker} \cup Born(Poker, Range(made))
                            ELSE IF Placed THEN everybody ELSE {},
                   settled |-> [a \in IF SetUp THEN settling ELSE {} |-> 0],
                   lost |-> {}, named |-> FALSE, missed |-> {}]
    /\ IF Placed
       THEN LET made == Mapped(Ordered(DirectoryNumbers), LAMBDA i : Directory(i))
                settle == Mapped(made, LAMBDA d : To(d, Plain("settle")))
                none == [w \in {} |-> <<>>]
            IN channels = Sent(none, Poker,
                              IF SetUp THEN Births(Poker, made) \o settle ELSE Pokes)
       ELSE channels = [way \in {<<Directory(DirectoryOf(c)), Client(c)>> : c \in ClientNumbers} |->
                           [i \in 1 .. Turns |-> Act(i - 1)]]

(* Once node 0 has named a lost node, the run has ended (DIST-5).          *)
Next ==
    IF ~Placed THEN \E way \in DOMAIN channels : Takes(way, Head(channels[way]))
    ELSE /\ ~nodes.named
         /\ \/ \E where \in DOMAIN channels :
                  IF where[1] = "mailbox"
                  THEN LET parcel == Head(channels[where])
                       IN Takes(<<parcel.from, parcel.to>>, parcel.message)
                  ELSE Delivers(where)
            \/ nodes.lost = {} /\ \E k \in MayLose : Loses(k)

(* Weak: somebody moves if anybody can. Every step takes a message and     *)
(* only finitely many are ever sent, so more need not be asked.            *)
Spec == Init /\ [][Next]_vars /\ WF_vars(Next)

----------------------------------------------------------------------------
(* What is checked *)

(* Every unit of work is a message until it is done.                       *)
Message(parcel) == IF Placed THEN parcel.message ELSE parcel

UnderWay(t) ==
    \E way \in DOMAIN channels : \E parcel \in Range(channels[way]) :
        LET m == Message(parcel)
        IN "turn" \in DOMAIN m /\ m.turn = t /\ m.kind # "confirm"

NoEarlyConfirm == \A t \in TurnNumbers : accumulator[t].confirms > 0 => ~UnderWay(t)

ConfirmOnce == \A t \in TurnNumbers : accumulator[t].confirms <= 1

NoMessageToEnded ==
    \A way \in DOMAIN channels :
        IF ~Placed THEN ~Ended(way[2])
        ELSE \A parcel \in Range(channels[way]) : parcel.to = Control \/ ~Ended(parcel.to)

(* CHAT-57: nobody is alive. *)
CleanEnd ==
    Finished => /\ \A i \in DirectoryNumbers : Ended(Directory(i))
                /\ \A c \in ClientNumbers : client[c].status = "ended"
                /\ \A name \in Chats : chat[name].status # "alive"
                /\ \A t \in TurnNumbers : AccumulatorEnded(t)
                /\ DOMAIN channels = {}

(* Why a chat that has ended is never sent anything (spec/chatapp.md): it  *)
(* has a client as a member exactly as often as that client has it in its  *)
(* list, will have it, or has given it up already.                         *)
Count(way, kind) ==
    IF Placed
    THEN LET places == UNION {{<<where, i>> : i \in DOMAIN channels[where]} :
                                  where \in DOMAIN channels}
             is(parcel) == <<parcel.from, parcel.to>> = way /\ parcel.message.kind = kind
         IN Cardinality({p \in places : is(channels[p[1]][p[2]])})
    ELSE IF way \notin DOMAIN channels THEN 0
    ELSE Cardinality({i \in DOMAIN channels[way] : channels[way][i].kind = kind})

ListsAgree ==
    \A c \in ClientNumbers, name \in Chats :
        Occurrences(c, chat[name].members) =
            Occurrences(name, client[c].chats)
            + Count(<<name, Client(c)>>, "accepted")
            + Count(<<Client(c), name>>, "leave")

(* Every step takes a message and only finitely many are ever sent, so this *)
(* says what the three properties below say, at an invariant's price.      *)
QuietMeansFinished == DOMAIN channels = {} => Finished \/ nodes.named

(* DIST-7: whoever is sent something is there when it arrives.             *)
NoMessageToUnborn ==
    \A where \in DOMAIN channels :
        where[1] = "mailbox" /\ where[2][1] \in {"directory", "client"} => where[2] \in nodes.born

(* No turn whose work went with a node is taken for done.                  *)
NothingLostIsConfirmed == \A t \in nodes.missed : accumulator[t].confirms = 0

(* What has ended stays so. `<>[]` and `[]<>` say no less than `<>` and `~>` *)
(* here, and TLC checks them many times faster.                            *)
EveryTurnEnds == <>[](\A t \in TurnNumbers : accumulator[t].confirms > 0)

EveryLogoutEnds == []<>(\A c \in ClientNumbers : client[c].status # "leaving")

EveryIterationEnds == <>[]Finished

(* TLC must be able to break these, or the rest says little.               *)
NobodyIsReplayedTo == \A t \in TurnNumbers : accumulator[t].expected[2] = 0

NobodyIsInAChatTwice ==
    \A c \in ClientNumbers, name \in Chats : Occurrences(name, client[c].chats) < 2

TurnsEndInOrder ==
    \A t, u \in TurnNumbers : t < u /\ accumulator[u].confirms > 0 => accumulator[t].confirms > 0
============================================================================
