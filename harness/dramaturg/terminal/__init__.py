"""Output for a person at a terminal, and with --json for a program: tables, lines, errors.

Whatever has results to show may enter; nothing is started here.
"""
