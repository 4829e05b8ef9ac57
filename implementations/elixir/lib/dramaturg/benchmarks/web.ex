defmodule Dramaturg.Benchmarks.Web do
  @moduledoc "Web (spec/web.md): browsers ask a dispatcher, which gives work to idle workers only."
  use :benchmark

  defmodule Dispatcher do
    @moduledoc "Keeps the order of waiting requests and of idle workers (WEB-1)."
    use Dramaturg.Actor

    # `idle`: workers, each with 1 if it has not worked yet; `idlers`: how many they are.
    defstruct [:name, :watch, :browsers, :workers, :browsing, :idle, :idlers] ++
                [waiting: :queue.new(), answers: 0, sum: 0, used: 0]

    @impl true
    def handle_info({:start, _control, salt}, state) do
      go = {:go, state.name, salt, self()}
      Enum.each(Tuple.to_list(state.browsers), &GenServer.cast(&1, go))
      {:noreply, state}
    end

    def handle_info({:disconnect, _control}, state) do
      stop = {:stop, state.name}
      Enum.each(:queue.to_list(state.idle), fn {_, worker} -> GenServer.cast(worker, stop) end)
      {:stop, :normal, state}
    end

    @impl true
    def handle_cast({:request, browser, number, value}, %{waiting: waiting} = state) do
      waiting = :queue.in({index(browser), number, value}, waiting)
      {:noreply, assign(%{state | waiting: waiting})}
    end

    def handle_cast({:idle, _worker, worker}, %{idle: idle, idlers: idlers} = state) do
      state = assign(%{state | idle: :queue.in({0, worker}, idle), idlers: idlers + 1})
      report_when_done(state)
      {:noreply, state}
    end

    def handle_cast({:finished, _browser, answers, sum}, %{browsing: browsing} = state) do
      state = %{
        state
        | browsing: browsing - 1,
          answers: state.answers + answers,
          sum: sum(state.sum, sum)
      }

      report_when_done(state)
      {:noreply, state}
    end

    defp assign(%{idlers: 0} = state), do: state

    defp assign(%{idlers: idlers, used: used} = state) do
      case :queue.out(state.waiting) do
        {:empty, _} ->
          state

        {{:value, {index, number, value}}, waiting} ->
          {{:value, {fresh, worker}}, others} = :queue.out(state.idle)
          browser = elem(state.browsers, index)
          GenServer.cast(worker, {:work, state.name, index, number, value, browser})
          %{state | waiting: waiting, idle: others, idlers: idlers - 1, used: used + fresh}
      end
    end

    defp report_when_done(%{browsing: 0, workers: workers, idlers: workers} = state) do
      %{answers: answers, sum: sum, used: used} = state
      :stopwatch.stop(state.name, [answers, sum, used])
    end

    defp report_when_done(_state), do: :ok
  end

  defmodule Worker do
    @moduledoc "Computes, answers the browser, and is idle again (WEB-2)."
    use Dramaturg.Actor

    defstruct [:name, :watch, :fib_n, :dispatcher]

    @impl true
    def handle_cast({:work, _dispatcher, _index, number, value, browser}, state) do
      fib = :fibonacci.fibonacci(state.fib_n)
      GenServer.cast(browser, {:answer, state.name, number, fold(value, fib)})
      GenServer.cast(state.dispatcher, {:idle, state.name, self()})
      {:noreply, state}
    end

    def handle_cast({:stop, _dispatcher}, state), do: {:stop, :normal, state}
  end

  defmodule Browser do
    @moduledoc "Asks, waits for the answer, asks again (WEB-3)."
    use Dramaturg.Actor

    # `salt` has this browser's index in it.
    defstruct [:name, :watch, :index, :requests, :dispatcher, salt: 0, answers: 0, sum: 0]

    @impl true
    def handle_cast({:go, _dispatcher, salt, dispatcher}, state) do
      request(%{state | salt: fold(salt, state.index), dispatcher: dispatcher})
    end

    def handle_cast({:answer, _worker, _number, value}, %{answers: answers} = state) do
      request(%{state | answers: answers + 1, sum: sum(state.sum, value)})
    end

    defp request(%{requests: requests, answers: requests} = state) do
      GenServer.cast(state.dispatcher, {:finished, state.name, requests, state.sum})
      {:stop, :normal, state}
    end

    defp request(%{answers: number} = state) do
      GenServer.cast(state.dispatcher, {:request, state.name, number, fold(state.salt, number)})
      {:noreply, state}
    end
  end

  @impl true
  def lead, do: {Dispatcher, name(:dispatcher)}

  @impl true
  def init(%{workers: workers, fib_n: fib_n}, browsers) do
    hire = fn index ->
      name = name(:worker, index)
      {1, Actor.start(%Worker{name: name, fib_n: fib_n, dispatcher: self()})}
    end

    %Dispatcher{
      name: name(:dispatcher),
      browsers: browsers,
      workers: workers,
      browsing: tuple_size(browsers),
      idle: :queue.from_list(Enum.map(0..(workers - 1), hire)),
      idlers: workers
    }
  end

  @impl true
  def disconnect, do: {:disconnect, name(:control)}

  @impl true
  def members(%{browsers: browsers}), do: browsers

  @impl true
  def member(%{requests: requests}, index) do
    Actor.start(%Browser{name: name(:browser, index), index: index, requests: requests})
  end
end
