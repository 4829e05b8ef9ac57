"""``dramaturg verify``: does this certificate still hold, here?"""

import sys
from collections.abc import Iterable
from pathlib import Path

import click
from rich.console import Console

from dramaturg import results
from dramaturg.cli import judging, show
from dramaturg.conformance import envelope, statement, verification
from dramaturg.conformance.verification import Difference, Verification
from dramaturg.outcomes import Outcome

_MEANINGS = {
    Outcome.PASS: "the certificate holds",
    Outcome.FAIL: "the certificate does not hold here",
}


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--key",
    "key_file",
    metavar="PUBLIC.pem",
    type=click.Path(path_type=Path),
    help="The certificate must be signed by this Ed25519 key.",
)
@click.option("--implementation", "-i", "names", multiple=True, help="Default: all its subjects.")
@click.option("--no-run", is_flag=True, help="Compare only. That is no verification: *not run*.")
@click.option("--output", type=show.FOLDER, help="Folder for the results.")
@show.json_option
def verify(
    file: Path,
    key_file: Path | None,
    names: tuple[str, ...],
    no_run: bool,
    output: Path | None,
    as_json: bool,
) -> None:
    """Check a certificate's signature, compare what it names, run its cases again.

    Any difference but of the environment is a *fail*, and so is a case that no longer
    passes. Without --key nothing is known of who signed it.

    \b
    Examples:
      dramaturg verify results/latest/certificate.json
      dramaturg verify certificate.json --key public.pem -i erlang
      dramaturg verify certificate.json --no-run
    """
    key = None if key_file is None else envelope.public_key(key_file)
    opened = verification.unseal(file, key)
    made = Verification(file, opened.signature)
    folder = None
    if opened.forged is not None:
        made.differences.append(opened.forged)
    else:
        claimed = statement.parse(opened.text, file)
        implementations = verification.chosen(claimed, names)
        verification.compare(made, claimed, implementations)
        if not no_run:
            folder = output or results.new_folder()
            judging.build_all(implementations.values(), as_json)
            with results.claimed(folder), show.progress(as_json) as bar:
                total = sum(subject.cases for subject in made.subjects)
                watch = judging.watcher(bar, "verify", total, as_json)
                verification.repeat(made, claimed, implementations, folder, watch)
    if as_json:
        show.print_json(made.to_dict() | {"results": str(folder) if folder else None})
    else:
        _print(made, folder)
    sys.exit(made.exit_code)


def _print(made: Verification, folder: Path | None) -> None:
    console = show.console()
    console.print(f"signature: {made.signature}", markup=False)
    _list(console, "note", made.notes)
    _list(console, "differs", made.differences)
    for subject in made.subjects:
        style = judging.STYLES.get(subject.outcome, "yellow")
        line = f"[{style}]{subject.outcome}[/] {subject.name} {subject.passed}/{subject.cases}"
        console.print(line)
        if subject.message:
            console.print(f"  {subject.message}", markup=False)
    for error in made.errors:
        console.print(f"harness fault: {error}", markup=False)
    if made.left_out:
        console.print(f"not asked for: {', '.join(made.left_out)}", markup=False)
    if folder is not None:
        console.print(f"results in {folder}", markup=False)
    verdict = "interrupted" if made.interrupted else str(made.outcome)
    meaning = _MEANINGS.get(made.outcome, "it was not verified")
    console.print(f"{made.file}: {verdict}: {meaning}", markup=False)


def _list(console: Console, kind: str, differences: Iterable[Difference]) -> None:
    for difference in differences:
        console.print(
            f"{kind}: {difference.what}: certificate {difference.certificate};"
            f" here {difference.here}",
            markup=False,
        )
