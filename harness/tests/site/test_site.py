"""The statements of a site: who is certified for what, by whose word, and what was verified
here."""

import json
from importlib.metadata import version
from pathlib import Path

from attack_kit import signed, trusting
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from report_records import LOST, TRACED, case, why, write_cases
from site_kit import Page, build_of, certificate, handed, made, site

from dramaturg import results
from dramaturg.certificates import remembered_verifications
from dramaturg.certificates.remembered_verifications import Again
from dramaturg.outcomes import Outcome


def page(output: Path, name: str) -> str:
    return (output / name).read_text(encoding="utf-8")


def test_who_is_certified_is_shown_with_what_and_by_whom(tmp_path: Path) -> None:
    handed(tmp_path / "results", certificate(tmp_path, "ada", "bob"))
    done = site(tmp_path / "results", "--output", tmp_path / "site")
    assert done.exit_code == 0, done.output
    ada, _ = made(tmp_path / "site")["implementations"]
    assert (ada["name"], ada["standing"]) == ("ada", "certified")
    assert ada["certificates"][0]["benchmarks"].keys() == {"pingpong"}
    words = Page(page(tmp_path / "site", "index.html")).words
    assert "ada" in words and "2024-01-31" in words and version("dramaturg") in words
    assert "bob" in Page(page(tmp_path / "site", "benchmarks/pingpong.html")).words
    assert "bob" not in Page(page(tmp_path / "site", "benchmarks/chatapp.html")).words
    assert "ada" in Page(page(tmp_path / "site", ada["page"])).words


def test_the_word_of_a_trusted_key_is_told_from_what_is_only_handed_over(tmp_path: Path) -> None:
    key, stranger = Ed25519PrivateKey.generate(), Ed25519PrivateKey.generate()
    for name, by in (("trusted", key), ("unknown", stranger)):
        (tmp_path / name).mkdir()
        signed(tmp_path / name / results.CERTIFICATE, certificate(tmp_path / name, name), by)
    handed(tmp_path / "plain", certificate(tmp_path / "plain", "plain"))
    keys = trusting(tmp_path, ("grace", key, "expires = 2099-01-01"))
    folders = [tmp_path / name for name in ("trusted", "unknown", "plain")]
    assert site(*folders, "--trusted", keys, "--output", tmp_path / "site").exit_code == 0
    said = {one["name"]: one for one in made(tmp_path / "site")["implementations"]}
    assert {name: one["signer"] for name, one in said.items()} == {
        "trusted": "grace", "unknown": "", "plain": ""
    }  # fmt: skip
    assert said["trusted"]["says"].startswith("certified: ")
    assert said["unknown"]["says"].startswith("reported: ")
    words = Page(page(tmp_path / "site", "index.html")).words
    assert words.count("● signed by grace") == 1
    assert words.count("○ reported") == 2 + 1, "and once where the mark is explained"


def test_a_forged_signature_is_named_and_nothing_of_it_is_shown(tmp_path: Path) -> None:
    key = Ed25519PrivateKey.generate()
    keys = trusting(tmp_path, ("grace", key, "expires = 2099-01-01"))
    file = signed(tmp_path / "c.json", certificate(tmp_path, "mallory"), key)
    sealed = json.loads(file.read_text())
    sealed["signatures"][0]["sig"] = "A" * 86 + "=="
    file.write_text(json.dumps(sealed))
    handed(tmp_path / "good", certificate(tmp_path / "good", "good"))
    done = site(file, tmp_path / "good", "--trusted", keys, "--output", tmp_path / "site")
    assert done.exit_code == 1
    assert "is not the key's of this content" in done.output
    assert [one["name"] for one in made(tmp_path / "site")["implementations"]] == ["good"]


def test_what_was_verified_here_is_remembered_by_the_machine_alone(tmp_path: Path) -> None:
    document = certificate(tmp_path, "ada")
    handed(tmp_path / "results", document)
    again = Again(outcome=Outcome.PASS, cases=9, passed=9, when=1716702400.0, harness="0.1.0")
    (tmp_path / "results" / "verified.json").write_text('{"subjects": {"ada": "pass"}}')
    assert site(tmp_path / "results", "--output", tmp_path / "site").exit_code == 0
    [one] = made(tmp_path / "site")["implementations"]
    assert "not run here" in Page(page(tmp_path / "site", one["page"])).words

    remembered_verifications.remember(json.dumps(document).encode(), {"ada": again})
    assert site(tmp_path / "results", "--output", tmp_path / "site").exit_code == 0
    words = Page(page(tmp_path / "site", one["page"])).words
    assert "✓ verified here" in words and "2024-05-26" in words

    failed = again.model_copy(update={"outcome": Outcome.FAIL, "passed": 8})
    remembered_verifications.remember(json.dumps(document).encode(), {"ada": failed})
    assert site(tmp_path / "results", "--output", tmp_path / "site").exit_code == 0
    assert "✗ did not hold here" in Page(page(tmp_path / "site", one["page"])).words


def test_a_certificate_that_contradicts_itself_certifies_nobody(tmp_path: Path) -> None:
    document = certificate(tmp_path, "liar")
    claim = document["predicate"]["implementations"]["liar"]
    del claim["cases"][next(path for path in claim["cases"] if path.startswith("3-"))]
    handed(tmp_path / "results", document)
    assert site(tmp_path / "results", "--output", tmp_path / "site").exit_code == 0
    [one] = made(tmp_path / "site")["implementations"]
    assert (one["standing"], one["says"]) == ("not certified", "not certified")
    assert "required cases did not pass: 3-" in one["certificates"][0]["problems"][0]
    assert "liar" not in Page(page(tmp_path / "site", "benchmarks/pingpong.html")).words


def test_a_certificate_on_fewer_cases_than_there_are_here_is_one_on_other_cases(
    tmp_path: Path,
) -> None:
    document = certificate(tmp_path, "few")
    kept = {path for path in document["predicate"]["cases"]["each"] if path.endswith("one-round")}
    document["predicate"]["cases"]["each"] = dict.fromkeys(kept, "0" * 64)
    claim = document["predicate"]["implementations"]["few"]
    claim["cases"] = {path: claim["cases"][path] for path in kept}
    for level, said in claim["levels"].items():
        count = sum(path.startswith(level) for path in kept)
        said |= {"cases": count, "outcome": "pass" if count else "not run"}
    handed(tmp_path / "results", document)
    assert site(tmp_path / "results", "--output", tmp_path / "site").exit_code == 0
    [one] = made(tmp_path / "site")["implementations"]
    assert one["certificates"][0]["problems"] == []
    assert one["standing"] == "certified on other cases"
    assert one["says"] == "reported on other cases"
    words = Page(page(tmp_path / "site", "benchmarks/index.html")).words
    assert "few" not in words


def test_a_recommended_case_that_is_not_here_is_no_difference(tmp_path: Path) -> None:
    document = certificate(tmp_path, "ada")
    cases = document["predicate"]["cases"]
    cases["each"]["3-concurrent/pingpong/of-tomorrow"] = "1" * 64
    cases["recommended"] = ["3-concurrent/pingpong/of-tomorrow"]
    handed(tmp_path / "results", document)
    assert site(tmp_path / "results", "--output", tmp_path / "site").exit_code == 0
    [one] = made(tmp_path / "site")["implementations"]
    assert one["standing"] == "certified"


def test_the_same_name_by_another_word_is_another_implementation(tmp_path: Path) -> None:
    key = Ed25519PrivateKey.generate()
    (tmp_path / "mine").mkdir()
    signed(tmp_path / "mine" / results.CERTIFICATE, certificate(tmp_path / "mine", "ada"), key)
    keys = trusting(tmp_path, ("grace", key, "expires = 2099-01-01"))
    alone = site(tmp_path / "mine", "--trusted", keys, "--output", tmp_path / "alone")
    assert alone.exit_code == 0
    handed(tmp_path / "theirs", certificate(tmp_path / "theirs", "ada", when=1990000000.0))
    (tmp_path / "list").write_text("theirs\n")
    done = site(
        tmp_path / "mine", "--collect", tmp_path / "list", "--trusted", keys,
        "--output", tmp_path / "site",
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    mine, theirs = made(tmp_path / "site")["implementations"]
    assert (mine["signer"], theirs["signer"]) == ("grace", "")
    assert mine == made(tmp_path / "alone")["implementations"][0], "a stranger changes nothing"
    beside = Page(page(tmp_path / "site", mine["page"])).links
    assert theirs["page"].removeprefix("implementations/") in beside


def test_all_certificates_of_an_implementation_are_its_history(tmp_path: Path) -> None:
    for when, name in ((1700000000.0, "old"), (1710000000.0, "new"), (None, "timeless")):
        document = certificate(tmp_path / name, "ada", when=1.0)
        document["predicate"]["environment"]["captured"] = when
        handed(tmp_path / "all" / name, document)
    assert site(tmp_path / "all", "--output", tmp_path / "site").exit_code == 0
    [one] = made(tmp_path / "site")["implementations"]
    whens = [each["when"] for each in one["certificates"]]
    assert whens == [1710000000.0, 1700000000.0, None]


def test_a_failure_leads_to_what_it_departs_from(tmp_path: Path) -> None:
    folder = tmp_path / "results"
    folder.mkdir()
    failed = case(
        "ada", outcome=Outcome.FAIL, message=str(LOST["headline"]), divergence=TRACED,
        why=why("CHAT-37", "ACT-5"),
    )  # fmt: skip
    write_cases(folder, failed)
    assert site(folder, "--output", tmp_path / "site").exit_code == 0
    [one] = made(tmp_path / "site")["implementations"]
    assert one["standing"] == "no certificate"
    for name in (one["page"], one["results"][0]):
        assert "../requirements/CHAT-37.html" in Page(page(tmp_path / "site", name)).links
    drawn = page(tmp_path / "site", one["badge"].replace(".json", ".svg"))
    assert "not certified: CHAT-37" in drawn and 'href="../requirements/CHAT-37.html"' in drawn


def test_what_is_certified_has_its_records_on_its_page(tmp_path: Path) -> None:
    document = certificate(tmp_path, "ada")
    folder = handed(tmp_path / "results", document)
    write_cases(folder, case("ada"), builds={"ada": build_of(document, "ada")})
    assert site(folder, "--output", tmp_path / "site").exit_code == 0
    [one] = made(tmp_path / "site")["implementations"]
    assert (one["standing"], len(one["results"])) == ("certified", 1)


def test_a_badge_says_the_same_in_svg_and_in_json(tmp_path: Path) -> None:
    handed(tmp_path / "results", certificate(tmp_path, "ada"))
    assert site(tmp_path / "results", "--output", tmp_path / "site").exit_code == 0
    [one] = made(tmp_path / "site")["implementations"]
    endpoint = json.loads(page(tmp_path / "site", one["badge"]))
    assert endpoint == {
        "schemaVersion": 1, "label": "dramaturg", "color": "4a6785",
        "message": "reported: pingpong, levels 0–3",
    }  # fmt: skip
    drawn = page(tmp_path / "site", one["badge"].replace(".json", ".svg"))
    assert endpoint["message"] in drawn and f'href="../{one["page"]}"' in drawn


def test_the_same_sources_make_the_same_site(tmp_path: Path) -> None:
    handed(tmp_path / "results", certificate(tmp_path, "ada"))
    for name in ("one", "two"):
        assert site(tmp_path / "results", "--output", tmp_path / name).exit_code == 0
    files = {file.relative_to(tmp_path / "one") for file in (tmp_path / "one").rglob("*.*")}
    assert len(files) > 200
    for file in files:
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()
