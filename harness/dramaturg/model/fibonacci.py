"""The work that `compute` does (spec/chatapp.md, CHAT-23)."""

from functools import cache


@cache
def fibonacci(n: int) -> int:
    """The value, remembered: the model says *what* compute returns, not how long it takes."""
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def naive_fibonacci(n: int) -> int:
    """The value by doubly recursive descent, as every implementation must compute it."""
    return n if n < 2 else naive_fibonacci(n - 1) + naive_fibonacci(n - 2)


def calls(n: int) -> int:
    """Return the number of calls of ``naive_fibonacci(n)``, the outermost included: 242,785 for
    25."""
    return 2 * fibonacci(n + 1) - 1
