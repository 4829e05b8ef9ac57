"""The executable specification: pure, and made to be read beside the chapters.

Nothing enters but the protocol's generated code and NumPy.
"""
