defmodule Dramaturg.ReceiverTest do
  @moduledoc "The bare receive loop of the variant `receive`."
  use ExUnit.Case
  import Dramaturg.Names
  require Dramaturg.Receiver, as: Receiver

  defmodule Adder do
    def handle({:total, _counter, number}, state) do
      send(state.test, {:took, number})
      {:noreply, state}
    end

    def handle({:stop, _counter}, state), do: {:stop, :normal, state}
    def handle({:fail, _counter}, _state), do: raise("stumbled")
  end

  defp adder, do: %{name: name(:adder, 17), watch: :none, test: self()}

  test "an actor takes messages without an envelope, in order, until it stops" do
    actor = Receiver.start(Adder, adder())
    monitor = Process.monitor(actor)
    for number <- 1..3, do: Receiver.cast(actor, {:total, 0, number})
    send(actor, {:stop, 0})
    assert_receive {:DOWN, ^monitor, :process, ^actor, :normal}
    assert {:messages, [took: 1, took: 2, took: 3]} = Process.info(self(), :messages)
  end

  test "one that makes its first state itself keeps the watch that it was born with" do
    made = %{adder() | watch: :nobodys}
    actor = Receiver.start(Adder, {%{name: made.name, watch: :none}, fn -> made end})
    Receiver.cast(actor, {:total, 0, 1})
    assert_receive {:took, 1}
    Receiver.cast(actor, {:stop, 0})
  end

  test "one that fails is named, and ends" do
    :as_control.do(fn ->
      Receiver.cast(Receiver.start(Adder, adder()), {:fail, 0})
      assert_receive {:failed, reason}
      assert to_string(reason) =~ ~r"^adder/17: .*stumbled"s
    end)
  end
end
