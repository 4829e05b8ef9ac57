"""An implementation on disk: its manifest, its toolchain, its build, and which build it is.

Nothing enters but processes. How one is spoken to is in control/, and what is expected of it is
not known here.
"""
