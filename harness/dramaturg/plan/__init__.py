"""The work of a certification, decided before anything is started: it reads only cases and
manifests.

Nothing enters but these two. Whoever performs a plan, or lists it, takes it as it is.
"""
