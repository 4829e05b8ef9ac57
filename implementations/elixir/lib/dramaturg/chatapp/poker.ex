defmodule Dramaturg.ChatApp.Poker do
  @moduledoc "Sets everything up, starts every turn and ends the iteration."
  use Dramaturg.Actor
  alias Dramaturg.ChatApp.{Accumulator, Directory}

  # `poked`: the stamps of turns that have not been confirmed.
  defstruct [:name, :watch, :parameters, :settling, :online] ++
              [directories: {}, turns: 0, poked: %{}, sums: [0, 0, 0, 0, 0, 0, 0, 0]]

  @impl true
  def handle_info({:prepare, _control}, %{parameters: parameters} = state) do
    {started, _lcg} =
      Enum.map_reduce(0..(parameters.directories - 1), parameters.seed, fn index, lcg ->
        seed = :lcg.next(lcg)
        {Directory.start(index, seed, self(), parameters), seed}
      end)

    state = %{state | directories: List.to_tuple(started)}

    for client <- 0..(parameters.clients - 1) do
      GenServer.cast(directory_of(client, state), {:login, state.name, client})
    end

    for directory <- started do
      if parameters.befriend > 0, do: GenServer.cast(directory, {:befriend, state.name})
      GenServer.cast(directory, {:settle, state.name})
    end

    {:noreply, state}
  end

  def handle_info({:act, _control, client, choice, index, k}, state) do
    {turn, accumulator, state} = next_turn(1, state)
    act = {:act, state.name, turn, client, choice, index, k, accumulator}
    GenServer.cast(directory_of(client, state), act)
    {:noreply, state}
  end

  def handle_info({:turn, _control}, state) do
    {:noreply, turn(0, state)}
  end

  def handle_info({:run, _control, salt}, state) do
    {:noreply,
     Enum.reduce(1..state.parameters.turns//1, state, fn _, state -> turn(salt, state) end)}
  end

  def handle_info({:disconnect, _control}, state) do
    to_directories({:disconnect, state.name}, state)
    {:noreply, state}
  end

  @impl true
  def handle_cast({:settled, _directory}, %{settling: settling} = state) do
    if settling == 1, do: send(:control, {:ready, state.name})
    {:noreply, %{state | settling: settling - 1}}
  end

  def handle_cast({:confirm, _accumulator, turn, value, stops, announced, consumed}, state) do
    confirmed = :stopwatch.stamp()
    {stamp, poked} = Map.pop!(state.poked, turn)
    sums = {value, stops, announced, consumed}
    send(:control, {:confirmed, state.name, turn, sums, stamp, confirmed})
    {:noreply, %{state | poked: poked}}
  end

  def handle_cast(finished, %{online: online} = state) when elem(finished, 0) == :finished do
    [:finished, _directory | theirs] = Tuple.to_list(finished)
    sums = Enum.zip_with(state.sums, theirs, &+/2)

    if online == 1 do
      send(:control, {:finished, state.name, sums})
      {:stop, :normal, state}
    else
      {:noreply, %{state | sums: sums, online: online - 1}}
    end
  end

  defp turn(salt, state) do
    {turn, accumulator, state} = next_turn(state.parameters.clients, state)
    to_directories({:poke, state.name, turn, salt, accumulator}, state)
    state
  end

  # The stamp comes before everything else of the turn (MEAS-2).
  defp next_turn(expected, %{turns: turn, poked: poked} = state) do
    stamp = :stopwatch.stamp()
    accumulator = Accumulator.start(turn, expected, self())
    {turn, accumulator, %{state | turns: turn + 1, poked: Map.put(poked, turn, stamp)}}
  end

  defp to_directories(message, state) do
    Enum.each(Tuple.to_list(state.directories), &GenServer.cast(&1, message))
  end

  defp directory_of(client, %{directories: directories}) do
    elem(directories, rem(client, tuple_size(directories)))
  end
end
