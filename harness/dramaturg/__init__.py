"""The harness: holds implementations of actor benchmarks to their specification, then times them.

Each folder here is a room, and says in its docstring what lives in it and what may enter. The
contracts in ``pyproject.toml`` hold it (``make lint``). What is in no room, every room may
import: it imports none.
"""
