defmodule Dramaturg.Benchmarks.Sleepers do
  @moduledoc "Sleepers (spec/sleepers.md): as fanout, but every answer waits for a timer."
  use :benchmark

  defmodule Alarm do
    @moduledoc "Sends everybody to sleep, again and again (SLEEP-1)."
    use Dramaturg.Actor

    # `asleep`: when each was last told to sleep, by its index from 1. Of all naps that have ended
    # `shortest` is the shortest; any number is less than nil (SLEEP-5).
    defstruct [:name, :watch, :sleepers, :naps, :asleep] ++
                [shortest: nil, salt: 0, awake: 0, sum: 0]

    @impl true
    def handle_info({:start, _control, salt}, state) do
      state = %{state | salt: salt}
      Enum.each(0..(tuple_size(state.sleepers) - 1), &sleep(0, &1, state))
      {:noreply, state}
    end

    @impl true
    def handle_cast({:awake, sleeper, number, value}, %{naps: naps, awake: awake} = state) do
      index = index(sleeper)
      nap = :stopwatch.stamp() - :atomics.get(state.asleep, index + 1)
      if number + 1 < naps, do: sleep(number + 1, index, state)
      shortest = min(nap, state.shortest)
      state = %{state | awake: awake + 1, sum: sum(state.sum, value), shortest: shortest}

      if state.awake == tuple_size(state.sleepers) * naps do
        done = [state.awake, state.sum]
        :stopwatch.stop(state.name, done, :stopwatch.stamp(), %{shortest_nanos: shortest})
        {:stop, :normal, state}
      else
        {:noreply, state}
      end
    end

    defp sleep(number, index, state) do
      value = fold(fold(state.salt, index), number)
      :atomics.put(state.asleep, index + 1, :stopwatch.stamp())
      GenServer.cast(elem(state.sleepers, index), {:sleep, state.name, number, value})
    end
  end

  defmodule Sleeper do
    @moduledoc "Sleeps when told to, on the runtime's timer (SLEEP-2)."
    use Dramaturg.Actor

    # `value`: that of the `sleep` that it sleeps upon.
    defstruct [:name, :watch, :naps, :delay, :alarm, value: 0]

    @impl true
    def handle_cast({:sleep, _alarm, number, value}, state) do
      Process.send_after(self(), {:wake, state.name, number}, state.delay)
      {:noreply, %{state | value: value}}
    end

    @impl true
    def handle_info({:wake, _self, number}, %{naps: naps, delay: delay} = state) do
      GenServer.cast(state.alarm, {:awake, state.name, number, fold(state.value, delay)})
      if number + 1 == naps, do: {:stop, :normal, state}, else: {:noreply, state}
    end
  end

  @impl true
  def lead, do: {Alarm, name(:alarm)}

  @impl true
  def init(%{naps: naps}, sleepers) do
    asleep = :atomics.new(tuple_size(sleepers), [])
    %Alarm{name: name(:alarm), sleepers: sleepers, naps: naps, asleep: asleep}
  end

  @impl true
  def members(%{sleepers: sleepers}), do: sleepers

  @impl true
  def member(%{naps: naps, delay: delay}, index) do
    Actor.start(%Sleeper{name: name(:sleeper, index), naps: naps, delay: delay, alarm: self()})
  end
end
