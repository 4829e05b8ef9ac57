"""``dramaturg review``: what no run can show, answered by a person (spec/review.md)."""

import dataclasses
from pathlib import Path

import click

from dramaturg import files
from dramaturg.certificates import checklist, intoto, review_answers, statement
from dramaturg.certificates import review as reviewing
from dramaturg.certificates.envelope import CertificateError
from dramaturg.certificates.review_answers import Answer, Answers
from dramaturg.cli import completion
from dramaturg.implementation import digest, sources
from dramaturg.implementation.manifest import Implementation, find
from dramaturg.terminal import show
from dramaturg.visible import typed


@click.command()
@click.argument("implementation", shell_complete=completion.implementations)
@click.option("--checklist", "ask", is_flag=True, help="Print the questions, to be answered.")
@click.option(
    "--answers",
    "answers_file",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Make a review of the checklist in this file, in which all is answered.",
)
@click.option(
    "--certificate",
    "certificate_file",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="The build must be the one that this certificate is of.",
)
@click.option(
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Where to write the review, which must not be there yet; default review.json.",
)
@show.json_option
def review(
    implementation: str,
    ask: bool,
    answers_file: Path | None,
    certificate_file: Path | None,
    output: Path | None,
    as_json: bool,
) -> None:
    """Answer the questions of spec/review.md on one build: no run can answer them.

    It builds and runs nothing of the implementation, and reads no key: `dramaturg sign` signs
    the review. It changes no verdict; `dramaturg verify --review` shows it beside one.

    \b
    Examples:
      dramaturg review erlang --checklist > answers.toml
      dramaturg review erlang --answers answers.toml --certificate certificate.json
      dramaturg sign review.json --key key.pem
    """
    if ask == (answers_file is not None):
        raise click.UsageError("give --checklist to get the questions, or --answers with them")
    if ask and (certificate_file is not None or output is not None):
        raise click.UsageError("--certificate and --output belong to --answers")
    reviewed = find(implementation)
    if answers_file is None:
        _ask(reviewed, as_json)
    else:
        target = output or Path("review.json")
        given = _given(reviewed, answers_file, certificate_file)
        _make(given, target, as_json)


def _ask(implementation: Implementation, as_json: bool) -> None:
    asked = checklist.load()
    build = digest.digest(implementation)
    inputs = sources.inputs(implementation)
    if not as_json:
        click.echo(review_answers.blank(implementation.name, build, inputs, asked), nl=False)
        return
    show.print_json({
        "implementation": implementation.name,
        "build": build,
        "checklist": {"version": asked.version, "digest": asked.digest},
        "questions": [dataclasses.asdict(each) for each in asked.questions.values()],
        "files": {path: checklist.module_of(path) for path in sorted(inputs)},
    })  # fmt: skip


def _given(
    implementation: Implementation, answers_file: Path, certificate_file: Path | None
) -> Answers:
    """The answers, of this build. Raises CertificateError if they are of another one."""
    given = review_answers.read(answers_file, checklist.load())
    if given.implementation != implementation.name:
        raise CertificateError(
            f"{answers_file} is of {given.implementation}, not of {implementation.name}"
        )
    build = digest.digest(implementation)
    if given.build != build:
        raise CertificateError(
            f"{answers_file} is of build {given.build[:12]}, and {implementation.name} is"
            f" {build[:12]} by now: look at what has changed, and give its digest:"
            f' build = "{build}"'
        )
    if certificate_file is not None:
        _check_certificate(given, certificate_file)
    return given


def _check_certificate(given: Answers, file: Path) -> None:
    claimed = statement.parse(intoto.read(file)[0], file)
    builds = {subject.name: subject.digest.sha256 for subject in claimed.subject}
    if given.implementation not in builds:
        raise CertificateError(
            f"{file} is not of {given.implementation}; its subjects: {', '.join(builds)}"
        )
    certified = builds[given.implementation]
    if certified != given.build:
        raise CertificateError(
            f"{file}: certifies build {certified[:12]} of {given.implementation}, and what was"
            f" reviewed is build {given.build[:12]}"
        )


def _make(given: Answers, target: Path, as_json: bool) -> None:
    made = reviewing.made(given, checklist.load())
    if target.exists():
        raise CertificateError(f"{target} is there already; give another --output")
    files.write_text(target, made.to_json(indent=2) + "\n")
    said = [each.answer for each in given.each.values()]
    counts = {str(answer): said.count(answer) for answer in Answer}
    if as_json:
        show.print_json({"review": str(target), "implementation": given.implementation,
                         "build": given.build, "reviewer": given.reviewer,
                         "answers": counts})  # fmt: skip
        return
    spelt = ", ".join(f"{count} {answer}" for answer, count in counts.items())
    console = show.console()
    console.print(f"review {target} of {given.implementation} {given.build[:12]}: {spelt}")
    console.print(f"to sign it: dramaturg sign {typed(target)} --key KEY.pem")
