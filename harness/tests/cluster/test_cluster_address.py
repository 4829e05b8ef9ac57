"""A wrong value of --cluster is refused in one line before anything is started."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from dramaturg.cluster import cluster_address, reached
from dramaturg.cluster.cluster_address import Local, Scheduler, Slurm, Ssh, parse
from dramaturg.errors import ClusterError

GOOD = {
    "local:2": Local(2),
    "slurm:16": Slurm(16),
    "ssh:there/hosts.yaml": Ssh(Path("there/hosts.yaml")),
    "tcp://127.0.0.1:8786": Scheduler("tcp://127.0.0.1:8786", encrypted=False),
    "tcp://localhost:8786": Scheduler("tcp://localhost:8786", encrypted=False),
    "tcp://[::1]:8786": Scheduler("tcp://[::1]:8786", encrypted=False),
    "tls://192.0.2.7:8786": Scheduler("tls://192.0.2.7:8786", encrypted=True),
}


def test_a_home_stands_behind_ssh_where_no_shell_puts_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ada")
    assert parse("ssh:~/hosts.yaml") == Ssh(Path("/home/ada/hosts.yaml"))
    with pytest.raises(ClusterError, match=r"^~nobody-of-this-name/hosts\.yaml: "):
        parse("ssh:~nobody-of-this-name/hosts.yaml")


@pytest.mark.parametrize("text", GOOD)
def test_each_form_says_which_hosts(text: str) -> None:
    assert parse(text) == GOOD[text]


BAD = {
    "slurm:0": "a number of nodes",
    "slurm:-1": "a number of nodes",
    "slurm:99999": "1 to 10000",
    "local:abc": "a number of processes",
    "local:": "a number of processes",
    "local:0": "a number of processes",
    "local:²": "a number of processes",
    "local:65": "1 to 64",
    "ssh:": "a file behind it",
    "k8s:3": "no such form",
    "slrum:3": "did you mean 'slurm'",
    "local": "no such form",
    "": "no such form",
    "tcp://127.0.0.1": "tcp://HOST:PORT",
    "tcp://127.0.0.1:x": "tcp://HOST:PORT",
    "tcp://127.0.0.1:0": "tcp://HOST:PORT",
    "tcp://127.0.0.1:99999": "tcp://HOST:PORT",
    "tls://:8786": "tls://HOST:PORT",
    "tls://ada@127.0.0.1:8786": "tls://HOST:PORT",
    "tls://127.0.0.1:8786/path": "tls://HOST:PORT",
    "tcp://no.such.host.invalid:8786": "no host is called",
}


@pytest.mark.parametrize("text", BAD)
def test_each_odd_word_is_refused_with_what_was_expected(text: str) -> None:
    with pytest.raises(ClusterError, match=r"^[^\n]*--cluster[^\n]*$") as refused:
        parse(text)
    assert BAD[text] in str(refused.value)


@pytest.mark.parametrize("host", ["192.0.2.7", "0.0.0.0", "10.0.0.1", "[2001:db8::1]", "[::]"])
def test_a_scheduler_without_tls_on_a_public_address_is_refused(host: str) -> None:
    with pytest.raises(ClusterError, match="take tls://"):
        parse(f"tcp://{host}:8786")


def test_a_name_that_also_stands_for_a_public_address_is_public(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = [(2, 1, 6, "", ("127.0.0.1", 0)), (2, 1, 6, "", ("192.0.2.7", 0))]
    monkeypatch.setattr(cluster_address.socket, "getaddrinfo", lambda *given, **more: found)
    assert not cluster_address.is_loopback("both.example")


def test_the_engine_that_is_missing_is_named_with_the_command(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)
    with (
        pytest.raises(ClusterError, match=r"pip install 'dramaturg\[cluster\]'"),
        reached.reached("local:1"),
    ):
        pass


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["certify", "reference", "--cluster", "local:abc"], "a number of processes"),
        (["doctor", "--cluster", "slurm:0"], "a number of nodes"),
        (["replay", "no.run", "--cluster", "tcp://192.0.2.7:1"], "take tls://"),
        (["certify", "reference", "--cluster-tls", "."], "goes with --cluster tls://"),
        (["certify", "reference", "--cluster", "local:1", "--cluster-tls", "."], "tls://HOST"),
        (["certify", "reference", "--cluster", "local:1", "--watch"], "without --watch"),
        (["certify", "reference", "--cluster", "local:1", "--", "-x"], "-k alone"),
        (["doctor", "--cluster", "local:1", "--install", "reference"], "without --install"),
        (["replay", "no.run", "--cluster", "local:1"], "no.run: No such file"),
        (["certify", "reference", "--cluster", "ssh:/no/hosts.yaml"], "/no/hosts.yaml"),
    ],
)
def test_each_command_refuses_before_anything_is_started(
    words: list[str], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dramaturg.cli.main import cli
    from dramaturg.cluster import started_members
    from dramaturg.terminal import failures

    def never(*given: object, **more: object) -> None:
        raise AssertionError("a process was started")

    monkeypatch.setattr(started_members, "Member", never)
    done = CliRunner().invoke(cli, words)
    text = done.output if done.exception is None or isinstance(done.exception, SystemExit) else ""
    if isinstance(done.exception, Exception) and not isinstance(done.exception, SystemExit):
        text, code = failures.told(done.exception)
        assert code == 2
    assert said in text, (text, done.exception)


def test_a_scheduler_that_cannot_be_reached_is_said_in_one_line() -> None:
    import socket

    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port = listening.getsockname()[1]
    with (
        pytest.raises(ClusterError, match="cannot be reached") as refused,
        reached.reached(f"tcp://127.0.0.1:{port}"),
    ):
        pass
    assert "\n" not in str(refused.value)


def test_tls_without_certificates_says_where_they_may_be(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with (
        pytest.raises(ClusterError, match="--cluster-tls FOLDER"),
        reached.reached("tls://127.0.0.1:1"),
    ):
        pass
    with (
        pytest.raises(ClusterError, match=r"ca\.pem"),
        reached.reached("tls://127.0.0.1:1", tmp_path),
    ):
        pass
