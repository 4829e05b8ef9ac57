"""The tables of a recorded run: their names, columns and what each says, as SQL
(spec/actors.md, The logs as a table)."""

from collections.abc import Iterable
from dataclasses import dataclass

from dramaturg.model import names
from dramaturg.model.messages import KINDS

MESSAGES, ACTORS = "messages", "actors"

NO_TURN = 4294967295
"""The turn of what a client says when it logs out (CHAT-35)."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its name, its type in SQL, what it says, and what it is made of."""

    name: str
    type: str
    says: str
    made_of: str


def _label(actor: str) -> str:
    """An actor's class in words."""
    labels = ", ".join(
        f"'{names.LABELS.get(number, '')}'" for number in range(max(names.LABELS) + 1)
    )
    number = f"({actor} >> 56)"
    return (
        f"CASE WHEN {number} IN ({', '.join(map(str, names.LABELS))})"
        f" THEN ([{labels}])[({number} + 1)::INTEGER] ELSE 'class-' || {number} END"
    )


def _index(actor: str) -> str:
    return f"(({actor} >> 24) & 4294967295)::UINTEGER"


def _second(actor: str) -> str:
    return f"({actor} & 16777215)::UINTEGER"


def _name(actor: str) -> str:
    """As :func:`names.spell`."""
    second = f"{_second(actor)}"
    return (
        f"CASE WHEN ({actor} >> 56) = {names.CONTROL} THEN 'control' ELSE {_label(actor)} || '/' ||"
        f" {_index(actor)} || CASE WHEN ({actor} >> 56) = {names.CHAT} OR {second} > 0"
        f" THEN '.' || {second} ELSE '' END END"
    )


def _known_kinds() -> list[tuple[int, str, tuple[str, ...]]]:
    return [(kind.number, kind.label, kind.arguments) for kind in KINDS.values()]


def _kind() -> str:
    cases = " ".join(f"WHEN {number} THEN '{label}'" for number, label, _ in _known_kinds())
    return f"CASE kind {cases} END"


def _turn(width: int) -> str:
    cases = " ".join(
        f"WHEN {number} THEN a{arguments.index('turn')}"
        for number, _, arguments in _known_kinds()
        if "turn" in arguments and arguments.index("turn") < width
    )
    return f"nullif(CASE kind {cases} END, {NO_TURN})" if cases else "NULL::UBIGINT"


def _args(width: int) -> str:
    places = ", ".join(f"a{place}" for place in range(width))
    cases = " ".join(f"WHEN {number} THEN {len(args)}" for number, _, args in _known_kinds())
    if not width:
        return "[]::UBIGINT[]"
    return f"([{places}])[1:CASE kind {cases} ELSE 0 END]"


def _spelt(width: int) -> str:
    """As :func:`messages.spell`."""
    cases = []
    for number, label, arguments in _known_kinds():
        if len(arguments) <= width:
            pairs = " || ', ' || ".join(
                f"'{name}=' || a{place}" for place, name in enumerate(arguments)
            )
            inside = f" || {pairs}" if pairs else ""
            cases.append(f"WHEN {number} THEN '{label}('{inside} || ')'")
    return f"CASE kind {' '.join(cases)} END"


def message_columns(width: int) -> list[Column]:
    """Return the columns of ``messages``, if no message has more than ``width`` arguments."""
    return [
        Column("receiver", "VARCHAR", "who took it: client/17, chat/17.2", _name("receiver")),
        Column("receiver_class", "VARCHAR", "its class: client, chat", _label("receiver")),
        Column("receiver_index", "UINTEGER", "its first index: 17", _index("receiver")),
        Column("receiver_second", "UINTEGER", "its second index: 2, or 0", _second("receiver")),
        Column("event", "UBIGINT", "place in the receiver's log, from 0", "event::UBIGINT"),
        Column(
            "number", "UBIGINT", "which of all messages that the receiver took, from 0",
            '(event + "begin")::UBIGINT',
        ),
        Column("sender", "VARCHAR", "who sent it; control is the harness", _name("sender")),
        Column("sender_class", "VARCHAR", "its class", _label("sender")),
        Column("sender_index", "UINTEGER", "its first index", _index("sender")),
        Column("sender_second", "UINTEGER", "its second index", _second("sender")),
        Column(
            "pair_number", "UBIGINT", "place among those that it logged from this sender, from 0",
            "pair_number::UBIGINT",
        ),
        Column("kind", "VARCHAR", "the kind of message: forward", _kind()),
        Column("kind_number", "USMALLINT", "its number in trace.proto", "kind::USMALLINT"),
        Column("args", "UBIGINT[]", "its arguments, in trace.proto's order", _args(width)),
        Column(
            "turn", "UBIGINT", "its argument of that name; NULL without one, and at log-out",
            _turn(width),
        ),
        Column("message", "VARCHAR", "kind and arguments in words", _spelt(width)),
        Column(
            "sent_upon", "UBIGINT", "with --sent: event of the sender's log upon which it was sent",
            "sent_upon",
        ),
        Column(
            "sent_number", "UBIGINT", "with --sent: which of its sender's messages it is, from 0",
            "sent_number",
        ),
        Column(
            "step", "UBIGINT", "with --sent: when it was taken, in one possible order of all",
            "step",
        ),
        Column(
            "sent_step", "UBIGINT", "with --sent: the last step before it was sent",
            "sent_step",
        ),
    ]  # fmt: skip


ACTOR_COLUMNS = [
    Column("actor", "VARCHAR", "its name", _name("actor")),
    Column("class", "VARCHAR", "its class", _label("actor")),
    Column("index", "UINTEGER", "its first index", _index("actor")),
    Column("second", "UINTEGER", "its second index", _second("actor")),
    Column("logged", "UBIGINT", "messages in its log", "logged::UBIGINT"),
    Column("taken", "UBIGINT", "messages that it took in all, logged or not", "taken"),
]


def kind_view(number: int) -> str:
    """The view of one kind of message: ``client_forward``."""
    kind = KINDS[number]
    return f"{names.LABELS[kind.receiver_class]}_{kind.label}"


def kind_columns(number: int) -> list[Column]:
    """Return the columns of one kind's view: receiver, sender, and its arguments by name."""
    who = [
        Column("receiver", "VARCHAR", "who took it", _name("receiver")),
        Column("event", "UBIGINT", "place in the receiver's log", "event::UBIGINT"),
        Column("sender", "VARCHAR", "who sent it", _name("sender")),
    ]
    return who + [
        Column(name, "UBIGINT", "its argument", f"a{place}")
        for place, name in enumerate(KINDS[number].arguments)
    ]


def view(name: str, columns: Iterable[Column], source: str, where: str = "") -> str:
    """The statement that makes it."""
    made = ", ".join(f'{column.made_of} AS "{column.name}"' for column in columns)
    condition = f" WHERE {where}" if where else ""
    return f'CREATE VIEW "{name}" AS SELECT {made} FROM {source}{condition}'
