"""Results over commits: one line for each benchmark, cut where nothing may be compared, and where
a line has changed.

Reads results folders, which are the only store; starts nothing. May import reports and what is
below them.
"""
