defmodule Dramaturg.Benchmarks.Broker do
  @moduledoc "Broker (spec/broker.md): employees ask an employer for work through a router."
  use :benchmark

  defmodule Employer do
    @moduledoc "Answers each request with a task, as long as there are any (BROKER-1)."
    use Dramaturg.Actor

    defstruct [:name, :watch, :employees, :router, :tasks, :size] ++
                [given: 0, waiting: 0, results: 0, sum: 0]

    @impl true
    def handle_info({:start, _control, salt}, state) do
      go = {:go, state.name, salt, state.router}
      Enum.each(Tuple.to_list(state.employees), &GenServer.cast(&1, go))
      {:noreply, state}
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
      task = {:task, state.name, index, given, size, payload(given, given + size, <<>>), employee}
      GenServer.cast(state.router, task)
      %{state | given: given + 1}
    end

    defp give(_index, _employee, %{waiting: waiting} = state) do
      if waiting + 1 == tuple_size(state.employees) do
        :stopwatch.stop(state.name, %{results: state.results, sum: state.sum})
      end

      %{state | waiting: waiting + 1}
    end

    # Byte i is (number + i) mod 256, which is what a segment of eight bits keeps. Eight at a time,
    # because to append costs as much as to compute so many.
    defp payload(b, last, bytes) when is_integer(b) and b + 8 <= last do
      eight = <<b, b + 1, b + 2, b + 3, b + 4, b + 5, b + 6, b + 7>>
      payload(b + 8, last, <<bytes::binary, eight::binary>>)
    end

    defp payload(b, last, bytes) when b < last, do: payload(b + 1, last, <<bytes::binary, b>>)
    defp payload(_last, _, bytes), do: bytes
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
  end

  defmodule Employee do
    @moduledoc "Reads every byte of each payload, and asks for the next (BROKER-3)."
    use Dramaturg.Actor

    defstruct [:name, :watch, :router, salt: 0]

    @impl true
    def handle_cast({:go, _employer, salt, router}, state) do
      GenServer.cast(router, {:request, state.name, 0, 0, self()})
      {:noreply, %{state | salt: salt, router: router}}
    end

    def handle_cast({:task, _router, number, _size, payload}, state) do
      checksum = checksum(payload, fold(state.salt, number))
      request = {:request, state.name, number + 1, fold(checksum, number), self()}
      GenServer.cast(state.router, request)
      {:noreply, state}
    end

    def handle_cast({:dismiss, _router}, state), do: {:stop, :normal, state}

    defp checksum(<<byte, bytes::binary>>, sum), do: checksum(bytes, check(sum, byte))
    defp checksum(<<>>, sum), do: sum
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
end
