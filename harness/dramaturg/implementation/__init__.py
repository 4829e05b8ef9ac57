"""An implementation on disk: its manifest, its toolchain, its build, and which build it is.

Nothing enters but processes. The layer does not know how to speak to one (control/), nor which
answers are expected.
"""
