"""Estimates and intervals of numbers, whatever these measure (spec/measurements.md, MEAS-8 to
MEAS-11): nothing else of this project enters."""
