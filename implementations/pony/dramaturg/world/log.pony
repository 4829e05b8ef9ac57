// The arguments of a message; those that it lacks are 0.
type Arguments is (U64, U64, U64, U64, U64, U64, U64, U64)

class Log
  """
  The log of a watched actor (TRACE-1). Its rows are control's at once: Pony
  delivers in causal order, so that what was logged before a turn was confirmed
  is there when it is asked for.
  """
  let _name: Name
  let _control: Control
  let _from: U64
  let _events: U64
  let _taken: Cell = Cells.make()
  var _count: U64 = 0

  new create(name: Name, control: Control, from: U64, events: U64) =>
    _name = name
    _control = control
    _from = from
    _events = if events == U32.max_value().u64() then -1 else events end
    _control.born(name, _taken)

  fun due(): Bool =>
    """
    Whether the next message belongs to the slice that is kept.
    """
    (_count >= _from) and ((_count - _from) < _events)

  fun ref took(sender: Name, kind: U32, arguments: Arguments) =>
    if due() then _control.took(_name, sender, kind, arguments) end
    _count = _count + 1
    Cells.write(_taken, _count)
