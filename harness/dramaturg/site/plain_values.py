"""The supplied data, read in one process and shown in another, as plain values between them.

Nothing is shown that could not be shown by itself, in the process that read it.
"""

import base64
from importlib import import_module
from pathlib import Path
from typing import Any

from dramaturg.certificates import trust
from dramaturg.certificates.remembered_verifications import Again
from dramaturg.certificates.statement import Statement
from dramaturg.report import html
from dramaturg.report.summary import Summary
from dramaturg.site import pages, reading, site_folder
from dramaturg.site.reading import REQUIREMENTS_AT
from dramaturg.site.supplied_data import Certificate, Found, Run, Source, Unread


def asked(source: Source, trusted: Path | None) -> dict[str, Any]:
    """The values that :func:`read` gets for a source."""
    return {
        "place": str(source.place),
        "name": source.name,
        "origin": source.origin,
        "as_it_came": source.as_it_came,
        "trusted": str(trusted) if trusted else None,
    }


def ready() -> None:
    """Load what sources need, before any is read: it takes many times as long as a small one."""
    import_module("scipy.stats")
    html.template(REQUIREMENTS_AT)
    pages.compile_all()


def read(given: dict[str, Any]) -> dict[str, Any]:
    """The source, read, and what of it can be shown."""
    source = Source(Path(given["place"]), given["name"], given["origin"], given["as_it_came"])
    listed = Path(given["trusted"]) if given["trusted"] else None
    found = reading.read([source], trust.of_user(listed))
    site_folder.keep_what_can_be_shown(found)
    return {
        "certificates": [_certificate(each) for each in found.certificates],
        "runs": [_run(each) for each in found.runs],
        "unread": [[each.name, each.why] for each in found.unread],
    }


def found(answer: dict[str, Any]) -> Found:
    """The data that :func:`read` has returned. Raises ValueError and KeyError if they are nothing
    of the kind, which is a fault of ours."""
    return Found(
        [
            Certificate(
                content=base64.b64decode(each.pop("content")),
                statement=Statement.model_validate(each.pop("statement")),
                again={name: Again.model_validate(said) for name, said in each.pop("again")},
                **each,
            )
            for each in answer["certificates"]
        ],
        [
            Run(summary=Summary.model_validate(each.pop("summary")), **each)
            for each in answer["runs"]
        ],
        [Unread(name, why) for name, why in answer["unread"]],
    )


def _certificate(each: Certificate) -> dict[str, Any]:
    return {
        "name": each.name,
        "origin": each.origin,
        "content": base64.b64encode(each.content).decode(),
        "digest": each.digest,
        "statement": each.statement.model_dump(mode="json", by_alias=True),
        "signer": each.signer,
        "signature": each.signature,
        "again": [(name, said.model_dump(mode="json")) for name, said in each.again.items()],
    }


def _run(each: Run) -> dict[str, Any]:
    return {
        "name": each.name,
        "origin": each.origin,
        "digest": each.digest,
        "summary": each.summary.model_dump(mode="json"),
        "page": each.page,
    }
