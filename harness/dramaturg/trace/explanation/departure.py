"""Explains a departure: the requirement that asks for the missing message, and the events that led
up to it.

A requirement says what an actor does *upon a message* (the option ``requirement`` of each
message kind). So the event upon which the expected message was sent tells the requirement that asks
for it.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from dramaturg import requirements
from dramaturg.model import messages, names
from dramaturg.model.chatapp import LOGOUT, Selection
from dramaturg.model.messages import KINDS
from dramaturg.model.workload import Workload
from dramaturg.requirements import Requirement
from dramaturg.trace.events import Event, Logs, Message, spell_event
from dramaturg.trace.explanation.causes import Causes, Place
from dramaturg.trace.explanation.draws import Drawn, drawn
from dramaturg.trace.explanation.fate import fate_of
from dramaturg.trace.explanation.message_sequence import Sequence, sequence
from dramaturg.trace.replay.divergence import Divergence, Fate, Kind, turn_of
from dramaturg.trace.replay.token_game import Verdict
from dramaturg.v2 import trace_pb2 as kind

_ONCE_IN_ORDER = "ACT-5"
_NOTHING_ELSE = "ACT-2"
_CHOOSING = ("CHAT-18", "CHAT-20", "CHAT-21")
_OWN_LIST, _CHECKSUM = "SORT-1", "SORT-2"
_FRIENDS = "CHAT-16"
_DRAWN_ONCE = "LCG-2"
_ENDED = "ACT-6"
_NEVER_MADE = "TRACE-4"
_AS_ASKED = "TRACE-5"
_POSSIBLE = "TRACE-6"
_BY_MESSAGES_ALONE = "ACT-1"
_WHOLE_LOG = "TRACE-2"

_COUNTED: dict[int, dict[str, tuple[str, ...]]] = {
    kind.MESSAGE_KIND_DIRECTORY_LEFT: {
        "lcg": (_DRAWN_ONCE, "CHAT-18", "CHAT-19"),
        **dict.fromkeys(("computes", "posts", "leaves", "invites", "nones"), ("CHAT-22",)),
        **dict.fromkeys(("deliveries", "joins"), ("CHAT-29",)),
    }
}
"""The requirements, by kind and argument, on values that are counted long before they are sent."""

_UPON = re.compile(r"[Uu]pon [^`.;]{0,40}`[^`]*`")
"""The words with which a requirement names its message: the first that follows *upon*."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """A divergence with all that can be said of it."""

    divergence: Divergence
    cause: Place | None
    """The event upon which the expected message was sent, or the one that came twice; None if
    control sent it, or nothing had it sent."""
    cause_event: Event | None
    """The event that caused the message."""
    note: str
    """A note on the message that was taken; may be empty."""
    drawn: Drawn | None
    """The sender's draws upon the cause, if it has a generator."""
    requirements: list[Requirement]
    """The requirements that ask for the expected message, or forbid the actual one; the most
    precise first."""
    related: list[str]
    """Identifiers of others that had a say in it."""
    sequence: Sequence

    def headline(self) -> str:
        """One line that says what happened to whom."""
        return self.divergence.headline()

    def to_dict(self) -> dict[str, Any]:
        """For ``--json`` and the results: only plain values."""
        cause = None
        if self.cause is not None and self.cause_event is not None:
            cause = {
                "actor": names.spell(self.cause.actor),
                "position": self.cause.position,
                "event": spell_event(self.cause.actor, self.cause_event),
            }
        return {
            **self.divergence.to_dict(),
            "note": self.note,
            "drawn": None if self.drawn is None else self.drawn.to_dict(),
            "cause": cause,
            "requirements": [requirement.to_dict() for requirement in self.requirements],
            "related": self.related,
            "sequence": [entry.to_dict() for entry in self.sequence],
        }


def explain(
    workload: Workload,
    logs: Logs,
    verdict: Verdict,
    outside: Callable[[int], bool] = lambda actor: False,
    alive: int | None = None,
) -> Explanation | None:
    """The verdict's first divergence, explained; None if the run conforms. ``outside`` says of
    whom nothing is known, since nobody watched it. ``alive`` is how many actors lived on by the
    receipts; None without any.

    Performs the run some more times: that is for failures, not for every run.
    """
    divergence = verdict.divergence
    if divergence is None:
        return None
    causes = Causes(workload, logs, verdict.taken, outside)
    inquiry = _Inquiry(divergence, causes, workload)
    return inquiry.explanation(verdict.alive, alive)


class _Inquiry:
    """The facts that can be found out about one divergence."""

    def __init__(self, divergence: Divergence, causes: Causes, workload: Workload) -> None:
        parameters = getattr(workload, "parameters", None)
        self._bare, self._causes = divergence, causes
        self._windowed = bool(getattr(parameters, "windows", 0))
        self._selection = getattr(parameters, "selection", None)
        self._log = causes.log_of(divergence.receiver)[: divergence.position]
        self._repeated = self._last_like_the_actual()
        self._note = ""

    def explanation(self, living: int, alive: int | None) -> Explanation:
        """``living``: by their logs; ``alive``: by the receipts."""
        causes, cause, known = self._causes, self._cause(), requirements.load()
        if self._bare.kind is Kind.LOST and self._bare.fate is not Fate.UNLOGGED:
            fate = fate_of(self._bare, cause, causes, living, alive)
            self._bare = replace(self._bare, fate=fate)
        precise, related = self._requirements(cause)
        lottery = self._drawn(cause)
        if lottery is not None and lottery.needs():
            precise = [*self._of_draws(cause, lottery), *precise]
        return Explanation(
            divergence=self._bare,
            cause=cause,
            cause_event=None if cause is None else causes.logs[cause.actor][cause.position],
            note=self._note,
            drawn=lottery,
            requirements=[known[name] for name in dict.fromkeys(precise)],
            related=[name for name in dict.fromkeys(related) if name not in precise],
            sequence=sequence(self._bare, cause, causes),
        )

    def _cause(self) -> Place | None:
        """The event upon which the expected message was sent, or the one that came twice."""
        bare = self._bare
        if bare.expected is not None:
            nth = sum(sender == bare.sender for sender, _ in self._log)
            return self._causes.of_nth(bare.sender, bare.receiver, nth)
        if self._repeated is not None:
            return self._causes.of(Place(bare.receiver, self._repeated))
        return None

    def _last_like_the_actual(self) -> int | None:
        """Return the place in the receiver's log at which the same was taken before, from the same
        sender."""
        same = (self._bare.sender, self._bare.actual)
        return max((p for p, event in enumerate(self._log) if event == same), default=None)

    def _requirements(self, cause: Place | None) -> tuple[list[str], list[str]]:
        """Return the requirements that ask for it, and those that have a say in it; finds the note
        to them."""
        bare = self._bare
        match bare.kind:
            case Kind.LOST if bare.fate is Fate.UNLOGGED:
                return [_WHOLE_LOG, _ONCE_IN_ORDER], []
            case Kind.LOST:
                self._note = self._taken_by_another()
                asked, related = self._asked_for(cause, bare.expected)
                return [*asked, _ONCE_IN_ORDER], related
            case Kind.ALTERED:
                asked, related = self._asked_for(cause, bare.expected)
                if own := self._own_list():
                    return [own, *asked], related
                if cause is None:
                    return [_AS_ASKED], []
                if self._is_another_friend():
                    return [*asked, _FRIENDS], related
                return [*asked, *self._out_of_order()], related
            case Kind.INVENTED:
                return self._invented(cause)
            case _:
                if cause is not None:
                    return [*self._twice(cause), _POSSIBLE], []
                self._note = self._never_taken()
                return [_POSSIBLE, _BY_MESSAGES_ALONE], self._might_send()

    def _asked_for(
        self, cause: Place | None, message: Message | None
    ) -> tuple[list[str], list[str]]:
        """The requirements of the cause's kind on its receiver, split by whether they speak of
        this message; all of them if none does."""
        if cause is None or message is None:
            return [], []
        number = self._causes.logs[cause.actor][cause.position][1][0]
        asked = self._of(KINDS[number])
        speaking = self._counting(message) or _speaking_of(message, asked)
        return speaking or asked, asked

    def _counting(self, message: Message) -> list[str]:
        """The requirements that ask for the differing counts, where they are not those that ask
        for the message."""
        counted, actual = _COUNTED.get(message[0]), self._bare.actual
        if counted is None or actual is None or actual[0] != message[0]:
            return []
        arguments = KINDS[message[0]].arguments
        return [
            name
            for argument, ours, theirs in zip(arguments, message[1], actual[1], strict=True)
            if ours != theirs
            for name in counted[argument]
        ]

    def _own_list(self) -> str:
        """The requirements that ask for the list that the root makes, where only its checksum
        differs; then notes that nobody has sent it."""
        bare = self._bare
        if not bare.expected or not bare.actual or bare.expected[0] != bare.actual[0]:
            return ""
        if bare.expected[0] != kind.MESSAGE_KIND_SORTER_SORT or (
            bare.expected[1][:-1] != bare.actual[1][:-1]
        ):
            return ""
        root = names.name(names.SORTER, 1)
        if bare.receiver == root:
            self._note = "No list comes with control's `sort`: the root logs the salt there."
            return _CHECKSUM
        if bare.sender == root:
            self._note = "Only the checksum differs: the list is the root's own, upon `sort`."
            return _OWN_LIST
        return ""

    def _is_another_friend(self) -> bool:
        """True if the only difference is which of the sender's friends was meant; then notes it."""
        bare, friends = self._bare, self._bare.sender_state.get("friends", ())
        if bare.expected is None or bare.actual is None or bare.expected[0] != bare.actual[0]:
            return False
        arguments = KINDS[bare.expected[0]].arguments
        differ = [
            (name, ours, theirs)
            for name, ours, theirs in zip(arguments, bare.expected[1], bare.actual[1], strict=True)
            if ours != theirs
        ]
        if [name for name, _, _ in differ] != ["friend"]:
            return False
        if not set(differ[0][1:]) <= set(friends):
            return False
        who = names.spell(bare.sender)
        self._note = f"{who} has both as friends: its list is in another order, or it was drawn so."
        return True

    def _out_of_order(self) -> list[str]:
        """Say if the message taken instead is another one of this sender's."""
        bare, who = self._bare, names.spell(self._bare.sender)
        sent = self._causes.between(bare.sender, bare.receiver)
        nth = sum(sender == bare.sender for sender, _ in self._log)
        if bare.actual in sent[nth + 1 :]:
            between = sent[nth + 1 :].index(bare.actual)
            behind = f" and {between} more" if between else ""
            self._note = f"{who} sent it behind the expected one{behind}: lost, or overtaken."
            return [_ONCE_IN_ORDER]
        if self._repeated is not None:
            self._note = self._same_before()
            return [_ONCE_IN_ORDER]
        return []

    def _twice(self, cause: Place) -> list[str]:
        """The actual message was taken before; ``cause`` is that of the first time."""
        self._note = self._same_before()
        return [_ONCE_IN_ORDER, *self._asked_for(cause, self._bare.actual)[0]]

    def _taken_by_another(self) -> str:
        """Say if another actor of that class took the lost message, which was not for it."""
        bare, message = self._bare, self._bare.expected
        if message is None:
            # Somebody who is not watched has not said something: who and what is not known.
            return ""
        whom = names.spell(bare.receiver)
        note = "" if self._causes.log_of(bare.receiver) else f"{whom} has no log."
        for actor, place in self._causes.mistaken(bare.sender, bare.receiver, message):
            took = f"{names.spell(actor)} took {messages.spell(*message)} from"
            took += f" {names.spell(bare.sender)}, as event {place}, and was not sent it."
            return f"{note} {took}".strip()
        return note

    def _meant_for_another(self) -> str:
        """Say if another actor of that class never took the message that this one was not sent."""
        bare, message = self._bare, self._bare.actual
        assert message is not None
        for actor in self._causes.deprived(bare.sender, bare.receiver, message):
            which = names.spell(actor)
            without = "" if self._causes.log_of(actor) else f", and {which} has no log"
            return f"{names.spell(bare.sender)} sent it to {which}, which never took it{without}."
        return ""

    def _never_taken(self) -> str:
        """The messages that the receiver may have lost, or gone without: empty if none."""
        whom = names.spell(self._bare.receiver)
        missing = self._causes.never_taken(self._bare.receiver)
        if missing is None:
            return ""
        sender, message = missing
        return f"{names.spell(sender)} sent {whom} {messages.spell(*message)}, which it never took."

    def _same_before(self) -> str:
        return f"The same was taken before, as event {self._repeated}: it may have come twice."

    def _invented(self, cause: Place | None) -> tuple[list[str], list[str]]:
        bare, causes = self._bare, self._causes
        who, whom = names.spell(bare.sender), names.spell(bare.receiver)
        for actor, spelled in ((bare.receiver, whom), (bare.sender, who)):
            known = actor in causes.entered or causes.outside(actor)
            if not known and names.class_of(actor) != names.CONTROL:
                self._note = f"The model never made {spelled}."
                return [_NEVER_MADE, _NOTHING_ELSE], self._might_send()
        if cause is not None:
            return self._twice(cause), []
        if bare.receiver in causes.ended:
            self._note = f"{whom} had ended by then. {self._meant_for_another()}".strip()
            return [_ENDED, _NOTHING_ELSE], self._might_send()
        self._note = self._meant_for_another()
        if bare.unprompted:
            self._note = self._sent_without()
            return [*self._might_send(), _NOTHING_ELSE], []
        return [_NOTHING_ELSE], self._might_send()

    def _sent_without(self) -> str:
        """The messages that the sender had not taken when it sent one for which it had no
        reason."""
        who, missing = self._bare.sender, self._causes.never_taken(self._bare.sender)
        if missing is None:
            return ""
        of, message = missing
        return (
            f"{names.spell(who)} sent it without {messages.spell(*message)}, which"
            f" {names.spell(of)} sent it: it did not wait for that."
        )

    def _drawn(self, cause: Place | None) -> Drawn | None:
        """The sender's draws for the expected message, and those that would have led to the
        message that came of the same event instead."""
        bare = self._bare
        message = bare.expected or bare.actual
        if message is None:
            return None
        turn = _turn(bare.receiver, message)
        if bare.expected is None:
            cause = self._act_of(bare.sender, turn)
        if cause is None:
            return None
        received = None
        if bare.actual is not None and _turn(bare.receiver, bare.actual) == turn:
            received = bare.receiver, bare.actual
        elif turn is not None:
            received = self._instead(cause, turn)
        return drawn(self._causes, cause, (bare.receiver, message), received)

    def _act_of(self, actor: int, turn: int | None) -> Place | None:
        """Return the place at which this client was told to act in that turn."""
        log = self._causes.consumed(actor)
        for position, (_, message) in enumerate(log):
            if message[0] == kind.MESSAGE_KIND_CLIENT_ACT and turn_of(message) == turn:
                return Place(actor, position)
        return None

    def _instead(self, cause: Place, turn: int) -> tuple[int, Message] | None:
        """The message that others took in that turn from the actor of this event, although it was
        not sent."""
        sent = {(each.receiver, each.message) for each in self._causes.sent_upon(cause)}
        for receiver, log in self._causes.logs.items():
            for sender, message in log:
                same = sender == cause.actor and _turn(receiver, message) == turn
                if same and (receiver, message) not in sent:
                    return receiver, message
        return None

    def _of_draws(self, cause: Place | None, lottery: Drawn) -> list[str]:
        """The requirements that ask for these draws, where they decide what is done at all."""
        bare = self._bare
        received = lottery.received
        if cause is None or received is None or received[1][0] == (bare.expected or (0,))[0]:
            return []
        if self._causes.logs[cause.actor][cause.position][1][0] != kind.MESSAGE_KIND_CLIENT_ACT:
            return []
        other = 1 if self._selection == Selection.CASCADE else 2
        choosing = [name for place, name in enumerate(_CHOOSING) if place != other]
        return [*choosing, _DRAWN_ONCE] if lottery.astray else choosing

    def _might_send(self) -> list[str]:
        """Requirements that have an actor of the sender's class send such a message."""
        assert self._bare.actual is not None
        asked = [
            name
            for each in KINDS.values()
            if each.receiver_class == names.class_of(self._bare.sender)
            for name in self._of(each)
        ]
        return _speaking_of(self._bare.actual, asked)

    def _of(self, each: messages.Kind) -> list[str]:
        """The requirements upon a message of this kind, in the form that was run."""
        return [*each.requirements, *(each.windowed if self._windowed else ())]


def _turn(receiver: int, message: Message) -> int | None:
    """The turn that this message to this actor belongs to."""
    turn = turn_of(message)
    if turn is None and names.class_of(receiver) == names.ACCUMULATOR:
        return names.index_of(receiver)
    return None if turn == LOGOUT else turn


def _speaking_of(message: Message, asked: list[str]) -> list[str]:
    """Return those of these requirements that name the message in code, and not only as what their
    actor takes."""
    known = requirements.load()
    name_of_it = re.compile(rf"`{re.escape(messages.label(message[0]))}\b")
    return [name for name in asked if name_of_it.search(_UPON.sub("", known[name].text))]
