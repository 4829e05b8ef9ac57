class Queue[A: Any val]
  """
  First in, first out, for at most so many. The standard library's list
  allocates for each item, and its arrays move all when one leaves at the front.
  """
  embed _items: Array[A]
  var _first: USize = 0
  var _size: USize = 0

  new create(blank: A, most: USize) =>
    _items = Array[A].init(blank, most)

  fun size(): USize =>
    _size

  fun ref push(item: A) =>
    try
      _items((_first + _size) % _items.size())? = item
      _size = _size + 1
    end

  fun ref pop(): A ? =>
    let item = _items(_first)?
    _first = (_first + 1) % _items.size()
    _size = _size - 1
    item
