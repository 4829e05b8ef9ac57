"""
ChatApp (spec/chatapp.md).

A behaviour's arguments are the sender's name, what its receiver logs, and then
the references that the receiver needs to answer or to pass on. No other
references travel: each costs the runtime's garbage collector two look-ups, more
than the rest of a message.
"""

use "../world"

primitive ChatApp
  fun apply(parameters: Parameters, world: World): Lead =>
    let parameters' = ChatAppParameters(parameters)
    let poker = Poker(parameters', world)
    poker.prepare(Names.control())
    object val is Lead
      fun marks(): U64 => parameters'.turns.u64()
      fun finishes(): Bool => true
      fun run(salt: U32) => poker.run(Names.control(), salt)
      fun turn() => poker.turn(Names.control())
      fun act(request: Parameters) =>
        poker.act(
          Names.control(),
          request.number("client"),
          request.number("choice"),
          request.number("index"),
          request.number("k"))
      fun disconnect() => poker.disconnect(Names.control())
    end

// A client's number and the client.
type Person is (U32, Client)

primitive Logout
  """
  The `turn` of a `leave` that happens because its sender logs out.
  """
  fun apply(): U32 => 0xFFFF_FFFF

// What a client says of itself when it leaves: the state of its LCG, then its
// computes, posts, leaves, invites, nones, deliveries and joins.
type Sums is Arguments

primitive AddSums
  fun apply(a: Sums, b: Sums): Sums =>
    ( a._1 + b._1
    , a._2 + b._2
    , a._3 + b._3
    , a._4 + b._4
    , a._5 + b._5
    , a._6 + b._6
    , a._7 + b._7
    , a._8 + b._8 )
