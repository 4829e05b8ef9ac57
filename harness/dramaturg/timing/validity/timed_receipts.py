"""Is a receipt right? Everything that the harness can know is checked (MEAS-5).

After `run` all counts but deliveries are facts that follow from the parameters
(spec/chatapp.md, "Facts"). Each problem says what the receipt says, what it must
say, and which requirement says so.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

from dramaturg.model import accounts, chatapp, facts, receipt_names
from dramaturg.timing.planning.scenarios import CHATAPP, Scenario
from dramaturg.timing.validity.ledger import GRAIN
from dramaturg.v2 import benchmarks_pb2


@cache
def expected_facts(parameters: chatapp.Parameters) -> facts.Facts:
    """The facts, computed once for all invocations and languages."""
    return facts.facts(parameters)


def foresee(scenario: Scenario) -> None:
    """Compute what receipts will be held against, before anything is measured: for the
    largest scenarios it takes a minute. Raises ImpossibleConfiguration."""
    if scenario.benchmark == CHATAPP:
        expected_facts(scenario.chatapp)


def problems(
    scenario: Scenario, salt: int, receipts: Sequence[benchmarks_pb2.Receipt]
) -> list[str]:
    """Return what is wrong with the receipts of one iteration, one for each node, in their order:
    node 0's is of the whole run (DIST-4)."""
    found = accounts.kinds(
        scenario.benchmark, [receipt_names.benchmark_of(receipt) for receipt in receipts]
    )
    lead = receipts[0]
    if not found:
        chatapp_ran = scenario.benchmark == CHATAPP
        found = _chatapp(scenario, lead) if chatapp_ran else _micro(scenario, salt, lead)
        found += accounts.elsewhere([receipt.run_nanos for receipt in receipts])
    if lead.run_nanos == 0:
        found.append("run_nanos is 0, expected the duration of the run (MEAS-3)")
    return found + accounts.living([receipt.alive for receipt in receipts])


def to_dict(receipt: benchmarks_pb2.Receipt) -> dict[str, Any]:
    """Return the part that results keep of it: the counts. Durations have fields of their own
    there."""
    counts = receipt_names.counts_of(receipt)
    counts.pop("turn_nanos", None)
    return counts | {"alive": receipt.alive}


def _micro(scenario: Scenario, salt: int, receipt: benchmarks_pb2.Receipt) -> list[str]:
    found = accounts.problems(scenario.benchmark, scenario.micro, salt, receipt)
    return found + accounts.durations(scenario.benchmark, scenario.micro, receipt)


def _chatapp(scenario: Scenario, receipt: benchmarks_pb2.Receipt) -> list[str]:
    parameters, claimed = scenario.chatapp, receipt.chatapp
    expected = expected_facts(parameters)
    found = accounts.chatapp_differences(claimed, expected.to_dict())
    picks = claimed.computes + claimed.posts + claimed.leaves + claimed.invites + claimed.nones
    acts = parameters.clients * parameters.turns
    if picks != acts:
        found.append(f"the picks add up to {picks}, expected {acts}, clients * turns (CHAT-50)")
    found += accounts.chatapp_ends(claimed)
    found += _deliveries(claimed.deliveries, expected)
    if len(claimed.turn_nanos) != parameters.turns:
        found.append(
            f"turn_nanos has {len(claimed.turn_nanos)} entries, expected {parameters.turns},"
            " one for each turn (CHAT-55)"
        )
    longest = max(claimed.turn_nanos, default=0)
    if longest > receipt.run_nanos:
        turn = list(claimed.turn_nanos).index(longest)
        found.append(
            f"turn {turn} took {longest} ns, expected at most run_nanos,"
            f" {receipt.run_nanos} (CHAT-56)"
        )
    return found + _waiting(receipt)


def _waiting(receipt: benchmarks_pb2.Receipt) -> list[str]:
    """Report turns that waited for each other. They do not: the poker has sent every `poke` when it
    takes the first `confirm`, so each turn is under way at the moment the last one begins."""
    turns = receipt.chatapp.turn_nanos
    longest = turns[0] + max(turns) + 2 * GRAIN if turns else receipt.run_nanos
    if receipt.run_nanos <= longest:
        return []
    return [
        f"run_nanos is {receipt.run_nanos}, expected at most {longest}, the first turn and the"
        " longest together: turns waited for each other (CHAT-7, CHAT-56)"
    ]


def _deliveries(deliveries: int, expected: facts.Facts) -> list[str]:
    """Bounds that hold under every schedule. A post reaches each membership of its chat at
    most once, forwarded or replayed; without invitations there is no chat."""
    least = expected.least_deliveries
    most = expected.posts * (expected.joins + 1) if expected.joins else 0
    if least <= deliveries <= most:
        return []
    return [f"deliveries is {deliveries}, expected {least} to {most} (CHAT-54)"]
