defmodule Dramaturg.VectorsTest do
  @moduledoc "Sums, with the answers of vectors.json."
  use ExUnit.Case, async: true
  import Dramaturg.{Fold, Names}

  @vectors :stdio.decode(File.read!("../erlang/test/vectors.json"))

  test "a fold is as the vectors have it" do
    for %{salt: salt, numbers: numbers, digest: digest} <- @vectors.fold do
      assert Enum.reduce(numbers, salt, &fold(&2, &1)) == digest
    end
  end

  test "a payload's digest is as the vectors have it" do
    for %{payload: payload, digest: digest} <- @vectors.payload do
      assert digest(payload) == digest
    end
  end

  test "a name is the one that Erlang's plumbing reads" do
    last = 0xFFFFFFFF
    chat = chat_name(last, 3)
    assert {:names.class(name(:client, last)), :names.index(name(:client, last))} == {4, last}
    assert {:names.class(chat), :names.index(chat)} == {5, last}
    assert to_string(:names.spell(chat)) == "chat/4294967295.3"
    assert index(name(:employee, last)) == last
  end

  test "choices are the protocol's numbers" do
    assert {choice(:draw), choice(:compute), choice(:join)} == {0, 1, 6}
  end
end
