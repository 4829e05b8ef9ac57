defmodule Dramaturg.ChatApp do
  @moduledoc """
  ChatApp (spec/chatapp.md). Its actors, in the model's order: poker, directory, client, chat,
  accumulator.
  """
  use :benchmark
  import Dramaturg.Fold
  alias Dramaturg.ChatApp.Poker

  # The sums in `finished`, by the fields of the receipt.
  @counts [:lcg_checksum, :computes, :posts, :leaves, :invites, :nones, :deliveries, :joins]

  # What the poker has confirmed; `turns`: its two stamps of each.
  defstruct value: 0, stops: 0, announced: 0, consumed: 0, turns: :array.new()

  @impl true
  def lead, do: {Poker, name(:poker)}

  @impl true
  def init(%{directories: directories} = parameters, {}) do
    %Poker{
      name: name(:poker),
      parameters: parameters,
      settling: directories,
      online: directories
    }
  end

  @impl true
  def first(_parameters), do: fn salt -> {:run, name(:control), salt} end

  @impl true
  def prepare, do: {:prepare, name(:control)}

  @impl true
  def disconnect, do: {:disconnect, name(:control)}

  # One turn more. Turns are put in order as they come, and not in Teardown: there may be many.
  @impl true
  def collect(report, []), do: collect(report, %__MODULE__{})

  def collect({:confirmed, _, turn, {value, stops, announced, consumed}, stamp, ended}, confirmed) do
    %__MODULE__{
      value: confirmed.value + value,
      stops: confirmed.stops + stops,
      announced: sum(confirmed.announced, announced),
      consumed: sum(confirmed.consumed, consumed),
      turns: :array.set(turn, {stamp, ended}, confirmed.turns)
    }
  end

  # From `finished` and what was confirmed.
  @impl true
  def receipt(started, finished, []), do: receipt(started, finished, %__MODULE__{})

  def receipt(started, {:finished, _poker, sums}, confirmed) do
    turns = :array.to_list(confirmed.turns)

    receipt =
      Map.merge(Map.new(Enum.zip(@counts, sums)), %{
        fib_sum: confirmed.value,
        confirms: length(turns),
        stops: confirmed.stops,
        announced: confirmed.announced,
        consumed: confirmed.consumed,
        turn_nanos: for({stamp, ended} <- turns, do: ended - stamp)
      })

    {receipt, run_nanos(started, turns)}
  end

  # From the stamp of turn 0 to the last `confirm` (MEAS-3); 0 without a run.
  defp run_nanos(:none, _turns), do: 0

  defp run_nanos(_started, [{stamp, _} | _] = turns) do
    Enum.max(for {_, ended} <- turns, do: ended) - stamp
  end
end
