defmodule Dramaturg.Benchmarks.Broker do
  @moduledoc "Broker (spec/broker.md): employees ask an employer for work through a router."
  use :benchmark
  import Dramaturg.Fold

  defmodule Payload do
    @moduledoc "What travels with a task (BROKER-3)."
    import Bitwise
    import Dramaturg.Fold

    @doc """
    So many bytes, the highest of each number of the stream from `key`. Eight at a time, because to
    append costs as much as to fold so many.
    """
    @spec make(key :: :benchmark.salt(), size :: non_neg_integer()) :: binary()
    def make(key, size), do: make(0, size, key, <<>>)

    defp make(i, size, x, bytes) when i + 8 <= size do
      a = fold(x, i)
      b = fold(a, i + 1)
      c = fold(b, i + 2)
      d = fold(c, i + 3)
      e = fold(d, i + 4)
      f = fold(e, i + 5)
      g = fold(f, i + 6)
      h = fold(g, i + 7)

      eight = <<a >>> 24, b >>> 24, c >>> 24, d >>> 24, e >>> 24, f >>> 24, g >>> 24, h >>> 24>>

      make(i + 8, size, h, <<bytes::binary, eight::binary>>)
    end

    defp make(i, size, x, bytes) when i < size do
      x = fold(x, i)
      make(i + 1, size, x, <<bytes::binary, x >>> 24>>)
    end

    defp make(_size, _, _x, bytes), do: bytes

    @doc "What an employee finds who has read this payload."
    @spec result(non_neg_integer(), binary()) :: non_neg_integer()
    def result(number, payload) do
      checksum = checksum(payload)
      fold(checksum, number)
    end

    @spec checksum(binary()) :: non_neg_integer()
    def checksum(payload), do: checksum(payload, 0)

    defp checksum(<<byte, bytes::binary>>, sum), do: checksum(bytes, check(sum, byte))
    defp checksum(<<>>, sum), do: sum
  end

  defmodule Employer do
    @moduledoc "Answers each request with a task, as long as there are any (BROKER-1)."
    use Dramaturg.Actor

    defstruct [:name, :watch, :employees, :router, :tasks, :size] ++
                [salt: 0, given: 0, waiting: 0, results: 0, sum: 0]

    @impl true
    def handle_info({:start, _control, salt}, state) do
      go = {:go, state.name, state.router}
      Enum.each(Tuple.to_list(state.employees), &GenServer.cast(&1, go))
      {:noreply, %{state | salt: salt}}
    end

    def handle_info({:disconnect, _control}, state) do
      for {employee, index} <- Enum.with_index(Tuple.to_list(state.employees)) do
        GenServer.cast(state.router, {:dismiss, state.name, index, employee})
      end

      {:stop, :normal, state}
    end

    @impl true
    def handle_cast({:request, _router, index, 0, _none, employee}, state) do
      {:noreply, give(index, employee, state)}
    end

    def handle_cast({:request, _router, index, _result, checksum, employee}, state) do
      state = %{state | results: state.results + 1, sum: sum(state.sum, checksum)}
      {:noreply, give(index, employee, state)}
    end

    defp give(index, employee, %{given: given, tasks: tasks, size: size} = state)
         when given < tasks do
      payload = Payload.make(fold(state.salt, given), size)
      GenServer.cast(state.router, {:task, state.name, index, given, size, payload, employee})
      %{state | given: given + 1}
    end

    defp give(_index, _employee, %{waiting: waiting} = state) do
      if waiting + 1 == tuple_size(state.employees) do
        :stopwatch.stop(state.name, [state.results, state.sum])
      end

      %{state | waiting: waiting + 1}
    end
  end

  defmodule Router do
    @moduledoc "Passes everything on (BROKER-2)."
    use Dramaturg.Actor

    defstruct [:name, :watch, :employer, :employed]

    @impl true
    def handle_cast({:request, employee, result, checksum, from}, state) do
      request = {:request, state.name, index(employee), result, checksum, from}
      GenServer.cast(state.employer, request)
      {:noreply, state}
    end

    def handle_cast({:task, _employer, _index, number, size, payload, employee}, state) do
      GenServer.cast(employee, {:task, state.name, number, size, payload})
      {:noreply, state}
    end

    def handle_cast({:dismiss, _employer, _index, employee}, %{employed: employed} = state) do
      GenServer.cast(employee, {:dismiss, state.name})

      if employed == 1,
        do: {:stop, :normal, state},
        else: {:noreply, %{state | employed: employed - 1}}
    end

    # With the checksum of the payload instead of the payload (BROKER-5).
    @impl true
    def logged({:task, employer, index, number, size, payload, _employee}, _state) do
      {:task, employer, index, number, size, Payload.checksum(payload)}
    end

    def logged(message, _state), do: message
  end

  defmodule Employee do
    @moduledoc "Reads every byte of each payload, and asks for the next (BROKER-3)."
    use Dramaturg.Actor

    defstruct [:name, :watch, :router]

    @impl true
    def handle_cast({:go, _employer, router}, state) do
      GenServer.cast(router, {:request, state.name, 0, 0, self()})
      {:noreply, %{state | router: router}}
    end

    def handle_cast({:task, _router, number, _size, payload}, state) do
      result = Payload.result(number, payload)
      GenServer.cast(state.router, {:request, state.name, number + 1, result, self()})
      {:noreply, state}
    end

    def handle_cast({:dismiss, _router}, state), do: {:stop, :normal, state}

    # As the router's.
    @impl true
    def logged({:task, router, number, size, payload}, _state) do
      {:task, router, number, size, Payload.checksum(payload)}
    end

    def logged(message, _state), do: message
  end

  @impl true
  def lead, do: {Employer, name(:employer)}

  @impl true
  def init(%{tasks: tasks, size: size}, employees) do
    router = %Router{name: name(:router), employer: self(), employed: tuple_size(employees)}

    %Employer{
      name: name(:employer),
      employees: employees,
      router: Actor.start(router),
      tasks: tasks,
      size: size
    }
  end

  @impl true
  def disconnect, do: {:disconnect, name(:control)}

  @impl true
  def members(%{employees: employees}), do: employees

  @impl true
  def member(_parameters, index), do: Actor.start(%Employee{name: name(:employee, index)})

  # The sum of all results with this salt, of payloads that are made and read as in a run.
  @impl true
  def probe(%{salt: salt, tasks: tasks, size: size}) do
    add = fn number, sum ->
      sum(sum, Payload.result(number, Payload.make(fold(salt, number), size)))
    end

    [Enum.reduce(0..(tasks - 1), 0, add)]
  end
end
