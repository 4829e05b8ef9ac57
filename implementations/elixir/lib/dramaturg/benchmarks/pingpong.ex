defmodule Dramaturg.Benchmarks.PingPong do
  @moduledoc "Ping-pong (spec/pingpong.md): two actors, two messages a round, on one node or two."
  use :benchmark

  defmodule Ping do
    @moduledoc "Sends `ping`, takes `pong`, until none are left (PING-1, PING-6)."
    use Dramaturg.Actor
    import Bitwise

    # `windowed` until the last `tick`; `before`: pongs before the open window; `shift`: bits by which
    # values are shifted when they are sent (PING-7).
    defstruct [:name, :watch, :pong, :windows, :windowed, :shift] ++
                [salt: 0, pongs: 0, sum: 0, before: 0]

    @impl true
    def handle_info({:start, _control, rounds, salt}, state) do
      :windows.open(state.windows)
      {:noreply, ping(rounds, %{state | salt: salt})}
    end

    def handle_info({:tick, _ping, number}, %{windows: windows, pongs: pongs} = state) do
      stamp = :windows.tick(number, windows)
      :windows.report(number, pongs - state.before, stamp, windows)
      {:noreply, %{state | windowed: not :windows.is_last(number, windows), before: pongs}}
    end

    @impl true
    def handle_cast({:pong, _pong, left, value}, state) do
      state = %{state | pongs: state.pongs + 1, sum: sum(state.sum, value >>> state.shift)}

      if left == 0 do
        :stopwatch.stop(state.name, [state.pongs, state.sum])
        {:stop, :normal, state}
      else
        {:noreply, ping(left, state)}
      end
    end

    defp ping(left, state) do
      following = if state.windowed, do: 1, else: left - 1
      value = wide(fold(state.salt, state.pongs), state.shift)
      GenServer.cast(state.pong, {:ping, state.name, following, value, self()})
      state
    end
  end

  defmodule Pong do
    @moduledoc "Answers each `ping` (PING-2)."
    use Dramaturg.Actor
    import Bitwise

    defstruct [:name, :watch, :shift, pings: 0]

    @impl true
    def handle_cast({:ping, _ping, left, value, ping}, %{shift: shift, pings: pings} = state) do
      answer = wide(fold(value >>> shift, pings), shift)
      GenServer.cast(ping, {:pong, state.name, left, answer})
      if left == 0, do: {:stop, :normal, state}, else: {:noreply, %{state | pings: pings + 1}}
    end
  end

  @impl true
  def lead, do: {Ping, name(:ping)}

  @impl true
  def init(parameters, {pong}) do
    windows = :windows.new(name(:ping), parameters)

    %Ping{
      name: name(:ping),
      pong: pong,
      windows: windows,
      windowed: :windows.is_windowed(windows),
      shift: shift(parameters)
    }
  end

  @impl true
  def first(%{rounds: rounds}), do: fn salt -> {:start, name(:control), rounds, salt} end

  @impl true
  def members(_parameters), do: 1

  @impl true
  def member(parameters, 0) do
    Actor.start(%Pong{name: name(:pong), shift: shift(parameters)})
  end

  defp shift(parameters), do: Map.get(parameters, :shift, 0)
end
