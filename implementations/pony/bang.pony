use "collections"
use "time"

// Bang (spec/bang.md): many senders, one receiver that answers every message.

class val Bang is Piece
  """
  Senders, and what each of them sends, or has unanswered while there are
  windows.
  """
  let senders: U64
  let messages: U64
  let form: WindowedForm
  let _refusal: (Refusal | None)

  new val create(request: JsonObject) =>
    let fields = Fields(request)
    senders = fields.actors("senders")
    messages = fields.times("messages")
    form = fields.windowed()
    _refusal = fields.refusal

  fun name(): String => "bang"

  fun refusal(): (Refusal | None) => _refusal

  fun receipt(done: Done): Array[(String, U64)] =>
    [("bangs", done._1); ("answers", done._2)]

  fun val cast(stage: MicroStage, world: World): Opening =>
    let receiver = Receiver(this, stage, world)
    (senders + 1, receiver, {() => receiver.start(Names.control()) })

actor Receiver is (Lead & Windowed)
  """
  Starts the senders, answers them, and waits until all have had their answers.
  """
  let _stage: MicroStage
  embed _role: Role
  embed _senders: Array[Sender] = _senders.create()
  var _sending: U64
  var _bangs: U64 = 0
  var _answers: U64 = 0
  embed _windows: Windows

  new create(piece: Bang, stage: MicroStage, world: World) =>
    _stage = stage
    _role = Role(Names.receiver(), world)
    _sending = piece.senders
    _windows = Windows(stage, piece.form, this, Names.receiver())
    for index in Range[U64](0, piece.senders) do
      _senders.push(
        Sender(index, piece.messages, piece.form.windows > 0, this, world))
    end
    _role.ready()

  be start(sender: Name) =>
    _role.log(sender, ReceiverTakes.start())
    _stage.started(Time.nanos())
    _windows.open()
    for sender' in _senders.values() do
      sender'.go(_role.name)
    end

  be bang(sender: Name, number: U32) =>
    _role.log(sender, ReceiverTakes.bang(), number.u64())
    if _role.ended then return end
    _bangs = _bangs + 1
    try
      _senders(Names.index_of(sender).usize())?.answer(_role.name, number)
    else
      _role.unknown(sender)
    end

  be tick(sender: Name, number: U64) =>
    _role.log(sender, ReceiverTakes.tick(), number)
    if _role.ended then return end
    let further = _windows.next(number)
    _windows.report(number, _windows.since(_bangs))
    if not further then
      for sender' in _senders.values() do
        sender'.stop(_role.name)
      end
    end

  be finished(sender: Name, answers: U64) =>
    _role.log(sender, ReceiverTakes.finished(), answers)
    _answers = _answers + answers
    _sending = _sending - 1
    if _sending == 0 then
      _stage.done(Time.nanos(), _bangs, _answers)
      _terminate()
    end

  be abandon() =>
    _windows.close()
    _terminate()

  fun ref _terminate() =>
    _senders.clear()
    _role.let_go()

  fun _final() =>
    _role.leave()

actor Sender
  """
  Sends everything without waiting, then counts the answers.
  """
  let _messages: U64
  let _receiver: Receiver
  embed _role: Role
  var _sent: U64 = 0
  var _answers: U64 = 0
  var _banging: Bool

  new create(
    index: U64,
    messages: U64,
    windowed: Bool,
    receiver: Receiver,
    world: World)
  =>
    _messages = messages
    _receiver = receiver
    _role = Role(Names.sender(index), world)
    _banging = windowed
    _role.ready()

  be go(sender: Name) =>
    _role.log(sender, SenderTakes.go())
    while _sent < _messages do
      if _role.interrupted(_sent) then return end
      _bang()
    end

  be answer(sender: Name, number: U32) =>
    _role.log(sender, SenderTakes.answer(), number.u64())
    _answers = _answers + 1
    if _banging then _bang() end
    _end_when_done()

  be stop(sender: Name) =>
    _role.log(sender, SenderTakes.stop())
    _banging = false
    _end_when_done()

  fun ref _bang() =>
    _receiver.bang(_role.name, _sent.u32())
    _sent = _sent + 1

  fun ref _end_when_done() =>
    if (not _banging) and (_answers == _sent) then
      _receiver.finished(_role.name, _answers)
      _role.terminate()
    end

  fun _final() =>
    _role.leave()
