"""A function that stays uncompiled on purpose."""


def breathe() -> None:
    """Let signals come through: machine code looks for none, the interpreter does at each call. A
    translated loop that may not end calls it."""
