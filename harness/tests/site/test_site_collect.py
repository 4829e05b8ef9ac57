"""A list: a dead, slow, huge or damaged entry is named, the rest is made."""

import contextlib
import gzip
import io
import json
import tarfile
import threading
import time
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from report_records import case, write_cases
from site_kit import Page, build_of, certificate, handed, made, site

from dramaturg.site import fetch, unpacked
from dramaturg.site.fetch import Unreachable

CONTENT = b'{"some": "content"}'


class _Server(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        match self.path:
            case "/slow":
                self._answer(b"")
                for _ in range(100):
                    self.wfile.write(b" ")
                    self.wfile.flush()
                    time.sleep(0.1)
            case "/endless":
                self._answer(b"")
                while True:
                    self.wfile.write(b" " * 65536)
            case "/cut":
                self.send_response(200)
                self.send_header("Content-Length", "100")
                self.end_headers()
                self.wfile.write(CONTENT)
            case "/round":
                self._lead("/round")
            case "/on":
                self._lead("/certificate.json")
            case "/file":
                self._lead("file:///etc/passwd")
            case "/elsewhere":
                self._lead("ftp://127.0.0.1/")
            case "/certificate.json":
                self._answer(CONTENT)
            case _:
                self.send_error(404)

    def _answer(self, content: bytes) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(content)

    def _lead(self, to: str) -> None:
        self.send_response(302)
        self.send_header("Location", to)
        self.end_headers()

    def handle(self) -> None:
        with contextlib.suppress(OSError):  # The other end had enough.
            super().handle()

    def log_message(self, *said: object) -> None:
        pass


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Server) as running:
        running.daemon_threads = True
        thread = threading.Thread(target=running.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{running.server_address[1]}"
        running.shutdown()
        thread.join()


def problem(address: str, seconds: float = 5.0, most: int = 1000) -> str:
    [found] = fetch.fetched([address], seconds, most)
    assert isinstance(found, Unreachable)
    return str(found)


def test_what_lies_there_is_fetched_also_where_that_leads_on(server: str) -> None:
    addresses = [f"{server}/{name}" for name in ("certificate.json", "on")]
    assert fetch.fetched(addresses) == [CONTENT, CONTENT]


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("/none", "answers 404"),
        ("/slow", "took"),
        ("/endless", "is longer than 1,000 bytes"),
        ("/round", "redirect"),
        ("/file", "is not allowed"),
        ("/elsewhere", "begins with neither https:// nor http://"),
    ],
)
def test_what_cannot_be_fetched_says_why(server: str, path: str, says: str) -> None:
    assert says in problem(server + path, seconds=1.5)


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("file:///etc/passwd", "a file is named by its path"),
        ("ftp://example.org/x", "begins with neither"),
        ("https://", "names no host"),
        ("https://ada:secret@example.org/", "has a name or a password in it"),
        ("https://[::1/", "is no address"),
        ("http://example.org:99999/", "is no address"),
    ],
)
def test_what_is_no_address_is_not_asked(address: str, says: str) -> None:
    assert says in problem(address)


def test_nobody_who_is_slow_keeps_the_others_waiting(server: str) -> None:
    addresses = [f"{server}/slow"] * 20 + [f"{server}/certificate.json"]
    began = time.monotonic()
    found = fetch.fetched(addresses, seconds=0.5)
    assert found[-1] == CONTENT
    assert sum(isinstance(each, Unreachable) for each in found) == 20
    # Three times what is at once, and what a busy machine takes besides.
    assert time.monotonic() - began < 20


def test_no_stranger_leads_into_the_own_network(monkeypatch: pytest.MonkeyPatch) -> None:
    where = {"public.example": "93.184.216.34", "inner.example": "192.168.1.1"}

    def looked_up(host: str, port: object) -> list[tuple[object, ...]]:
        return [(0, 0, 0, "", (where[host], 0))]

    monkeypatch.setattr("socket.getaddrinfo", looked_up)
    assert fetch._is_private("https://inner.example/x")
    assert not fetch._is_private("https://public.example/x")


def archive(kind: str, *members: tuple[str, bytes]) -> bytes:
    made = io.BytesIO()
    if kind == "zip":
        with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as packed:
            for name, content in members:
                packed.writestr(name, content)
    else:
        with tarfile.open(fileobj=made, mode="w:gz" if kind == "tar.gz" else "w") as packed:
            for name, content in members:
                info = tarfile.TarInfo(name)
                info.size = len(content)
                packed.addfile(info, io.BytesIO(content))
    return made.getvalue()


def list_of(folder: Path, *entries: str) -> Path:
    file = folder / "list.txt"
    file.write_text("# what others publish\n\n" + "".join(f"{entry}\n" for entry in entries))
    return file


@pytest.mark.parametrize("kind", ["zip", "tar", "tar.gz"])
def test_an_archive_of_results_is_read(tmp_path: Path, kind: str) -> None:
    document = certificate(tmp_path, "ada")
    folder = handed(tmp_path / "results", document)
    write_cases(folder, case("ada"), builds={"ada": build_of(document, "ada")})
    members = [(f"a/b/{file.name}", file.read_bytes()) for file in folder.iterdir()]
    (tmp_path / "archive").write_bytes(archive(kind, *members, ("a/b/other.exe", b"x")))
    done = site("--collect", list_of(tmp_path, "archive"), "--output", tmp_path / "site")
    assert done.exit_code == 0, done.output
    [one] = made(tmp_path / "site")["implementations"]
    assert (one["standing"], len(one["results"])) == ("certified", 1)


@pytest.mark.parametrize("kind", ["zip", "tar", "tar.gz"])
@pytest.mark.parametrize(
    "name",
    ["../../escaped/certificate.json", "/tmp/escaped/certificate.json", "a/../certificate.json"],
)
def test_no_path_in_an_archive_leads_anywhere(tmp_path: Path, kind: str, name: str) -> None:
    content = json.dumps(certificate(tmp_path, "ada")).encode()
    unpacked.unpacked(archive(kind, (name, content)), tmp_path / "kept")
    files = list(tmp_path.rglob("certificate.json"))
    assert files == [tmp_path / "kept" / "1" / "certificate.json"]
    assert not Path("/tmp/escaped").exists()


def test_a_link_in_an_archive_is_not_followed(tmp_path: Path) -> None:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as into:
        for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE):
            info = tarfile.TarInfo("certificate.json")
            info.type, info.linkname = kind, "/etc/passwd"
            into.addfile(info)
    unpacked.unpacked(packed.getvalue(), tmp_path / "kept")
    assert list((tmp_path / "kept").rglob("*.json")) == []


def _bomb(kind: str) -> bytes:
    zeros = bytes(unpacked.MAX_UNPACKED // 4)
    return archive(kind, *((f"{place}/timings.jsonl", zeros) for place in range(5)))


def _many(kind: str) -> bytes:
    return archive(kind, *((f"{place}", b"") for place in range(unpacked.MOST_MEMBERS + 1)))


def _lying() -> bytes:
    """Its list of files says that it is short."""
    packed = bytearray(archive("zip", ("certificate.json", bytes(unpacked.MAX_RECORDS + 10))))
    place = packed.rindex(b"PK\x01\x02")
    packed[place + 24 : place + 28] = (10).to_bytes(4, "little")
    return bytes(packed)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (lambda: _bomb("tar.gz"), "bytes, unpacked"),
        (lambda: _bomb("zip"), "bytes, unpacked"),
        (lambda: _many("tar.gz"), "has more than 10,000 files"),
        (lambda: _many("zip"), "has more than 10,000 files"),
        (_lying, "certificate.json"),
        (lambda: archive("zip", ("certificate.json", b"{}"))[:-30], "damaged archive"),
        (lambda: archive("tar.gz", ("certificate.json", b"{}"))[:-30], "archive"),
        (lambda: b"\x1f\x8b" + bytes(100), "damaged archive"),
        (lambda: b"PK\x03\x04" + bytes(100), "damaged archive"),
        (lambda: archive("zip", ("x", b"")), "holds no results and no certificate"),
        (lambda: gzip.compress(b"no archive"), "archive"),
        (lambda: b"", "is no JSON, or is cut short"),
        (lambda: b"{}", "no in-toto Statement"),
        (lambda: bytes(fetch.MAX_BYTES + 1), "is longer than 16,777,216 bytes"),
    ],
)  # fmt: skip
def test_an_archive_that_cannot_be_used_is_named_with_the_reason(
    tmp_path: Path, content: object, says: str
) -> None:
    assert callable(content)
    (tmp_path / "bad").write_bytes(content())
    (tmp_path / "good").write_text(json.dumps(certificate(tmp_path / "a", "ada")))
    done = site("--collect", list_of(tmp_path, "bad", "good"), "--output", tmp_path / "site")
    assert done.exit_code == 1, done.output
    said = made(tmp_path / "site")
    assert [one["name"] for one in said["implementations"]] == ["ada"]
    [unread] = said["unread"]
    assert unread["name"] == "bad" and says in unread["why"], unread
    assert "dramaturg: not read: bad: " in done.output
    assert "/tmp" not in unread["why"]
    assert unread["why"] in Page((tmp_path / "site/unread.html").read_text()).words


def test_a_dead_entry_is_named_and_the_rest_is_made(tmp_path: Path, server: str) -> None:
    (tmp_path / "good").write_text(json.dumps(certificate(tmp_path / "a", "ada")))
    listed = list_of(
        tmp_path, "http://127.0.0.1:1/certificate.json", f"{server}/none", "good", "gone"
    )
    done = site("--collect", listed, "--output", tmp_path / "site")
    assert done.exit_code == 1
    said = {each["name"]: each["why"] for each in made(tmp_path / "site")["unread"]}
    assert said["http://127.0.0.1:1/certificate.json"] == "Connection refused"
    assert said[f"{server}/none"].startswith("answers 404")
    assert said["gone"] == "there is no such file or folder"


def test_of_nothing_that_can_be_read_no_site_is_made(tmp_path: Path) -> None:
    (tmp_path / "good").write_text(json.dumps(certificate(tmp_path / "a", "ada")))
    assert (
        site("--collect", list_of(tmp_path, "good"), "--output", tmp_path / "site").exit_code == 0
    )
    before = (tmp_path / "site/index.html").read_bytes()
    done = site("--collect", list_of(tmp_path, "gone"), "--output", tmp_path / "site")
    assert done.exception is not None
    assert "nothing that was named could be read" in str(done.exception)
    assert (tmp_path / "site/index.html").read_bytes() == before, "the last one stays"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "names nothing"),
        ("# nothing but this\n", "names nothing"),
        ("x\n" * 100 + "".join(f"{n}\n" for n in range(1001)), "the most are 1,000"),
        ("x\n" * 1_000_000, "is longer than 262144 bytes"),
        ("a\0b\n", "is neither address nor path"),
    ],
)
def test_a_list_that_cannot_be_used_is_one_error(tmp_path: Path, text: str, says: str) -> None:
    file = tmp_path / "list"
    file.write_text(text)
    done = site("--collect", file, "--output", tmp_path / "site")
    assert says in str(done.exception)
    assert not (tmp_path / "site").exists()
