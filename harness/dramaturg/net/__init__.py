"""Networks that are emulated: hosts, the links between them, and what they leave behind.

Nothing enters but processes and the machine.
"""
