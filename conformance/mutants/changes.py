"""What the negative cast is made with: one handler of one kind of actor, exchanged."""

from collections.abc import Callable

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
