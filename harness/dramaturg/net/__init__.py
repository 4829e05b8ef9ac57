"""Networks that are emulated: hosts, the links between them, and what they leave behind;
and another kernel, which may have what they take.

Nothing enters but processes and the machine.
"""
