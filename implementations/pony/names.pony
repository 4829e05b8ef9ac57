type Name is U64

primitive Names
  """
  Actor names (spec/actors.md): a class and two indices in one integer.
  """
  fun control(): Name => 1 << 56
  fun poker(): Name => 2 << 56
  fun directory(index: U64): Name => (3 << 56) or (index << 24)
  fun client(number: U64): Name => (4 << 56) or (number << 24)
  fun chat(creator: U64, created: U64): Name =>
    (5 << 56) or (creator << 24) or created
  fun accumulator(turn: U64): Name => (6 << 56) or (turn << 24)
  fun ping(): Name => 10 << 56
  fun pong(): Name => 11 << 56
  fun coordinator(): Name => 12 << 56
  fun peer(index: U64): Name => (13 << 56) or (index << 24)
  fun receiver(): Name => 14 << 56
  fun sender(index: U64): Name => (15 << 56) or (index << 24)
  fun dispatcher(): Name => 16 << 56
  fun worker(index: U64): Name => (17 << 56) or (index << 24)
  fun browser(index: U64): Name => (18 << 56) or (index << 24)
  fun tally(): Name => 19 << 56
  fun adder(index: U64): Name => (20 << 56) or (index << 24)
  fun counter(): Name => 21 << 56
  fun link(index: U64): Name => (22 << 56) or (index << 24)
  fun master(): Name => 23 << 56
  fun runner(index: U64): Name => (24 << 56) or (index << 24)
  fun alarm(): Name => 25 << 56
  fun sleeper(index: U64): Name => (26 << 56) or (index << 24)
  fun sorter(place: U64): Name => (27 << 56) or (place << 24)
  fun employer(): Name => 28 << 56
  fun router(): Name => 29 << 56
  fun employee(index: U64): Name => (30 << 56) or (index << 24)

  fun index_of(name: Name): U64 =>
    (name >> 24) and 0xFFFF_FFFF

  fun spell(name: Name): String =>
    """
    A name as people read it: `client/17`, `chat/17.2`.
    """
    let index = index_of(name).string()
    let named =
      match name >> 56
      | 1 => return "control"
      | 2 => "poker/"
      | 3 => "directory/"
      | 4 => "client/"
      | 5 =>
        return "chat/" + consume index + "." + (name and 0xFF_FFFF).string()
      | 6 => "accumulator/"
      | 10 => "ping/"
      | 11 => "pong/"
      | 12 => "coordinator/"
      | 13 => "peer/"
      | 14 => "receiver/"
      | 15 => "sender/"
      | 16 => "dispatcher/"
      | 17 => "worker/"
      | 18 => "browser/"
      | 19 => "tally/"
      | 20 => "adder/"
      | 21 => "counter/"
      | 22 => "link/"
      | 23 => "master/"
      | 24 => "runner/"
      | 25 => "alarm/"
      | 26 => "sleeper/"
      | 27 => "sorter/"
      | 28 => "employer/"
      | 29 => "router/"
      | 30 => "employee/"
      else return "actor " + name.string()
      end
    named + consume index
