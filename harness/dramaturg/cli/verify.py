"""``dramaturg verify``: does this certificate still hold, here?"""

import contextlib
import sys
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import NoReturn

import click
from rich.console import Console

from dramaturg import results
from dramaturg.certificates import (
    handed_certificate,
    remembered_verifications,
    reviews,
    verification,
)
from dramaturg.certificates.reviews import Reviewed
from dramaturg.certificates.signed_file import Difference
from dramaturg.certificates.verification import Verification
from dramaturg.cli import completion
from dramaturg.conformance.certification import certify
from dramaturg.errors import HarnessFault
from dramaturg.implementation.manifest import Implementation
from dramaturg.orchestration import building, certified_elsewhere, cluster_use
from dramaturg.outcomes import Outcome
from dramaturg.terminal import case_lines, show
from dramaturg.visible import line, quoted

_MEANINGS = {
    Outcome.PASS: "the certificate holds",
    Outcome.FAIL: "the certificate does not hold here",
}

_MOST = 100
"""Differences of a kind that are printed."""

_LONGEST = 2_000
"""Characters of each part of one."""

_WHY_NOTHING_RAN = (
    "nothing was built or run: name what may be, with -i NAME, or --all for all subjects that"
    " are here; no folder of an implementation was looked at"
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
@show.cluster_options
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
    cluster: str | None,
    cluster_tls: Path | None,
    as_json: bool,
) -> None:
    """Check a certificate's signature, compare what it names, and run its cases again.

    The command looks only at implementations that -i or --all names, and builds and runs them
    only if nothing differs. Without -i and --all it compares the signature, the cases and the
    machine. Any difference except of the environment is a *fail*, and so is a case that no
    longer passes. A certificate that holds without a signature by --key or by a trusted key
    ends with 9: *holds, signer unknown*.

    \b
    Examples:
      dramaturg verify certificate.json
      dramaturg verify certificate.json --key public.pem -i erlang
      dramaturg verify certificate.json --review review.json -i erlang
      dramaturg verify results/latest/certificate.json --all
      dramaturg verify certificate.json -i erlang --cluster ssh:hosts.yaml
    """
    cluster_use.refuse_odd(cluster, cluster_tls)
    if names and everything:
        raise click.UsageError("-i names what is verified; --all is without it")
    if key_file is not None and trusted_file is not None:
        raise click.UsageError("--key is the one key that counts; --trusted is without it")
    opened = handed_certificate.opened(file, key_file, trusted_file, review_files)
    made = Verification(file, opened.signature, opened.signer)
    folder = None
    if opened.forged is not None:
        made.differences.append(opened.forged)
    elif claimed := opened.claimed:
        implementations = verification.chosen(claimed, names, everything=everything)
        building.refuse_unreadable(implementations.values())
        building.refuse_among_sources(output, implementations.values())
        verification.compare(made, claimed, implementations)
        if not no_run and implementations and not made.differences:
            folder = output or results.new_folder()
            verification.compare_toolchains(made, claimed, implementations)
            if cluster is None:
                building.build_all(implementations.values(), as_json)
            with contextlib.ExitStack() as stack:
                stack.enter_context(results.claimed(folder))
                bar = stack.enter_context(show.progress(as_json))
                total = sum(subject.cases for subject in made.subjects)
                watch = case_lines.watcher(bar, "verify", total, as_json)
                perform, describe = partial(certify, folder=folder, watch=watch), building.described
                if cluster is not None:
                    some = list(implementations.values())
                    hosts = stack.enter_context(cluster_use.opened(cluster, cluster_tls, some))
                    elsewhere = certified_elsewhere.performer(hosts, cluster_use.tell)
                    perform, describe = partial(perform, elsewhere=elsewhere), _not_here
                verification.repeat(made, claimed, implementations, perform, describe)
    if as_json:
        more = {"results": str(folder) if folder else None}
        reviewed = {"reviews": [each.to_dict() for each in opened.shown]}
        show.print_json(made.to_dict() | more | reviewed)
    else:
        _print(made, opened.shown, folder)
        if made.outcome is Outcome.NOT_RUN and not (names or everything):
            show.console().print(_WHY_NOTHING_RAN)
    if cluster is None:
        remembered_verifications.remember(opened.text, made.again())
    sys.exit(made.exit_code)


def _not_here(implementation: Implementation) -> NoReturn:
    """The differences between what it says of its runtime, on this machine, and what runs there."""
    raise HarnessFault("its cases were performed on other hosts, so it was not started here")


def _print(made: Verification, shown: Iterable[Reviewed], folder: Path | None) -> None:
    console = show.console()
    console.print(f"signature: {line(made.signature)}")
    _list(console, "note", made.notes)
    _list(console, "differs", made.differences)
    for subject in made.subjects:
        style = case_lines.STYLES.get(subject.outcome, "yellow")
        count = f" {subject.name} {subject.passed}/{subject.cases}"
        console.print(show.styled((str(subject.outcome), style), count))
        if subject.message:
            console.print(f"  {quoted(subject.message)}")
    for error in made.errors:
        console.print(f"harness fault: {quoted(error)}")
    if made.left_out:
        console.print(f"not asked for: {', '.join(made.left_out)}")
    if folder is not None:
        console.print(f"results in {line(str(folder))}")
    for each in reviews.spelt(shown):
        console.print(each)
    verdict = "interrupted" if made.interrupted else made.verdict
    meaning = _MEANINGS.get(made.outcome, "it was not verified")
    console.print(f"{line(str(made.file))}: {verdict}: {meaning}")


def _list(console: Console, kind: str, differences: Iterable[Difference]) -> None:
    shown = list(differences)
    for difference in shown[:_MOST]:
        console.print(
            f"{kind}: {_cut(difference.what)}: certificate {_cut(difference.certificate)};"
            f" here {_cut(difference.here)}",
            markup=False,
        )
    if len(shown) > _MOST:
        console.print(f"{kind}: and {len(shown) - _MOST:,} more, which --json lists")


def _cut(text: str) -> str:
    """A certificate says as much as it likes."""
    return quoted(text if len(text) <= _LONGEST else f"{text[:_LONGEST]}...")
