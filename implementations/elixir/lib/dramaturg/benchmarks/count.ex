defmodule Dramaturg.Benchmarks.Count do
  @moduledoc "Count (spec/count.md): adders add to one counter, then ask for the sum and reset it."
  use :benchmark

  defmodule Tally do
    @moduledoc "Starts the adders and sums their totals (COUNT-1)."
    use Dramaturg.Actor

    defstruct [:name, :watch, :adders, :counter, :adding, adds: 0, sum: 0]

    @impl true
    def handle_info({:start, _control, salt}, state) do
      go = {:go, state.name, salt, self(), state.counter}
      Enum.each(Tuple.to_list(state.adders), &GenServer.cast(&1, go))
      {:noreply, state}
    end

    @impl true
    def handle_cast({:counted, _adder, adds, sum}, %{adding: adding} = state) do
      state = %{state | adding: adding - 1, adds: state.adds + adds, sum: sum(state.sum, sum)}

      if state.adding == 0 do
        :stopwatch.stop(state.name, [state.adds, state.sum])
        {:stop, :normal, state}
      else
        {:noreply, state}
      end
    end
  end

  defmodule Adder do
    @moduledoc "Adds, then asks (COUNT-2)."
    use Dramaturg.Actor

    defstruct [:name, :watch, :index, :adds, :tally]

    @impl true
    def handle_cast({:go, _tally, salt, tally, counter}, state) do
      add(0, state.adds, fold(salt, state.index), state.name, counter)
      GenServer.cast(counter, {:get_and_reset, state.name, self()})
      {:noreply, %{state | tally: tally}}
    end

    def handle_cast({:total, _counter, adds, sum}, state) do
      GenServer.cast(state.tally, {:counted, state.name, adds, sum})
      {:stop, :normal, state}
    end

    defp add(adds, adds, _salt, _name, _counter), do: :ok

    defp add(number, adds, salt, name, counter) do
      GenServer.cast(counter, {:add, name, fold(salt, number)})
      add(number + 1, adds, salt, name, counter)
    end
  end

  defmodule Counter do
    @moduledoc "Holds the sum; ends when every adder has asked (COUNT-3)."
    use Dramaturg.Actor

    defstruct [:name, :watch, :asking, adds: 0, sum: 0]

    @impl true
    def handle_cast({:add, _adder, value}, %{adds: adds, sum: sum} = state) do
      {:noreply, %{state | adds: adds + 1, sum: sum(sum, value)}}
    end

    def handle_cast({:get_and_reset, _adder, adder}, %{asking: asking} = state) do
      GenServer.cast(adder, {:total, state.name, state.adds, state.sum})

      if asking == 1,
        do: {:stop, :normal, state},
        else: {:noreply, %{state | asking: asking - 1, adds: 0, sum: 0}}
    end
  end

  @impl true
  def lead, do: {Tally, name(:tally)}

  @impl true
  def init(%{adders: count}, adders) do
    counter = Actor.start(%Counter{name: name(:counter), asking: count})
    %Tally{name: name(:tally), adders: adders, counter: counter, adding: count}
  end

  @impl true
  def members(%{adders: adders}), do: adders

  @impl true
  def member(%{adds: adds}, index) do
    Actor.start(%Adder{name: name(:adder, index), index: index, adds: adds})
  end
end
