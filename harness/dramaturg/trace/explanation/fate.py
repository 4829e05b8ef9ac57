"""Reasons why a message was never taken: its receiver may take it yet, has ended, or it is gone.

A log ends without it in each of these, and each is somebody else's fault. By its log the model
knows whether the receiver has ended; causes tell if the message was sent before that; the receipts
tell how many actors live when the call was answered.
"""

from dramaturg.model import names
from dramaturg.trace.explanation.causes import Causes, Place
from dramaturg.trace.replay.divergence import Divergence, Fate


def fate_of(
    divergence: Divergence, cause: Place | None, causes: Causes, living: int, alive: int | None
) -> Fate:
    """The fate of the message that is lost in this divergence, sent upon ``cause``. ``living`` is
    how many actors live on by their logs, ``alive`` how many do by the receipts: None where none
    came, since a call is overdue and everything is at rest."""
    if divergence.receiver in causes.ended:
        return Fate.GONE if _is_before_the_end(divergence.receiver, cause, causes) else Fate.ENDED
    if alive is None or names.class_of(divergence.receiver) == names.CONTROL:
        return Fate.GONE
    if alive == 0:
        return Fate.ENDED
    # If fewer live than should, nobody knows which.
    return Fate.WAITS if alive >= living else Fate.GONE


def _is_before_the_end(receiver: int, cause: Place | None, causes: Causes) -> bool:
    """True if it had been sent when its receiver took its last message."""
    last = causes.last(receiver)
    return cause is not None and last is not None and causes.is_before(cause, last)
