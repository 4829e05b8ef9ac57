"""Nodes on hosts of their own: an agent on each, which owns all that runs there, and the messages
over its pipes.

An agent is started by whoever may start things there (ssh, srun), listens nowhere for us, and ends
with its input. The code that decides when nodes are started, and that times them, is above.
"""
