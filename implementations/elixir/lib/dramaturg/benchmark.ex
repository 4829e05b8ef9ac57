defmodule :benchmark do
  @moduledoc """
  What a benchmark's file says of it, and the table of benchmarks.

  Erlang's control room asks for all of this by the name `benchmark`, and so this module has that
  name instead of one of Elixir's.
  """
  import Dramaturg.Names
  alias Dramaturg.{Actor, Benchmarks, ChatApp}

  @type parameters :: %{atom() => term()}
  @type salt :: 0..0xFFFFFFFF

  @typedoc "What a benchmark collects of its lead's reports; `[]` before the first."
  @type reports :: [tuple()] | struct()

  @benchmarks %{
    chatapp: ChatApp,
    pingpong: Benchmarks.PingPong,
    big: Benchmarks.Big,
    bang: Benchmarks.Bang,
    web: Benchmarks.Web,
    count: Benchmarks.Count,
    chain: Benchmarks.Chain,
    fanout: Benchmarks.Fanout,
    sleepers: Benchmarks.Sleepers,
    mergesort: Benchmarks.Mergesort,
    broker: Benchmarks.Broker,
    openweb: Benchmarks.OpenWeb
  }

  @doc "The lead, to whom control speaks: its module and its name."
  @callback lead() :: {module(), :names.name()}

  @doc "The lead's first state, made in its own process; of the members all are there."
  @callback init(parameters(), members :: tuple()) :: struct()

  @doc "How many numbered actors the lead has to know, who may live on several nodes."
  @callback members(parameters()) :: non_neg_integer()

  @doc "A new one of them, the index-th from 0."
  @callback member(parameters(), index :: non_neg_integer()) :: pid()

  @doc "What control tells the lead so that it sets the world up and says `ready`."
  @callback prepare() :: tuple() | nil

  @doc "What control tells the lead in a run, but for the salt (ACT-7)."
  @callback first(parameters()) :: (salt() -> tuple())

  @doc "What control tells the lead upon Teardown."
  @callback disconnect() :: tuple() | nil

  @doc "One more of the lead's reports. Without it they are a list, newest first."
  @callback collect(report :: tuple(), reports()) :: reports()

  @doc """
  A receipt of its own, of them and of what the lead says upon `disconnect`. Without it the last
  one is `done`, which the receipt repeats.
  """
  @callback receipt(started :: integer() | :none, last :: tuple(), reports()) ::
              {map(), run_nanos :: non_neg_integer()}

  @doc "The answer to a question of level 0 about the work of this benchmark."
  @callback probe(asked :: map()) :: [non_neg_integer()]
  @optional_callbacks member: 2, collect: 2, receipt: 3, probe: 1

  defmacro __using__(_options) do
    quote do
      @behaviour :benchmark
      import Dramaturg.Names
      alias Dramaturg.Actor

      @impl :benchmark
      def members(_parameters), do: 0

      @impl :benchmark
      def prepare, do: nil

      @impl :benchmark
      def first(_parameters), do: fn salt -> {:start, name(:control), salt} end

      @impl :benchmark
      def disconnect, do: nil

      defoverridable members: 1, prepare: 0, first: 1, disconnect: 0
    end
  end

  @doc "Brings the lead to life. Control hears `ready` when it has set the world up."
  def start(benchmark, parameters) do
    described = @benchmarks[benchmark]
    {module, name} = described.lead()
    prepare = described.prepare()

    lead =
      Actor.start(module, name, fn ->
        state = described.init(parameters, :placement.members(benchmark, parameters))
        unless prepare, do: send(:control, {:ready, name})
        state
      end)

    if prepare, do: send(lead, prepare)
    lead
  end

  def members(benchmark, parameters), do: @benchmarks[benchmark].members(parameters)

  def member(benchmark, parameters, index), do: @benchmarks[benchmark].member(parameters, index)

  def first(benchmark, parameters), do: @benchmarks[benchmark].first(parameters)

  @doc "Says whether the lead reports something upon it."
  def disconnect(benchmark, lead) do
    described = @benchmarks[benchmark]
    if message = described.disconnect(), do: send(lead, message)
    if reports?(described), do: :reports, else: :silent
  end

  def collect(benchmark, report, reports) do
    described = @benchmarks[benchmark]

    if function_exported?(described, :collect, 2),
      do: described.collect(report, reports),
      else: [report | reports]
  end

  @doc "What the receipt has of the benchmark, under its own name or `done`."
  def receipt(benchmark, started, last, reports) do
    described = @benchmarks[benchmark]

    if reports?(described) do
      {own, run_nanos} = described.receipt(started, last, reports)
      {%{benchmark => own}, run_nanos}
    else
      [{:done, _lead, arguments, ended, readings} | windows] = reports
      done = Map.merge(:histogram.receipt(started, readings), :windows.receipt(started, windows))
      {%{done: Map.merge(done, %{benchmark: benchmark, arguments: arguments})}, ended - started}
    end
  end

  def probe(benchmark, asked), do: @benchmarks[benchmark].probe(asked)

  defp reports?(described), do: function_exported?(described, :receipt, 3)
end
