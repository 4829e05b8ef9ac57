"""The harness: holds implementations of actor benchmarks to their specification, then times them.

Each folder here is a layer. Its docstring says what belongs there and what it may import, and
contracts in ``pyproject.toml`` enforce it (``make lint``). Modules outside of the folders import no
layer, and every layer may import them.
"""
