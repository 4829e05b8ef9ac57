"""The work, done and not looked up: by doubly recursive descent (IMPL-6)."""

from dramaturg.model.fibonacci import naive_fibonacci as fibonacci

__all__ = ["fibonacci"]
