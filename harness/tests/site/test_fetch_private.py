"""A stranger's server leads nowhere where this machine gets and the stranger does not."""

import socket
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from dramaturg.site import fetch
from dramaturg.site.fetch import Unreachable

SECRET = b"of the inner network"


class _Inner(BaseHTTPRequestHandler):
    """On 127.0.0.9; the stranger's is on 127.0.0.1, which counts as public here."""

    reached: list[str] = []

    def do_GET(self) -> None:
        self.reached.append(f"{self.client_address[0]} {self.path}")
        self.send_response(200)
        self.end_headers()
        self.wfile.write(SECRET)

    def log_message(self, *said: object) -> None:
        pass


class _Stranger(_Inner):
    to = ""

    def do_GET(self) -> None:
        if self.path == "/there":
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"there")
            return
        self.send_response(302)
        self.send_header("Location", self.to)
        self.end_headers()


@pytest.fixture(scope="module")
def ports() -> Iterator[tuple[int, int]]:
    """The ports of the stranger's server, and of the inner one."""
    with (
        ThreadingHTTPServer(("127.0.0.1", 0), _Stranger) as stranger,
        ThreadingHTTPServer(("127.0.0.9", 0), _Inner) as inner,
    ):
        for each in (stranger, inner):
            threading.Thread(target=each.serve_forever, daemon=True).start()
        yield stranger.server_port, inner.server_port
        stranger.shutdown()
        inner.shutdown()


Lead = Callable[..., bytes | Unreachable]


@pytest.fixture
def lead(ports: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> Lead:
    """Asks the stranger, who leads to an address. ``names`` says where a name leads, each time that
    it is looked up; the last answer stays."""
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(fetch, "_is_public", lambda text: text == "127.0.0.1")
    real = socket.getaddrinfo
    _Inner.reached.clear()

    def asked(to: str, at: str = "stranger.example", **names: list[str]) -> bytes | Unreachable:
        left = {"stranger.example": ["127.0.0.1"]} | {
            f"{name}.example": answers for name, answers in names.items()
        }

        def looked_up(host: str, port: int | None, *more: Any, **also: Any) -> Any:
            if host not in left:
                return real(host, port, *more, **also)
            answer = left[host].pop(0) if len(left[host]) > 1 else left[host][0]
            if not answer:
                raise socket.gaierror(-3, "Temporary failure in name resolution")
            return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (answer, port or 0))]

        monkeypatch.setattr("socket.getaddrinfo", looked_up)
        monkeypatch.setattr(_Stranger, "to", to.format(there=ports[0], inner=ports[1]))
        [found] = fetch.fetched([f"http://{at}:{ports[0]}/x"], 10)
        return found

    return asked


def test_what_is_public_is_reached(lead: Lead) -> None:
    assert lead("http://other.example:{there}/there", other=["127.0.0.1"]) == b"there"
    assert lead("http://stranger.example:{there}/there") == b"there"


@pytest.mark.parametrize(
    "to",
    [
        "http://127.0.0.9:{inner}/",
        "HTTP://127.0.0.9:{inner}/",
        "//127.0.0.9:{inner}/",
        "http://2130706441:{inner}/",
        "http://0x7f000009:{inner}/",
        "http://[::ffff:127.0.0.9]:{inner}/",
        "http://\u2460\u2461\u2466.0.0.\u2468:{inner}/",
        "http://inner.example:{inner}/",
        "http://late.example:{inner}/",
        "http://rebound.example:{inner}/",
        "http://stranger.example@127.0.0.9:{inner}/",
    ],
)
def test_what_is_private_is_not(lead: Lead, to: str) -> None:
    found = lead(
        to.encode("utf-8").decode("latin-1") if not to.isascii() else to,
        inner=["127.0.0.9"],
        late=["", "127.0.0.9"],
        rebound=["127.0.0.9", "127.0.0.1"],
    )
    assert isinstance(found, Unreachable)
    assert _Inner.reached == []


def test_a_name_is_looked_up_once_and_what_was_checked_is_connected_to(lead: Lead) -> None:
    """A second look would lead inside."""
    to = "http://rebound.example:{there}/there"
    assert lead(to, rebound=["127.0.0.1", "127.0.0.9"]) == b"there"
    assert _Inner.reached == []


def test_a_listed_name_does_not_come_to_mean_another_address(lead: Lead) -> None:
    """The list names it, so it may be private: as it was when the list was first followed."""
    at = "rebound.example"
    found = lead(f"http://{at}:{{inner}}/", at=at, rebound=["127.0.0.1", "127.0.0.9"])
    assert isinstance(found, Unreachable)
    assert _Inner.reached == []


def test_one_private_name_in_the_list_opens_no_other(lead: Lead) -> None:
    found = lead("http://127.0.0.9:{inner}/", at="127.0.0.1")
    assert isinstance(found, Unreachable)
    assert "own network" in str(found)
    assert _Inner.reached == []


def test_what_the_list_names_itself_may_be_private(ports: tuple[int, int], lead: Lead) -> None:
    assert fetch.fetched([f"http://127.0.0.9:{ports[1]}/"], 10) == [SECRET]


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("93.184.216.34", True), ("10.0.0.1", False), ("169.254.169.254", False),
        ("100.64.0.1", False), ("0.0.0.0", False), ("224.0.0.1", False), ("::1", False),
        ("2606:4700::6810:84e5", True), ("fe80::1%eth0", False), ("fec0::1", False),
        ("::ffff:127.0.0.9", False), ("::127.0.0.9", False), ("64:ff9b::7f00:9", False),
        ("64:ff9b::5db8:d822", True), ("64:ff9b:1::1", False), ("2002:7f00:9::1", False),
        ("2002:5db8:d822::1", True), ("fe80::5efe:7f00:9", False), ("2001:db8::1", False),
    ],
)  # fmt: skip
def test_an_address_is_public_if_all_that_it_carries_is(address: str, public: bool) -> None:
    assert fetch._is_public(address) is public
