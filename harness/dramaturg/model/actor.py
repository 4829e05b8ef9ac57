"""The actor core (spec/actors.md): a deterministic function of state and message.

A behaviour is a class with one method for each kind of message that its actors
receive, named by the message's label and called with the sender's name and the
message's arguments. Besides changing its own state it may do the three things that any actor may
do, and it is handed all three:

``send(receiver, kind, *args)``   put a message into another actor's mailbox
``spawn(actor)``                  bring another actor to life
``terminate()``                   end its own life after this message

Nothing here does I/O, knows a clock or looks at another actor.
"""

from collections.abc import Callable
from typing import Any, ClassVar

from dramaturg.model.messages import KINDS

Send = Callable[..., None]
Handler = Callable[..., None]


class Actor:
    """Base of all behaviours. Subclasses set ``actor_class`` and define the handlers."""

    actor_class: ClassVar[int]
    handlers: ClassVar[dict[int, Handler]]

    __slots__ = ("name", "send", "spawn", "terminate")

    name: int
    send: Send
    spawn: Callable[["Actor"], None]
    terminate: Callable[[], None]

    def __init__(self, name: int) -> None:
        self.name = name

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.handlers = {
            kind.number: getattr(cls, kind.label)
            for kind in KINDS.values()
            if kind.receiver_class == cls.actor_class
        }

    def state(self) -> dict[str, Any]:
        """The state that a divergence report shows of this actor: its own attributes."""
        names = [slot for cls in type(self).__mro__ for slot in getattr(cls, "__slots__", ())]
        own = [slot for slot in names if slot not in Actor.__slots__]
        return {slot: getattr(self, slot) for slot in own if hasattr(self, slot)}
