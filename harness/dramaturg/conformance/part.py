"""A part of a plan, performed on another host, by the same code as here."""

import base64
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from dramaturg import files
from dramaturg.cluster.sent_sources import Sent
from dramaturg.conformance import certification
from dramaturg.errors import ControlError
from dramaturg.implementation import build, toolchain
from dramaturg.implementation.build import Built
from dramaturg.plan import case_plan
from dramaturg.processes import fence
from dramaturg.records import CaseRecord
from dramaturg.standing import CHANGED

FUNCTION = f"{__name__}:perform"

MOST_KEPT = 64 << 20
"""Bytes of what implementations say and of recorded runs that come back from one part."""

_KEPT = ("stderr", "traces")


class Part(BaseModel):
    """Some cases of one implementation."""

    model_config = ConfigDict(extra="forbid")

    sent: Sent
    levels: list[int]
    paths: list[str]
    """The paths of the plan's items."""
    file: str | None
    """A case file's text, in the place of the specification's own cases."""
    cores: int
    """Number of cores that this part may keep busy."""
    results: str
    """The name of the results folder in which parts are put together."""
    shares: bool = False
    """True if this host sees the files of whoever asked. The worker says so."""


class Performed(BaseModel):
    """The result of a part."""

    model_config = ConfigDict(extra="forbid")

    records: list[tuple[CaseRecord, str]]
    build: str = ""
    artefact: str = ""
    kept: dict[str, str] = {}
    """Files, by their path in a results folder, in base64."""
    left: list[str] = []
    """Files that were too large to come back."""
    errors: list[str] = []
    interrupted: bool = False

    @property
    def built(self) -> Built | None:
        """The judged build; None if nothing was built."""
        return Built(self.build, self.artefact) if self.build else None


def perform(given: dict[str, Any], tell: Callable[[Any], None]) -> dict[str, Any]:
    """On the host: tells each record with its explanation, and returns all of them."""
    part = Part.model_validate(given)
    implementation = part.sent.found(part.shares)
    with tempfile.TemporaryDirectory(prefix="dramaturg-part-") as temporary:
        folder = Path(temporary)
        fence.guard(folder)
        file = None
        if part.file is not None:
            file = folder / "cases.yaml"
            file.write_text(part.file, encoding="utf-8")
        plan = case_plan.make([implementation], part.levels, file).only(set(part.paths))
        with suppress(ControlError):  # Said again, in the outcome of each case.
            toolchain.require(implementation)
            build.build(implementation, on_output=lambda line: tell({"building": line}))
        done = Performed(records=[])
        names = {str(folder): part.results, str(implementation.folder): part.sent.folder}

        def take(record: CaseRecord, explanation: str) -> None:
            said, explanation = renamed([record.model_dump(mode="json"), explanation], names)
            done.records.append((CaseRecord.model_validate(said), explanation))
            tell({"record": said, "explanation": explanation})

        ran = certification.perform_part(plan, folder, part.cores, take)
        done.errors, done.interrupted = ran.errors, ran.interrupted
        if (judged := ran.built.get(implementation.name)) is not None:
            done.build, done.artefact = judged.build, judged.artefact
        # Of a folder that is seen there too, whoever asked finds it out.
        if not part.shares and certification.is_altered(implementation, judged):
            done.errors.append(f"{implementation.name}: {CHANGED}, so this is no verdict")
        _keep(done, folder)
        return done.model_dump(mode="json")


def renamed(value: Any, names: Mapping[str, str]) -> Any:
    """Return it with this host's folders named as the reader's are."""
    match value:
        case str():
            for name, other in names.items():
                value = value.replace(name, other)
            return value
        case list():
            return [renamed(each, names) for each in value]
        case dict():
            return {key: renamed(each, names) for key, each in value.items()}
        case _:
            return value


def _keep(done: Performed, folder: Path) -> None:
    left = MOST_KEPT
    for name in _KEPT:
        for file in sorted((folder / name).rglob("*")):
            if not file.is_file() or file.is_symlink():
                continue
            path = str(file.relative_to(folder))
            if (size := file.stat().st_size) > left:
                done.left.append(files.brief(path))
                continue
            left -= size
            done.kept[path] = base64.b64encode(file.read_bytes()).decode()
