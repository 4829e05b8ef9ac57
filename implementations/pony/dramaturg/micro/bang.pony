use "collections"
use "../actor"
use "../arithmetic"
use "../world"

// Bang (spec/bang.md): many senders, one receiver that answers every message.

primitive Bang
  fun apply(parameters: Parameters, world: World): Lead =>
    let senders = parameters.number("senders")
    let form = WindowedForm(parameters)
    let receiver =
      Receiver(senders, parameters.number("messages"), form, world)
    object val is Lead
      fun births(): U64 => senders.u64() + 1
      fun marks(): U64 => form.windows
      fun run(salt: U32) => receiver.start(Names.control(), salt)
    end

actor Receiver is Windowed
  """
  Starts the senders, answers them, and waits until all have had their answers.
  """
  embed _self: Self
  embed _windows: Windows
  embed _senders: Array[Sender]
  var _salt: U32 = 0
  var _busy: U32
  var _bangs: U64 = 0
  var _answers: U64 = 0
  var _given: U32 = 0
  var _taken: U32 = 0

  new create(senders: U32, messages: U32, form: WindowedForm, world: World) =>
    _self = Self(Names(Classes.receiver()), world)
    _windows = Windows(form, this, _self.name, _self.control)
    _senders = Array[Sender](senders.usize())
    _busy = senders
    for index in Range[U32](0, senders) do
      _senders.push(Sender(index, messages, form.windows > 0, this, world))
    end
    _self.ready()

  be start(sender: Name, salt: U32) =>
    _self.took(sender, Kinds.receiver_start(), salt.u64())
    _salt = salt
    _windows.open()
    for sender' in _senders.values() do
      sender'.go(_self.name, salt)
    end

  be bang(sender: Name, number: U32, value: U32) =>
    _self.took(sender, Kinds.receiver_bang(), number.u64(), value.u64())
    _bangs = _bangs + 1
    let answer = Fold(value, _salt)
    _given = _given + answer
    try
      _senders(Names.index_of(sender).usize())?
        .answer(_self.name, number, answer)
    else
      _self.unknown(sender)
    end

  be tick(sender: Name, number: U32) =>
    _self.took(sender, Kinds.receiver_tick(), number.u64())
    let further = _windows.next(number)
    _windows.report(number, _windows.since(_bangs))
    if not further then
      for sender' in _senders.values() do
        sender'.stop(_self.name)
      end
    end

  be finished(sender: Name, answers: U64, taken: U32) =>
    _self.took(sender, Kinds.receiver_finished(), answers, taken.u64())
    _answers = _answers + answers
    _taken = _taken + taken
    _busy = _busy - 1
    if _busy == 0 then
      _self.control.done(
        Stopwatch.stop(), [_bangs; _answers; _given.u64(); _taken.u64()])
      _senders.clear()
      _self.let_go()
    end

  fun _final() =>
    _self.leave()

actor Sender
  """
  Sends everything without waiting, then counts the answers.
  """
  let _index: U32
  let _messages: U32
  let _receiver: Receiver
  embed _self: Self
  var _digest: U32 = 0
  var _sent: U64 = 0
  var _answers: U64 = 0
  var _taken: U32 = 0
  var _banging: Bool

  new create(
    index: U32,
    messages: U32,
    windowed: Bool,
    receiver: Receiver,
    world: World)
  =>
    _index = index
    _messages = messages
    _receiver = receiver
    _self = Self(Names(Classes.sender(), index), world)
    _banging = windowed
    _self.ready()

  be go(sender: Name, salt: U32) =>
    _self.took(sender, Kinds.sender_go(), salt.u64())
    _digest = Fold(salt, _index)
    for _ in Range[U32](0, _messages) do
      _bang()
    end

  be answer(sender: Name, number: U32, value: U32) =>
    _self.took(sender, Kinds.sender_answer(), number.u64(), value.u64())
    _answers = _answers + 1
    _taken = _taken + value
    if _banging then _bang() end
    _end_when_done()

  be stop(sender: Name) =>
    _self.took(sender, Kinds.sender_stop())
    _banging = false
    _end_when_done()

  fun ref _bang() =>
    let number = _sent.u32()
    _receiver.bang(_self.name, number, Fold(_digest, number))
    _sent = _sent + 1

  fun ref _end_when_done() =>
    if (not _banging) and (_answers == _sent) then
      _receiver.finished(_self.name, _answers, _taken)
      _self.terminate()
    end

  fun _final() =>
    _self.leave()
