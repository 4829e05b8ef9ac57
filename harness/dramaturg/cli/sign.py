"""``dramaturg sign``: put one's name to a certificate or a review, after all that ran has ended."""

import sys
from pathlib import Path

import click

from dramaturg import files
from dramaturg.certificates import envelope, intoto, review, statement
from dramaturg.certificates.envelope import NEW_KEY, CertificateError
from dramaturg.errors import HarnessFault
from dramaturg.processes import supervised
from dramaturg.terminal import show
from dramaturg.visible import line


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--key",
    "key_file",
    metavar="KEY.pem",
    required=True,
    type=click.Path(path_type=Path),
    help=f"An Ed25519 key, perhaps behind a passphrase; {NEW_KEY} makes one.",
)
@click.option("--output", type=click.Path(path_type=Path), help="Where to write; default FILE.")
@show.json_option
def sign(file: Path, key_file: Path, output: Path | None, as_json: bool) -> None:
    """Sign a certificate or a review. It runs nothing; no earlier run may still be running.

    An implementation runs as you and can read your files. So keep the key where it cannot be
    read meanwhile: behind a passphrase, on another machine, on a stick that is not plugged in.

    \b
    Example:
      dramaturg sign results/latest/certificate.json --key key.pem
    """
    text, sealed = intoto.read(file)
    if sealed is not None:
        raise CertificateError(f"{file} is signed already")
    is_review = intoto.predicate_of(text, file) == intoto.REVIEW
    claimed = review.parse(text, file) if is_review else statement.parse(text, file)
    called = intoto.CALLED[claimed.predicate_type]
    running = supervised.abandoned()
    if running:
        named = ", ".join(map(str, running[:5]))
        raise HarnessFault(
            f"processes of implementations have outlived their run ({named}); no key is read"
            " before they have ended"
        )
    key = envelope.private_key(key_file, _passphrase if sys.stdin.isatty() else None)
    target = output or file
    files.write_text(target, envelope.sign(text, key).to_json())
    if as_json:
        show.print_json({called: str(target), "key": envelope.key_id(key.public_key()),
                         "subjects": [subject.name for subject in claimed.subject]})  # fmt: skip
    else:
        names = ", ".join(subject.name for subject in claimed.subject)
        show.console().print(f"signed {called} {line(str(target))} of {names}")


def _passphrase() -> str:
    said: str = click.prompt("passphrase", hide_input=True, err=True)
    return said
