"""Whether a measurement may be believed (spec/measurements.md): time claimed against time seen,
logs against the model, receipts against facts, work against floors. What is to be watched for
that is drawn here, and fetched.
"""
