"""Badges: what a README shows of an implementation, as SVG and as shields' endpoint JSON.

Neither loads anything. https://shields.io/badges/endpoint-badge
"""

import json

from markupsafe import Markup

from dramaturg import requirements
from dramaturg.report import formatting
from dramaturg.site.league import Implementation, Standing
from dramaturg.visible import visible

LABEL = "dramaturg"

_SIGNED, _REPORTED, _OTHER, _NOT = "00694f", "4a6785", "7d5a00", "b03a06"
_WIDTH, _PAD, _HEIGHT = 6.4, 12.0, 20
"""The width of a character, the space beside a text, and the height; the drawing makes the text as
wide as that."""


def message(one: Implementation) -> str:
    """The text of a badge. A certificate without a signature that the reader trusts is
    *reported*."""
    judged = one.newest
    if judged is None or one.standing is Standing.CONTRADICTED:
        return str(Standing.CONTRADICTED)
    word = "certified" if one.signer else "reported"
    if one.standing is Standing.OTHER_CASES:
        return f"{word} on other cases"
    names = list(judged.benchmarks)
    what = names[0] if len(names) == 1 else formatting.count(len(names), "benchmark")
    return f"{word}: {what}, {levels(one)}"


def levels(one: Implementation) -> str:
    """``levels 0–4``, of those in which cases passed."""
    assert one.newest is not None
    passed = [level for level, said in one.newest.entry.claim.levels.items() if said.cases]
    whole = passed == list(range(passed[0], passed[-1] + 1)) if passed else False
    return f"levels {passed[0]}–{passed[-1]}" if whole else f"levels {', '.join(map(str, passed))}"


def colour(one: Implementation) -> str:
    """Six hexadecimal digits. The words say the same."""
    match one.standing:
        case Standing.CERTIFIED:
            return _SIGNED if one.signer else _REPORTED
        case Standing.OTHER_CASES:
            return _OTHER
        case _:
            return _NOT


def endpoint(one: Implementation) -> str:
    """The JSON that shields reads."""
    made = {"schemaVersion": 1, "label": LABEL, "message": message(one), "color": colour(one)}
    return json.dumps(made, indent=2) + "\n"


def broken(one: Implementation) -> str:
    """The requirement that it was last seen to depart from, if it is not certified; else empty."""
    if one.standing in (Standing.CERTIFIED, Standing.OTHER_CASES):
        return ""
    known = requirements.load()
    for recorded in one.records:
        for finding in recorded.run.summary.findings:
            named = [why.get("id", "") for why in finding.why if why.get("id", "") in known]
            if finding.implementation == one.name and named:
                return named[0]
    return ""


def drawing(one: Implementation) -> str:
    """The badge as SVG. It leads to the implementation's page, or to what is broken."""
    departed = broken(one)
    said = message(one) + (f": {departed}" if departed else "")
    page = f"requirements/{departed}.html" if departed else f"implementations/{one.slug}.html"
    left, right = (len(text) * _WIDTH + _PAD for text in (LABEL, said))
    parts = [
        _text(LABEL, left / 2, left - _PAD),
        _text(visible(said), left + right / 2, right - _PAD),
    ]
    return (
        Markup(
            '<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height}"'
            ' role="img" aria-label="{label}: {said}">\n'
            "<title>{name}: {said}</title>\n"
            '<a href="../{page}">\n'
            '<rect width="{left:g}" height="{height}" fill="#3a3b3f"/>\n'
            '<rect x="{left:g}" width="{right:g}" height="{height}" fill="#{colour}"/>\n'
            '<g fill="#fff" text-anchor="middle" font-size="11"'
            ' font-family="Verdana,DejaVu Sans,Geneva,sans-serif">\n'
        ).format(
            width=round(left + right, 1), height=_HEIGHT, left=round(left, 1),
            right=round(right, 1), label=LABEL, said=visible(said), name=visible(one.name),
            page=page, colour=colour(one),
        )
        + Markup("\n").join(parts)
        + Markup("\n</g>\n</a>\n</svg>\n")
    )  # fmt: skip


def _text(text: str, middle: float, length: float) -> Markup:
    return Markup('<text x="{:g}" y="14" textLength="{:g}">{}</text>').format(
        round(middle, 1), round(length, 1), text
    )
