defmodule Dramaturg.Benchmarks.OpenWeb do
  @moduledoc "Web under an open load (spec/openweb.md): requests arrive when they are due."
  use :benchmark

  defmodule Source do
    @moduledoc "Sends each request when it is due, and takes the answers (OPEN-2)."
    use Dramaturg.Actor

    # `started`: when it took `start`; nothing is sent too soon, since control's stamp is older.
    # `arrived` and `answered`: what `:histogram` keeps of readings of the clock.
    defstruct [:name, :watch, :balancer, :due, :started] ++
                [salt: 0, arrived: [], answered: [], answers: 0, sum: 0, used: 0]

    @impl true
    def handle_info({:start, _control, salt}, state) do
      await(0, %{state | salt: salt, started: :stopwatch.stamp()})
    end

    def handle_info({:arrive, _source, number, due}, %{arrived: arrived, salt: salt} = state) do
      stamp = :stopwatch.stamp()
      value = fold(fold(salt, number), Bitwise.band(due, 0xFFFFFFFF))
      GenServer.cast(state.balancer, {:request, state.name, number, value})
      await(number + 1, %{state | arrived: :histogram.add(due, stamp, arrived)})
    end

    def handle_info({:disconnect, _control}, state) do
      GenServer.cast(state.balancer, {:close, state.name})
      {:stop, :normal, state}
    end

    @impl true
    def handle_cast({:answer, _server, number, value}, %{answered: answered} = state) do
      stamp = :stopwatch.stamp()
      due = elem(state.due, number)

      report_when_done(%{
        state
        | answered: :histogram.add(due, stamp, answered),
          answers: state.answers + 1,
          sum: sum(state.sum, value)
      })
    end

    def handle_cast({:drained, _balancer, used}, state) do
      report_when_done(%{state | used: used})
    end

    # What is due already is sent at once.
    defp await(number, %{due: due} = state) when number < tuple_size(due) do
      nanos = elem(due, number)
      arrive = {:arrive, state.name, number, nanos}
      Process.send_after(self(), arrive, milliseconds(state.started + nanos), abs: true)
      {:noreply, state}
    end

    defp await(_number, state), do: {:noreply, state}

    # The runtime's timer counts milliseconds and is never early, so this rounds up: below 0 as well,
    # where the runtime's clock begins.
    defp milliseconds(nanos), do: -Integer.floor_div(-nanos, 1_000_000)

    # The stamp is taken before the readings are handed on, to be counted in control.
    defp report_when_done(%{used: used, answers: answers, due: due} = state)
         when used > 0 and answers == tuple_size(due) do
      stamp = :stopwatch.stamp()

      readings = %{latency: state.answered, lateness: state.arrived}
      :stopwatch.stop(state.name, [answers, state.sum, used], stamp, readings)
      {:noreply, %{state | answered: [], arrived: []}}
    end

    defp report_when_done(state), do: {:noreply, state}
  end

  defmodule Balancer do
    @moduledoc "Keeps the order of waiting requests and of idle servers (OPEN-3)."
    use Dramaturg.Actor

    # `idle`: servers, each with 1 if it has not worked yet; `idlers`: how many they are.
    defstruct [:name, :watch, :source, :requests, :servers, :idle, :idlers] ++
                [waiting: :queue.new(), given: 0, used: 0]

    @impl true
    def handle_cast({:request, _source, number, value}, %{waiting: waiting} = state) do
      {:noreply, assign(%{state | waiting: :queue.in({number, value}, waiting)})}
    end

    def handle_cast({:idle, _server, server}, %{idle: idle, idlers: idlers} = state) do
      state = assign(%{state | idle: :queue.in({0, server}, idle), idlers: idlers + 1})
      tell_when_drained(state)
      {:noreply, state}
    end

    def handle_cast({:close, _source}, state) do
      stop = {:stop, state.name}
      Enum.each(:queue.to_list(state.idle), fn {_, server} -> GenServer.cast(server, stop) end)
      {:stop, :normal, state}
    end

    defp assign(%{idlers: 0} = state), do: state

    defp assign(%{idlers: idlers, given: given, used: used} = state) do
      case :queue.out(state.waiting) do
        {:empty, _} ->
          state

        {{:value, {number, value}}, waiting} ->
          {{:value, {fresh, server}}, others} = :queue.out(state.idle)
          GenServer.cast(server, {:work, state.name, number, value, self()})

          %{
            state
            | waiting: waiting,
              idle: others,
              idlers: idlers - 1,
              given: given + 1,
              used: used + fresh
          }
      end
    end

    defp tell_when_drained(%{given: all, requests: all, idlers: idle, servers: idle} = state) do
      GenServer.cast(state.source, {:drained, state.name, state.used})
    end

    defp tell_when_drained(_state), do: :ok
  end

  defmodule Server do
    @moduledoc "Computes, answers the source, and is idle again (OPEN-4)."
    use Dramaturg.Actor

    defstruct [:name, :watch, :fib_n, :source]

    @impl true
    def handle_cast({:work, _balancer, number, value, balancer}, state) do
      fib = :fibonacci.fibonacci(state.fib_n)
      GenServer.cast(state.source, {:answer, state.name, number, fold(value, fib)})
      GenServer.cast(balancer, {:idle, state.name, self()})
      {:noreply, state}
    end

    def handle_cast({:stop, _balancer}, state), do: {:stop, :normal, state}
  end

  # q(j): the gap before a request, in millionths of the mean (OPEN-1).
  @lengths 0..255
           |> Enum.map(&div(1_000_000, 256 - &1))
           |> Enum.scan(&+/2)
           |> List.to_tuple()

  @doc "When each request is due, in nanoseconds after the start of the run (OPEN-1)."
  @spec arrivals(:benchmark.parameters()) :: [non_neg_integer()]
  def arrivals(%{requests: requests, gap: gap, seed: seed}) do
    :lcg.outputs(requests, seed)
    |> Enum.map(&elem(@lengths, div(&1, 256)))
    |> Enum.scan(&+/2)
    |> Enum.map(&div(gap * &1, 1000))
  end

  @impl true
  def lead, do: {Source, name(:source)}

  @impl true
  def init(%{servers: servers, requests: requests, fib_n: fib_n} = parameters, {}) do
    source = self()

    hire = fn index ->
      {1, Actor.start(%Server{name: name(:server, index), fib_n: fib_n, source: source})}
    end

    balancer = %Balancer{
      name: name(:balancer),
      source: source,
      requests: requests,
      servers: servers,
      idle: :queue.from_list(Enum.map(0..(servers - 1), hire)),
      idlers: servers
    }

    %Source{
      name: name(:source),
      balancer: Actor.start(balancer),
      due: List.to_tuple(arrivals(parameters))
    }
  end

  @impl true
  def disconnect, do: {:disconnect, name(:control)}
end
