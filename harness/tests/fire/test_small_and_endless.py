"""Files that are small and come to much: refused for what they would come to, before it is made."""

import base64
import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from fire_mutator import judged

from dramaturg import files, results
from dramaturg.certificates import envelope
from dramaturg.certificates.envelope import CertificateError
from dramaturg.certificates.signed_file import unseal
from dramaturg.certificates.trust import Trusted
from dramaturg.report import archive
from dramaturg.results import ResultsError


def refused(file: Path, content: bytes, read: Callable[[Path], object], says: str) -> None:
    def again(data: bytes) -> None:
        file.write_bytes(data)
        try:
            read(file)
        except ValueError as error:
            assert says in str(error), error
            raise

    assert judged(iter([content]), again, files.Unreadable, "")["refused"] == 1


def _doubling(of: str) -> bytes:
    lines = ["a0: &a0 {x: 1, y: 2}"]
    lines += [f"a{n}: &a{n} {of.format(f'*a{n - 1}')}" for n in range(1, 40)]
    return "\n".join(lines).encode()


WIDE = ", ".join(f"k{number}: 1" for number in range(8000))

YAML = {
    "merges that double": _doubling("{{<<: [{0}, {0}]}}"),
    "merges of merges of many": f"a: &a {{{WIDE}}}\n".encode()
    + b"b: {<<: [" + b"*a, " * 20_000 + b"]}\n",
    "many that merge one": f"a: &a {{{WIDE}}}\n".encode()
    + b"".join(b"b%d: {<<: *a}\n" % number for number in range(3000)),
    "aliases that double": _doubling("[{0}, {0}]"),
    "a list in itself": b"&a [" + b"0, " * 40_000 + b"*a]",
    "a mapping in itself": f"&a {{{WIDE}, a: *a}}".encode(),
    "a merge of itself": b"a: &a {<<: *a, x: 1}",
}  # fmt: skip


@pytest.mark.parametrize("kind", YAML)
def test_yaml_that_comes_to_much_is_refused_before_it_does(kind: str, tmp_path: Path) -> None:
    says = "nested too deeply" if kind == "a merge of itself" else "has more than 50000 values"
    assert len(YAML[kind]) <= files.MAX_BYTES
    refused(tmp_path / "x.yaml", YAML[kind], files.read_yaml, says)


def test_merges_of_usual_size_are_merged(tmp_path: Path) -> None:
    file = tmp_path / "x.yaml"
    file.write_text("a: &a {x: 1, y: 2}\nb: &b {<<: *a, z: 3}\nc: {<<: [*a, *b], x: 0}\n")
    assert files.read_yaml(file)["c"] == {"x": 0, "y": 2, "z": 3}


KEY = ".".join(["a"] * 60_000)
QUOTED = ".".join(['"a"', "'b'"] * 20_000)

TOML = {
    "a dotted key": f"{KEY} = 1\n",
    "quoted parts": QUOTED + " = 1\n",
    "spaces between": f"{' . '.join(['a'] * 40_000)} = 1\n",
    "a table's name": f"[{KEY}]\n",
    "an array's name": f"[[{KEY}]]\n",
    "in a table within a line": f"x = {{ {KEY} = 1 }}\n",
    "behind a comment": f'# """\n{KEY} = 1\n',
    "behind text of several lines": f'x = """\n\\""" ""\n"""""\n{KEY} = 1\n',
    "behind a literal": f"x = {{y = '''a'''', {KEY} = 1, z = '''b'''' }}\n",
    "behind a quotation mark": f"x = \"'\"\n{KEY} = 1 # '\n",
}


@pytest.mark.parametrize("kind", TOML)
def test_a_key_of_many_parts_is_refused_before_it_is_read(kind: str, tmp_path: Path) -> None:
    refused(tmp_path / "x.toml", TOML[kind].encode(), files.read_toml, "a key has more than 32")


@pytest.mark.parametrize(
    "text",
    [
        'x = "' + "a." * 1000 + '"\n',
        "x = '''" + "a." * 1000 + "'''\n",
        'x = """\n' + "a." * 1000 + '"""\n',
        "# " + "a." * 1000 + "\n",
        "x = [" + "1.5, " * 1000 + "]\n",
        "".join(f"a.b.c{number} = 1\n" for number in range(1000)),
        '"a.b.c' + ".d" * 100 + '" = 1\n',
    ],
)
def test_dots_that_are_in_no_key_are_no_parts(text: str, tmp_path: Path) -> None:
    file = tmp_path / "x.toml"
    file.write_text(text)
    files.read_toml(file)


def test_text_that_never_ends_is_refused_soon(tmp_path: Path) -> None:
    for text in (
        '\\"""\n' * 50_000,
        "\\'''\n" * 50_000,
        'x = """' + '\\"' * 100_000,
        '"' * 250_000,
    ):
        refused(tmp_path / "x.toml", text.encode(), files.read_toml, "")


def test_signatures_without_number_are_refused(tmp_path: Path) -> None:
    """Each is checked over the whole payload, for each key that is trusted."""
    key = Ed25519PrivateKey.generate()
    sealed = json.loads(envelope.sign(b" " * 2_000_000, key).to_json())
    other = base64.b64encode(bytes(64)).decode()
    sealed["signatures"] = [{"keyid": "", "sig": other}] * 40_000
    file = tmp_path / "c.json"
    file.write_text(json.dumps(sealed))
    trusted = [Trusted(f"{number}", key.public_key()) for number in range(20)]

    def read(data: bytes) -> None:
        unseal(file, None, trusted)

    counted = judged(iter([b""]), read, CertificateError, "signatures")
    assert counted["refused"] == 1


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_an_archive_of_zeros_is_refused_before_they_are_written(
    tmp_path: Path, method: int
) -> None:
    folder, file = tmp_path / "r", tmp_path / "packed.zip"
    with results.Writer(folder / results.CONFORMANCE, started=1.0):
        pass
    with (folder / results.TIMINGS).open("wb") as stream:
        stream.truncate(100 * 1024 * 1024)
    archive.pack(folder, {}, file)
    if method != zipfile.ZIP_DEFLATED:
        with zipfile.ZipFile(file) as packed, zipfile.ZipFile(tmp_path / "again", "w") as again:
            for name in packed.namelist():
                again.writestr(name, packed.read(name), method)
        file = tmp_path / "again"
    assert file.stat().st_size < 200_000
    with pytest.raises(ResultsError) as raised, archive.unpacked(file):
        pass
    says = "unpacked" if method == zipfile.ZIP_DEFLATED else "packed in another way"
    assert says in str(raised.value)
