defmodule Dramaturg.ChatApp.Directory do
  @moduledoc "Creates its clients, makes them friends, and passes the poker's word on to them."
  use Dramaturg.Actor
  alias Dramaturg.ChatApp.Client

  # `clients`: number and pid of each, in login order from `settle` on, until then newest first.
  defstruct [:name, :watch, :poker, :parameters, :lcg] ++
              [clients: [], settling: 0, online: 0, sums: [0, 0, 0, 0, 0, 0, 0, 0]]

  def start(index, seed, poker, parameters) do
    Actor.start_on(:placement.of_directory(index), %__MODULE__{
      name: name(:directory, index),
      poker: poker,
      parameters: parameters,
      lcg: seed
    })
  end

  @impl true
  def handle_cast({:login, _poker, number}, %{clients: clients} = state) do
    seed = :lcg.next(state.lcg)
    client = Client.start(number, state.parameters, self(), seed)
    {:noreply, %{state | lcg: seed, clients: [{number, client} | clients]}}
  end

  def handle_cast({:befriend, _poker}, state) do
    clients = Enum.reverse(state.clients)
    {:noreply, %{state | lcg: Enum.reduce(clients, state.lcg, &befriend(&1, clients, state, &2))}}
  end

  def handle_cast({:settle, _poker}, state) do
    clients = Enum.reverse(state.clients)
    to_clients({:settle, state.name}, clients)
    {:noreply, %{state | clients: clients, settling: length(clients)}}
  end

  def handle_cast({:settled, _client}, %{settling: settling} = state) do
    if settling == 1, do: GenServer.cast(state.poker, {:settled, state.name})
    {:noreply, %{state | settling: settling - 1}}
  end

  def handle_cast({:poke, _poker, turn, salt, accumulator}, state) do
    act = {:act, state.name, turn, choice(:draw), 0, 0, salt, accumulator}
    to_clients(act, state.clients)
    {:noreply, state}
  end

  def handle_cast({:act, _poker, turn, number, choice, index, k, accumulator}, state) do
    {^number, client} = List.keyfind!(state.clients, number, 0)
    GenServer.cast(client, {:act, state.name, turn, choice, index, k, 0, accumulator})
    {:noreply, state}
  end

  def handle_cast({:disconnect, _poker}, %{clients: clients} = state) do
    to_clients({:logout, state.name}, clients)
    {:noreply, %{state | online: length(clients)}}
  end

  def handle_cast(left, %{online: online} = state) when elem(left, 0) == :left do
    [:left, _client | theirs] = Tuple.to_list(left)
    sums = Enum.zip_with(state.sums, theirs, &+/2)

    if online == 1 do
      GenServer.cast(state.poker, List.to_tuple([:finished, state.name | sums]))
      {:stop, :normal, state}
    else
      {:noreply, %{state | sums: sums, online: online - 1}}
    end
  end

  # Passes over all clients until one of them made a friendship.
  defp befriend(friend, clients, state, lcg) do
    case pass(clients, friend, state, lcg, false) do
      {true, lcg} -> lcg
      {false, lcg} -> befriend(friend, clients, state, lcg)
    end
  end

  defp pass([], _friend, _state, lcg, befriended), do: {befriended, lcg}

  defp pass([client | clients], friend, state, lcg, befriended) do
    # Drawn for every client, also for the friend itself.
    {draw, lcg} = :lcg.next_int(100, lcg)

    if draw < state.parameters.befriend and client != friend do
      introduce(client, friend, state)
      pass(clients, friend, state, lcg, true)
    else
      pass(clients, friend, state, lcg, befriended)
    end
  end

  defp introduce({c, client}, {f, friend}, state) do
    GenServer.cast(client, {:befriend, state.name, f, friend})
    GenServer.cast(friend, {:befriend, state.name, c, client})
  end

  defp to_clients(message, clients) do
    Enum.each(clients, fn {_number, client} -> GenServer.cast(client, message) end)
  end
end
