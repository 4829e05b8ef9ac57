defmodule Dramaturg.ChatApp.Chat do
  @moduledoc "Forwards what is posted to all its members; ends with its last member."
  use Dramaturg.Actor

  # `history`: payloads, newest first; `nil` if this chat does not keep them. `digests`: the sum of
  # theirs.
  defstruct [:name, :watch, :members, :history, digests: 0]

  def start(creator, created, member, parameters) do
    Actor.start(%__MODULE__{
      name: chat_name(creator, created),
      members: [member],
      history: if(parameters.history, do: [])
    })
  end

  @impl true
  def handle_cast({:post, _member, turn, payload, accumulator}, %{members: members} = state) do
    count = length(members)
    digest = digest(payload)
    announced = Bitwise.band(count * digest, 0xFFFFFFFF)
    GenServer.cast(accumulator, {:bump, state.name, 0, count, announced})
    forward = {:forward, state.name, turn, 1, payload, accumulator}
    Enum.each(members, &GenServer.cast(&1, forward))
    {:noreply, remember(payload, digest, state)}
  end

  def handle_cast({:join, _member, turn, _number, friend, accumulator}, state) do
    level = replay(turn, friend, accumulator, state)
    GenServer.cast(friend, {:accepted, state.name, turn, level, self(), accumulator})
    {:noreply, %{state | members: state.members ++ [friend]}}
  end

  def handle_cast({:leave, _member, turn, member, accumulator}, state) do
    GenServer.cast(member, {:left, state.name, turn, accumulator})

    case List.delete(state.members, member) do
      [] -> {:stop, :normal, state}
      members -> {:noreply, %{state | members: members}}
    end
  end

  defp remember(_payload, _digest, %{history: nil} = state), do: state

  defp remember(payload, digest, %{history: history, digests: digests} = state) do
    %{state | history: [payload | history], digests: sum(digests, digest)}
  end

  # Sends the history, if there is any, and returns the level of the `accepted`.
  defp replay(_turn, _friend, _accumulator, %{history: history}) when history in [nil, []], do: 1

  defp replay(turn, friend, accumulator, %{name: name, history: history, digests: digests}) do
    GenServer.cast(accumulator, {:bump, name, 1, length(history) + 1, digests})

    for payload <- Enum.reverse(history) do
      GenServer.cast(friend, {:forward, name, turn, 2, payload, accumulator})
    end

    2
  end
end
