"""The machine: what it is, what its kernel can emulate, and the least that things can take on it.

It imports no other layer. Implementations and benchmarks are not known here.
"""
