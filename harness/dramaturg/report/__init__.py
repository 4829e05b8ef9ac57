"""The forms in which people and other programs read results: summary, report, drawings, JUnit.

Results, traces, reviews and the statistics of timing enter. Nothing that builds, starts or
performs does: a report is made of records alone.
"""
