"""The parts of attacks: an implementation that leaves traces, its certificate, its review."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)

from dramaturg.certificates import certificate, checklist, envelope, review
from dramaturg.certificates.review_answers import Answer, Answered, Answers
from dramaturg.cli.main import cli
from dramaturg.implementation import build
from dramaturg.implementation.manifest import Implementation, load
from dramaturg.levels import REQUIRED
from dramaturg.outcomes import Outcome
from dramaturg.plan import case_plan
from dramaturg.records import CaseRecord
from dramaturg.standing import Standing
from dramaturg.v2 import control_pb2

MANIFEST = """\
name = "{name}"
language = "shell"
spec = "2"
control = "stdio"
benchmarks = ["pingpong"]
[[toolchain.needs]]
what = "a shell"
probe = ["sh", "-c", "touch probed; echo 1"]
[build]
commands = [["touch", "built"]]
inputs = ["main.sh"]
[run]
command = ["sh", "main.sh"]
"""


class Prey:
    """An implementation that does nothing but leave a file behind for each thing done to it."""

    def __init__(self, folder: Path, name: str = "prey") -> None:
        folder.mkdir(parents=True)
        self.folder = folder
        # It runs in a copy, and knows whose.
        (folder / "main.sh").write_text(f"touch {folder.resolve()}/ran\n")
        (folder / "dramaturg.toml").write_text(MANIFEST.format(name=name))

    @property
    def implementation(self) -> Implementation:
        return load(self.folder)

    @property
    def traces(self) -> set[str]:
        """Return what has happened to it so far: probed, built, ran."""
        return {name for name in ("probed", "built", "ran") if (self.folder / name).exists()}


def document(monkeypatch: pytest.MonkeyPatch, *implementations: Implementation) -> dict[str, Any]:
    """A certificate that says that every case passed, made without starting anything."""
    said = control_pb2.DescribeResponse(runtime="none", runtime_version="0", schedulers=1)
    monkeypatch.setattr(certificate, "toolchain_of", lambda implementation: {})
    claims = {
        each.name: certificate.claim(each, _standing(each), lambda implementation: said)
        for each in implementations
    }
    made: dict[str, Any] = json.loads(certificate.statement(claims).to_json())
    monkeypatch.undo()
    return made


def _standing(implementation: Implementation) -> Standing:
    levels = list(REQUIRED)
    items = case_plan.make([implementation], levels).items
    standing = Standing(implementation.name, build.digest(implementation), len(items))
    standing.levels = levels
    standing.records = [
        CaseRecord(
            implementation=implementation.name, level=item.case.level, case=item.case.name,
            benchmark=item.case.benchmark, outcome=Outcome.PASS,
        )
        for item in items
    ]  # fmt: skip
    return standing


def review_of(implementation: Implementation, reviewer: str = "Bob") -> dict[str, Any]:
    """A review of this build in which all is well but the last question, which is *no*."""
    asked = checklist.load()
    each = {name: Answered(answer=Answer.YES) for name in asked.questions}
    each[list(each)[-1]] = Answered(answer=Answer.NO, remark="main.sh: it fetches what it runs")
    given = Answers(
        implementation=implementation.name,
        build=build.digest(implementation),
        reviewer=reviewer,
        each=each,
    )
    made: dict[str, Any] = json.loads(review.made(given, asked).to_json())
    return made


def dramaturg(*words: object, **more: Any) -> Result:
    """The command line, in this process."""
    return CliRunner().invoke(cli, [str(word) for word in words], **more)


def error_of(*words: object) -> str:
    """The one error that the command line ends with."""
    result = dramaturg(*words)
    assert result.exception is not None, result.output
    return result.output if isinstance(result.exception, SystemExit) else str(result.exception)


def written(file: Path, content: dict[str, Any]) -> Path:
    file.write_text(json.dumps(content))
    return file


def signed(
    file: Path, made: dict[str, Any], key: Ed25519PrivateKey, keyid: str | None = None
) -> Path:
    sealed = json.loads(envelope.sign(json.dumps(made).encode(), key).to_json())
    if keyid is not None:
        sealed["signatures"][0]["keyid"] = keyid
    file.write_text(json.dumps(sealed))
    return file


def trusting(folder: Path, *entries: tuple[str, Ed25519PrivateKey, str]) -> Path:
    """A list of trusted keys, each with what else stands in its entry."""
    text = ""
    for name, key, rest in entries:
        public = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
        (folder / f"{name}.pem").write_bytes(public)
        text += f'[[keys]]\nname = "{name}"\nkey = "{name}.pem"\n{rest}\n'
    file = folder / "trusted.toml"
    file.write_text(text)
    return file


def private_key(file: Path, key: Ed25519PrivateKey) -> Path:
    file.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return file
