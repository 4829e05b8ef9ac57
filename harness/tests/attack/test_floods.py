"""Whoever says too much is stopped at a bound, with an outcome that says so."""

import json
import sys
import tracemalloc
from pathlib import Path

import pytest
from attack_kit import Prey, document, dramaturg, written

from dramaturg.cases import cases
from dramaturg.cases.cases import CaseError
from dramaturg.control import starting
from dramaturg.errors import (
    BuildFailed,
    CallFailed,
    ControlError,
    Crashed,
    HarnessFault,
    ManifestError,
)
from dramaturg.implementation import build, toolchain
from dramaturg.model import names
from dramaturg.processes import capped
from dramaturg.trace import codec
from dramaturg.trace.columns import laying_down
from dramaturg.trace.events import TraceError
from dramaturg.v2 import trace_pb2

FLOOD = "import sys\nwhile True: sys.stdout.write({!r} * 10000)\n"


@pytest.fixture
def prey(tmp_path: Path) -> Prey:
    return Prey(tmp_path / "prey")


def runs(prey: Prey, program: str) -> None:
    """From here on it is this Python program."""
    (prey.folder / "main.py").write_text(program)
    manifest = prey.folder / "dramaturg.toml"
    command = f'["{sys.executable}", "main.py"]'
    text = manifest.read_text().replace('["sh", "main.sh"]', command)
    manifest.write_text(text.replace('["main.sh"]', '["main.py"]'))


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("junk\n", "standard output is for JSON lines only"),
        ("no end", "a line over 16777216 bytes"),
        ('{"id":1,"item":{}}\n', "neither item nor end|wants a reply"),
    ],
)
def test_a_flood_of_output_is_a_crash_and_takes_no_memory(prey: Prey, line: str, says: str) -> None:
    runs(prey, FLOOD.format(line))
    tracemalloc.start()
    try:
        with pytest.raises(Crashed, match=says), starting.start(prey.implementation):
            pass
        assert tracemalloc.get_traced_memory()[1] < 256 * 1024 * 1024
    finally:
        tracemalloc.stop()


def test_standard_error_is_kept_up_to_a_bound(
    prey: Prey, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(capped.Capped.__init__, "__defaults__", (10_000,))
    monkeypatch.setattr(capped, "END", 300)
    runs(prey, "import sys\nsys.stderr.write('x' * 5_000_000)\n")
    log = tmp_path / "stderr.log"
    for _ in range(2):
        with pytest.raises(ControlError), starting.start(prey.implementation, stderr=log):
            pass
    assert 10_000 <= log.stat().st_size < 11_000
    assert "more was written, and is not kept" in log.read_text()


def test_a_build_that_floods_its_log_is_ended(prey: Prey, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(capped.Capped.__init__, "__defaults__", (100_000,))
    monkeypatch.setattr(capped, "END", 300)
    manifest = prey.folder / "dramaturg.toml"
    manifest.write_text(manifest.read_text().replace('["touch", "built"]', '["yes"]'))
    with pytest.raises(BuildFailed, match="wrote more than"):
        build.build(prey.implementation)
    assert (prey.folder / ".build" / "build.log").stat().st_size < 110_000


def probing(prey: Prey, probe: str, version: str = r"(\d+)") -> str:
    """Return the reason why its one tool is not usable."""
    manifest = prey.folder / "dramaturg.toml"
    text = manifest.read_text().replace("touch probed; echo 1", probe)
    manifest.write_text(text.replace("[build]\n", f"version = '{version}'\n[build]\n"))
    (finding,) = toolchain.probe(prey.implementation)
    return finding.problem


def test_a_probe_that_floods_is_no_tool(prey: Prey) -> None:
    assert "says more than 65536 bytes" in probing(prey, "yes 1 | head -c 1000000")


def test_a_pattern_that_runs_for_ever_is_ended(prey: Prey, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toolchain, "MATCH_TIMEOUT", 0.5)
    problem = probing(prey, f"echo {'a' * 60}", version="(a+)+[0-9]")
    assert "its version pattern takes more than" in problem


def test_a_pattern_of_any_length_is_refused(prey: Prey) -> None:
    with pytest.raises(ManifestError, match="version"):
        probing(prey, "echo 1", version=f"({'a' * 1000})")


def test_a_group_that_matched_nothing_is_no_version(prey: Prey) -> None:
    assert "is not usable" in probing(prey, "echo b", version="(a)?b")


def test_what_a_probe_leaves_running_is_ended(prey: Prey) -> None:
    assert probing(prey, "sleep 1000 >/dev/null 2>&1 & echo $! >left; echo 1") == ""
    pid = (prey.folder / "left").read_text().strip()
    assert (
        not Path(f"/proc/{pid}/cmdline").exists() or not Path(f"/proc/{pid}/cmdline").read_bytes()
    )


@pytest.mark.parametrize(
    "details", ["{str(n): '' for n in range(101)}", "{'x': 'y' * 1001}", "{'x' * 1001: 'y'}"]
)
def test_details_are_few_and_short(prey: Prey, details: str) -> None:
    reply = f'{{"runtime": "r", "runtime_version": "1", "schedulers": 1, "details": {details}}}'
    runs(prey, "import json, sys\nfor line in sys.stdin:\n"
               "    print(json.dumps({'id': json.loads(line)['id'], 'reply': "
               f"{reply}}}), flush=True)\n")  # fmt: skip
    with (
        pytest.raises(CallFailed, match="it may have 100 details"),
        starting.start(prey.implementation),
    ):
        pass


def test_a_trace_without_end_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codec, "MOST_EVENTS", 3)
    builder = codec.LogBuilder()
    batch = trace_pb2.TraceBatch(actor=[0] * 4, sender=[0] * 4, kind=[0] * 4)
    with pytest.raises(TraceError, match="more than 3 events"):
        builder.add(batch)
    with pytest.raises(TraceError, match="more than 3 actors"):
        builder.count(trace_pb2.TraceCounts(actor=range(4), taken=[0] * 4))


def test_a_trace_that_is_laid_down_has_an_end_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codec, "IN_MEMORY", 1)
    monkeypatch.setattr(laying_down, "MOST_LAID_DOWN", 3)
    builder = codec.LogBuilder(laid_down=True)
    answer = {"actor": [names.name(names.PING)], "sender": [names.name(names.PONG)]}
    batch = trace_pb2.TraceBatch(**answer, kind=[trace_pb2.MESSAGE_KIND_PING_PONG], args=[0, 1])
    for _ in range(3):
        builder.add(batch)
    with pytest.raises(TraceError, match="more than 3 events"):
        builder.add(batch)


def test_a_trace_that_is_laid_down_has_counts_of_all_its_actors(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(codec, "IN_MEMORY", 1)
    monkeypatch.setattr(codec, "MOST_EVENTS", 2)
    kept = list[Path]()
    builder = codec.LogBuilder(laid_down=True, guard=kept.append)
    links = [names.name(names.LINK, index) for index in range(3)]
    grow = {"kind": [trace_pb2.MESSAGE_KIND_LINK_GROW] * 3, "args": [0] * 6}
    builder.add(trace_pb2.TraceBatch(actor=links, sender=links, **grow))
    builder.count(trace_pb2.TraceCounts(actor=links, taken=[1] * 3))
    assert builder.taken == dict.fromkeys(links, 1)
    assert [folder.is_dir() for folder in kept] == [True]
    with pytest.raises(TraceError, match="more than 3 actors"):
        builder.count(trace_pb2.TraceCounts(actor=[names.name(names.LINK, 3)], taken=[0]))
    monkeypatch.setattr(codec, "MOST_ACTORS", 2)
    builder.begin_counts()
    with pytest.raises(TraceError, match="more than 2 actors"):
        builder.count(trace_pb2.TraceCounts(actor=links, taken=[1] * 3))


def test_a_trace_does_not_fill_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codec, "IN_MEMORY", 0)
    monkeypatch.setattr(laying_down, "LEFT", 1 << 60)
    builder = codec.LogBuilder(laid_down=True)
    batch = trace_pb2.TraceBatch(
        actor=[names.name(names.PING)], sender=[names.name(names.PONG)],
        kind=[trace_pb2.MESSAGE_KIND_PING_PONG], args=[0, 1],
    )  # fmt: skip
    with pytest.raises(HarnessFault, match=r"only .* MiB are free after 1 events .* TMPDIR"):
        builder.add(batch)


@pytest.mark.parametrize("name", ["../../x", "a/b", "/etc/x", "a b", ".hidden", "x" * 101, "a\\nb"])
def test_a_cases_name_is_no_path(tmp_path: Path, name: str) -> None:
    file = tmp_path / "case.yaml"
    file.write_text(
        f'benchmark: pingpong\ncases:\n- name: "{name}"\n  purpose: x\n  level: 1\n'
        "  serial: {benchmark: {pingpong: {rounds: 1}}}\n"
    )
    with pytest.raises(CaseError, match="its name must be of letters"):
        cases.load_file(file)


def test_a_certificate_that_says_much_is_shown_in_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = document(monkeypatch, Prey(tmp_path / "prey").implementation)
    made["predicate"]["environment"] |= {f"k{number}": 1 for number in range(5000)}
    made["predicate"]["environment"]["cpu"] = "long" * 100_000
    made["predicate"]["cases"]["each"] |= {
        f"1-trace/pingpong/x{number}": "0" * 64 for number in range(5000)
    }
    file = written(tmp_path / "c.json", made)
    said = dramaturg("verify", file).output
    assert len(said) < 100_000
    assert "note: and 4," in said and "differs: and 4," in said
    assert len(json.loads(dramaturg("verify", file, "--json").output)["notes"]) > 5000
