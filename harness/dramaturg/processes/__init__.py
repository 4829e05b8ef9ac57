"""Processes that are started, counted and ended, whatever becomes of the harness.

Nothing enters: whoever starts anything comes here, and what it is for is not known here.
"""
