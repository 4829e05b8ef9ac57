use "../actor"
use "../arithmetic"
use "../world"

// Chain (spec/chain.md): each link makes the next; the last one's `finish`
// walks back.

primitive Chain
  fun apply(parameters: Parameters, world: World): Lead =>
    let length = parameters.number("length")
    let link = Link(0, None, world)
    object val is Lead
      fun run(salt: U32) => link.grow(Names.control(), length - 1, salt)
    end

actor Link
  """
  One link. Link 0 is made in set-up and reports to control.

  A link knows only its maker, so nothing holds on to a link that has ended: a
  chain of a million goes from its end, and nothing nests.
  """
  let _index: U32
  let _maker: (Link | None)
  embed _self: Self

  new create(index: U32, maker: (Link | None), world: World) =>
    _index = index
    _maker = maker
    _self = Self(Names(Classes.link(), index), world)
    if maker is None then _self.ready() end

  be grow(sender: Name, left: U32, digest: U32) =>
    _self.took(sender, Kinds.link_grow(), left.u64(), digest.u64())
    let digest' = Fold(digest, left)
    if left > 0 then
      Link(_index + 1, this, _self.world())
        .grow(_self.name, left - 1, digest')
    else
      _report(1, digest')
    end

  be finish(sender: Name, length: U32, digest: U32) =>
    _self.took(sender, Kinds.link_finish(), length.u64(), digest.u64())
    _report(length + 1, Fold(digest, length))

  fun ref _report(length: U32, digest: U32) =>
    match _maker
    | let link: Link => link.finish(_self.name, length, digest)
    | None => _self.control.done(Stopwatch.stop(), [length.u64(); digest.u64()])
    end
    _self.let_go()

  fun _final() =>
    _self.leave()
