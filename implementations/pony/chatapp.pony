// ChatApp (spec/chatapp.md). In Pony a folder is a package and a type has a
// file, so the actors stand in chatapp_poker, chatapp_directory,
// chatapp_client, chatapp_chat and chatapp_accumulator.pony, in this order.
//
// A behaviour's arguments are the sender's name, what its receiver logs, and
// then the references that the receiver needs to answer or to pass on. No
// other references travel: each costs the runtime's garbage collector two
// look-ups, more than the rest of a message.

primitive Logout
  """
  The `turn` of a `leave` that happens because its sender logs out.
  """
  fun apply(): U64 => 0xFFFF_FFFF

// A client's number and the client.
type Person is (U64, Client)

// What a client says of itself when it leaves: the state of its LCG, then its
// computes, posts, leaves, invites, nones, deliveries and joins.
type Sums is (U64, U64, U64, U64, U64, U64, U64, U64)

primitive NoSums
  fun apply(): Sums => (0, 0, 0, 0, 0, 0, 0, 0)

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
