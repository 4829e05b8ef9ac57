"""
JSON as it comes in requests and goes in answers (spec/stdio.md). Pony's
standard library has none.
"""

use "collections"

// What requests are made of; numbers in them are natural. `None` is null.
type Json is (JsonObject | JsonArray | String | U64 | Bool | None)

class val JsonObject
  let _members: Map[String, Json] val

  new val create(members: Map[String, Json] val) =>
    _members = members

  new val parse(text: String) ? =>
    """
    The object that is all of `text`. An error for anything else.
    """
    let parser = _Parser(text)
    _members = parser.members()?
    parser.at_end()?

  fun apply(name: String): Json =>
    try _members(name)? end

  fun number(name: String): U32 =>
    """
    0 for one that is not there.
    """
    match this(name)
    | let value: U64 => value.u32()
    else 0
    end

  fun flag(name: String): Bool =>
    match this(name)
    | let value: Bool => value
    else false
    end

  fun objects(name: String): Array[JsonObject] val =>
    """
    Those that are in this list.
    """
    match this(name)
    | let list: JsonArray => list.objects()
    else []
    end

  fun numbers[A: (Unsigned & UnsignedInteger[A] val) = U32](name: String)
    : Array[A] val
  =>
    """
    Those that are in this list.
    """
    match this(name)
    | let list: JsonArray => list.numbers[A]()
    else []
    end

  fun member(name: String): JsonObject ? =>
    this(name) as JsonObject

  fun only(): (String, JsonObject) ? =>
    """
    The member that a `oneof` shows.
    """
    (let name, let value) = _members.pairs().next()?
    (name, value as JsonObject)

class val JsonArray
  let _items: Array[Json] val

  new val create(items: Array[Json] val) =>
    _items = items

  fun objects(): Array[JsonObject] val =>
    let found = recover Array[JsonObject](_items.size()) end
    for item in _items.values() do
      match item
      | let value: JsonObject => found.push(value)
      end
    end
    consume found

  fun numbers[A: (Unsigned & UnsignedInteger[A] val)](): Array[A] val =>
    let found = recover Array[A](_items.size()) end
    for item in _items.values() do
      match item
      | let value: U64 => found.push(A.from[U64](value))
      end
    end
    consume found

class _Parser
  """
  Recursive descent. Every method leaves off behind what it read.
  """
  let _text: String
  var _at: USize = 0

  new create(text: String) =>
    _text = text

  fun ref at_end() ? =>
    _skip_blanks()
    if _at < _text.size() then error end

  fun ref members(): Map[String, Json] val ? =>
    let map = recover iso Map[String, Json] end
    _expect('{')?
    if not _accept('}') then
      repeat
        _skip_blanks()
        let key = _string()?
        _expect(':')?
        map(key) = _value()?
      until not _accept(',') end
      _expect('}')?
    end
    consume map

  fun ref _items(): Array[Json] val ? =>
    let array = recover iso Array[Json] end
    _expect('[')?
    if not _accept(']') then
      repeat array.push(_value()?) until not _accept(',') end
      _expect(']')?
    end
    consume array

  fun ref _value(): Json ? =>
    _skip_blanks()
    match _text(_at)?
    | '{' => JsonObject(members()?)
    | '[' => JsonArray(_items()?)
    | '"' => _string()?
    | 't' => _word("true")?; true
    | 'f' => _word("false")?; false
    | 'n' => _word("null")?; None
    else _number()?
    end

  fun ref _number(): U64 ? =>
    (let number, let length) = _text.read_int[U64](_at.isize())?
    if length == 0 then error end
    _at = _at + length
    number

  fun ref _string(): String ? =>
    _expect('"')?
    let string = recover iso String end
    while true do
      match _next()?
      | '"' => return consume string
      | '\\' => string.push_utf32(_escape()?)
      | let byte: U8 => string.push(byte)
      end
    end
    error

  fun ref _escape(): U32 ? =>
    match _next()?
    | '"' => '"'
    | '\\' => '\\'
    | '/' => '/'
    | 'b' => '\b'
    | 'f' => '\f'
    | 'n' => '\n'
    | 'r' => '\r'
    | 't' => '\t'
    | 'u' =>
      let unit = _unit()?
      if (unit and 0xFC00) != 0xD800 then return unit end
      // The first half of a surrogate pair; the second must follow.
      _word("\\u")?
      0x10000 + ((unit and 0x3FF) << 10) + (_unit()? and 0x3FF)
    else error
    end

  fun ref _unit(): U32 ? =>
    let digits = _text.substring(_at.isize(), (_at + 4).isize())
    _at = _at + 4
    if digits.size() < 4 then error end
    digits.u32(16)?

  fun ref _next(): U8 ? =>
    _text(_at = _at + 1)?

  fun ref _word(word: String) ? =>
    if not _text.at(word, _at.isize()) then error end
    _at = _at + word.size()

  fun ref _expect(byte: U8) ? =>
    if not _accept(byte) then error end

  fun ref _accept(byte: U8): Bool =>
    _skip_blanks()
    try
      if _text(_at)? == byte then
        _at = _at + 1
        return true
      end
    end
    false

  fun ref _skip_blanks() =>
    while
      match try _text(_at)? end
      | ' ' | '\t' | '\n' | '\r' => true
      else false
      end
    do
      _at = _at + 1
    end
