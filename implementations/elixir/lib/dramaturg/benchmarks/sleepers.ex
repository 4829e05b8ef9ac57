defmodule Dramaturg.Benchmarks.Sleepers do
  @moduledoc "Sleepers (spec/sleepers.md): as fanout, but every answer waits for a timer."
  use :benchmark

  defmodule Alarm do
    @moduledoc "Sends everybody to sleep, again and again (SLEEP-1)."
    use Dramaturg.Actor

    defstruct [:name, :watch, :sleepers, :naps, salt: 0, awake: 0, sum: 0]

    @impl true
    def handle_info({:start, _control, salt}, state) do
      state = %{state | salt: salt}
      Enum.each(0..(tuple_size(state.sleepers) - 1), &sleep(0, &1, state))
      {:noreply, state}
    end

    @impl true
    def handle_cast({:awake, sleeper, number, value}, %{naps: naps, awake: awake} = state) do
      if number + 1 < naps, do: sleep(number + 1, index(sleeper), state)
      state = %{state | awake: awake + 1, sum: sum(state.sum, value)}

      if state.awake == tuple_size(state.sleepers) * naps do
        :stopwatch.stop(state.name, %{naps: state.awake, sum: state.sum})
        {:stop, :normal, state}
      else
        {:noreply, state}
      end
    end

    defp sleep(number, index, state) do
      value = fold(fold(state.salt, index), number)
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
    %Alarm{name: name(:alarm), sleepers: sleepers, naps: naps}
  end

  @impl true
  def members(%{sleepers: sleepers}), do: sleepers

  @impl true
  def member(%{naps: naps, delay: delay}, index) do
    Actor.start(%Sleeper{name: name(:sleeper, index), naps: naps, delay: delay, alarm: self()})
  end
end
