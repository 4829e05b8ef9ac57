"""Another user of the machine decides neither whose word counts nor whether one can sign."""

import base64
import contextlib
import json
import os
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import psutil
import pytest
from attack_kit import Prey, document, dramaturg, error_of, private_key, signed, trusting, written
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from waiting import wait_until

from dramaturg import files, results
from dramaturg.certificates import envelope, intoto, trust
from dramaturg.processes import supervised
from dramaturg.report import sessions
from dramaturg.results import ResultsError

ADA, BOB, EVE = (Ed25519PrivateKey.generate() for _ in range(3))
NOBODY = 65534
TOMORROW = f"expires = {date.today() + timedelta(days=1)}"

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="not run: it takes root to be two users")


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A list in a folder of one's own."""
    folder = tmp_path / "mine"
    folder.mkdir(mode=0o755)
    return trusting(folder, ("ada", ADA, TOMORROW))


def refused(file: Path) -> str:
    certificate = file.with_name("c.json")
    certificate.write_text("{}")
    said = error_of("verify", certificate, "--trusted", file)
    assert "\n" not in said.strip()
    return said


@pytest.mark.parametrize("what", ["trusted.toml", "ada.pem"])
@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_what_others_may_write_is_refused_by_name(mine: Path, what: str, mode: int) -> None:
    mine.with_name(what).chmod(mode)
    said = refused(mine)
    assert f"{mine.with_name(what)}: others may write to it" in said


@contextlib.contextmanager
def within(seconds: int) -> Iterator[None]:
    """A call that waits for longer fails, and ends nobody else's tests."""

    def late(number: int, frame: object) -> None:
        raise TimeoutError(f"it waits after {seconds} s")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@as_root
@pytest.mark.parametrize("what", ["trusted.toml", "ada.pem"])
def test_what_belongs_to_another_is_refused_by_name(mine: Path, what: str) -> None:
    os.chown(mine.with_name(what), NOBODY, NOBODY)
    assert f"{mine.with_name(what)} belongs to another user (nobody)" in refused(mine)


@as_root
def test_whoever_became_root_by_sudo_keeps_their_list(
    mine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for each in (mine, mine.with_name("ada.pem"), mine.parent):
        os.chown(each, NOBODY, NOBODY)
    monkeypatch.setenv("SUDO_UID", str(NOBODY))
    assert [each.name for each in trust.of_user(mine)] == ["ada"]
    monkeypatch.setenv("SUDO_UID", "-1")
    assert "belongs to another user" in refused(mine)


def test_a_folder_in_which_others_may_exchange_it_is_refused_by_name(mine: Path) -> None:
    mine.parent.chmod(0o777)
    assert f"{mine.parent}: others may write to this folder" in refused(mine)
    mine.parent.chmod(0o1777)
    assert [each.name for each in trust.of_user(mine)] == ["ada"]


@as_root
def test_a_folder_or_a_link_of_another_is_refused_by_name(mine: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.toml"
    link.symlink_to(mine)
    assert trust.of_user(link.resolve())
    os.chown(link, NOBODY, NOBODY, follow_symlinks=False)
    assert f"{link} belongs to another user" in refused(link)
    os.chown(mine.parent, NOBODY, NOBODY)
    assert f"{mine.parent} belongs to another user" in refused(mine)


@as_root
def test_a_folder_of_ones_own_group_is_ones_own(mine: Path) -> None:
    mine.parent.chmod(0o775)
    assert [each.name for each in trust.of_user(mine)] == ["ada"]
    os.chown(mine.parent, 0, NOBODY)
    assert "others may write to this folder" in refused(mine)


@as_root
def test_a_list_of_rights_that_lets_another_write_is_refused_by_name(mine: Path) -> None:
    """As acl(5) keeps it: the owner, user 1000, the group, the mask, others."""
    entries = [(1, 7, -1), (2, 7, 1000), (4, 5, -1), (16, 7, -1), (32, 5, -1)]
    packed = b"".join(struct.pack("<HHi", *entry) for entry in entries)
    try:
        os.setxattr(mine.parent, "system.posix_acl_access", struct.pack("<I", 2) + packed)
    except OSError as error:
        pytest.skip(f"not run: {error.strerror}")
    assert f"{mine.parent}: others may write to this folder" in refused(mine)


@as_root
def test_a_folder_of_another_that_only_a_link_leads_through_is_refused_by_name(
    mine: Path, tmp_path: Path
) -> None:
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    (theirs / "way").symlink_to("../mine/trusted.toml")
    (theirs / "below").symlink_to(mine.parent)
    links = [tmp_path / "link.toml", tmp_path / "to" / "trusted.toml"]
    links[0].symlink_to("theirs/../theirs/way")
    links[1].parent.symlink_to(theirs / "below")
    (tmp_path / "ada.pem").write_bytes(mine.with_name("ada.pem").read_bytes())
    for link in links:
        assert [each.name for each in trust.of_user(link)] == ["ada"]
    os.chown(theirs, NOBODY, NOBODY)
    for link in links:
        assert f"{theirs} belongs to another user" in refused(link)


# --- signatures that stand beside others ---


@pytest.mark.parametrize("order", [("ada", "bob"), ("bob", "ada")])
@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("claimed", [ADA, BOB])
def test_a_forged_signature_beside_a_right_one_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, order: tuple[str, str], first: bool,
    claimed: Ed25519PrivateKey,
) -> None:  # fmt: skip
    made = document(monkeypatch, Prey(tmp_path / "prey").implementation)
    file = signed(tmp_path / "c.json", made, BOB)
    sealed = json.loads(file.read_text())
    forged = {
        "keyid": envelope.key_id(claimed.public_key()),
        "sig": base64.b64encode(EVE.sign(b"x")).decode(),
    }
    sealed["signatures"].insert(0 if first else 1, forged)
    file.write_text(json.dumps(sealed))
    keys = {"ada": ADA, "bob": BOB}
    listed = trusting(tmp_path, *((name, keys[name], TOMORROW) for name in order))
    result = dramaturg("verify", file, "--trusted", listed, "--no-run")
    assert result.exit_code == 1, result.output
    assert "claims to be by " in result.output
    if claimed is BOB:
        result = dramaturg("verify", file, "--key", tmp_path / "bob.pem", "--no-run")
        assert result.exit_code == 1, result.output
    # It says nothing of a key that nobody trusts.
    result = dramaturg("verify", file, "--key", tmp_path / "ada.pem", "--no-run")
    assert result.exit_code == 1


@pytest.mark.parametrize("spelt", ["{}", " {}\n"])
def test_a_claim_in_capitals_or_with_a_space_is_the_same_claim(spelt: str) -> None:
    sealed = envelope.sign(b"{}", EVE)
    sealed.signatures[0].keyid = spelt.format(envelope.key_id(ADA.public_key()).upper())
    assert sealed.is_forged(ADA.public_key())
    assert not sealed.is_forged(BOB.public_key())


def test_a_signature_of_a_stranger_beside_a_right_one_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = document(monkeypatch, Prey(tmp_path / "prey").implementation)
    file = signed(tmp_path / "c.json", made, BOB)
    sealed = json.loads(file.read_text())
    sealed["signatures"].insert(0, {"keyid": envelope.key_id(EVE.public_key()), "sig": "AAAA"})
    file.write_text(json.dumps(sealed))
    listed = trusting(tmp_path, ("bob", BOB, TOMORROW))
    result = dramaturg("verify", file, "--trusted", listed, "--no-run")
    assert "signature: right, by bob" in result.output


# --- who would block sign ---


@pytest.fixture
def to_sign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    made = document(monkeypatch, Prey(tmp_path / "prey").implementation)
    return written(tmp_path / "certificate.json", made)


@as_root
@pytest.mark.parametrize("which", ["key", "file"])
def test_a_pipe_of_another_in_the_place_of_a_file_is_not_waited_for(
    tmp_path: Path, to_sign: Path, which: str
) -> None:
    key = private_key(tmp_path / "key.pem", ADA)
    pipe = key if which == "key" else to_sign
    pipe.unlink()
    os.mkfifo(pipe)
    os.chown(pipe, NOBODY, NOBODY)
    with within(60):
        said = error_of("sign", to_sign, "--key", key)
    assert f"{pipe}: it is a pipe of another user's" in said


@as_root
@pytest.mark.parametrize("name", ["conformance.jsonl", "timings.jsonl", "environment.json"])
def test_a_pipe_of_another_in_the_place_of_results_is_not_waited_for(
    tmp_path: Path, name: str
) -> None:
    os.mkfifo(tmp_path / name)
    os.chown(tmp_path / name, NOBODY, NOBODY)
    read = sessions.environment if name == results.ENVIRONMENT else results.read
    with within(20), pytest.raises(ResultsError, match=f"{name}: .*it is a pipe of another user's"):
        read(tmp_path if name == results.ENVIRONMENT else tmp_path / name)


def test_a_folder_in_the_place_of_a_file_is_named_and_nothing_stays_open(tmp_path: Path) -> None:
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(3):
        with pytest.raises(IsADirectoryError) as raised:
            files.opened(tmp_path)
        assert raised.value.filename == str(tmp_path)
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_a_pipe_of_ones_own_is_read(tmp_path: Path, to_sign: Path) -> None:
    content = private_key(tmp_path / "key.pem", ADA).read_bytes()
    reading, writing = os.pipe()
    os.write(writing, content)
    os.close(writing)
    assert dramaturg("sign", to_sign, "--key", f"/dev/fd/{reading}").exit_code == 0
    os.close(reading)


def test_what_lies_where_the_output_is_made_is_neither_followed_nor_waited_for(
    tmp_path: Path, to_sign: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    victim = tmp_path / "victim"
    victim.write_text("mine")
    key = private_key(tmp_path / "key.pem", ADA)
    name = f".{to_sign.name}-{os.getpid()}"
    (tmp_path / name).symlink_to(victim)
    assert dramaturg("sign", to_sign, "--key", key).exit_code == 0
    # Even if its name could be known.
    monkeypatch.setattr(files.secrets, "token_hex", lambda length: "0")
    (tmp_path / ".out.json-0").symlink_to(victim)
    done = dramaturg("sign", written(tmp_path / "b.json", json.loads(intoto.read(to_sign)[0])),
                     "--key", key, "--output", tmp_path / "out.json")  # fmt: skip
    assert isinstance(done.exception, OSError)
    assert victim.read_text() == "mine"
    assert not (tmp_path / "out.json").exists()


def test_a_link_in_the_place_of_the_output_is_replaced_and_not_followed(
    tmp_path: Path, to_sign: Path
) -> None:
    victim = tmp_path / "victim"
    victim.write_text("mine")
    (tmp_path / "out.json").symlink_to(victim)
    key = private_key(tmp_path / "key.pem", ADA)
    assert (
        dramaturg("sign", to_sign, "--key", key, "--output", tmp_path / "out.json").exit_code == 0
    )
    assert victim.read_text() == "mine"
    assert not (tmp_path / "out.json").is_symlink()


@pytest.fixture
def marked() -> Iterator["psutil.Process"]:
    """A process with the mark of a harness that is no more."""
    program = "import os, sys, time; os.setuid(int(sys.argv[1])); time.sleep(600)"
    started: list[subprocess.Popen[bytes]] = []

    def start(user: int) -> psutil.Process:
        command = [sys.executable, "-c", program, str(user)]
        environment = os.environ | {"DRAMATURG_PROCESS": "999999999-0"}
        started.append(subprocess.Popen(command, env=environment))
        return psutil.Process(started[-1].pid)

    yield start  # type: ignore[misc]
    for each in started:
        each.kill()
        each.wait()


@as_root
def test_a_mark_that_another_user_gives_their_process_blocks_nobody(marked: object) -> None:
    theirs, ours = marked(NOBODY), marked(0)  # type: ignore[operator]
    assert wait_until(lambda: theirs.uids().real == NOBODY, 20)
    time.sleep(0.1)
    assert ours.pid in supervised.abandoned()
    assert theirs.pid not in supervised.abandoned()


@pytest.mark.parametrize("number", ["9" * 11, "9" * 30, "9" * 5000])
def test_a_mark_with_a_number_that_no_process_has_is_not_an_error(number: str) -> None:
    """Any program that one has left running can give itself one."""
    left = subprocess.Popen(["sleep", "60"], env={"DRAMATURG_PROCESS": f"{number}-1"})
    try:
        # Until it is the program with this environment.
        assert wait_until(lambda: left.pid in supervised.abandoned(), 20)
    finally:
        left.kill()
        left.wait()
