"""Cases: what their files say, whether that makes sense, and what their runs must contain.

Nothing enters but the model and traces. The layer does not know who performs a case.
"""
