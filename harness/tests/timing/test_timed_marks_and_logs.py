"""Marks of a timed run while it is under way, and its logs: both decide if its sample is believed,
and neither if it is kept."""

import time
from collections.abc import Callable
from itertools import count
from typing import Any

import pytest
from timing_fakes import SALT, FakeSession, Handed, Receipt, Tell, honest, logged, whole
from timing_kit import Run

from dramaturg.control.session import MarkSeen, Ran
from dramaturg.model import names
from dramaturg.outcomes import Outcome
from dramaturg.processes import consumption
from dramaturg.records import SampleRecord
from dramaturg.timing.planning.scenarios import Scenario, scenario
from dramaturg.timing.validity.ledger import LONGEST_WAIT
from dramaturg.trace.events import TraceError
from dramaturg.trace.watches import EVERYBODY
from dramaturg.v2 import trace_pb2 as kind

StartFake = Callable[..., Any]


@pytest.fixture
def sample(run: Run, start_fake: StartFake) -> Callable[..., SampleRecord]:
    """The only sample of such a session. It is there, whatever was wrong."""

    def make(of: Scenario, session: type[FakeSession]) -> SampleRecord:
        outcome, recorded = run(of, start_fake(of, kind=session), iterations=1)
        (sample,) = recorded.samples
        assert outcome is (Outcome.PASS if sample.valid else Outcome.FAIL)
        assert recorded.complete
        if sample.valid:
            assert recorded.units[0].message == ""
        else:
            assert sample.problems[0] in recorded.units[0].message
        return sample

    return make


Sample = Callable[[Scenario, type[FakeSession]], SampleRecord]


# --- marks ---


class Early(FakeSession):
    """All is said to be done as soon as it begins; and the run takes its time."""

    def run(self, salt: int, timeout: float, on_mark: Callable[[int], None]) -> Ran:
        ran = super().run(salt, timeout, on_mark)
        return Ran([MarkSeen(mark.done, 0.0) for mark in ran.marks], ran.seconds)


class Silent(FakeSession):
    def marks(self) -> list[int]:
        return []


class Short(FakeSession):
    """The last mark is not of the whole."""

    def marks(self) -> list[int]:
        return [super().marks()[0] - 1]


class Flooding(FakeSession):
    """A mark for each turn, as fast as they come."""

    def marks(self) -> list[int]:
        return list(range(1, super().marks()[0] + 1))


class Backwards(FakeSession):
    def marks(self) -> list[int]:
        (last,) = super().marks()
        return [last - 1, last - 2, last]


class Stuck(FakeSession):
    """It has marks, and no progress shows in them."""

    def marks(self) -> list[int]:
        return [1, 1, *super().marks()]


@pytest.mark.parametrize(
    ("session", "says"),
    [
        (Early, "a mark said 6 after 0.000 s; by the receipt 6 turns took"),
        (Silent, "no mark came, expected one that says 6 before the run ended (CTRL-6)"),
        (Short, "the last mark says 5, expected one that says 6 before the run ended (CTRL-6)"),
        (Flooding, "6 marks came in"),
        (Backwards, "mark 2 says 4 after one that said 5 (CTRL-6)"),
        (Stuck, "mark 2 says 1 after one that said 1 (CTRL-6)"),
    ],
)
def test_marks_that_cannot_be_make_the_sample_invalid(
    sample: Sample, small_chat: Scenario, session: type[FakeSession], says: str
) -> None:
    made = sample(small_chat, session)
    assert any(says in problem for problem in made.problems), made.problems


def test_marks_of_what_has_none_make_the_sample_invalid(sample: Sample, pingpong: Scenario) -> None:
    class Inventive(FakeSession):
        def marks(self) -> list[int]:
            return [10]

    (said,) = sample(pingpong, Inventive).problems
    assert said == "1 marks came; pingpong has neither turns nor windows to mark (CTRL-6)"


class Unseen(FakeSession):
    """Windows of 200 ms, of which only the last was marked."""

    def run(self, salt: int, timeout: float, on_mark: Callable[[int], None]) -> Ran:
        ran = super().run(salt, timeout, on_mark)
        time.sleep(max(0, self.receipt.run_nanos / 1e9 - ran.seconds))
        return Ran([MarkSeen(mark.done, 0.9) for mark in ran.marks], 0.9)


def test_windows_of_which_nothing_was_seen_make_the_sample_invalid(sample: Sample) -> None:
    of = scenario("pingpong", overrides={"rounds": 0, "windows": 4, "window": 200})
    said = sample(of, Unseen).problems
    assert "1 of 4 windows were marked, and each ended alone (CTRL-6)" in said


def test_a_window_that_was_marked_before_it_can_have_ended_makes_the_sample_invalid(
    sample: Sample,
) -> None:
    (said,) = sample(scenario("pingpong", "windowed", "tiny"), Early).problems
    assert "a mark said 2 after 0.000 s; by the receipt the first 2 windows took 0.100 s" in said


# --- waits ---


class Late(FakeSession):
    """Its first run began late."""

    def run(self, salt: int, timeout: float, on_mark: Callable[[int], None]) -> Ran:
        ran = super().run(salt, timeout, on_mark)
        self.passed["Run"] = self.receipt.run_nanos + (self.late if len(self.salts) == 1 else 0)
        return ran

    late = LONGEST_WAIT * 3 // 2


@pytest.mark.parametrize(("late", "forgiven"), [(LONGEST_WAIT, False), (Late.late, True)])
def test_what_only_long_waits_explain_is_no_fault_and_not_vouched_for(
    sample: Sample,
    pingpong: Scenario,
    monkeypatch: pytest.MonkeyPatch,
    late: int,
    forgiven: bool,
) -> None:
    """Though the run is more than 20 times as long as what lay beside it."""
    waited = count(step=2 * LONGEST_WAIT)
    monkeypatch.setattr(consumption, "waits_of", lambda pid: {0: next(waited)})

    class Long(Late):
        def __init__(self, of: Scenario, tell: Tell) -> None:
            super().__init__(of, lambda of, salt: honest(of, salt, run_nanos=100 * LONGEST_WAIT))

    monkeypatch.setattr(Long, "late", late)
    made = sample(pingpong, Long)
    assert made.valid
    assert made.ledger is not None
    assert (made.ledger.forgiven_nanos > 0) is forgiven
    assert made.ledger.too_short is forgiven


# --- logs ---


class Forgetful(FakeSession):
    """It logs nothing and counts nobody, since not everybody is watched."""

    def handed(self) -> Handed:
        return Handed({}, {}) if not whole(self.watches) else super().handed()


class Deaf(FakeSession):
    """Its watched actors have taken nothing."""

    def handed(self) -> Handed:
        return Handed({}, dict.fromkeys(super().handed().taken, 0))


class Curious(FakeSession):
    """It logs whoever it likes."""

    def handed(self) -> Handed:
        handed, stranger = super().handed(), names.name(names.POKER)
        prepare = names.name(names.CONTROL), (kind.MESSAGE_KIND_POKER_PREPARE, ())
        return Handed({stranger: [prepare], **handed.logs}, handed.taken)


class Counting(FakeSession):
    """It counts whoever it likes."""

    def handed(self) -> Handed:
        handed = super().handed()
        return Handed(handed.logs, handed.taken | {names.name(names.DIRECTORY, 1): 4})


class Excessive(FakeSession):
    """It logs all that watched actors take."""

    def handed(self) -> Handed:
        watched, whole = super().handed().taken, logged(self.of, self.salts[-1], EVERYBODY)
        return Handed({actor: whole.logs[actor] for actor in watched}, watched)


class Sparing(FakeSession):
    """It logs one event less of everybody than it says."""

    def handed(self) -> Handed:
        handed = super().handed()
        return Handed({actor: log[1:] for actor, log in handed.logs.items()}, handed.taken)


class Torn(FakeSession):
    def spool(self, *rest: Any, **more: Any) -> int:
        super().spool(*rest, **more)
        raise TraceError("the trace has no footer, so its end is missing (TRACE-3)")


class PutsOff(FakeSession):
    """It ends Run when each actor has one more message to take."""

    left = 1


class LetsGo(FakeSession):
    """It tears the world down before it is told to."""

    def at_rest(self, handed: Handed) -> Handed:
        return handed


LONG = scenario("pingpong", overrides={"rounds": 1000})


@pytest.mark.parametrize(
    ("session", "says"),
    [
        (Forgetful, "/0 is watched and has no count (TRACE-17)"),
        (Deaf, "/0 is watched and took no message by its count (TRACE-17)"),
        (Curious, "poker/0 has a log, and nobody watches it (TRACE-15)"),
        (Counting, "directory/1 has a count, and nobody watches it (TRACE-15)"),
        (Excessive, "events that were asked for (TRACE-16)"),
        (Sparing, "so its log must have"),
        (Torn, "the trace has no footer, so its end is missing (TRACE-3)"),
    ],
)
def test_a_log_that_is_not_the_one_asked_for_makes_the_sample_invalid(
    sample: Sample, session: type[FakeSession], says: str
) -> None:
    (said,) = sample(LONG, session).problems
    assert says in said


FEW = scenario("pingpong", overrides={"rounds": 1})
CREW = scenario("broker", overrides={"employees": 2, "tasks": 3})
COMPANY = scenario(
    "chatapp",
    overrides={"clients": 4, "directories": 2, "turns": 2, "compute": 10, "post": 40, "leave": 5,
               "invite": 40, "fib_n": 3},
)  # fmt: skip


@pytest.mark.parametrize(
    ("of", "session", "says"),
    [
        (LONG, PutsOff, " messages when Run had ended, and took 100"),
        (FEW, PutsOff, " after Run had ended (MEAS-31)"),
        (COMPANY, PutsOff, " after Run had ended (MEAS-31)"),
        (CREW, LetsGo, "/0 was sent "),
        (CREW, LetsGo, " before Teardown was called (CTRL-16)"),
    ],
)
def test_what_is_taken_on_the_other_side_of_the_end_of_run_is_seen(
    run: Run, start_fake: StartFake, of: Scenario, session: type[FakeSession], says: str
) -> None:
    outcome, recorded = run(of, start_fake(of, kind=session), iterations=4)
    assert outcome is Outcome.FAIL
    said = [each.message for each in recorded.audits]
    assert any(says in each for each in said), said


class MakesAll(FakeSession):
    """All of its actors are there before Run."""

    def beforehand(self) -> Handed:
        there, later = super().beforehand(), logged(self.of, SALT, self.watches)
        return Handed(there.logs, dict.fromkeys(later.taken, 0) | there.taken)


class BeginsBeforehand(FakeSession):
    """Everything that it takes in Run it has taken before."""

    def beforehand(self) -> Handed:
        return logged(self.of, SALT, self.watches)


class SetsUpLater(FakeSession):
    """It answers Prepare before anything was taken."""

    def beforehand(self) -> Handed:
        return Handed({}, {})


LINKS = scenario("chain", overrides={"length": 400})


@pytest.mark.parametrize(
    ("of", "session", "says"),
    [
        (LINKS, MakesAll, " was there when Prepare had been answered; it is made in Run"),
        (COMPANY, MakesAll, " was there when Prepare had been answered; it is made in Run"),
        (LONG, BeginsBeforehand, " before Run was called (MEAS-43)"),
        (COMPANY, BeginsBeforehand, " before Run was called (MEAS-43)"),
        (COMPANY, SetsUpLater, " after Prepare had been answered (CTRL-4)"),
    ],
)
def test_what_is_taken_on_the_other_side_of_the_begin_of_run_is_seen(
    run: Run, start_fake: StartFake, of: Scenario, session: type[FakeSession], says: str
) -> None:
    outcome, recorded = run(of, start_fake(of, kind=session), iterations=4)
    assert outcome is Outcome.FAIL
    said = [each.message for each in recorded.audits]
    assert any(says in each for each in said), said


def test_who_starts_upon_its_first_message_is_right(run: Run, start_fake: StartFake) -> None:
    outcome, recorded = run(LONG, start_fake(LONG, kind=SetsUpLater), iterations=4)
    assert outcome is Outcome.PASS, recorded.units


def test_a_wrong_log_does_not_end_the_invocation(run: Run, start_fake: StartFake) -> None:
    outcome, recorded = run(LONG, start_fake(LONG, kind=Torn), iterations=3)
    assert outcome is Outcome.FAIL
    assert [sample.valid for sample in recorded.samples] == [False] * 3


def test_of_chatapp_only_a_chat_may_be_missing(sample: Sample, small_chat: Scenario) -> None:
    class Chatless(FakeSession):
        def handed(self) -> Handed:
            handed = super().handed()
            if whole(self.watches):
                return handed
            chats = [actor for actor in handed.taken if names.class_of(actor) == names.CHAT]
            for chat in chats:
                del handed.taken[chat], handed.logs[chat]
            return handed

    assert sample(small_chat, Chatless).problems == []


# --- salts ---


def test_every_iteration_has_a_salt_of_its_own_and_its_sample_names_it(
    run: Run, start_fake: StartFake, pingpong: Scenario
) -> None:
    _, recorded = run(pingpong, start_fake(pingpong), invocations=2, iterations=4)
    salts = [sample.salt for sample in recorded.samples]
    assert len(set(salts)) == 8
    assert all(0 <= salt < 2**32 for salt in salts)
    assert max(salts) > 2**24
    for sample in recorded.samples:
        assert sample.receipt["sum"] == honest(pingpong, sample.salt).done.arguments[1]


def test_whoever_keeps_what_the_last_iteration_came_to_has_one_valid_sample(
    run: Run, start_fake: StartFake, pingpong: Scenario
) -> None:
    kept: list[Receipt] = []

    def tell(of: Scenario, salt: int) -> Receipt:
        kept.append(honest(of, salt))
        return kept[0]

    outcome, recorded = run(pingpong, start_fake(pingpong, tell), iterations=3)
    assert outcome is Outcome.FAIL
    assert [sample.valid for sample in recorded.samples] == [True, False, False]
    assert "sum is " in recorded.samples[1].problems[0]


def test_a_receipt_of_nothing_is_one_problem_and_one_sample(
    sample: Sample, small_chat: Scenario
) -> None:
    class Empty(FakeSession):
        def teardown(self, timeout: float) -> Receipt:
            return Receipt(run_nanos=self.receipt.run_nanos)

    (said,) = sample(small_chat, Empty).problems
    assert said == "it is the receipt of no benchmark, expected chatapp (CTRL-8)"
