"""The command line: a file for each command. Everything may enter, when that is asked for.

Nothing elsewhere imports a command.
"""
