class Stream
  """
  Numbers from a key (ACT-11), of which none can be had without those before it.
  """
  var _last: U32
  var _place: U32 = 0

  new create(key: U32) =>
    _last = key

  fun ref next(): U32 =>
    _last = Fold(_last, _place)
    _place = _place + 1
    _last
