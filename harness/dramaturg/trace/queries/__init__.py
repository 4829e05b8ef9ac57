"""A recorded run as tables that SQL is asked of (spec/actors.md, The logs as a table)."""
