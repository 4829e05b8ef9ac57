"""Other hosts: named, started or reached, asked what they have, and given work.

An existing engine (Dask distributed) starts, reaches and watches them. Nothing here knows what is
performed there: a job is a function of a module and values of JSON.
"""
