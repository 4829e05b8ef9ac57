"""``dramaturg new``: a repository of one's own, with everything in it but the actors."""

import re
from dataclasses import replace
from pathlib import Path

import click
from click.shell_completion import CompletionItem

from dramaturg import meant, paths
from dramaturg.implementation import toolchain
from dramaturg.implementation.manifest import load
from dramaturg.processes import git
from dramaturg.template import making, writing
from dramaturg.template import record as records
from dramaturg.template.description import Description
from dramaturg.template.making import Made
from dramaturg.terminal import show
from dramaturg.visible import quoted

_GENERIC = "generic"
"""The template for any language: all of it but the code."""

_LANGUAGE = r"[^\W_][\w+#./ -]{0,39}"
"""Names that may stand in a manifest, a heading and a table without a second thought."""


def _known() -> dict[str, Description]:
    """Templates of languages."""
    return {name: each for name, each in making.templates().items() if name != _GENERIC}


class _Language(click.ParamType[str]):
    """A language: one that has a template, or any other."""

    name = "language"

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        return f"[{'|'.join(_known())}|any other]"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        return [CompletionItem(name) for name in _known() if name.startswith(incomplete)]


def _template(language: str, generic: bool) -> Description:
    """The one for a language, by its folder's name or as people call it (C++); the generic one for
    any other. Raises BadParameter for a name that is nearly one of these, or for what is none."""
    known = _known()
    called = {each.language.partition(" with ")[0].casefold(): each for each in known.values()}
    called |= {name.casefold(): each for name, each in known.items()}
    if not generic and language.casefold() in called:
        return called[language.casefold()]
    if not re.fullmatch(_LANGUAGE, language):
        raise click.BadParameter(
            f"{language!r} is no name of a language: up to 40 letters, digits, spaces, '+', '#',"
            " '.', '/' and '-', a letter or digit first",
            param_hint="--language",
        )
    if not generic and (near := meant.hint(language, known)):
        raise click.BadParameter(
            f"{language!r} has no template of its own{near} There are: {', '.join(known)}. If it is"
            " another language, add --generic: then all is made but the code",
            param_hint="--language",
        )
    return replace(making.templates()[_GENERIC], language=language)


@click.command()
@click.argument("name")
@click.option(
    "--language",
    required=True,
    type=_Language(),
    help="In which it is written. One that has no template gets all but the code.",
)
@click.option(
    "--generic", is_flag=True, help="All but the code, also for a language that has a template."
)
@show.json_option
def new(name: str, language: str, generic: bool, as_json: bool) -> None:
    """Make a repository for an implementation, with everything in it but the actors.

    The repository is made in the folder NAME below the current one. It has a manifest, the
    whole plumbing (control port, watches, logs, stopwatch, arithmetic), the protocol's tables,
    ping-pong as an example, unit tests, a README that says how to go on, and a workflow for CI.
    Ping-pong can be certified at once. The folder must be empty or not exist; a repository that
    was just cloned and has no files is accepted as well. Outside of any repository, git makes
    one there.

    For a language without a template everything is made but the code: the manifest, the
    protocol's tables as JSON, test vectors, the workflow, and a README that says what to write
    first.

    The command names a missing toolchain, and keeps the repository.

    \b
    Examples:
      dramaturg new mine --language python
      dramaturg new mine --language haskell
    """
    template = _template(language, generic)
    made = making.make(name, template)
    record = records.of(name, template.name, made)
    folder = Path(name)
    writing.create(folder, made | {records.PLACE: Made(record.text().encode(), yours=True)})
    if not git.ask(Path(), "rev-parse", "--git-dir") and not (folder / ".git").exists():
        git.problem(folder, "init", timeout=git.TIMEOUT)
    implementation = load(folder)
    missing = [finding.problem for finding in toolchain.probe(implementation) if finding.problem]
    if as_json:
        show.print_json(
            {"folder": str(folder.resolve()), "files": sorted(made), "missing": missing}
        )
        return
    click.echo(f"{name}: {len(made)} files, {template.language}")
    for problem in missing:
        click.echo(
            f"missing: {quoted(problem)}; `{paths.COMMAND} doctor {name}` says how to get it"
        )
    if template.name == _GENERIC:
        click.echo(f"There is no code yet. {name}/README.md says what to write first.")
        return
    click.echo(f"Go on with {name}/README.md, or at once: {paths.COMMAND} certify {name}")
