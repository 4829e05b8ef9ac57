"""What is to be done, decided before anything is started: no more is read than cases and manifests.

Nothing enters but these two. Whoever performs a plan, or lists it, takes it as it is.
"""
