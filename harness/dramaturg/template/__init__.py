"""Beginnings of repositories (``dramaturg new``), and their changes since (``dramaturg update``).

A template is a folder of ``harness/templates``, described by its ``template.toml``. If the language
has an implementation here, its plumbing comes from there. A template makes bytes by path; only the
command line writes them.
"""
