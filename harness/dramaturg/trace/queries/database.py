"""A recorded run in DuckDB, which reads its columns where they are. A question reaches nothing but
these: no file, no network, no extension and no setting (SECURITY.md, Questions in SQL)."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from dramaturg.trace.events import TraceError
from dramaturg.trace.queries import message_tables
from dramaturg.trace.queries.message_columns import MessageColumns
from dramaturg.trace.queries.sent_upon import Sent

if TYPE_CHECKING:
    import duckdb

_ROWS, _PEOPLE = "recorded_rows", "recorded_actors"

_MOST_SAID = 600

READS = ("SELECT", "EXPLAIN")
"""Kinds of statements that are performed. WITH, FROM, VALUES, DESCRIBE, SHOW and SUMMARIZE are of
the first; statements that write, load, attach or set are of others."""


AT_A_TIME = 1024
"""Rows of an answer that are objects at a time."""


class QueryInterrupted(TraceError):
    """It was ended by :meth:`Database.interrupt`."""


class QueryRefused(TraceError):
    """SQL that is none, or that asks for what there is not. Says what to do."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer: its columns, their types in SQL, and its rows, which can be read once."""

    columns: list[str]
    types: list[str]
    rows: Iterator[list[Any]]


class Database:
    """The tables of one run. ``memory`` bounds the bytes that DuckDB takes for itself."""

    def __init__(
        self,
        columns: MessageColumns,
        memory: int,
        sent: Sent | None = None,
        writes_below: Path | None = None,
    ) -> None:
        """``writes_below`` is a folder in which :meth:`write_parquet` may write, and nobody else
        has anything."""
        # With its 70 MB: only who asks waits for it.
        import duckdb

        self._duckdb = duckdb
        self._columns = columns
        self._memory = f"{max(memory >> 20, 16)}MiB"
        self.views: list[str] = []
        """The tables that can be asked."""
        self.connection: duckdb.DuckDBPyConnection = duckdb.connect(
            ":memory:",
            config={
                "threads": 1,
                "memory_limit": self._memory,
                "temp_directory": "",
                "autoinstall_known_extensions": False,
                "autoload_known_extensions": False,
                "allow_community_extensions": False,
                "python_enable_replacements": False,
            },
        )
        self._make(sent)
        self._lock(writes_below)

    def answer(self, sql: str) -> "Answer":
        """Perform it. Raises QueryRefused; the answer's rows are made as they are read."""
        statement = self._only(sql)
        with self._refusing():
            done = self.connection.execute(statement)
        described = done.description or []
        return Answer(
            [column[0] for column in described],
            [str(column[1]) for column in described],
            self._rows(done),
        )

    def _rows(self, done: "duckdb.DuckDBPyConnection") -> Iterator[list[Any]]:
        while True:
            with self._refusing():
                rows = done.fetchmany(AT_A_TIME)
            if not rows:
                return
            for row in rows:
                yield [plain(value) for value in row]

    @contextmanager
    def _refusing(self) -> Iterator[None]:
        """DuckDB's errors become QueryRefused."""
        try:
            yield
        except self._duckdb.InterruptException:
            raise QueryInterrupted("it was ended") from None
        except self._duckdb.OutOfMemoryException:
            raise QueryRefused(
                f"its answer takes more than the {self._memory} of memory that a query has: ask for"
                " less, such as fewer columns, or a sum instead of rows"
            ) from None
        except self._duckdb.CatalogException as error:
            # Whatever it would have meant instead is none of these.
            said = said_of(error).partition(" Did you mean")[0]
            raise QueryRefused(
                f"{said}; there are {', '.join(self.views[:2])}, and a table for each kind"
            ) from None
        except self._duckdb.Error as error:
            raise QueryRefused(said_of(error)) from None

    def _only(self, sql: str) -> Any:
        """The statement. Raises QueryRefused unless it is one that reads."""
        with self._refusing():
            statements = self.connection.extract_statements(sql)
        if len(statements) != 1:
            raise QueryRefused(
                f"it has {len(statements)} statements; ask one question, such as SELECT * FROM"
                f" {message_tables.MESSAGES} LIMIT 10"
            )
        [statement] = statements
        if statement.type.name not in READS:
            raise QueryRefused(
                f"it is {statement.type.name}, which is not performed: a question begins with"
                " SELECT, WITH, FROM, DESCRIBE, SUMMARIZE or EXPLAIN; --parquet FILE writes a file"
            )
        return statement

    def _make(self, sent: Sent | None) -> None:
        found = self._columns
        nothing = "NULL::UBIGINT AS"
        rows: dict[str, Any] = {
            "receiver": found.receiver, "sender": found.sender, "kind": found.kind,
            "event": found.event, "begin": found.begin, "pair_number": found.pair_number,
        }  # fmt: skip
        rows |= {f"a{place}": column for place, column in enumerate(found.args)}
        extra = f"{nothing} sent_upon, {nothing} sent_number, {nothing} step, {nothing} sent_step"
        if sent is not None:
            rows |= {
                "upon": sent.upon,
                "which": sent.number,
                "at_step": sent.step,
                "from_step": sent.sent_step,
            }
            known = "END::UBIGINT AS"
            extra = (
                f"CASE WHEN upon >= 0 THEN upon {known} sent_upon,"
                f" CASE WHEN which >= 0 THEN which {known} sent_number,"
                f" CASE WHEN at_step > 0 THEN at_step {known} step,"
                f" CASE WHEN from_step >= 0 THEN from_step {known} sent_step"
            )
        self.connection.register(_ROWS, rows)
        self.connection.register(
            _PEOPLE, {"actor": found.actor, "logged": found.logged, "taken": found.taken}
        )
        source = f"(SELECT *, {extra} FROM {_ROWS})"
        columns = message_tables.message_columns(len(found.args))
        self._view(message_tables.MESSAGES, columns, source)
        self._view(message_tables.ACTORS, message_tables.ACTOR_COLUMNS, _PEOPLE)
        for number in found.kinds():
            name, its = message_tables.kind_view(number), message_tables.kind_columns(number)
            self._view(name, its, _ROWS, f"kind = {number}")

    def _view(
        self, name: str, columns: list[message_tables.Column], source: str, where: str = ""
    ) -> None:
        self.connection.execute(message_tables.view(name, columns, source, where))
        self.views.append(name)

    def _lock(self, writes_below: Path | None) -> None:
        if writes_below is not None:
            self.connection.execute(f"SET allowed_directories = [{_quoted(f'{writes_below}/')}]")
        # It would print one between the answers of a slow machine.
        self.connection.execute("SET enable_progress_bar = false")
        self.connection.execute("SET enable_external_access = false")
        self.connection.execute("SET lock_configuration = true")

    def write_parquet(self, sql: str, file: Path) -> int:
        """Write the answer to it as Parquet; the number of its rows. Raises QueryRefused."""
        self._only(sql)
        # It is one statement, as has been seen, so it closes no bracket; a comment may end it.
        words = sql.rstrip().rstrip(";")
        with self._refusing():
            done = self.connection.execute(
                f"COPY (\n{words}\n) TO {_quoted(str(file))} (FORMAT parquet)"
            )
            return int(done.fetchall()[0][0])

    def interrupt(self) -> None:
        """End what is performed, from another thread."""
        self.connection.interrupt()


def said_of(error: Exception) -> str:
    """DuckDB's words in one line: its first paragraph, and where in the question."""
    text = str(error)
    first, _, rest = text.partition("\n\n")
    lines = [line.strip() for line in first.splitlines()]
    place = next((line.strip() for line in rest.splitlines() if line.startswith("LINE ")), "")
    said = " ".join(filter(None, lines)) + (f" ({place})" if place else "")
    return said[:_MOST_SAID]


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def plain(value: Any) -> Any:
    """A value of an answer as JSON has it: numbers, texts, lists and names of values."""
    match value:
        case None | bool() | int() | str():
            return value
        case float():
            return value if np.isfinite(value) else str(value)
        case list() | tuple():
            return [plain(each) for each in value]
        case dict():
            return {str(key): plain(each) for key, each in value.items()}
        case bytes():
            return value.hex()
        case _:
            return str(value)
