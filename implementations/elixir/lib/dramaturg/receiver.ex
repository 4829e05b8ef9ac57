defmodule Dramaturg.Receiver do
  @moduledoc """
  An actor without `GenServer`, for the variant `receive`: a process with a bare receive loop, which is
  told messages as they are. `Dramaturg.Actor` makes `GenServer.cast/2` and `Actor.start` these.

  Control and timers are told apart by the sender's name, since there is no envelope: a lead has
  `handle_info/2` for what they say, and `handle_cast/2` for what other actors say.
  """

  @doc "In the place of `GenServer.cast/2`."
  defmacro cast(actor, message) do
    quote do: send(unquote(actor), unquote(message))
  end

  @doc "In the place of `GenServer.start/2`: with a first state, or with what makes it."
  @spec start(module(), struct() | {map(), (() -> struct())}) :: pid()
  def start(module, argument), do: spawn(fn -> live(module, argument) end)

  @doc false
  def live(module, {%{watch: watch} = unborn, set_up}) do
    reporting(unborn, fn -> loop(module, %{set_up.() | watch: watch}) end)
  end

  def live(module, state), do: reporting(state, fn -> loop(module, state) end)

  defp loop(module, state) do
    receive do
      message ->
        case module.handle(message, state) do
          {:noreply, next} -> loop(module, next)
          {:stop, :normal, _state} -> :ok
        end
    end
  end

  # The call under way is answered with a failure (CTRL-10).
  defp reporting(%{name: name}, life) do
    life.()
  catch
    kind, reason ->
      said = Exception.format(kind, reason, __STACKTRACE__)
      :distribution.report({:failed, [:names.spell(name), ": ", said]})
  end
end
