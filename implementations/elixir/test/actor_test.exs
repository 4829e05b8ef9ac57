defmodule Dramaturg.ActorTest do
  @moduledoc "What `use Dramaturg.Actor` adds to a GenServer."
  use ExUnit.Case

  defmodule Adder do
    use Dramaturg.Actor
    defstruct [:name, :watch, :test]

    @impl true
    def handle_cast({:total, _counter, number, _sum}, state) do
      send(state.test, {:took, number})
      {:noreply, state}
    end

    @impl true
    def handle_info({:go, _tally, 0}, _state), do: raise("stumbled")

    def handle_info({:go, _tally, 1}, state) do
      send(state.test, {:ancestors, Process.get(:"$ancestors")})
      {:stop, :normal, state}
    end
  end

  import Dramaturg.Names
  alias Dramaturg.Actor

  test "nobody is watched without a watch" do
    assert logged([], &send_totals/1) == {[], []}
  end

  test "casts are logged before they are acted on, and counted" do
    adder = :names.full(name(:adder, 17))
    {rows, counts} = logged([:as_control.everybody()], &send_totals/1)
    assert rows == [{adder, 322, [0, 7]}, {adder, 322, [1, 7]}]
    assert counts == [{adder, 2}]
  end

  test "what control and timers say is logged as well" do
    {rows, _counts} =
      logged([:as_control.everybody()], fn adder ->
        send(adder, {:go, name(:tally), 1})
        assert_receive {:ancestors, [_]}
      end)

    assert [{_adder, 321, [1]}] = rows
  end

  test "an actor knows one ancestor, since a chain would copy all again and again" do
    :as_control.do(fn ->
      test = self()

      # Both are ancestors of the adder.
      :proc_lib.spawn(fn ->
        :proc_lib.spawn(fn -> send(start(test), {:go, name(:tally), 1}) end)
      end)

      assert_receive {:ancestors, [_]}
    end)
  end

  test "an actor that fails is named" do
    logged([], fn adder ->
      send(adder, {:go, name(:tally), 0})
      assert_receive {:failed, reason}
      assert to_string(reason) =~ ~r"^adder/17: .*stumbled"s
    end)
  end

  test "who makes its own state takes nothing before" do
    :as_control.do(fn ->
      test = self()
      name = name(:adder, 1)

      adder =
        Actor.start(Adder, name, fn ->
          receive do: (:set_up -> %Adder{name: name, test: test})
        end)

      GenServer.cast(adder, {:total, name(:counter), 5, 7})
      refute_received {:took, 5}
      send(adder, :set_up)
      assert_receive {:took, 5}
    end)
  end

  defp send_totals(adder) do
    for number <- 0..1 do
      GenServer.cast(adder, {:total, name(:counter), number, 7})
      assert_receive {:took, ^number}
    end
  end

  defp start(test), do: Actor.start(%Adder{name: name(:adder, 17), test: test})

  # Rows and counts of an adder under these watches, after this was done with it.
  defp logged(watches, use) do
    :as_control.do(fn ->
      :watch.set(watches)
      use.(start(self()))
      test = self()
      :log.drain(&send(test, &1))
      items()
    end)
  end

  defp items(rows \\ [], counts \\ []) do
    receive do
      %{batch: %{actor: actors, kind: kinds, args: args}} ->
        chunks = Enum.chunk_every(args, div(length(args), length(actors)))
        items(rows ++ Enum.zip([actors, kinds, chunks]), counts)

      %{counts: %{actor: actors, taken: taken}} ->
        items(rows, counts ++ Enum.zip(actors, taken))

      %{footer: _} ->
        {rows, counts}
    end
  end
end
