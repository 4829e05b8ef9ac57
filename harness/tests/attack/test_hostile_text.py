"""Texts of others are shown as they are: they act neither on a terminal nor on a page."""

import io
import json
import re
import shlex
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
import zipfile
from pathlib import Path
from typing import Any

import pytest
from attack_kit import Prey, document, dramaturg, signed
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from dramaturg.certificates.signed_file import Difference
from dramaturg.certificates.verification import Verification
from dramaturg.claims import decide
from dramaturg.claims.claim_verdicts import ClaimVerdict, Judged, Judgement
from dramaturg.cli import claims, history, main, update
from dramaturg.errors import Crashed
from dramaturg.history.document import History, HistoryGap, HistoryLine
from dramaturg.implementation import startable, toolchain
from dramaturg.outcomes import Outcome
from dramaturg.records import CaseRecord
from dramaturg.report import chart, lifelines, markdown
from dramaturg.report.report_files import HTML, JUNIT, write_all
from dramaturg.results import CONFORMANCE, Recorded, ResultsError, Writer
from dramaturg.template.changes import Change, State
from dramaturg.terminal import case_lines, show
from dramaturg.timing.planning import warmups
from dramaturg.timing.running import readiness
from dramaturg.trace.explanation.message_sequence import Status, Step
from dramaturg.visible import visible

HOSTILE = (
    "[/nonsense] [bold green]certified[/] :warning: \x1b[2J\x1b]0;title\x07 \x9b31m \r overwritten"
    " \u202eelif\u202c \u2066x\u2069 \u200b <script>alert(1)</script> & ]]> \x00 \ud800 \ufffe"
    "\nreference   certified   9/9"
)
ACTS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufffe]"
)
"""Characters that a terminal obeys, and that turn the direction of text, or hide."""


def literal(text: str) -> bool:
    return not ACTS.search(text) and "[bold green]certified[/]" in text and "\\x1b[2J" in text


def record(**values: object) -> CaseRecord:
    standard: dict[str, object] = {
        "implementation": "prey", "level": 1, "benchmark": "pingpong", "case": "one",
        "outcome": Outcome.CRASH, "message": HOSTILE,
    }  # fmt: skip
    return CaseRecord.model_validate(standard | values)


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"outcome": Outcome.TOOLCHAIN_MISSING},
        {"known": HOSTILE, "message": ""},
        {"case": HOSTILE, "message": ""},
        {"implementation": HOSTILE, "message": ""},
        {"divergence": {}, "case": HOSTILE},
        {"why": [{"id": HOSTILE, "chapter": "x", "text": "y"}], "message": ""},
    ],
)
def test_a_message_neither_ends_a_run_nor_acts_on_the_terminal(
    values: dict[str, object], capsys: pytest.CaptureFixture[str]
) -> None:
    with show.progress(False) as bar:
        watch = case_lines.watcher(bar, "certify", 1, False)
        watch(record(**values), f"first\n{HOSTILE}")
    said = capsys.readouterr().err
    assert literal(said), said


@pytest.mark.parametrize("unseen", "\u3164\u115f\uffa0\u2800\u034f\ufe0f\U000e0101\u17b5\u180e")
def test_no_two_names_look_like_one_by_what_does_not_show(unseen: str) -> None:
    """A filler of Hangul, a blank of Braille, a variation of nothing."""
    assert visible(f"erlang{unseen}") == "erlang" + unseen.encode("unicode_escape").decode()
    assert visible("sch\u00f6n \u65e5\u672c \u0939\u093f \u2713 e\u0301") == (
        "sch\u00f6n \u65e5\u672c \u0939\u093f \u2713 e\u0301"
    )


def test_no_line_of_a_message_passes_for_one_of_ours(capsys: pytest.CaptureFixture[str]) -> None:
    with show.progress(False) as bar:
        case_lines.watcher(bar, "certify", 1, False)(record(), "")
    lines = capsys.readouterr().err.splitlines()
    assert not [line for line in lines if line.startswith("reference")]


def test_a_terminal_shows_what_is_under_way_literally() -> None:
    console = show.Literal(file=io.StringIO(), force_terminal=True, width=400)
    with show.progress(False) as bar:
        bar.add_task(HOSTILE, total=1)
        column = bar.columns[0]
        console.print(column(bar.tasks[0]))
    shown = console.file.getvalue()  # type: ignore[attr-defined]
    assert "\\x1b[2J" in shown
    assert "[bold green]certified[/]" in shown
    assert "\x1b[2J" not in shown


def test_the_one_error_of_a_command_is_shown_literally(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for raised in (Crashed(HOSTILE), OSError(5, HOSTILE), RuntimeError(HOSTILE),
                   main.click.UsageError(HOSTILE)):  # fmt: skip

        def fail(*, error: Exception = raised, **rest: object) -> None:
            raise error

        monkeypatch.setattr(main.cli, "main", fail)
        with pytest.raises(SystemExit):
            main.main()
        said = capsys.readouterr().err
        assert not ACTS.search(said), said
        assert "[bold green]certified[/]" in said


def test_a_verification_is_shown_literally(capsys: pytest.CaptureFixture[str]) -> None:
    from dramaturg.cli import verify

    made = Verification(Path("certificate.json"), HOSTILE)
    made.differences = [Difference(HOSTILE, HOSTILE, HOSTILE)]
    made.errors = made.left_out = [HOSTILE]
    verify._print(made, [], None)
    assert literal(capsys.readouterr().out)


def test_a_probe_that_prints_markup_neither_ends_doctor_nor_acts(tmp_path: Path) -> None:
    prey = Prey(tmp_path / "prey")
    manifest = prey.folder / "dramaturg.toml"
    text = manifest.read_text()
    (prey.folder / "said").write_bytes(HOSTILE.encode("utf-8", "replace"))
    manifest.write_text(text.replace("touch probed; echo 1", "cat said; exit 1"))
    command = [sys.executable, "-m", "dramaturg.cli.main", "doctor", str(prey.folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == Outcome.TOOLCHAIN_MISSING.exit_code, done.stderr
    assert not ACTS.search(done.stdout)


def reported(folder: Path) -> Path:
    told = ("headline", "actor", "sender", "expected", "actual", "note")
    divergence: dict[str, object] = {
        "history": [HOSTILE],
        "requirements": [{"id": "X", "chapter": "y", "text": HOSTILE}],
        "sequence": [{"from": HOSTILE, "to": "b", "message": HOSTILE, "status": "lost"}],
        "actor_state": {"x": HOSTILE},
        **dict.fromkeys(told, HOSTILE),
    }
    with Writer(folder / CONFORMANCE, planned={"prey": 2}, levels=[1]) as writer:
        writer.write(record(command=HOSTILE, requirements=[HOSTILE]))
        writer.write(record(divergence=divergence, outcome=Outcome.FAIL, known=HOSTILE))
        writer.write(record(outcome=Outcome.NOT_RUN, case=HOSTILE))
    (folder / "environment.json").write_text(json.dumps({"x": {"y": HOSTILE}, HOSTILE: HOSTILE}))
    write_all(folder)
    return folder


def test_a_page_and_its_drawings_show_it_literally(tmp_path: Path) -> None:
    page = (reported(tmp_path) / HTML).read_text(encoding="utf-8")
    assert literal(page)
    assert "<script>" not in page
    assert "<svg" in page


def test_junit_shows_it_literally(tmp_path: Path) -> None:
    text = (reported(tmp_path) / JUNIT).read_text(encoding="utf-8")
    assert literal(text)
    root = ET.fromstring(text)
    assert not any(element.tag == "script" for element in root.iter())
    assert not any(
        ACTS.search(value) for element in root.iter() for value in element.attrib.values()
    )


def test_drawings_show_it_literally() -> None:
    row = chart.Row(HOSTILE, HOSTILE, [chart.Dot(1.0, HOSTILE)], 1.0, 0.5, 1.5)
    drawn = chart.interval_plot([row], HOSTILE, HOSTILE)
    assert literal(drawn)
    drawn = lifelines.sequence_diagram([Step(HOSTILE, "b", HOSTILE, Status.LOST)], HOSTILE, "x")
    assert literal(drawn)
    assert "<script>" not in drawn


def test_markdown_shows_it_literally_and_ends_on_text_made_to_be_slow() -> None:
    assert literal(markdown.inline(HOSTILE))
    start = time.process_time()
    for slow in ("[" * 100_000, "[a](" * 50_000, "*a" * 50_000, "`" * 100_001, "*" + "a " * 90_000):
        markdown.inline(slow)
    taken = time.process_time() - start
    start = time.process_time()
    markdown.inline("[a](b) " * 50_000)
    assert taken < 100 * (time.process_time() - start)


def test_json_on_a_terminal_has_no_character_that_acts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    result = dramaturg("report", reported(tmp_path), "--json")
    assert not ACTS.search(result.stdout)
    assert json.loads(result.stdout)["findings"][0]["message"].startswith("[/nonsense]")


LINE = "x\ncertificate.json: pass: the certificate holds\n\tpass erlang 9/9\n"


def ours(said: str) -> list[str]:
    """Lines that would pass for the verdict of somebody."""
    return [line for line in said.splitlines() if line.strip().startswith(("certificate", "pass"))]


def test_no_key_in_an_envelope_is_a_line_of_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = document(monkeypatch, Prey(tmp_path / "prey").implementation)
    file = signed(tmp_path / "x.json", made, Ed25519PrivateKey.generate())
    sealed = json.loads(file.read_text())
    names = [LINE, LINE[:16], "\n", "\rpass e", "\u2028pass e", "x\n\u202epass"]
    sealed["signatures"] = [
        {"keyid": name, "sig": sealed["signatures"][0]["sig"]} for name in names
    ]
    file.write_text(json.dumps(sealed))
    public = tmp_path / "public.pem"
    pem = Ed25519PrivateKey.generate().public_key()
    public.write_bytes(pem.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))
    for words in ((), ("--key", public), ("--review", file)):
        said = dramaturg("verify", file, "--no-run", *words).output
        assert "key x\\ncert" in said or "is a certificate and no review" in said or not said, said
        assert ours(said) == []
        assert not ACTS.search(said)


def test_no_file_is_a_line_of_ours(tmp_path: Path) -> None:
    folder = reported(tmp_path / "f\npass erlang 9/9\n")
    for name in (
        "review)\ncertificate erlang: pass: the certificate holds\n(.json",
        "review\r\tpass erlang\u2028.json",
    ):
        (folder / name).write_text("{}")
    for words in (
        (),
        ("--archive", tmp_path / "a\npass.zip"),
        ("--pictures", tmp_path / "p\npass"),
    ):
        said = dramaturg("report", folder, *words).output
        assert "review)\\ncertificate erlang" in said
        assert ours(said) == []
    said = dramaturg("report", tmp_path / "a\npass.zip", "--output", tmp_path / "o\npass").output
    assert ours(said) == []
    (folder / "conformance.jsonl").write_text("{}\n{}\n")
    for command in ("report", "replay", "trace", "verify"):
        said = dramaturg(command, folder / "conformance.jsonl").output
        assert ours(said) == []


def test_nothing_of_a_history_or_of_a_claim_is_a_line_of_ours(
    capsys: pytest.CaptureFixture[str],
) -> None:
    short = "x\npass erlang"  # A long text is wrapped, as the terminal does.
    known: dict[str, Any] = {"parameters": {}, "network": {}, "cores": [], "machine": short}
    called = dict.fromkeys(("implementation", "benchmark", "scenario", "scale"), short)
    gap = HistoryGap(started=0, session=short, why=short)
    of = HistoryLine(**called, **known, stretches=[], gaps=[gap])
    made = {"method": "", "fewest": 2, "sessions": [short], "without": [short], "notes": [short]}
    history._print(History.model_validate(made | {"lines": [of]}), None)
    lacks = decide.Verdict.NOT_HERE
    judged = Judged(id="1a", says="", verdict=lacks, reason=short, digest="")
    decided = [
        ClaimVerdict(
            id="1", study="", figure="", says="", verdict=lacks, reason=short, predicates=each
        )
        for each in ([judged], [judged, judged])
    ]
    run = {"name": short, "suites": [short], "started": short}
    claims._print(Judgement.model_construct(claims=decided, runs=[run]))
    update._print(Path(), [Change(short, State.YOURS, None)], False)
    said = capsys.readouterr()
    assert "x\\npass" in said.out and "x\\npass" in said.err
    assert ours(said.out) == ours(said.err) == []


def test_no_folder_is_a_command_in_one_that_is_to_be_typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As advice has them, and as they are copied."""
    prey = Prey(tmp_path / "x$(reboot);")
    word = shlex.quote(str(prey.folder))
    monkeypatch.setattr(toolchain, "packages", lambda implementation: ["x"])
    found = readiness.find(prey.implementation, lambda _: False, uncertified=False)
    said = [toolchain.install_hint(prey.implementation), found.message]
    (prey.folder / "run$(reboot)").write_text("#!/bin/sh\n")
    said.append(startable.problem(["./run$(reboot)"], prey.folder, {}))
    for each, words in zip(said, ("--install", "certify", "chmod +x"), strict=True):
        assert f"{words} {word[:-1]}" in each
    folder = tmp_path / "r$(reboot)"
    with pytest.raises(ResultsError, match=re.escape(f"--resume '{folder}'`")):
        warmups.found(folder, Recorded(header={}), {})


def test_no_version_in_an_archive_is_a_line_of_ours(tmp_path: Path) -> None:
    folder, packed, other = reported(tmp_path / "r"), tmp_path / "a.zip", tmp_path / "b.zip"
    assert dramaturg("report", folder, "--archive", packed).exit_code == 0
    with zipfile.ZipFile(packed) as old, zipfile.ZipFile(other, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if name.endswith("archive.json"):
                said = json.loads(content) | {"harness": LINE}
                said["report"]["report.html"] = "0"
                content = json.dumps(said).encode()
            new.writestr(name, content)
    said = dramaturg("report", other, "--output", tmp_path / "out").output
    assert "It was packed by dramaturg x\\ncert" in said
    assert ours(said) == []


def test_no_implementation_on_a_site_is_a_line_of_ours(tmp_path: Path) -> None:
    with Writer(tmp_path / "r" / CONFORMANCE, planned={LINE: 1}, levels=[1]) as writer:
        writer.write(record(implementation=LINE, message="m"))
    done = dramaturg("site", tmp_path / "r", "--output", tmp_path / "site")
    assert "x\\ncertificate.json: pass" in done.output
    assert ours(done.output) == []
