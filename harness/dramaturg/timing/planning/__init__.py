"""Plans what will be timed, how often and in which order, and what is known about it before
anything runs.

Suites become a plan here; plans are compared, pinned, resumed and estimated by records.
"""
