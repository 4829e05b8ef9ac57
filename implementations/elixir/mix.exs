defmodule Dramaturg.MixProject do
  use Mix.Project

  @erlang "../erlang"

  def project do
    [
      app: :dramaturg,
      version: "2.0.0",
      elixir: "~> 1.14",
      build_path: System.get_env("BUILD", ".build"),
      compilers: [:erlang, :elixir, :app],
      elixirc_options: [warnings_as_errors: true],
      erlc_paths: erlc_paths(Mix.env()),
      erlc_include_path: @erlang <> "/include",
      erlc_options: [:debug_info, :warnings_as_errors],
      aliases: [test: "test --no-start"]
    ]
  end

  # Named as Erlang's is, whose plumbing starts it and reads its environment.
  def application do
    [
      mod: {Dramaturg.Application, []},
      registered: [:control, :stdio],
      extra_applications: [:jiffy],
      env: [details: %{elixir: System.version()}]
    ]
  end

  # What stands between the pipe and the first actor, and what Describe asks. Of Erlang's actors
  # there is none.
  defp erlc_paths(:test), do: erlc_paths(:prod) ++ [@erlang <> "/test/as_control.erl"]

  defp erlc_paths(_env) do
    shared = for file <- ~w(names lcg fibonacci stream windows), do: "/src/benchmarks/#{file}.erl"
    Enum.map(["/src/control", "/src/nodes" | shared], &(@erlang <> &1))
  end
end
