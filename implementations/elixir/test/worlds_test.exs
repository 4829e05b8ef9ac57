defmodule Dramaturg.WorldsTest do
  @moduledoc "Worlds from Prepare to Teardown, on one node."
  use ExUnit.Case
  import Dramaturg.Names
  alias Dramaturg.Actor
  alias Dramaturg.Benchmarks.Count

  @counted %{windows: 0, window: 0}
  @benchmarks %{
    chatapp: %{
      clients: 16,
      directories: 4,
      turns: 5,
      compute: 30,
      post: 40,
      leave: 10,
      invite: 20,
      befriend: 40,
      selection: 1,
      fib_n: 10,
      history: true,
      seed: 42
    },
    pingpong: Map.merge(@counted, %{rounds: 5}),
    big: Map.merge(@counted, %{peers: 4, rounds: 2}),
    bang: Map.merge(@counted, %{senders: 3, messages: 4}),
    web: %{browsers: 3, workers: 2, requests: 3, fib_n: 5},
    count: %{adders: 3, adds: 4},
    chain: %{length: 6},
    fanout: %{runners: 3, tasks: 4, window: 2},
    sleepers: %{sleepers: 3, naps: 2, delay: 5},
    mergesort: %{length: 7, leaf: 2, seed: 42},
    broker: %{employees: 3, tasks: 7, size: 40},
    openweb: %{servers: 2, requests: 5, gap: 1000, seed: 42, fib_n: 5}
  }

  for {benchmark, parameters} <- @benchmarks do
    @tag parameters: parameters
    test "nobody is alive after #{benchmark}, and the salt is in its digest", %{parameters: given} do
      [one, other] = for salt <- [1, 2], do: run(unquote(benchmark), given, salt)
      assert {one.alive, other.alive} == {0, 0}
      refute digest(one) == digest(other)
    end
  end

  test "windows add up" do
    parameters = %{rounds: 0, windows: 3, window: 50}
    %{done: %{windows: windows, arguments: [pongs, _sum]}} = run(:pingpong, parameters, 0)
    # One was under way when the last window ended, and one more says so to pong.
    assert pongs == Enum.sum(windows) + 2
  end

  test "an open load counts every request in both histograms" do
    parameters = @benchmarks.openweb
    %{done: receipt, run_nanos: nanos} = run(:openweb, parameters, 42)
    assert {Enum.sum(receipt.latency), Enum.sum(receipt.lateness)} == {5, 5}
    assert nanos >= List.last(Dramaturg.Benchmarks.OpenWeb.arrivals(parameters))
  end

  test "mergesort logs the checksum of what came" do
    {_receipt, items} = watched(:mergesort, %{length: 1, leaf: 1, seed: 42}, 7)
    # With control's `sort` no list comes, and the checksum of none is the salt.
    assert [%{args: [0, 1, 7, 7]}] = for(%{batch: batch} <- items, do: batch)
  end

  test "broker logs the checksum of what came, at the router and at the employee" do
    {_receipt, items} = watched(:broker, %{employees: 1, tasks: 1, size: 4}, 42)
    [%{args: args}] = for(%{batch: batch} <- items, do: batch)
    # As the chapter's example has it.
    assert Enum.count(args, &(&1 == 3_070_143)) == 2
  end

  test "a nap is no shorter than its delay" do
    receipt = run(:sleepers, %{sleepers: 3, naps: 2, delay: 20}, 0)
    assert receipt.done.shortest_nanos in 20_000_000..div(receipt.run_nanos, 2)
  end

  test "values that are shifted have the same sum" do
    [plain | shifted] =
      for shift <- [0, 16, 32] do
        run(:pingpong, Map.merge(@counted, %{rounds: 5, shift: shift}), 42).done.arguments
      end

    assert shifted == [plain, plain]
  end

  test "who fails after the last report is named by Teardown" do
    :as_control.do(fn ->
      world = :world.run(7, fn _done -> :ok end, open(:count, @benchmarks.count))
      adder = Actor.start(%Count.Adder{name: name(:adder, 17)})
      GenServer.cast(adder, {:go, name(:tally), 0})
      assert {:failed, reason} = catch_throw(:world.close(world))
      assert to_string(reason) =~ ~r"^adder/17: "
    end)
  end

  defp run(benchmark, parameters, salt), do: elem(watched(benchmark, parameters, salt), 0)

  defp watched(benchmark, parameters, salt) do
    :as_control.do(fn ->
      world = open(benchmark, parameters)
      receipt = :world.close(:world.run(salt, fn _done -> :ok end, world))
      test = self()
      :log.drain(&send(test, &1))
      {receipt, items()}
    end)
  end

  defp open(benchmark, parameters) do
    {_nanos, world} =
      :world.open(%{
        benchmark: %{benchmark => parameters},
        watches: [:as_control.everybody()],
        node: 0,
        peers: [],
        secret: ""
      })

    world
  end

  defp items do
    receive do
      %{footer: _} = footer -> [footer]
      %{} = item -> [item | items()]
    end
  end

  defp digest(%{done: %{arguments: arguments}}), do: arguments
  defp digest(%{chatapp: %{consumed: consumed}}), do: consumed
end
