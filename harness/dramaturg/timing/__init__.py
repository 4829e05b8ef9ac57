"""Timing: suites, invocations, the ledger, audits, and the statistics of samples.

Everything enters that runs implementations; certificates, casts and reports do not.
"""
