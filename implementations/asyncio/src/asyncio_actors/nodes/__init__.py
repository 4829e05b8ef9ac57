"""A world over several nodes: the homes of actors, connections, the secret."""
