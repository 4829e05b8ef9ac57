"""Implementations that are wrong on purpose, and others that are right in an unusual way.

And what follows from who was killed by which case: which requirement is held by what. Everything
enters that performs and plans; timing does not, and is run as the command that it is.
"""
