"""Receive logs and receipts, held against the model: replay, what departs, and why.

Nothing enters but the model, and nothing is started here.
"""
