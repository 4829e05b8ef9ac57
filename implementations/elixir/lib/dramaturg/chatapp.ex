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

  # From `finished` and each turn's `confirmed`, newest first, with the poker's stamps.
  @impl true
  def receipt(started, [{:finished, _poker, sums} | confirmed]) do
    turns =
      Enum.sort(for {:confirmed, _, turn, _, stamp, ended} <- confirmed, do: {turn, stamp, ended})

    {values, stops, announced, consumed} =
      for {:confirmed, _, _, {value, stops, announced, consumed}, _, _} <- confirmed,
          reduce: {0, 0, 0, 0} do
        {v, s, a, c} -> {v + value, s + stops, sum(a, announced), sum(c, consumed)}
      end

    receipt =
      Map.merge(Map.new(Enum.zip(@counts, sums)), %{
        fib_sum: values,
        confirms: length(turns),
        stops: stops,
        announced: announced,
        consumed: consumed,
        turn_nanos: for({_turn, stamp, ended} <- turns, do: ended - stamp)
      })

    {receipt, run_nanos(started, turns)}
  end

  # From the stamp of turn 0 to the last `confirm` (MEAS-3); 0 without a run.
  defp run_nanos(:none, _turns), do: 0

  defp run_nanos(_started, [{0, stamp, _} | _] = turns) do
    Enum.max(for {_, _, ended} <- turns, do: ended) - stamp
  end
end
