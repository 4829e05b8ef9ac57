defmodule Dramaturg.Benchmarks.Chain do
  @moduledoc "Chain (spec/chain.md): each link makes the next; the last one's `finish` walks back."
  use :benchmark

  defmodule Link do
    @moduledoc "One link (CHAIN-1, CHAIN-2). The maker of link 0 is control."
    use Dramaturg.Actor

    defstruct [:name, :watch, :index, :maker]

    @impl true
    def handle_info({:grow, _control, left, digest}, state), do: grow(left, digest, state)

    @impl true
    def handle_cast({:grow, _maker, left, digest}, state), do: grow(left, digest, state)

    def handle_cast({:finish, _next, length, digest}, state) do
      finish(length + 1, fold(digest, length), state)
    end

    defp grow(0, digest, state), do: finish(1, fold(digest, 0), state)

    defp grow(left, digest, %{index: index} = state) do
      link = %__MODULE__{name: name(:link, index + 1), index: index + 1, maker: self()}
      GenServer.cast(Actor.start(link), {:grow, state.name, left - 1, fold(digest, left)})
      {:noreply, state}
    end

    defp finish(length, digest, %{index: 0} = state) do
      :stopwatch.stop(state.name, [length, digest])
      {:stop, :normal, state}
    end

    defp finish(length, digest, state) do
      GenServer.cast(state.maker, {:finish, state.name, length, digest})
      {:stop, :normal, state}
    end
  end

  @impl true
  def lead, do: {Link, name(:link)}

  @impl true
  def init(_parameters, {}), do: %Link{name: name(:link), index: 0}

  @impl true
  def first(%{length: length}), do: fn salt -> {:grow, name(:control), length - 1, salt} end
end
