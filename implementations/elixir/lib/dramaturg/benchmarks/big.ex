defmodule Dramaturg.Benchmarks.Big do
  @moduledoc "Big (spec/big.md): every peer pings every other, the next one upon the last one's pong."
  use :benchmark

  defmodule Coordinator do
    @moduledoc "Starts the peers and waits for them (BIG-1, BIG-5)."
    use Dramaturg.Actor

    # `marks`: windows that have ended and are not reported, by number: how many have yet to answer
    # `mark`, the sum so far, the end.
    defstruct [:name, :watch, :peers, :windows, :waiting, :busy] ++
                [marks: %{}, pings: 0, pongs: 0, given: 0, taken: 0]

    @impl true
    def handle_info({:start, _control, salt}, state) do
      :windows.open(state.windows)
      to_peers({:go, state.name, salt}, state)
      {:noreply, state}
    end

    def handle_info({:tick, _coordinator, number}, state) do
      stamp = :windows.tick(number, state.windows)
      to_peers({:mark, state.name, number}, state)
      {:noreply, put_in(state.marks[number], {tuple_size(state.peers), 0, stamp})}
    end

    @impl true
    def handle_cast({:marked, _peer, number, pongs}, %{marks: marks} = state) do
      # A peer answers its marks in order, and so the windows get complete in order.
      case marks[number] do
        {1, sum, stamp} ->
          :windows.report(number, sum + pongs, stamp, state.windows)
          {:noreply, %{state | marks: Map.delete(marks, number)}}

        {due, sum, stamp} ->
          {:noreply, %{state | marks: %{marks | number => {due - 1, sum + pongs, stamp}}}}
      end
    end

    def handle_cast({:idle, _peer}, %{waiting: waiting} = state) do
      if waiting == 1, do: to_peers({:stop, state.name}, state)
      {:noreply, %{state | waiting: waiting - 1}}
    end

    def handle_cast({:finished, _peer, pings, pongs, given, taken}, state) do
      state = %{
        state
        | busy: state.busy - 1,
          pings: state.pings + pings,
          pongs: state.pongs + pongs,
          given: sum(state.given, given),
          taken: sum(state.taken, taken)
      }

      if state.busy == 0 do
        %{pings: pings, pongs: pongs, given: given, taken: taken} = state
        :stopwatch.stop(state.name, [pings, pongs, given, taken])
        {:stop, :normal, state}
      else
        {:noreply, state}
      end
    end

    defp to_peers(message, state) do
      Enum.each(Tuple.to_list(state.peers), &GenServer.cast(&1, message))
    end
  end

  defmodule Peer do
    @moduledoc "Pings its neighbours in turn, starting with the next one (BIG-2, BIG-6)."
    use Dramaturg.Actor

    # `total`: `ping`s and `pong`s that it takes in the counted form; `salt` has this peer's index
    # in it; `pinging` until the last `mark`.
    defstruct [:name, :watch, :index, :peers, :coordinator, :windows, :total] ++
                [salt: 0, pinging: true, pings: 0, pongs: 0, given: 0, taken: 0, marked: 0]

    @impl true
    def handle_cast({:go, _coordinator, salt}, state) do
      {:noreply, ping(%{state | salt: fold(salt, state.index)})}
    end

    def handle_cast({:ping, peer, round, value}, %{pings: pings} = state) do
      answer = fold(value, state.index)
      GenServer.cast(elem(state.peers, index(peer)), {:pong, state.name, round, answer})
      end_when_done(%{state | pings: pings + 1, given: sum(state.given, answer)})
    end

    def handle_cast({:pong, _peer, _round, value}, %{pongs: pongs} = state) do
      state = %{state | pongs: pongs + 1, taken: sum(state.taken, value)}

      cond do
        state.pongs == state.total ->
          end_when_done(state)

        state.pinging ->
          {:noreply, ping(state)}

        true ->
          GenServer.cast(state.coordinator, {:idle, state.name})
          {:noreply, state}
      end
    end

    def handle_cast({:mark, _coordinator, number}, %{pongs: pongs} = state) do
      GenServer.cast(state.coordinator, {:marked, state.name, number, pongs - state.marked})
      pinging = not :windows.is_last(number, state.windows)
      {:noreply, %{state | pinging: pinging, marked: pongs}}
    end

    def handle_cast({:stop, _coordinator}, state), do: finish(state)

    defp ping(%{pongs: pongs, peers: peers} = state) do
      others = tuple_size(peers) - 1
      round = div(pongs, others)
      target = rem(state.index + 1 + rem(pongs, others), others + 1)
      GenServer.cast(elem(peers, target), {:ping, state.name, round, fold(state.salt, round)})
      state
    end

    defp end_when_done(%{total: total, pings: total, pongs: total} = state), do: finish(state)
    defp end_when_done(state), do: {:noreply, state}

    defp finish(%{pings: pings, pongs: pongs, given: given, taken: taken} = state) do
      GenServer.cast(state.coordinator, {:finished, state.name, pings, pongs, given, taken})
      {:stop, :normal, state}
    end
  end

  @impl true
  def lead, do: {Coordinator, name(:coordinator)}

  @impl true
  def init(parameters, peers) do
    %Coordinator{
      name: name(:coordinator),
      peers: peers,
      windows: :windows.new(name(:coordinator), parameters),
      waiting: tuple_size(peers),
      busy: tuple_size(peers)
    }
  end

  @impl true
  def members(%{peers: peers}), do: peers

  @impl true
  def member(%{rounds: rounds} = parameters, index) do
    name = name(:peer, index)

    Actor.start(Peer, name, fn ->
      {peers, coordinator} = :placement.await_introduction()

      %Peer{
        name: name,
        index: index,
        peers: peers,
        coordinator: coordinator,
        windows: :windows.new(name(:coordinator), parameters),
        total: rounds * (tuple_size(peers) - 1)
      }
    end)
  end
end
