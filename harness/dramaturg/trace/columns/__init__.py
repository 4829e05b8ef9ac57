"""Logs as columns on disk: for more events than memory has room for (docs/scaling.md, Judging)."""
