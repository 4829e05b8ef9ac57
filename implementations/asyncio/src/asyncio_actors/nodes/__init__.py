"""A world over several nodes: who lives where, connections, the secret."""
