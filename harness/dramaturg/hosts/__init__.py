"""Nodes on hosts of their own: an agent on each, which owns what runs there, and what is said to it
over its pipes.

An agent is started by whoever may start things there (ssh, srun), listens nowhere for us, and ends
with its input. What decides when nodes are started, and what is timed, is above.
"""
