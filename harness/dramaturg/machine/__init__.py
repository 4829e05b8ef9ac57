"""The machine: what it is, what its kernel can emulate, and the least that things can take on it.

Nothing enters but what is in no room. Implementations and benchmarks are not known here.
"""
