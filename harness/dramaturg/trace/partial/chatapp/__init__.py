"""ChatApp's outsiders, by the receivers of their messages.

The messages of poker and directories are fixed. Messages of clients, chats and accumulators to
watched actors are held against the facts of spec/chatapp.md, and against what watched actors sent.
"""
