type Name is U64

primitive Names
  """
  Actor names (ACT-3): a class and two indices in one integer.
  """
  fun apply(class': U64, first: U32 = 0, second: U32 = 0): Name =>
    (class' << 56) or (first.u64() << 24) or second.u64()

  fun control(): Name =>
    apply(Classes.control())

  fun class_of(name: Name): U64 =>
    name >> 56

  fun index_of(name: Name): U32 =>
    (name >> 24).u32()

  fun spell(name: Name): String =>
    """
    A name as people read it: `client/17`, `chat/17.2`.
    """
    let spelt = Classes.label(class_of(name)) + "/" + index_of(name).string()
    if class_of(name) == Classes.chat() then
      spelt + "." + (name and 0xFF_FFFF).string()
    else
      spelt
    end
