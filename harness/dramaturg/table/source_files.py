"""Each generated file's text, by the form that ``dramaturg table --format`` takes."""

import json

from dramaturg.table import formats
from dramaturg.table.registry import registry
from dramaturg.table.vectors import vectors

VECTORS = "vectors"
"""Questions with their answers, as JSON."""

FORMS = (*formats.FORMATS, VECTORS)


def source(form: str) -> str:
    """The whole file."""
    if form == VECTORS:
        return json.dumps(vectors(), indent=1) + "\n"
    return formats.text(form, registry())
