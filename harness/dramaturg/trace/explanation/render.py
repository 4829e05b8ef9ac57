"""A divergence for the terminal: everything its reader needs to act, nothing of the harness."""

import textwrap
from collections.abc import Iterable, Mapping

from dramaturg.model import messages, names
from dramaturg.trace.events import spell_event
from dramaturg.trace.explanation.departure import Explanation
from dramaturg.trace.explanation.diagram import WIDTH, diagram
from dramaturg.trace.explanation.draws import Drawn, spell
from dramaturg.trace.replay.divergence import Divergence, Fate, Kind

_SHORT = 72

_MEANING = {
    Kind.ALTERED: "It is not the next message that the model's sender sent to it.",
    Kind.LOST: "The model's sender sent it; the receiver's log ends without it",
    Kind.INVENTED: "The model's sender, having received all that is in its log, never sent it.",
    Kind.TOO_EARLY: "No order of events lets the sender have sent it by then.",
}

_FATES = {
    Fate.GONE: ", and nothing moves any more.",
    Fate.WAITS: ". It has not ended, and somebody is alive: it may come yet.",
    Fate.ENDED: ". It has ended, and takes nothing any more.",
}
"""The words that follow on a message that is lost."""


def _meaning(divergence: Divergence) -> str:
    if divergence.kind is not Kind.LOST:
        return _MEANING[divergence.kind]
    if divergence.fate is Fate.UNLOGGED:
        return "Control sent it. The receiver's log lacks it, and has what cannot come without it."
    return _MEANING[divergence.kind] + _FATES[divergence.fate]


def render(explanation: Explanation, command: str = "") -> str:
    """The report, many lines."""
    divergence, told = explanation.divergence, explanation.to_dict()
    receiver, sender = names.spell(divergence.receiver), names.spell(divergence.sender)
    lines = [explanation.headline(), "", f"  {_meaning(divergence)}"]
    if explanation.note:
        lines.append(f"  {explanation.note}")
    lines += ["", *_facts(divergence)]
    if told["cause"]:
        cause = told["cause"]
        upon = f"event {cause['position']} of {cause['actor']}'s log, {cause['event']}"
        lines += textwrap.wrap(
            upon, WIDTH, initial_indent="  upon       ", subsequent_indent=" " * 13
        )
    if divergence.lcg:
        states = ", ".join(f"{actor} {state}" for actor, state in divergence.lcg.items())
        lines.append(f"  LCG        {states}")
    if explanation.drawn is not None:
        lines += ["", *_draws(sender, explanation.drawn)]
    lines += ["", "  why:", *reasons(told["requirements"])]
    if explanation.related:
        others = f"see also {', '.join(explanation.related)}"
        lines += textwrap.wrap(others, WIDTH, initial_indent="    ", subsequent_indent="      ")
    lines += ["", "  how it came to this:", "", *diagram(explanation.sequence)]
    for title, state in ((receiver, "actor_state"), (sender, "sender_state")):
        if told[state]:
            lines += ["", f"  state of {title} in the model:", *_state(told[state])]
    if divergence.history:
        lines += ["", f"  {receiver} had received before:"]
        first = divergence.position - len(divergence.history)
        for number, event in enumerate(divergence.history, start=first):
            lines.append(f"    {number:>5}  {spell_event(divergence.receiver, event)}")
    if command:
        lines += ["", f"  replay     {command}"]
    return "\n".join(lines)


def reasons(requirements: Iterable[Mapping[str, str]]) -> list[str]:
    """The texts of requirements, as ``Requirement.to_dict`` gives them, below their names."""
    lines = []
    for requirement in requirements:
        lines.append(f"    {requirement['id']}, {requirement['chapter']}")
        lines += textwrap.wrap(
            requirement["text"],
            WIDTH,
            initial_indent=" " * 6,
            subsequent_indent=" " * 6,
            break_on_hyphens=False,
        )
    return lines


def last_words(said: str) -> list[str]:
    """The end of standard error, below what it belongs to; nothing if there is none."""
    if not said:
        return []
    return ["", "  it last said on standard error:", *(f"    {line}" for line in said.split("\n"))]


def _draws(sender: str, drawn: Drawn) -> list[str]:
    """Describes the sender's draws, and those that would have led to the received message."""
    nothing = "" if drawn.draws else " nothing"
    lines = [f"  in the model {sender} drew upon that, from state {drawn.before}:{nothing}"]
    if drawn.more:
        lines.append(f"    ({drawn.more} draws before these)")
    for draw in drawn.draws:
        called = f"next_int({draw.modulus})"
        lines.append(f"    {called:<15} = {draw.value:<6} state {draw.state}")
    if drawn.received is not None and drawn.needs():
        taken = f"{spell(drawn.received)} takes {drawn.needs()}"
        lines += textwrap.wrap(taken, WIDTH, initial_indent="    ", subsequent_indent="      ")
    return lines


def _facts(divergence: Divergence) -> list[str]:
    expected = messages.spell(*divergence.expected) if divergence.expected else "nothing more"
    actual = messages.spell(*divergence.actual) if divergence.actual else "nothing"
    lines = [] if divergence.turn is None else [f"  turn       {divergence.turn}"]
    return [
        *lines,
        f"  actor      {names.spell(divergence.receiver)}, event {divergence.position} of its log",
        f"  sender     {names.spell(divergence.sender)}",
        f"  expected   {expected}",
        f"  actual     {actual}",
    ]


def _state(state: dict[str, object]) -> list[str]:
    return [
        f"    {key:<11} {_short(str(value))}" for key, value in state.items() if key != "parameters"
    ]


def _short(text: str) -> str:
    return text if len(text) <= _SHORT else text[: _SHORT - 4] + " ..."
