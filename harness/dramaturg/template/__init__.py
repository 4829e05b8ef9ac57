"""Beginnings of repositories (``dramaturg new``), and what of one has changed since
(``dramaturg update``).

A template is a folder of ``harness/templates``, described by its ``template.toml``. Where the
language has an implementation here, its plumbing comes from there. What a template makes is
bytes by path; only the command line writes them.
"""
