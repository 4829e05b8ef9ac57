"""What casts are made with: one handler of one kind of actor, or one answer, exchanged."""

from collections.abc import Callable
from typing import Any

from dramaturg.model.actor import Actor

Handler = Callable[..., None]


def replaced(actor: type[Actor], number: int, wrong: Handler) -> Handler:
    """Put ``wrong`` in the place of a handler; the right one, for it to fall back on."""
    right = actor.handlers[number]
    actor.handlers = actor.handlers | {number: wrong}
    return right


def sends(actor: type[Actor], number: int, change: Callable[..., list[tuple[int, ...]]]) -> None:
    """Upon message ``number`` everything is done as it should be, but what the actor sends
    passes ``change(receiver, kind, *args)``, which gives the messages that are sent instead."""

    def wrong(self: Actor, sender: int, *args: int) -> None:
        send = self.send

        def changed(receiver: int, *message: int) -> None:
            for each in change(receiver, *message):
                send(*each)

        self.send = changed
        try:
            right(self, sender, *args)
        finally:
            self.send = send

    right = replaced(actor, number, wrong)


def undying(right: Handler) -> Handler:
    """What ``right`` does, but for the actor's end."""

    def lived(self: Actor, *args: Any) -> None:
        terminate, self.terminate = self.terminate, lambda: None
        right(self, *args)
        self.terminate = terminate

    return lived


def answers(owner: type[Any], method: str, change: Callable[[Any], None]) -> None:
    """Whatever the coroutine ``owner.method`` answers passes ``change`` first."""
    right = getattr(owner, method)

    async def changed(self: Any, *args: Any) -> Any:
        answer = await right(self, *args)
        change(answer)
        return answer

    setattr(owner, method, changed)
