"""Decides if a measurement may be believed (spec/measurements.md): time claimed against time seen,
logs against the model, receipts against facts, work against floors. The choice of actors to watch
for that is made here, and their logs are fetched.
"""
