"""``dramaturg trace``: questions of a recorded run, in SQL."""

import os
import shlex
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from rich.table import Table

from dramaturg import files
from dramaturg.orchestration.trace_answers import READER, Form, Told
from dramaturg.processes import confined, interrupts
from dramaturg.processes.confined import Limits
from dramaturg.terminal import show
from dramaturg.visible import line

_NUMBERS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "FLOAT", "DOUBLE", "DECIMAL")


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--sql", metavar="QUERY", help="The question; its tables are messages, actors, ...")
@click.option("--sent", is_flag=True, help="Also say upon which event each message was sent.")
@click.option("--table", "as_table", is_flag=True, help="Print a table (the default).")
@click.option("--csv", "as_csv", is_flag=True, help="Print the answer as CSV.")
@click.option(
    "--parquet",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the answer to this file; without --sql all messages.",
)
@show.json_option
def trace(
    file: Path,
    sql: str | None,
    sent: bool,
    as_table: bool,
    as_csv: bool,
    parquet: Path | None,
    as_json: bool,
) -> None:
    """Ask questions of a recorded run, in SQL.

    Without --sql: who is in it, what there is to ask, and the first questions.

    \b
    Examples:
      dramaturg trace results/latest/traces/erlang-turns.run
      dramaturg trace FILE --sql "SELECT actor, taken FROM actors ORDER BY taken DESC LIMIT 5"
      dramaturg trace FILE --sql "FROM messages WHERE receiver = 'chat/3.0' ORDER BY event"
      dramaturg trace FILE --parquet messages.parquet
    """
    if as_table + as_csv + as_json + (parquet is not None) > 1:
        raise click.UsageError("give one of --table, --csv, --json and --parquet FILE")
    if parquet is not None and not parquet.resolve().parent.is_dir():
        raise click.UsageError(f"--parquet {parquet}: its folder is not there; make it first")
    if parquet is not None and parquet.resolve() == file.resolve():
        raise click.UsageError(f"--parquet {parquet}: that is the run; give another file")
    if as_csv and sql is None:
        raise click.UsageError("--csv prints the answer to --sql; the summary is text, or --json")
    if parquet is not None:
        told = _into_file(file, sql, sent, parquet)
        show.console().print(f"{parquet}: {told.written:,} rows")
    elif as_csv or (as_json and sql is not None):
        _through_file(file, sql, sent, "csv" if as_csv else "json")
    else:
        told = _asked(file, sql, sent, "table", None)
        if told.summary is None:
            _show(told)
        elif as_json:
            show.print_json({"file": str(file)} | told.summary)
        else:
            _show_summary(file, told.summary)


def _asked(file: Path, sql: str | None, sent: bool, form: Form, into: Path | None) -> Told:
    given = {"file": str(file), "sql": sql, "form": form, "sent": sent,
             "into": str(into) if into else None}  # fmt: skip
    return Told.model_validate(confined.read(READER, file, given, Limits.of(file)))


def _into_file(file: Path, sql: str | None, sent: bool, target: Path) -> Told:
    """Readers see the old file or the new one. Raises OSError that names it."""
    with files.naming(target):
        folder = tempfile.TemporaryDirectory(prefix=".dramaturg-", dir=target.resolve().parent)
    with folder as beside:
        into = Path(beside) / "answer"
        told = _asked(file, sql, sent, "parquet", into)
        with interrupts.held(), files.naming(target):
            into.chmod(0o666 & ~_umask())
            into.replace(target)
    return told


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _through_file(file: Path, sql: str | None, sent: bool, form: Form) -> None:
    """Whatever its size, it is never in memory as a whole."""
    with tempfile.TemporaryDirectory(prefix="dramaturg-answer-") as folder:
        into = Path(folder) / "answer"
        _asked(file, sql, sent, form, into)
        with into.open(encoding="utf-8", newline="") as stream:
            shutil.copyfileobj(stream, sys.stdout)


def _show(told: Told) -> None:
    console = show.console()
    if not told.rows:
        console.print(f"no rows; the columns are: {', '.join(told.columns)}")
        return
    console.print(_table(told.columns, told.types, told.rows))
    if told.more:
        console.print(
            f"and more than these {len(told.rows)} rows: --csv and --json print them all, --parquet"
            " FILE writes them"
        )


def _table(columns: Sequence[str], types: Sequence[str], rows: Sequence[Sequence[Any]]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    for name, kind in zip(columns, types, strict=True):
        number = kind.lstrip("U").partition("(")[0] in _NUMBERS
        table.add_column(line(name), justify="right" if number else "left")
    for row in rows:
        table.add_row(*(line("" if value is None else str(value)) for value in row))
    return table


def _show_summary(file: Path, said: dict[str, Any]) -> None:
    console = show.console()
    console.print(
        f"{line(said['implementation'])}, {line(said['case'])} ({said['benchmark']}):"
        f" {said['messages']:,} messages taken\n"
    )
    words = ["VARCHAR", "BIGINT", "BIGINT", "BIGINT"]
    actors = [list(each.values()) for each in said["actors"]]
    console.print(_table(["class", "actors", "logged", "taken"], words, actors))
    console.print()
    kinds = [[f"{each['receiver_class']}_{each['kind']}", each["messages"],
              ", ".join(said["views"].get(f"{each['receiver_class']}_{each['kind']}", []))]
             for each in said["kinds"]]  # fmt: skip
    console.print(_table(["table of a kind", "messages", "its arguments"],
                         ["VARCHAR", "BIGINT", "VARCHAR"], kinds))  # fmt: skip
    for name, columns in said["tables"].items():
        console.print()
        rows = [[each["column"], each["type"], each["says"]] for each in columns]
        console.print(_table([f"table {name}", "type", "says"], ["VARCHAR"] * 3, rows))
    console.print("\nFirst questions:")
    for each in said["questions"]:
        words = [
            "dramaturg",
            "trace",
            shlex.quote(str(file)),
            *(["--sent"] if each["sent"] else []),
        ]
        console.print(f'\n{each["asks"]}\n  {" ".join(words)} --sql "{each["sql"]}"')
