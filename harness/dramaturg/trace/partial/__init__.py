"""Replay of a part of a run, with stand-ins for whom nobody watches (spec/parts.md)."""
