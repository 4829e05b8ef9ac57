"""The protocol's registries as tables for other languages (``dramaturg table``).

Everything is read off the proto files: classes, kinds, labels, arguments, choices, and the
ranges of parameters.
"""
