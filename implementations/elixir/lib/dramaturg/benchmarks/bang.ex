defmodule Dramaturg.Benchmarks.Bang do
  @moduledoc "Bang (spec/bang.md): many senders, one receiver that answers every message."
  use :benchmark

  defmodule Receiver do
    @moduledoc "Starts the senders, answers them, waits until all have had their answers (BANG-1, BANG-5)."
    use Dramaturg.Actor

    # `before`: bangs before the open window; `answers` and `taken`: what those that have finished said.
    defstruct [:name, :watch, :senders, :windows, :banging] ++
                [salt: 0, bangs: 0, given: 0, before: 0, answers: 0, taken: 0]

    @impl true
    def handle_info({:start, _control, salt}, state) do
      :windows.open(state.windows)
      to_senders({:go, state.name, salt, self()}, state)
      {:noreply, %{state | salt: salt}}
    end

    def handle_info({:tick, _receiver, number}, %{windows: windows, bangs: bangs} = state) do
      stamp = :windows.tick(number, windows)
      :windows.report(number, bangs - state.before, stamp, windows)
      if :windows.is_last(number, windows), do: to_senders({:stop, state.name}, state)
      {:noreply, %{state | before: bangs}}
    end

    @impl true
    def handle_cast({:bang, sender, number, value}, %{bangs: bangs, given: given} = state) do
      answer = fold(value, state.salt)
      GenServer.cast(elem(state.senders, index(sender)), {:answer, state.name, number, answer})
      {:noreply, %{state | bangs: bangs + 1, given: sum(given, answer)}}
    end

    def handle_cast({:finished, _sender, answers, taken}, state) do
      state = %{
        state
        | banging: state.banging - 1,
          answers: state.answers + answers,
          taken: sum(state.taken, taken)
      }

      if state.banging == 0 do
        %{bangs: bangs, answers: answers, given: given, taken: taken} = state
        :stopwatch.stop(state.name, [bangs, answers, given, taken])
        {:stop, :normal, state}
      else
        {:noreply, state}
      end
    end

    defp to_senders(message, state) do
      Enum.each(Tuple.to_list(state.senders), &GenServer.cast(&1, message))
    end
  end

  defmodule Sender do
    @moduledoc "Sends everything without waiting, then counts the answers (BANG-2, BANG-6)."
    use Dramaturg.Actor

    # `banging`: windowed, until `stop`; `salt` has this sender's index in it.
    defstruct [:name, :watch, :index, :messages, :banging, :receiver] ++
                [salt: 0, sent: 0, answers: 0, taken: 0]

    @impl true
    def handle_cast({:go, _receiver, salt, receiver}, %{messages: messages} = state) do
      state = %{state | salt: fold(salt, state.index), receiver: receiver, sent: messages}
      bang(0, messages, state)
      {:noreply, state}
    end

    def handle_cast({:answer, _receiver, _number, value}, %{answers: answers} = state) do
      answered(%{state | answers: answers + 1, taken: sum(state.taken, value)})
    end

    def handle_cast({:stop, _receiver}, state), do: answered(%{state | banging: false})

    defp answered(%{banging: true, sent: sent} = state) do
      bang(sent, sent + 1, state)
      {:noreply, %{state | sent: sent + 1}}
    end

    defp answered(%{sent: sent, answers: sent} = state) do
      GenServer.cast(state.receiver, {:finished, state.name, sent, state.taken})
      {:stop, :normal, state}
    end

    defp answered(state), do: {:noreply, state}

    defp bang(before, before, _state), do: :ok

    defp bang(number, before, state) do
      GenServer.cast(state.receiver, {:bang, state.name, number, fold(state.salt, number)})
      bang(number + 1, before, state)
    end
  end

  @impl true
  def lead, do: {Receiver, name(:receiver)}

  @impl true
  def init(parameters, senders) do
    %Receiver{
      name: name(:receiver),
      senders: senders,
      windows: :windows.new(name(:receiver), parameters),
      banging: tuple_size(senders)
    }
  end

  @impl true
  def members(%{senders: senders}), do: senders

  @impl true
  def member(%{messages: messages, windows: windows}, index) do
    Actor.start(%Sender{
      name: name(:sender, index),
      index: index,
      messages: messages,
      banging: windows > 0
    })
  end
end
