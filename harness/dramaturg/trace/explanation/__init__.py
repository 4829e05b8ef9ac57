"""Why a run departs from the model: what led to it, which requirement asks for what is missing,
and how a person is shown that. It is asked for only once a replay has found something.
"""
