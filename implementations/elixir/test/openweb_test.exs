defmodule Dramaturg.OpenWebTest do
  @moduledoc "Arrivals of the open load. Its buckets are Erlang's, and tested there."
  use ExUnit.Case, async: true
  alias Dramaturg.Benchmarks.OpenWeb

  test "arrivals are those of the chapter" do
    due = OpenWeb.arrivals(%{requests: 3, gap: 1000, seed: 42})
    assert due == [52_008, 2_924_682, 3_085_009]
  end
end
