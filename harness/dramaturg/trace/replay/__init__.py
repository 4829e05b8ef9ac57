"""Replay of a whole run: every actor's log and the receipt against the model (spec/actors.md)."""
