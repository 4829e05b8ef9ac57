"""A divergence for the terminal: everything its reader needs to act, nothing of the harness."""

from dramaturg.model import messages, names
from dramaturg.trace.divergence import Divergence, Kind
from dramaturg.trace.events import spell_event

_WIDTH = 72

_MEANING = {
    Kind.ALTERED: "It is not the next message that the model's sender sent to it.",
    Kind.LOST: "The model's sender sent it; the receiver's log ends without it.",
    Kind.INVENTED: "The model's sender, having received all that is in its log, never sent it.",
    Kind.TOO_EARLY: "No order of events lets the sender have sent it by then.",
}


def render(divergence: Divergence, command: str = "") -> str:
    """The report, many lines."""
    receiver, sender = names.spell(divergence.receiver), names.spell(divergence.sender)
    expected = messages.spell(*divergence.expected) if divergence.expected else "nothing more"
    actual = messages.spell(*divergence.actual) if divergence.actual else "nothing"
    lines = [divergence.headline(), "", f"  {_MEANING[divergence.kind]}", ""]
    if divergence.turn is not None:
        lines.append(f"  turn       {divergence.turn}")
    lines += [
        f"  actor      {receiver}, event {divergence.position} of its log",
        f"  sender     {sender}",
        f"  expected   {expected}",
        f"  actual     {actual}",
    ]
    if divergence.lcg:
        states = ", ".join(f"{actor} {state}" for actor, state in divergence.lcg.items())
        lines.append(f"  LCG        {states}")
    plain = divergence.to_dict()
    for title, state in ((receiver, "actor_state"), (sender, "sender_state")):
        if plain[state]:
            lines += ["", f"  state of {title} in the model:", *_state(plain[state])]
    if divergence.history:
        lines += ["", f"  what {receiver} received before:"]
        first = divergence.position - len(divergence.history)
        for number, event in enumerate(divergence.history, start=first):
            lines.append(f"    {number:>5}  {spell_event(divergence.receiver, event)}")
    if command:
        lines += ["", f"  replay     {command}"]
    return "\n".join(lines)


def _state(state: dict[str, object]) -> list[str]:
    return [
        f"    {key:<11} {_short(str(value))}" for key, value in state.items() if key != "parameters"
    ]


def _short(text: str) -> str:
    return text if len(text) <= _WIDTH else text[: _WIDTH - 4] + " ..."
