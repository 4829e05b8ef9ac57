defmodule Dramaturg.ChatTest do
  @moduledoc "A chat's history, and the sum of its digests."
  use ExUnit.Case
  import Dramaturg.{Fold, Names}
  alias Dramaturg.ChatApp.Chat

  @keeps %Chat{name: 17, watch: :none, members: [], history: []}

  test "the sum of a history is kept post by post" do
    kept = post(post(@keeps, 3), 4)
    assert kept.history == [4, 3]
    assert kept.digests == sum(digest(3), digest(4))
  end

  test "without a history there is no sum" do
    assert %{history: nil, digests: 0} = post(%{@keeps | history: nil}, 3)
  end

  test "what a join announces is the sum that was kept, and none is made" do
    join = {:join, name(:poker), 5, 0, self(), self()}
    {:noreply, _} = Chat.handle_cast(join, %{@keeps | history: [3], digests: 42})
    assert_receive {:"$gen_cast", {:bump, 17, 1, 2, 42}}
    assert_receive {:"$gen_cast", {:forward, 17, 5, 2, 3, _}}
    assert_receive {:"$gen_cast", {:accepted, 17, 5, 2, _, _}}
  end

  defp post(chat, payload) do
    {:noreply, next} = Chat.handle_cast({:post, name(:poker), 0, payload, self()}, chat)
    next
  end
end
