defmodule Dramaturg.Fold do
  @moduledoc """
  Sums of 32 bits (ACT-8): macros, since a call to another module would be most of what they cost.
  """

  @doc "One more number in a digest."
  defmacro fold(digest, number) do
    quote do
      folded =
        Bitwise.band(1_664_525 * unquote(digest) + 1_013_904_223 + unquote(number), 0xFFFFFFFF)

      Bitwise.bxor(folded, Bitwise.bsr(folded, 16))
    end
  end

  @doc "One more number in a checksum."
  defmacro check(sum, number) do
    quote do: Bitwise.band(31 * unquote(sum) + unquote(number), 0xFFFFFFFF)
  end

  @doc "The sum of two digests."
  defmacro sum(a, b) do
    quote do: Bitwise.band(unquote(a) + unquote(b), 0xFFFFFFFF)
  end

  @doc "A value as it is sent: shifted, and its lowest bits once more behind it (PING-7)."
  defmacro wide(value, shift) do
    quote do
      value = unquote(value)
      shift = unquote(shift)
      low = Bitwise.band(value, Bitwise.bsl(1, shift) - 1)
      Bitwise.bor(Bitwise.bsl(value, shift), low)
    end
  end

  @doc "What a payload adds to the sums of what was announced and of what was consumed."
  defmacro digest(payload) do
    quote do
      payload = unquote(payload)
      fold(Bitwise.bsr(payload, 32), Bitwise.band(payload, 0xFFFFFFFF))
    end
  end
end
