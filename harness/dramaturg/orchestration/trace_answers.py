"""Answers of a recorded run's tables, made in the process that reads it: as text or as a file, row
by row."""

import contextlib
import csv
import io
import json
import threading
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel

from dramaturg import files
from dramaturg.model.messages import KINDS
from dramaturg.processes import confined
from dramaturg.results import ResultsError
from dramaturg.trace import recorded
from dramaturg.trace.events import TraceError
from dramaturg.trace.queries import message_tables
from dramaturg.trace.queries.database import Answer, Database, QueryInterrupted, QueryRefused
from dramaturg.trace.queries.first_questions import first_questions
from dramaturg.trace.queries.message_columns import MessageColumns, message_columns
from dramaturg.trace.queries.sent_upon import sent_upon
from dramaturg.visible import typed

READER = f"{__name__}:answered"

Form = Literal["table", "csv", "json", "parquet"]

SHOWN = 100
"""Rows of a table on a terminal."""

_MEMORY = 0.6
"""The part of what is left of a reader's memory that DuckDB may take; the rest is for rows that
are objects for a while, and for what it does not count."""

_SPARE = 5.0
"""Seconds of CPU time that are left to say that there are no more."""

_LOOK = 0.2
"""Seconds between two looks at the clock."""


class Given(BaseModel):
    """A question about a recorded run."""

    file: Path
    sql: str | None
    """None for the summary, or in Parquet for all messages."""
    form: Form
    into: Path | None
    """The file for an answer that is no table; nothing else is in its folder."""
    sent: bool


class Told(BaseModel):
    """The answer. ``rows`` has those of a table alone, ``summary`` that of no query."""

    columns: list[str] = []
    types: list[str] = []
    rows: list[list[Any]] = []
    more: bool = False
    """True if there are more rows."""
    written: int = 0
    summary: dict[str, Any] | None = None


def answered(asked: dict[str, Any]) -> dict[str, Any]:
    """As :class:`Told`, for :class:`Given`. Raises ResultsError for a file that is no recorded
    run, and for a query that cannot be answered, and OSError."""
    given = Given.model_validate(asked)
    try:
        told = _answered(given)
    except QueryRefused as error:
        raise ResultsError(
            f"--sql: {error}; `dramaturg trace {typed(given.file)}` lists what there is"
        ) from None
    except TraceError as error:
        raise ResultsError(str(error)) from None
    return told.model_dump(mode="json")


def _answered(given: Given) -> Told:
    run = recorded.load(given.file)
    try:
        columns = message_columns(run)
    except (TraceError, ValueError) as error:
        raise TraceError(
            f"{given.file}: {files.brief(error)}: it is damaged, or was recorded by another version"
            " of dramaturg, which can read it"
        ) from None
    sent = sent_upon(given.file, run, columns) if given.sent else None
    about = {"implementation": run.implementation, "case": run.case,
             "benchmark": run.benchmark.WhichOneof("parameters")}  # fmt: skip
    del run
    seconds, memory = confined.left()
    below = given.into.parent if given.into and given.form == "parquet" else None
    database = Database(columns, int(_MEMORY * memory), sent, below)
    with _within(database, seconds - _SPARE):
        if given.form == "parquet":
            assert given.into is not None
            words = given.sql or f"FROM {message_tables.MESSAGES}"
            return Told(written=database.write_parquet(words, given.into))
        if given.sql is None:
            return Told(summary=_summary(about, columns, database))
        answer = database.answer(given.sql)
        if given.form == "table":
            rows = list(islice(answer.rows, SHOWN + 1))
            return Told(columns=answer.columns, types=answer.types, rows=rows[:SHOWN],
                        more=len(rows) > SHOWN)  # fmt: skip
        assert given.into is not None
        with files.naming(given.into), given.into.open("w", encoding="utf-8") as stream:
            written = (_csv if given.form == "csv" else _json)(answer, stream)
        return Told(columns=answer.columns, types=answer.types, written=written)


@contextlib.contextmanager
def _within(database: Database, seconds: float) -> Iterator[None]:
    """Ends a query that takes more CPU time. Raises ResultsError then."""
    over, until = threading.Event(), time.process_time() + seconds

    def look() -> None:
        while not over.wait(_LOOK):
            if time.process_time() > until:
                database.interrupt()

    watcher = threading.Thread(target=look, daemon=True)
    watcher.start()
    try:
        yield
    except QueryInterrupted:
        raise ResultsError(
            f"--sql: it takes more than {max(seconds, 0):.0f} s of CPU time, which is the limit:"
            f" ask for less; if you trust the file, {confined.FACTOR}=4 makes limits four times as"
            " large"
        ) from None
    finally:
        over.set()
        watcher.join()


def _csv(answer: Answer, stream: io.TextIOBase) -> int:
    writer, count = csv.writer(stream, lineterminator="\n"), 0
    writer.writerow(answer.columns)
    for count, row in enumerate(answer.rows, start=1):  # noqa: B007
        writer.writerow([json.dumps(v) if isinstance(v, list | dict) else v for v in row])
    return count


def _json(answer: Answer, stream: io.TextIOBase) -> int:
    count = 0
    stream.write(f'{{"columns": {json.dumps(answer.columns)}, "types": {json.dumps(answer.types)},')
    stream.write('\n "rows": [')
    for count, row in enumerate(answer.rows, start=1):
        stream.write(("\n  " if count == 1 else ",\n  ") + json.dumps(row))
    stream.write("]}\n")
    return count


def _summary(about: dict[str, Any], columns: MessageColumns, database: Database) -> dict[str, Any]:
    actors = list(
        database.answer(
            "SELECT class, count(*), sum(logged)::UBIGINT, sum(taken)::UBIGINT FROM actors"
            " GROUP BY class ORDER BY class"
        ).rows
    )
    kinds = list(
        database.answer(
            "SELECT receiver_class, kind, count(*) FROM messages GROUP BY ALL ORDER BY 3 DESC, 1, 2"
        ).rows
    )
    tables = {
        message_tables.MESSAGES: message_tables.message_columns(len(columns.args)),
        message_tables.ACTORS: message_tables.ACTOR_COLUMNS,
    }
    return about | {
        "messages": columns.rows,
        "actors": [
            dict(zip(("class", "actors", "logged", "taken"), row, strict=True)) for row in actors
        ],
        "kinds": [
            dict(zip(("receiver_class", "kind", "messages"), row, strict=True)) for row in kinds
        ],
        "tables": {
            name: [{"column": each.name, "type": each.type, "says": each.says} for each in its]
            for name, its in tables.items()
        },
        "views": {
            message_tables.kind_view(number): list(KINDS[number].arguments)
            for number in columns.kinds()
        },
        "questions": [
            {"asks": each.asks, "sql": each.sql, "sent": each.sent}
            for each in first_questions(database.views)
        ],
    }
