defmodule Dramaturg.Names do
  @moduledoc """
  Actor names and choices (ACT-3). Names are as Erlang's `names.erl` has them; classes and choices
  are read from the generated `protocol.hrl` when this is compiled.
  """
  import Bitwise

  @header Path.expand("../../../erlang/include/protocol.hrl", __DIR__)
  @external_resource @header

  @numbers for [_, label, number] <-
                 Regex.scan(~r/^-define\((\w+), (\d+)\)\.$/m, File.read!(@header)),
               into: %{},
               do: {label |> String.downcase() |> String.to_atom(), String.to_integer(number)}

  @doc "The name of the actor of this class and index: `name(:client, 17)`."
  defmacro name(class, index \\ 0) do
    high = Map.fetch!(@numbers, class) <<< 32
    if is_integer(index), do: high + index, else: quote(do: unquote(high) + unquote(index))
  end

  @doc "The name of the chat that this client created as its so-and-so-manieth."
  defmacro chat_name(creator, created) do
    high = Map.fetch!(@numbers, :chat) <<< 56
    quote do: unquote(high) + Bitwise.bsl(unquote(creator), 24) + unquote(created)
  end

  @doc "The index, in the name of any class but `chat`."
  defmacro index(name) do
    quote do: Bitwise.band(unquote(name), 0xFFFFFFFF)
  end

  @doc "What a client does when it acts, as a number: `choice(:post)`."
  defmacro choice(label) do
    Map.fetch!(@numbers, :"choice_#{label}")
  end
end
