"""Certificates and reviews: statements about builds, signed, read and compared.

A certificate is data. So conformance, control and net never enter: whoever verifies hands in
what performs its cases again. Plans, implementations and the machine may.
"""
