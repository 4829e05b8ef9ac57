------------------------------ MODULE ChatApp ------------------------------
(***************************************************************************)
(* The message protocol of ChatApp (spec/chatapp.md, CHAT-8 to CHAT-39),   *)
(* under every schedule that actors allow: messages of one sender to one   *)
(* receiver arrive in order, and nothing else is promised.                 *)
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
    Departures    \* where the program departs from the specification; {} is the specification

(* Each is a published program's way (spec/errata.md), or a mistake that   *)
(* shows that a property can fail.                                         *)
ASSUME Departures \subseteq
    { "join counts itself twice",     \* erratum 1
      "single counter",               \* erratum 2: all levels are one number
      "synchronous bump",             \* erratum 2: Erlang's remedy
      "removed on left",              \* erratum 3
      "logout leaves each chat once", \* against CHAT-35: duplicates forgotten
      "last leave is not answered" }  \* against CHAT-39

(* Without "compute" a client could have nothing to choose, and stand still. *)
ASSUME "compute" \in Actions
ASSUME Actions \subseteq {"compute", "post", "leave", "invite", "join"}
ASSUME Clients > 1 /\ Directories \in 1 .. Clients /\ Turns > 0

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

(* The turn of a `leave` because of `logout`: 4294967295 in the trace,     *)
(* which TLC's integers do not reach.                                      *)
LogoutTurn == -1

VARIABLES
    channels,     \* <<sender, receiver>> -> what is under way; empty channels are left out
    poker,        \* confirms: how many it took; online: directories that have not finished
    directory,    \* number -> clients of its own that have not left; 0: it has ended
    client,       \* number -> its state
    chat,         \* name -> its state
    accumulator   \* turn -> its state

vars == <<channels, poker, directory, client, chat, accumulator>>

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

Act(t)             == [kind |-> "act", turn |-> t]
Forward(t, l)      == [kind |-> "forward", turn |-> t, level |-> l]
Accepted(t, l)     == [kind |-> "accepted", turn |-> t, level |-> l]
Post(t)            == [kind |-> "post", turn |-> t]
Join(t, friend)    == [kind |-> "join", turn |-> t, friend |-> friend]
Leave(t)           == [kind |-> "leave", turn |-> t]
Left(t)            == [kind |-> "left", turn |-> t]
Confirm(t)         == [kind |-> "confirm", turn |-> t]
Plain(kind)        == [kind |-> kind]   \* disconnect, logout, left, finished

Stop(t, l)    == To(Accumulator(t), [kind |-> "stop", turn |-> t, level |-> l])
Bump(t, l, n) == To(Accumulator(t), [kind |-> "bump", turn |-> t, level |-> l, n |-> n])

Taken(way) ==
    IF Len(channels[way]) = 1
    THEN [w \in DOMAIN channels \ {way} |-> channels[w]]
    ELSE [channels EXCEPT ![way] = Tail(@)]

RECURSIVE Sent(_, _, _)
Sent(under_way, sender, letters) ==
    IF letters = <<>> THEN under_way
    ELSE LET way  == <<sender, Head(letters).to>>
             old  == IF way \in DOMAIN under_way THEN under_way[way] ELSE <<>>
             new  == [w \in DOMAIN under_way \cup {way} |->
                        IF w = way THEN Append(old, Head(letters).message) ELSE under_way[w]]
         IN Sent(new, sender, Tail(letters))

----------------------------------------------------------------------------
(* Accumulator: counts the work of one turn in units, level by level       *)

Zero == [l \in Levels |-> 0]

(* One counter for all is what is published: what it calls `expected` is   *)
(* expected[0] - consumed[0] here.                                         *)
Level(l) == IF Departs("single counter") THEN 0 ELSE l

(* CHAT-31, CHAT-32 *)
Counted(a, m) ==
    LET consumed == [a EXCEPT !.consumed[Level(m.level)] = @ + 1]
    IN IF m.kind = "bump"
       THEN [consumed EXCEPT !.expected[Level(m.level + 1)] = @ + m.n]
       ELSE consumed

(* CHAT-33. Published, only a `stop` looks whether there is nothing left.  *)
Confirms(a, m) ==
    /\ a.expected = a.consumed
    /\ m.kind = "stop" \/ ~Departs("single counter")

(* Confirming and ending are one step, and what ended keeps no state. But  *)
(* the accumulators of Pony and CAF go on counting.                        *)
AccumulatorEnded(t) == accumulator[t].confirms > 0 /\ ~Departs("single counter")

AfterConfirm(a) ==
    IF Departs("single counter") THEN [a EXCEPT !.confirms = @ + 1]
    ELSE [expected |-> Zero, consumed |-> Zero, confirms |-> a.confirms + 1]

AccumulatorTakes(way, t, m) ==
    LET a == Counted(accumulator[t], m)
    IN /\ accumulator' = [accumulator EXCEPT ![t] = IF Confirms(a, m) THEN AfterConfirm(a) ELSE a]
       /\ channels' = Sent(Taken(way), way[2],
              IF Confirms(a, m) THEN <<To(Poker, Confirm(t))>> ELSE <<>>)
       /\ UNCHANGED <<poker, directory, client, chat>>

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

----------------------------------------------------------------------------
(* Poker: has started every turn in the initial state, and ends the        *)
(* iteration (CHAT-8, CHAT-9)                                              *)

(* `confirmed` and `finished` to control are left out. Control sends       *)
(* `disconnect` when every turn was confirmed (ACT-7, CTRL-8). It lies in  *)
(* its channel from then on, and the poker takes it as late as it likes.   *)
Farewell == IF poker'.confirms = Turns THEN <<To(Poker, Plain("disconnect"))>> ELSE <<>>

PokerTakes(way, m) ==
    \/ /\ m.kind = "confirm"
       /\ poker' = [poker EXCEPT !.confirms = @ + 1]
       /\ channels' = Sent(Taken(way), Control, Farewell)
       /\ UNCHANGED <<directory, client, chat, accumulator>>
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
    \/ /\ m.kind = "disconnect"
       /\ Sends(way, Mapped(Ordered(ClientsOf(i)), LAMBDA c : To(Client(c), Plain("logout"))))
       /\ UNCHANGED <<poker, directory, client, chat>>
    \/ /\ m.kind = "left"
       /\ directory' = [directory EXCEPT ![i] = @ - 1]
       /\ Sends(way, IF directory'[i] = 0 THEN <<To(Poker, Plain("finished"))>> ELSE <<>>)
       /\ UNCHANGED <<poker, client, chat>>

----------------------------------------------------------------------------
(* Client *)

Friends(c) == ClientNumbers \ {c}

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
    /\ UNCHANGED <<poker, directory, client, chat, accumulator>>

Takes(way) ==
    LET me == way[2]
        m == Head(channels[way])
    IN IF Ended(me) THEN Lost(way)
       ELSE CASE me[1] = "poker" -> PokerTakes(way, m)
              [] me[1] = "directory" -> DirectoryTakes(way, me[2], m)
              [] me[1] = "client" -> ClientTakes(way, me[2], m)
              [] me[1] = "chat" -> ChatTakes(way, me, m)
              [] me[1] = "accumulator" -> AccumulatorTakes(way, me[2], m)

(* `run` and `poke` have been taken: all acts of all turns lie in the      *)
(* channels from the directories to the clients. No schedule is lost by    *)
(* that: a client may take its acts as late as it likes.                   *)
Init ==
    /\ channels = [way \in {<<Directory(DirectoryOf(c)), Client(c)>> : c \in ClientNumbers} |->
                      [i \in 1 .. Turns |-> Act(i - 1)]]
    /\ poker = [confirms |-> 0, online |-> Directories]
    /\ directory = [i \in DirectoryNumbers |-> Cardinality(ClientsOf(i))]
    /\ client = [c \in ClientNumbers |->
                    [status |-> "online", chats |-> <<>>, created |-> 0, leaving |-> 0]]
    /\ chat = [name \in Chats |-> [status |-> "unborn", members |-> <<>>, history |-> 0]]
    /\ accumulator = [t \in TurnNumbers |->
                         [expected |-> [Zero EXCEPT ![0] = Clients], \* CHAT-30
                          consumed |-> Zero,
                          confirms |-> 0]]

Next == \E way \in DOMAIN channels : Takes(way)

(* Weak: somebody moves if anybody can. Every step takes a message and     *)
(* only finitely many are ever sent, so more need not be asked.            *)
Spec == Init /\ [][Next]_vars /\ WF_vars(Next)

----------------------------------------------------------------------------
(* What is checked *)

(* Every unit of work is a message until it is done.                       *)
UnderWay(t) ==
    \E way \in DOMAIN channels : \E m \in Range(channels[way]) :
        "turn" \in DOMAIN m /\ m.turn = t /\ m.kind # "confirm"

NoEarlyConfirm == \A t \in TurnNumbers : accumulator[t].confirms > 0 => ~UnderWay(t)

ConfirmOnce == \A t \in TurnNumbers : accumulator[t].confirms <= 1

NoMessageToEnded == \A way \in DOMAIN channels : ~Ended(way[2])

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
    IF way \notin DOMAIN channels THEN 0
    ELSE Cardinality({i \in DOMAIN channels[way] : channels[way][i].kind = kind})

ListsAgree ==
    \A c \in ClientNumbers, name \in Chats :
        Occurrences(c, chat[name].members) =
            Occurrences(name, client[c].chats)
            + Count(<<name, Client(c)>>, "accepted")
            + Count(<<Client(c), name>>, "leave")

(* Every step takes a message and only finitely many are ever sent, so this *)
(* says what the three properties below say, at an invariant's price.      *)
QuietMeansFinished == DOMAIN channels = {} => Finished

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
