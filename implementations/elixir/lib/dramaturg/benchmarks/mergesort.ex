defmodule Dramaturg.Benchmarks.Mergesort do
  @moduledoc "Mergesort (spec/mergesort.md): a tree of actors that split a list and merge it back."
  use :benchmark

  defmodule Sorter do
    @moduledoc "Splits in two halves, the first the longer if they differ, or sorts (SORT-3)."
    use Dramaturg.Actor

    # `seed`: of the root, that makes the integers.
    defstruct [:name, :watch, :place, :leaf, :seed, :maker] ++
                [salt: 0, length: 0, half: nil, sorters: 1]

    # To the root comes no list: it makes one (SORT-1).
    @impl true
    def handle_info({:sort, control, first, length, salt, [], nil}, state) do
      items = :stream.take(length, fold(salt, state.seed), 16)
      sort({:sort, control, first, length, salt, items, nil}, state)
    end

    @impl true
    def handle_cast({:sort, _maker, _, _, _, _, _} = sort, state), do: sort(sort, state)

    def handle_cast({:sorted, _sorter, _length, sorters, items}, %{half: half} = state) do
      state = %{state | sorters: state.sorters + sorters}

      if half == nil,
        do: {:noreply, %{state | half: items}},
        else: answer(:lists.merge(half, items), state)
    end

    # With the checksum of the list instead of the list (SORT-2).
    @impl true
    def logged({:sort, maker, first, length, salt, items, _}, _state) do
      {:sort, maker, first, length, salt, checksum(salt, items)}
    end

    def logged({:sorted, sorter, length, sorters, items}, %{salt: salt}) do
      {:sorted, sorter, length, sorters, checksum(salt, items)}
    end

    defp sort({:sort, _maker, first, length, salt, items, maker}, state) do
      state = %{state | maker: maker, salt: salt, length: length}

      if length <= state.leaf do
        answer(Enum.sort(items), state)
      else
        middle = div(length + 1, 2)
        {front, back} = Enum.split(items, middle)
        split(2 * state.place, first, middle, front, state)
        split(2 * state.place + 1, first + middle, length - middle, back, state)
        {:noreply, state}
      end
    end

    defp split(place, first, length, items, %{leaf: leaf, salt: salt} = state) do
      sorter = Actor.start(%__MODULE__{name: name(:sorter, place), place: place, leaf: leaf})
      GenServer.cast(sorter, {:sort, state.name, first, length, salt, items, self()})
    end

    defp answer(items, %{place: 1, length: length, sorters: sorters} = state) do
      ended = :stopwatch.stamp()
      :stopwatch.stop(state.name, [length, sorters, checksum(state.salt, items)], ended)
      {:stop, :normal, state}
    end

    defp answer(items, %{length: length, sorters: sorters} = state) do
      GenServer.cast(state.maker, {:sorted, state.name, length, sorters, items})
      {:stop, :normal, state}
    end

    defp checksum(salt, items), do: Enum.reduce(items, salt, &check(&2, &1))
  end

  @impl true
  def lead, do: {Sorter, name(:sorter, 1)}

  @impl true
  def init(%{leaf: leaf, seed: seed}, {}) do
    %Sorter{name: name(:sorter, 1), place: 1, leaf: leaf, seed: seed}
  end

  @impl true
  def first(%{length: length}) do
    fn salt -> {:sort, name(:control), 0, length, salt, [], nil} end
  end
end
