defmodule Dramaturg.ChatApp.Accumulator do
  @moduledoc "Counts the work of one turn, level by level (CHAT-30)."
  use Dramaturg.Actor

  # `due`: units expected less units consumed, for each level. Below zero while a level's
  # consumption is ahead of the news of its production.
  defstruct [:name, :watch, :turn, :poker, :due, value: 0, stops: 0, announced: 0, consumed: 0]

  def start(turn, expected, poker) do
    Actor.start(%__MODULE__{
      name: name(:accumulator, turn),
      turn: turn,
      poker: poker,
      due: {expected, 0, 0}
    })
  end

  @impl true
  def handle_cast({:stop, _sender, 0, value}, %{due: {due, due1, due2}} = state) do
    confirm_when_done(%{state | due: {due - 1, due1, due2}, value: state.value + value})
  end

  def handle_cast({:stop, _sender, level, digest}, %{due: due} = state) do
    confirm_when_done(%{
      state
      | due: put_elem(due, level, elem(due, level) - 1),
        stops: state.stops + 1,
        consumed: sum(state.consumed, digest)
    })
  end

  def handle_cast({:bump, _sender, 0, n, digest}, %{due: {due, due1, due2}} = state) do
    announced = sum(state.announced, digest)
    confirm_when_done(%{state | due: {due - 1, due1 + n, due2}, announced: announced})
  end

  def handle_cast({:bump, _sender, 1, n, digest}, %{due: {due, due1, due2}} = state) do
    announced = sum(state.announced, digest)
    confirm_when_done(%{state | due: {due, due1 - 1, due2 + n}, announced: announced})
  end

  defp confirm_when_done(%{due: {0, 0, 0}, turn: turn} = state) do
    %{value: value, stops: stops, announced: announced, consumed: consumed} = state
    confirm = {:confirm, state.name, turn, value, stops, announced, consumed}
    GenServer.cast(state.poker, confirm)
    {:stop, :normal, state}
  end

  defp confirm_when_done(state), do: {:noreply, state}
end
