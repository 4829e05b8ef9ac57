use "time"

// Chain (spec/chain.md): each link makes the next; the last one's `finish`
// walks back.

class val Chain is Piece
  """
  Links in all.
  """
  let length: U64
  let _refusal: (Refusal | None)

  new val create(request: JsonObject) =>
    let fields = Fields(request)
    length = fields.number("length", 1, 1 << 24)
    _refusal = fields.refusal

  fun name(): String => "chain"

  fun refusal(): (Refusal | None) => _refusal

  fun receipt(done: Done): Array[(String, U64)] =>
    [("length", done._1)]

  fun val cast(stage: MicroStage, world: World): Opening =>
    let link = Link(0, stage, world)
    ( 1
    , link
    , {() => link.grow(Names.control(), length.u32() - 1) } )

actor Link is Lead
  """
  One link. Link 0 is made in set-up and reports to control.

  A link knows only its maker, so nothing holds on to a link that has ended, and
  an abandoned chain goes from its end.
  """
  let _index: U64
  let _maker: (Link | MicroStage)
  embed _role: Role

  new create(index: U64, maker: (Link | MicroStage), world: World) =>
    _index = index
    _maker = maker
    _role = Role(Names.link(index), world)
    if index == 0 then _role.ready() end

  be grow(sender: Name, left: U32) =>
    _role.log(sender, LinkTakes.grow(), left.u64())
    match _maker
    | let stage: MicroStage => stage.started(Time.nanos())
    end
    if _role.abandoned() then return end
    if left > 0 then
      Link(_index + 1, this, _role.world()).grow(_role.name, left - 1)
    else
      _finish(1)
    end

  be finish(sender: Name, length: U32) =>
    _role.log(sender, LinkTakes.finish(), length.u64())
    _finish(length + 1)

  fun ref _finish(length: U32) =>
    match _maker
    | let stage: MicroStage => stage.done(Time.nanos(), length.u64())
    | let link: Link => link.finish(_role.name, length)
    end
    _role.let_go()

  be abandon() =>
    None

  fun _final() =>
    _role.leave()
