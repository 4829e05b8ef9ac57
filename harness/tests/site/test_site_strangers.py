"""Strangers on a site: nobody enters another's page, and nobody's fault is another's."""

import json
from pathlib import Path
from typing import Any

import pytest
from attack_kit import signed, trusting
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from report_records import case, sample, write_cases, write_samples
from site_kit import ENVIRONMENT, Page, build_of, certificate, handed, made, site, timed

from dramaturg import results
from dramaturg.outcomes import Outcome
from dramaturg.site import pages, supplied_data
from dramaturg.site.league import Implementation


class Fair:
    """A list of sources, each a folder of somebody's."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.key = Ed25519PrivateKey.generate()
        self.keys = trusting(folder, ("ada", self.key, "expires = 2099-01-01"))
        self.document = certificate(folder, "erlang")
        self.build = build_of(self.document, "erlang")

    def comes(self, who: str, *, median: float, by_ada: bool = True, says: str = "") -> None:
        """With this certificate, which is public, and with records of their own."""
        place = self.folder / who
        timed(place, {"erlang": self.build}, {"erlang": median})
        if by_ada:
            signed(place / results.CERTIFICATE, self.document, self.key)
        else:
            handed(place, self.document)
        if says:
            failed = case("erlang", outcome=Outcome.FAIL, message=says)
            write_cases(place, failed, builds={"erlang": self.build})

    def site(self, *order: str) -> tuple[dict[str, Any], Path]:
        (self.folder / "list").write_text("".join(f"{who}\n" for who in order))
        output = self.folder / "-".join(["site", *order])
        done = site("--collect", self.folder / "list", "--trusted", self.keys, "--output", output)
        assert done.exit_code == 0, done.output
        return made(output), output


@pytest.fixture
def fair(tmp_path: Path) -> Fair:
    return Fair(tmp_path)


def of_ada(said: dict[str, Any]) -> dict[str, Any]:
    [one] = [each for each in said["implementations"] if each["signer"] == "ada"]
    return dict(one)


@pytest.mark.parametrize("order", [("ada", "mallory"), ("mallory", "ada")])
def test_who_hands_over_a_copy_of_a_signed_certificate_enters_no_signed_page(
    fair: Fair, order: tuple[str, ...]
) -> None:
    fair.comes("ada", median=64)
    alone, _ = fair.site("ada")
    fair.comes("mallory", median=0.01, says="MALLORY SAYS IT FAILS")
    said, output = fair.site(*order)
    assert of_ada(said) == of_ada(alone), "a stranger changes nothing"
    assert "MALLORY" not in (output / of_ada(said)["page"]).read_text()
    theirs = [each for each in said["implementations"] if not each["signer"]]
    of_mallory = [each for each in theirs if "MALLORY" in (output / each["page"]).read_text()]
    assert len(of_mallory) == 1 and len(theirs) == 2, "it stands on a page of their own"
    assert of_mallory[0]["says"].startswith("reported")
    table = (output / "benchmarks" / "pingpong.html").read_text()
    for one in theirs:
        assert f"../{one['page']}" in Page(table).links, "times lead to whoever took them"
    assert "the certificate; times are not signed" not in table


@pytest.mark.parametrize("order", [("ada", "mallory"), ("mallory", "ada")])
def test_who_hands_over_a_copy_of_what_is_not_signed_takes_nothing(
    fair: Fair, order: tuple[str, ...]
) -> None:
    fair.comes("ada", median=64, by_ada=False)
    alone, _ = fair.site("ada")
    fair.comes("mallory", median=0.01, by_ada=False)
    said, output = fair.site(*order)
    assert alone["implementations"][0] in said["implementations"]
    assert alone["results"][0] in said["results"]
    assert len({each["page"] for each in said["implementations"]}) == 2
    for each in said["implementations"]:
        assert len(each["results"]) == len(each["certificates"]) == 1
        assert (output / each["page"]).exists()


def test_who_copies_anothers_records_does_not_exchange_the_machine_they_are_of(fair: Fair) -> None:
    fair.comes("ada", median=64)
    alone, before = fair.site("ada")
    fair.comes("mallory", median=64)
    ours = fair.folder / "mallory" / results.ENVIRONMENT
    other = ENVIRONMENT | {"cpu": ENVIRONMENT["cpu"] | {"model": "MALLORY"}}
    ours.write_text(json.dumps(other))
    said, output = fair.site("mallory", "ada")
    [page] = [each["page"] for each in alone["results"]]
    assert (output / page).read_bytes() == (before / page).read_bytes()
    assert len({each["page"] for each in said["results"]}) == 2


def test_addresses_have_128_bits(fair: Fair) -> None:
    fair.comes("ada", median=64)
    said, _ = fair.site("ada")
    names = [each["page"] for each in said["implementations"] + said["results"]]
    names += [each["page"] for one in said["implementations"] for each in one["certificates"]]
    for name in names:
        key = Path(name).stem.rpartition("-")[2]
        assert len(key) == 32 and int(key, 16) >= 0


def test_nothing_is_written_twice(fair: Fair, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever finds an address that another has: the second is named, and is not there."""
    fair.comes("ada", median=64)
    fair.comes("mallory", median=1, says="MALLORY")
    monkeypatch.setattr(supplied_data.Run, "address", "0" * 32)
    (fair.folder / "list").write_text("ada\nmallory\n")
    done = site("--collect", fair.folder / "list", "--output", fair.folder / "site")
    assert done.exit_code == 1, done.output
    assert "mallory: cannot be shown: ResultsError" in done.output
    assert "two pages of the site have this address" in done.output
    everything = [each.read_text() for each in (fair.folder / "site").rglob("*.html")]
    assert not [text for text in everything if "MALLORY" in text]


def test_more_rows_than_a_page_shows_are_counted(tmp_path: Path) -> None:
    for number in (50, 51):
        folder = tmp_path / f"{number}"
        folder.mkdir()
        rows = [sample("ada", build="0" * 64, parameters={"rounds": n}) for n in range(number)]
        write_samples(folder, *rows)
        done = site(folder, "--output", tmp_path / f"site{number}")
        assert done.exit_code == 0, done.output
    [one] = made(tmp_path / "site51")["implementations"]
    assert "And 1 more, in the reports" in (tmp_path / "site51" / one["page"]).read_text()


def test_what_cannot_be_shown_is_named_and_the_rest_is_there(
    fair: Fair, monkeypatch: pytest.MonkeyPatch
) -> None:
    fair.comes("ada", median=64)
    alone, _ = fair.site("ada")
    fair.comes("mallory", median=1, says="MALLORY")
    show = pages._Pages.implementation

    def falls(self: Any, one: Implementation) -> str:
        text = show(self, one)
        if "MALLORY" in text:
            raise ZeroDivisionError("of mallory's making")
        return text

    monkeypatch.setattr(pages._Pages, "implementation", falls)
    (fair.folder / "list").write_text("mallory\nada\n")
    output = fair.folder / "site"
    done = site(
        "--collect", fair.folder / "list", "--trusted", fair.keys, "--output", output, "--json"
    )
    assert done.exit_code == 1, done.output
    said = made(output)
    assert of_ada(said) == of_ada(alone)
    [unread] = said["unread"]
    assert unread["name"] == "mallory" and "ZeroDivisionError: of mallory" in unread["why"]
    files = {str(each.relative_to(output)) for each in output.rglob("*.*")}
    assert {*said["files"], "site.json"} == files
    for each in said["implementations"] + said["results"]:
        assert each["page"] in files


def test_a_fault_of_ours_leaves_the_site_that_is_there(
    fair: Fair, monkeypatch: pytest.MonkeyPatch
) -> None:
    fair.comes("ada", median=64)
    _, output = fair.site("ada")
    before = {each: each.read_bytes() for each in output.rglob("*.*")}

    def falls(self: Any) -> Any:
        raise ZeroDivisionError

    monkeypatch.setattr(pages._Pages, "specification", falls)
    done = site("--collect", fair.folder / "list", "--trusted", fair.keys, "--output", output)
    assert isinstance(done.exception, ZeroDivisionError)
    assert {each: each.read_bytes() for each in output.rglob("*.*")} == before


def test_who_hands_over_a_copy_of_what_is_signed_adds_nothing_to_what_is_published(
    fair: Fair,
) -> None:
    """An envelope takes any signature, and any word, besides; only its content is signed."""
    fair.comes("ada", median=64)
    alone, before = fair.site("ada")
    (fair.folder / "mallory").mkdir()
    copy = fair.folder / "mallory" / results.CERTIFICATE
    sealed = json.loads((fair.folder / "ada" / results.CERTIFICATE).read_text())
    [right] = sealed["signatures"]
    sealed["signatures"] = [
        {"keyid": "b" * 64, "sig": "AAAA"}, right | {"keyid": "MALLORY"}, {"sig": "MALLORY="},
    ]  # fmt: skip
    copy.write_text(json.dumps(sealed | {"note": "MALLORY"}))
    said, output = fair.site("mallory", "ada")
    [page] = [each["page"] for each in of_ada(alone)["certificates"]]
    published = page.replace(".html", ".json")
    assert of_ada(said) == of_ada(alone)
    assert (output / published).read_bytes() == (before / published).read_bytes()


def test_a_strangers_words_do_not_stand_on_a_signed_page_as_those_of_a_namesake(
    fair: Fair,
) -> None:
    fair.comes("ada", median=64)
    claim = fair.document["predicate"]["implementations"]["erlang"]
    claim["repository"] = {"url": "MALLORY: IT CHEATS", "commit": "0" * 40, "modified": False}
    fair.comes("mallory", median=64, by_ada=False)
    said, output = fair.site("mallory", "ada")
    page = (output / of_ada(said)["page"]).read_text()
    assert "Others are called erlang as well" in page
    assert "MALLORY" not in page
