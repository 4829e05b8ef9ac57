defmodule Dramaturg.VectorsTest do
  @moduledoc "Sums, with the answers of vectors.json."
  use ExUnit.Case, async: true
  import Dramaturg.{Fold, Names}
  alias Dramaturg.Benchmarks.Broker.Payload

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

  test "payloads are made and read as the vectors have it" do
    for %{salt: salt, number: number, size: size} = task <- @vectors.task do
      payload = Payload.make(fold(salt, number), size)
      assert byte_size(payload) == size
      assert :binary.bin_to_list(payload, 0, 4) == task.first
      assert Payload.checksum(payload) == task.checksum
      assert Payload.result(number, payload) == task.result
    end
  end

  test "what is asked of broker at level 0 is the sum of results" do
    for %{number: 0, salt: salt, size: size, result: result} <- @vectors.task do
      asked = %{payloads: %{salt: salt, tasks: 1, size: size}}
      assert %{answers: [%{values: [^result]}]} = :description.describe([asked])
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
