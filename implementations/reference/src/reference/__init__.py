"""The benchmarks on Python's asyncio, for reading: the model's behaviours, each in a task."""
