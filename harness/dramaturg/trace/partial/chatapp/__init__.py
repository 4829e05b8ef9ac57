"""ChatApp's outsiders, by who takes what they say.

What poker and directories say is fixed. What clients, chats and accumulators say to watched
actors is held against the facts of spec/chatapp.md, and against what watched actors sent.
"""
