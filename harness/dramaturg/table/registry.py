"""The data of the tables: read from the descriptors, once, in the order of the proto files."""

from dataclasses import asdict, dataclass
from typing import Any

from dramaturg.model import names, ranges, receipt_names
from dramaturg.model.messages import KINDS, Choice
from dramaturg.v2 import benchmarks_pb2


@dataclass(frozen=True, slots=True)
class ActorClass:
    """A class of actors: its number in names, and what it is called."""

    number: int
    label: str
    counting: bool


@dataclass(frozen=True, slots=True)
class MessageKind:
    """A kind of message that actors of one class take."""

    number: int
    receiver: str
    label: str
    arguments: tuple[str, ...]

    @property
    def key(self) -> str:
        """A name that no other kind has."""
        return f"{self.receiver}_{self.label}"

    @property
    def arity(self) -> int:
        return len(self.arguments)


@dataclass(frozen=True, slots=True)
class Registry:
    """All of it."""

    classes: tuple[ActorClass, ...]
    kinds: tuple[MessageKind, ...]
    choices: dict[str, int]
    selections: dict[str, int]
    parameters: dict[str, dict[str, str]]
    """The range by benchmark and field; empty for a field that is true or false."""
    receipts: dict[str, tuple[str, ...]]

    def of(self, receiver: str) -> list[MessageKind]:
        """The kinds that actors of this class take."""
        return [kind for kind in self.kinds if kind.receiver == receiver]

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return asdict(self)


def registry() -> Registry:
    """The registries of the protocol. Messages to control are not in it: nobody logs them."""
    return Registry(
        classes=tuple(
            ActorClass(number, label, number in names.COUNTING)
            for number, label in names.LABELS.items()
        ),
        kinds=tuple(
            MessageKind(kind.number, names.LABELS[kind.receiver_class], kind.label, kind.arguments)
            for kind in KINDS.values()
            if kind.receiver_class != names.CONTROL
        ),
        choices={choice.name.lower(): int(choice) for choice in Choice},
        selections={
            name.removeprefix("SELECTION_").lower(): number
            for name, number in benchmarks_pb2.Selection.items()
            if number
        },
        parameters={field.name: _ranges(field) for field in _members("Benchmark", "parameters")},
        receipts={
            name: receipt_names.fields_of(name) for name in ("chatapp", *receipt_names.ARGUMENTS)
        },
    )


def _members(message: str, oneof: str) -> Any:
    descriptor = benchmarks_pb2.DESCRIPTOR.message_types_by_name[message]
    return descriptor.oneofs_by_name[oneof].fields


def _ranges(field: Any) -> dict[str, str]:
    message = getattr(benchmarks_pb2.Benchmark(), field.name)
    known = ranges.of_fields(message)
    return {member.name: known.get(member.name, "") for member in field.message_type.fields}
