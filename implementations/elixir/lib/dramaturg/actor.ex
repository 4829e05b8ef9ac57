defmodule Dramaturg.Actor do
  @moduledoc """
  What `use Dramaturg.Actor` adds to a `GenServer`.

  An actor's module has `handle_cast/2` for what other actors tell it, and `handle_info/2` for what
  control and timers tell it, which know nothing of `GenServer`. Its state is a struct with a `name`
  and a `watch`. This module wraps both callbacks in the one way in which a message is taken: it is
  logged first, if the actor is watched (IMPL-11).
  """

  @doc """
  The message as it is logged, where an argument is work that nobody else needs. Without it: as it is.
  """
  @callback logged(message :: tuple(), state :: struct()) :: tuple()
  @optional_callbacks logged: 2

  # The variant `bare`: nobody is watched.
  @bare System.get_env("TRACING") == "none"

  # The variant `receive`: no actor is a GenServer.
  @receives System.get_env("ACTORS") == "receive"

  defmacro __using__(_options) do
    [shared(), if(@receives, do: received(), else: served())]
  end

  defp shared do
    quote do
      import Dramaturg.{Fold, Names}
      alias Dramaturg.Actor

      # Without the callbacks of `use GenServer`, which log what nobody expects, and drop it.
      @behaviour GenServer
      @behaviour Actor
      @before_compile Actor
    end
  end

  defp served do
    quote do
      @impl GenServer
      def init(argument), do: Actor.init(argument)

      @impl GenServer
      def handle_continue(set_up, unborn), do: Actor.set_up(set_up, unborn)

      @impl GenServer
      def terminate(reason, state), do: Actor.terminate(reason, state)
    end
  end

  defp received do
    quote do
      # The behaviour asks for it. Nobody calls it here.
      @impl GenServer
      def init(state), do: {:ok, state}

      require Dramaturg.Receiver, as: GenServer
    end
  end

  defmacro __before_compile__(%{module: module}) do
    wrapped = if @bare, do: [], else: [:handle_cast, :handle_info]

    there =
      for name <- [:handle_cast, :handle_info], Module.defines?(module, {name, 2}, :def), do: name

    wrappers =
      for callback <- wrapped, callback in there do
        quote do
          defoverridable [{unquote(callback), 2}]

          @impl GenServer
          def unquote(callback)(message, %{watch: watch} = state) do
            if watch != :none, do: :log.take(watch, message, state)
            super(message, state)
          end
        end
      end

    if @receives, do: [wrappers, receiver(there)], else: wrappers
  end

  # Which callback takes a message that has no envelope.
  defp receiver([callback]) do
    quote do: def(handle(message, state), do: unquote(callback)(message, state))
  end

  defp receiver([:handle_cast, :handle_info]) do
    quote do
      @control name(:control)

      def handle(message, %{name: name} = state) do
        case elem(message, 1) do
          from when from == @control or from == name -> handle_info(message, state)
          _other -> handle_cast(message, state)
        end
      end
    end
  end

  @doc """
  A new actor with this first state.

  Not linked and not supervised: nothing is restarted behind the back of a measurement.
  """
  @spec start(struct()) :: pid()
  def start(%module{name: name} = state) do
    enter(module, %{state | watch: watch(module, name)})
  end

  @doc """
  One that lives on this node of the world, wherever its maker does. It is there when this returns, and
  so before whatever its maker sends next (DIST-7).
  """
  @spec start_on(node(), struct()) :: pid()
  def start_on(home, state) when home == node(), do: start(state)
  def start_on(home, state), do: :proc_lib.spawn(home, __MODULE__, :born, [state])

  @doc false
  # In the new process: whether it is watched is known to its own node alone.
  def born(%module{name: name} = state) do
    :distribution.adopt()
    live(module, %{state | watch: watch(module, name)})
  end

  @doc """
  One that makes its first state itself, and takes no message before.
  """
  @spec start(module(), :names.name(), (() -> struct())) :: pid()
  def start(module, name, set_up) do
    enter(module, {%{name: name, watch: watch(module, name)}, set_up})
  end

  # `GenServer.start/2`, but for one thing: it does not wait. That waits for a message of the new
  # process, for which it looks through the whole mailbox of whoever starts it: a poker that starts
  # accumulators while thousands confirm needs time of the square of their number.
  if @receives do
    defp enter(module, argument), do: Dramaturg.Receiver.start(module, argument)
    defp live(module, state), do: Dramaturg.Receiver.live(module, state)
  else
    defp enter(module, argument), do: :proc_lib.spawn(fn -> live(module, argument) end)

    defp live(module, argument) do
      case module.init(argument) do
        {:ok, state} -> :gen_server.enter_loop(module, [], state)
        {:ok, state, action} -> :gen_server.enter_loop(module, [], state, action)
      end
    end
  end

  defp watch(module, name) do
    if @bare, do: :none, else: :watch.choose(module, name)
  end

  @doc false
  # Every process keeps a list of all its ancestors, which is copied for each that it starts. A
  # chain of actors would need memory of the square of its length. The first, which started this
  # one, is what `enter_loop` asks for.
  def init(argument) do
    Process.put(:"$ancestors", Enum.take(Process.get(:"$ancestors"), 1))

    case argument do
      {unborn, set_up} -> {:ok, unborn, {:continue, set_up}}
      state -> {:ok, state}
    end
  end

  @doc false
  def set_up(set_up, %{watch: watch}) do
    {:noreply, %{set_up.() | watch: watch}}
  end

  @doc false
  # The call under way is answered with a failure (CTRL-10).
  def terminate(:normal, _state), do: :ok

  def terminate(reason, %{name: name}) do
    :distribution.report({:failed, [:names.spell(name), ": ", Exception.format_exit(reason)]})
  end
end
