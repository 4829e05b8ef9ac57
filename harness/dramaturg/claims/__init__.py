"""Compares what studies claimed with recorded runs: predicates, decisions, the page.

Reads results and ``claims/`` of the repository; starts nothing. May import reports and what
is below them.
"""
