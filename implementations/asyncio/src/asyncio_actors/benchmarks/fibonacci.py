"""The work that actors do (IMPL-6)."""


def fibonacci(n: int) -> int:
    """Compute it by doubly recursive descent, every time."""
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)
