defmodule Dramaturg.Application do
  @moduledoc """
  The application: Erlang's control port, with Elixir's actors behind it.
  """
  use Application

  # Of Elixir's own, what actors call: no run has to wait for a file.
  @called [Enum, Exception, GenServer, Integer, List, Map, Process, Range, Tuple]

  @impl true
  def start(type, arguments) do
    :ok = :code.ensure_modules_loaded(@called)
    :main.start(type, arguments)
  end
end
