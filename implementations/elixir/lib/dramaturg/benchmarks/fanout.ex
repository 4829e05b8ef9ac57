defmodule Dramaturg.Benchmarks.Fanout do
  @moduledoc "Fanout (spec/fanout.md): a master gives tasks to runners; each answers every one."
  use :benchmark

  defmodule Master do
    @moduledoc "Hands out tasks, counts what is completed (FANOUT-1)."
    use Dramaturg.Actor

    # `runners`: from `start` on each with the salt that has its index in it; `ahead`: what each
    # runner is given at first.
    defstruct [:name, :watch, :runners, :tasks, :ahead, :due, sum: 0]

    @impl true
    def handle_info({:start, _control, salt}, %{ahead: ahead} = state) do
      salted =
        for {runner, index} <- Enum.with_index(Tuple.to_list(state.runners)) do
          {runner, fold(salt, index)}
        end

      give(0, ahead, salted, state)
      {:noreply, %{state | runners: List.to_tuple(salted)}}
    end

    @impl true
    def handle_cast({:completed, runner, number, value}, %{due: due, ahead: ahead} = state) do
      state = %{state | due: due - 1, sum: sum(state.sum, value)}

      cond do
        state.due == 0 ->
          completed = tuple_size(state.runners) * state.tasks
          :stopwatch.stop(state.name, [completed, state.sum])
          {:stop, :normal, state}

        number + ahead < state.tasks ->
          # A runner answers in order, so this is the first that it has not had.
          task(number + ahead, elem(state.runners, index(runner)), state)
          {:noreply, state}

        true ->
          {:noreply, state}
      end
    end

    defp give(ahead, ahead, _runners, _state), do: :ok

    defp give(number, ahead, runners, state) do
      Enum.each(runners, &task(number, &1, state))
      give(number + 1, ahead, runners, state)
    end

    defp task(number, {runner, salt}, state) do
      GenServer.cast(runner, {:task, state.name, number, fold(salt, number)})
    end
  end

  defmodule Runner do
    @moduledoc "Takes tasks and answers each (FANOUT-2)."
    use Dramaturg.Actor

    defstruct [:name, :watch, :master, :tasks, completed: 0]

    @impl true
    def handle_cast({:task, _master, number, value}, %{completed: before} = state) do
      GenServer.cast(state.master, {:completed, state.name, number, fold(value, before)})

      if before + 1 == state.tasks,
        do: {:stop, :normal, state},
        else: {:noreply, %{state | completed: before + 1}}
    end
  end

  @impl true
  def lead, do: {Master, name(:master)}

  @impl true
  def init(%{tasks: tasks, window: window}, runners) do
    %Master{
      name: name(:master),
      runners: runners,
      tasks: tasks,
      ahead: if(window == 0, do: tasks, else: min(window, tasks)),
      due: tuple_size(runners) * tasks
    }
  end

  @impl true
  def members(%{runners: runners}), do: runners

  @impl true
  def member(%{tasks: tasks}, index) do
    Actor.start(%Runner{name: name(:runner, index), master: self(), tasks: tasks})
  end
end
