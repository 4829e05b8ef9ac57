"""Carrying out a plan: invocations, their iterations, and the samples that come of them."""
