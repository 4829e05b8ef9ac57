"""Text from outside, as it is: nothing in it acts on whoever shows it.

Terminals obey control characters, and text with marks of direction reads otherwise than it
is written. Both are shown as escapes. What Markdown, HTML and XML make of the rest is for
their own writers to escape.
"""

import unicodedata

_HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
"""Categories of Unicode: control, format, surrogate, private, unassigned, and separators of
lines and paragraphs."""

_LAYOUT = "\n\t"


def visible(text: str) -> str:
    """The text with every character that does not show spelt out: ``\\x1b``, ``\\u202e``.

    Ends of lines and tabs stay.
    """
    return text if text.isprintable() else "".join(map(_spelt, text))


def quoted(text: str) -> str:
    """As :func:`visible`; all lines but the first are marked, so that none of them can pass
    for a line of ours."""
    return visible(text).replace("\n", "\n  | ")


def line(text: str) -> str:
    """As :func:`visible`, and what would begin another line is spelt out as well: for a name that
    stands within a line of ours."""
    return visible(text).replace("\n", "\\n").replace("\t", "\\t")


def _spelt(character: str) -> str:
    if character in _LAYOUT or unicodedata.category(character) not in _HIDDEN:
        return character
    return character.encode("unicode_escape").decode("ascii")
