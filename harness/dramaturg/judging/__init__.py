"""Judging a whole run, whatever its size: in memory, or in a process that can be ended."""
