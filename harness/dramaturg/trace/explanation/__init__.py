"""Explains why a run departs from the model: the events that led to it, the requirement that asks
for the missing message, and a picture for people. It is asked for only once a replay has found
something.
"""
