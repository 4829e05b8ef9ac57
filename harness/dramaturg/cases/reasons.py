"""The requirements that a case that did not pass departs from."""

from collections.abc import Sequence

from dramaturg import requirements
from dramaturg.cases.cases import Case
from dramaturg.outcomes import Outcome
from dramaturg.requirements import Requirement
from dramaturg.trace.explanation.departure import Explanation

_BLAMED = (Outcome.FAIL, Outcome.CRASH, Outcome.TIMEOUT)

_LEVELS = {0: "LEVEL-1", 1: "LEVEL-2", 2: "LEVEL-3", 3: "LEVEL-4", 4: "LEVEL-5"}
"""The requirements that each level asks for: nothing more can be said where nothing more precise
is known."""


def reasons(
    case: Case, outcome: Outcome, broken: Sequence[str] | None, explanation: Explanation | None
) -> list[Requirement]:
    """Return the requirements of the divergence, else those that are known to be ``broken``, else
    those that the case is there for. There are none if the implementation is not to blame, or for
    nothing that the specification speaks of (``broken`` is None)."""
    if outcome not in _BLAMED or broken is None:
        return []
    precise = [requirement.id for requirement in explanation.requirements] if explanation else []
    known = requirements.load()
    found = precise or broken or list(case.message.requirements) or [_LEVELS[case.level]]
    return [known[name] for name in dict.fromkeys(found)]
