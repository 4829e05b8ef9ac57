"""``dramaturg completion``: what a shell needs to complete commands, options and names."""

import re

import click
from click.shell_completion import CompletionItem, get_completion_class

SHELLS = ("bash", "zsh", "fish")

PROGRAM = "dramaturg"


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
def completion(shell: str) -> None:
    """Print the completion for a shell: commands, options, implementations, suites.

    \b
    Examples:
      dramaturg completion bash > ~/.local/share/bash-completion/completions/dramaturg
      dramaturg completion zsh > ~/.zfunc/_dramaturg
      dramaturg completion fish > ~/.config/fish/completions/dramaturg.fish
    """
    from dramaturg.cli.main import COMPLETE

    found = get_completion_class(shell)
    assert found is not None
    root = click.get_current_context().find_root().command
    click.echo(found(root, {}, PROGRAM, COMPLETE).source())


_PLAIN = re.compile(r"[\w.+@,:][\w.+@,:-]*")
"""Names that no shell takes for more. It puts what is offered into the command line as it is, and a
folder's name may have a command in it."""


def implementations(
    context: click.Context, parameter: click.Parameter, begun: str
) -> list[CompletionItem]:
    """Names of implementations that begin so, and their variants after a plus; then folders."""
    from dramaturg.errors import ControlError
    from dramaturg.implementation.manifest import available, find

    found = [name for name in available() if name.startswith(begun) and _PLAIN.fullmatch(name)]
    base, plus, _ = begun.partition("+")
    if plus:
        try:
            variants = find(base).manifest.variants
        except ControlError:
            variants = {}
        names = [f"{base}+{variant}" for variant in variants]
        return [CompletionItem(name) for name in names if name.startswith(begun)]
    return [CompletionItem(name) for name in found] or [CompletionItem(begun, type="dir")]


def timed(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """Suites and benchmarks that begin so."""
    from dramaturg.timing.planning import scenarios, suites

    names = [*suites.available(), *scenarios.BENCHMARKS]
    return [CompletionItem(name) for name in names if name.startswith(begun)]
