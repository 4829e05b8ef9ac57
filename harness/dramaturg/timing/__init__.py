"""Timing: planning, running, whether to believe it, and the statistics of samples.

Everything enters that runs implementations; certificates, mutation and reports do not.
"""
