"""Receive logs and receipts, held against the model: replay, what departs, and why.

Nothing enters but the model, and nothing is started here. Files of this folder itself read and
write logs; ``replay`` holds everything against the model, ``explanation`` says why it departs,
``partial`` does both for what is watched where others are not.
"""
