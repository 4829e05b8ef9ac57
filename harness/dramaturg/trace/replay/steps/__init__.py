"""The three steps that decide a run without a token game (spec/actors.md, TRACE-4 to TRACE-6)."""
