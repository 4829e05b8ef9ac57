"""The generator: the model's own (spec/lcg.md)."""

from dramaturg.model.lcg import Lcg

__all__ = ["Lcg"]
