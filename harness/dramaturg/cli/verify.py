"""``dramaturg verify``: does this certificate still hold, here?"""

import sys
from collections.abc import Iterable
from functools import partial
from pathlib import Path

import click
from rich.console import Console

from dramaturg import results
from dramaturg.certificates import (
    envelope,
    reviews,
    statement,
    trust,
    verification,
    verified,
)
from dramaturg.certificates.opened import Difference, unseal
from dramaturg.certificates.reviews import Reviewed
from dramaturg.certificates.verification import Verification
from dramaturg.cli import completion, judging, show
from dramaturg.outcomes import Outcome
from dramaturg.performance.certification import certify
from dramaturg.visible import quoted

_MEANINGS = {
    Outcome.PASS: "the certificate holds",
    Outcome.FAIL: "the certificate does not hold here",
}

_WHY_NOTHING_RAN = (
    "nothing was built or run: name what may be, with -i NAME, or --all for all subjects that"
    " are here"
)


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--key",
    "key_file",
    metavar="PUBLIC.pem",
    type=click.Path(path_type=Path),
    help="The certificate must be signed by this Ed25519 key.",
)
@show.trusted_option
@click.option(
    "--implementation",
    "-i",
    "names",
    multiple=True,
    shell_complete=completion.implementations,
    help="Verify and run this one.",
)
@click.option("--all", "everything", is_flag=True, help="All subjects that are here.")
@click.option(
    "--review",
    "review_files",
    metavar="REVIEW.json",
    multiple=True,
    type=click.Path(path_type=Path),
    help="Show this review beside the verdict; it changes nothing of it.",
)
@click.option("--no-run", is_flag=True, help="Compare only. That is no verification: *not run*.")
@click.option("--output", type=show.FOLDER, help="Folder for the results.")
@show.json_option
def verify(
    file: Path,
    key_file: Path | None,
    trusted_file: Path | None,
    names: tuple[str, ...],
    everything: bool,
    review_files: tuple[Path, ...],
    no_run: bool,
    output: Path | None,
    as_json: bool,
) -> None:
    """Check a certificate's signature, compare what it names, run its cases again.

    Only what -i or --all names is built and run, and only if nothing differs. Any
    difference but of the environment is a *fail*, and so is a case that no longer
    passes. What holds without a signature by --key or by a trusted key ends with 9:
    *holds, signer unknown*.

    \b
    Examples:
      dramaturg verify certificate.json
      dramaturg verify certificate.json --key public.pem -i erlang
      dramaturg verify certificate.json --review review.json -i erlang
      dramaturg verify results/latest/certificate.json --all
    """
    if names and everything:
        raise click.UsageError("-i names what is verified; --all is without it")
    if key_file is not None and trusted_file is not None:
        raise click.UsageError("--key is the one key that counts; --trusted is without it")
    key = None if key_file is None else envelope.public_key(key_file)
    keys = trust.alone(key) if key else trust.of_user(trusted_file)
    opened = unseal(file, key, () if key else keys)
    made = Verification(file, opened.signature, opened.signer)
    folder = None
    if opened.forged is not None:
        made.differences.append(opened.forged)
        shown = [reviews.beside_nothing(each) for each in review_files]
    else:
        claimed = statement.parse(opened.text, file)
        builds = {subject.name: [subject.digest.sha256] for subject in claimed.subject}
        shown = [reviews.reviewed(each, builds, keys) for each in review_files]
        implementations = verification.chosen(claimed, names)
        judging.refuse_among_sources(output, implementations.values())
        verification.compare(made, claimed, implementations)
        if (names or everything) and not no_run and implementations and not made.differences:
            folder = output or results.new_folder()
            verification.compare_toolchains(made, claimed, implementations)
            judging.build_all(implementations.values(), as_json)
            with results.claimed(folder), show.progress(as_json) as bar:
                total = sum(subject.cases for subject in made.subjects)
                watch = judging.watcher(bar, "verify", total, as_json)
                perform = partial(certify, folder=folder, watch=watch)
                verification.repeat(made, claimed, implementations, perform, judging.described)
            verified.remember(opened.text, made.again())
    if as_json:
        more = {"results": str(folder) if folder else None}
        show.print_json(made.to_dict() | more | {"reviews": [each.to_dict() for each in shown]})
    else:
        _print(made, shown, folder)
        if made.outcome is Outcome.NOT_RUN and not (names or everything or no_run):
            show.console().print(_WHY_NOTHING_RAN)
    sys.exit(made.exit_code)


def _print(made: Verification, shown: Iterable[Reviewed], folder: Path | None) -> None:
    console = show.console()
    console.print(f"signature: {made.signature}")
    _list(console, "note", made.notes)
    _list(console, "differs", made.differences)
    for subject in made.subjects:
        style = judging.STYLES.get(subject.outcome, "yellow")
        count = f" {subject.name} {subject.passed}/{subject.cases}"
        console.print(show.styled((str(subject.outcome), style), count))
        if subject.message:
            console.print(f"  {quoted(subject.message)}")
    for error in made.errors:
        console.print(f"harness fault: {quoted(error)}")
    if made.left_out:
        console.print(f"not asked for: {', '.join(made.left_out)}")
    if folder is not None:
        console.print(f"results in {folder}")
    for line in reviews.spelt(shown):
        console.print(line)
    verdict = "interrupted" if made.interrupted else made.verdict
    meaning = _MEANINGS.get(made.outcome, "it was not verified")
    console.print(f"{made.file}: {verdict}: {meaning}")


def _list(console: Console, kind: str, differences: Iterable[Difference]) -> None:
    for difference in differences:
        console.print(
            f"{kind}: {quoted(difference.what)}: certificate {quoted(difference.certificate)};"
            f" here {quoted(difference.here)}",
            markup=False,
        )
