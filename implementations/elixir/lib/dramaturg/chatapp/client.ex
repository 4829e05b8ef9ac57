defmodule Dramaturg.ChatApp.Client do
  @moduledoc """
  Has friends, takes part in chats, and acts once a turn. Others know it as `{number, pid}`.
  """
  use Dramaturg.Actor
  alias Dramaturg.ChatApp.Chat

  # `friends`: a list, newest first, until `settle`; then nobody befriends any more, and it is a
  # tuple. `chats` is an array, since posting to one of thousands has to be cheap.
  defstruct [:name, :watch, :number, :parameters, :directory, :lcg, :chats] ++
              [friends: [], created: 0, posted: 0, leaving: 0] ++
              [picks: {0, 0, 0, 0, 0}, deliveries: 0, joins: 0]

  # The `turn` of a `leave` that happens because its sender logs out.
  @logout 0xFFFFFFFF

  def start(number, parameters, directory, seed) do
    home = :placement.of_client(number, parameters.directories)

    Actor.start_on(home, %__MODULE__{
      name: name(:client, number),
      number: number,
      parameters: parameters,
      directory: directory,
      lcg: seed,
      chats: :array.new()
    })
  end

  @impl true
  def handle_cast({:befriend, _directory, number, friend}, %{friends: friends} = state) do
    {:noreply, %{state | friends: [{number, friend} | friends]}}
  end

  def handle_cast({:settle, _directory}, %{friends: friends} = state) do
    GenServer.cast(state.directory, {:settled, state.name})
    {:noreply, %{state | friends: friends |> Enum.reverse() |> List.to_tuple()}}
  end

  def handle_cast({:act, _directory, turn, choice(:draw), _, _, salt, accumulator}, state) do
    {index, lcg} = :lcg.next_int(:array.size(state.chats), state.lcg)
    {choice, lcg} = select(state.parameters, lcg)
    state = pick(choice, %{state | lcg: lcg})
    {:noreply, act(choice, index, :drawn, salt, turn, accumulator, state)}
  end

  def handle_cast({:act, _directory, turn, choice, index, k, salt, accumulator}, state) do
    {:noreply, act(choice, index, k, salt, turn, accumulator, pick(choice, state))}
  end

  def handle_cast({:forward, _chat, _turn, level, payload, accumulator}, state) do
    GenServer.cast(accumulator, {:stop, state.name, level, digest(payload)})
    {:noreply, %{state | deliveries: state.deliveries + 1}}
  end

  def handle_cast({:accepted, _chat, _turn, level, chat, accumulator}, state) do
    GenServer.cast(accumulator, {:stop, state.name, level, 0})
    {:noreply, %{state | joins: state.joins + 1, chats: append(chat, state.chats)}}
  end

  def handle_cast({:left, _chat, @logout, _}, %{leaving: 1} = state), do: report(state)

  def handle_cast({:left, _chat, @logout, _}, %{leaving: leaving} = state) do
    {:noreply, %{state | leaving: leaving - 1}}
  end

  def handle_cast({:left, _chat, _turn, accumulator}, state) do
    GenServer.cast(accumulator, {:stop, state.name, 0, 0})
    {:noreply, state}
  end

  def handle_cast({:logout, _directory}, %{chats: chats} = state) do
    leave = {:leave, state.name, @logout, self(), nil}
    Enum.each(:array.to_list(chats), &GenServer.cast(&1, leave))

    case :array.size(chats) do
      0 -> report(state)
      leaving -> {:noreply, %{state | leaving: leaving}}
    end
  end

  defp act(choice(:compute), _, _, _, _, accumulator, state) do
    value = :fibonacci.fibonacci(state.parameters.fib_n)
    GenServer.cast(accumulator, {:stop, state.name, 0, value})
    state
  end

  defp act(choice, index, k, salt, turn, accumulator, %{chats: chats, friends: friends} = state) do
    chat = if index < :array.size(chats), do: :array.get(index, chats)

    case choice do
      choice(:post) when chat != nil ->
        post(chat, salt, turn, accumulator, state)

      choice(:leave) when chat != nil ->
        GenServer.cast(chat, {:leave, state.name, turn, self(), accumulator})
        %{state | chats: remove(index, chats)}

      choice(:invite) when friends != {} and k == :drawn ->
        {shuffled, lcg} = :lcg.shuffle(friends, state.lcg)
        {drawn, lcg} = :lcg.next_int(tuple_size(shuffled), lcg)
        invite(drawn, turn, accumulator, %{state | lcg: lcg, friends: shuffled})

      choice(:invite) when friends != {} ->
        invite(k, turn, accumulator, state)

      choice(:join) when chat != nil and k < tuple_size(friends) ->
        GenServer.cast(accumulator, {:bump, state.name, 0, 1, 0})
        join(elem(friends, k), chat, turn, accumulator, state)
        state

      _ ->
        GenServer.cast(accumulator, {:stop, state.name, 0, 0})
        state
    end
  end

  defp select(%{selection: 1} = parameters, lcg) do
    {draw, lcg} = :lcg.next_int(100, lcg)
    {cumulative(draw, parameters), lcg}
  end

  defp select(%{selection: 2} = parameters, lcg) do
    %{compute: compute, post: post, leave: leave, invite: invite} = parameters

    [
      {choice(:compute), compute},
      {choice(:post), post},
      {choice(:leave), leave},
      {choice(:invite), invite}
    ]
    |> cascade(lcg)
  end

  defp cumulative(draw, %{compute: compute, post: post, leave: leave, invite: invite}) do
    cond do
      draw < compute -> choice(:compute)
      draw < compute + post -> choice(:post)
      draw < compute + post + leave -> choice(:leave)
      draw < compute + post + leave + invite -> choice(:invite)
      true -> choice(:none)
    end
  end

  defp cascade([], lcg), do: {choice(:none), lcg}

  defp cascade([{choice, chance} | choices], lcg) do
    {draw, lcg} = :lcg.next_int(100, lcg)
    if draw < chance, do: {choice, lcg}, else: cascade(choices, lcg)
  end

  defp pick(choice(:join), state), do: state

  defp pick(choice, %{picks: picks} = state) do
    %{state | picks: put_elem(picks, choice - 1, elem(picks, choice - 1) + 1)}
  end

  defp post(chat, salt, turn, accumulator, %{number: number, posted: posted} = state) do
    payload = Bitwise.bsl(number, 32) + sum(salt, posted)
    GenServer.cast(chat, {:post, state.name, turn, payload, accumulator})
    %{state | posted: posted + 1}
  end

  defp invite(k, turn, accumulator, %{number: number, created: created} = state) do
    chat = Chat.start(number, created, self(), state.parameters)
    guests = state.friends |> Tuple.to_list() |> Enum.take(max(k, 1))
    GenServer.cast(accumulator, {:bump, state.name, 0, length(guests), 0})
    Enum.each(guests, &join(&1, chat, turn, accumulator, state))
    %{state | created: created + 1, chats: append(chat, state.chats)}
  end

  defp join({number, friend}, chat, turn, accumulator, state) do
    GenServer.cast(chat, {:join, state.name, turn, number, friend, accumulator})
  end

  defp append(chat, chats), do: :array.set(:array.size(chats), chat, chats)

  # Closes the gap, so that the order of the others stays.
  defp remove(index, chats) do
    chats |> :array.to_list() |> List.delete_at(index) |> :array.from_list()
  end

  defp report(%{lcg: lcg, deliveries: deliveries, joins: joins} = state) do
    {computes, posts, leaves, invites, nones} = state.picks

    GenServer.cast(
      state.directory,
      {:left, state.name, lcg, computes, posts, leaves, invites, nones, deliveries, joins}
    )

    {:stop, :normal, state}
  end
end
