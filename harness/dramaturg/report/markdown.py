"""The little Markdown that requirements are written in: code, emphasis, links."""

import re

from markupsafe import Markup, escape

from dramaturg.visible import visible

_CODE = re.compile(r"`([^`]+)`")
_EMPHASIS = re.compile(r"(?<![\w*])\*([^*\s](?:[^*]*[^*\s])?)\*(?![\w*])")
_LINK = re.compile(r"\[([^\[\]]+)\]\([^()\[]+\)")


def inline(text: str) -> Markup:
    """One paragraph as HTML. The words of a link stay: the page needs no other file."""
    pieces = _CODE.split(visible(text))
    return Markup("").join(
        Markup("<code>{}</code>").format(piece) if place % 2 else _words(piece)
        for place, piece in enumerate(pieces)
    )


def _words(text: str) -> Markup:
    plain = str(escape(_LINK.sub(r"\1", text)))
    return Markup(_EMPHASIS.sub(r"<em>\1</em>", plain))
