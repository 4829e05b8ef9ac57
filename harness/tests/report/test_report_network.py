"""The traffic of the network stands beside speed, with the share that had no need to cross
(MEAS-62)."""

import pytest
from report_records import audit, sample

from dramaturg.records import WireRecord
from dramaturg.report import row_accounts

CROSSED = WireRecord(sent_bytes=[3000, 2000], sent_packets=[30, 20])


def test_the_share_that_stays_on_a_node_is_of_all_that_audits_have_logged() -> None:
    samples = [sample(wire=CROSSED, messages=1000)]
    audits = [
        audit(between_nodes=600, within_nodes=200),
        audit(between_nodes=150, within_nodes=50),
        audit(),
    ]
    found = row_accounts.wire(samples, audits)
    assert found is not None
    assert (found.stays, found.between) == (0.25, 750)
    assert row_accounts.spell_wire(found).endswith(", 25 % stay")


def test_without_an_audit_of_a_whole_part_no_share_is_said() -> None:
    found = row_accounts.wire([sample(wire=CROSSED, messages=1000)], [audit()])
    assert found is not None and found.stays is None and found.between is None
    assert "stay" not in row_accounts.spell_wire(found)


def test_where_nothing_counts_bytes_the_share_is_said_all_the_same() -> None:
    samples = [sample(wire=WireRecord(not_run="loopback"), messages=1000)]
    found = row_accounts.wire(samples, [audit(between_nodes=1, within_nodes=3)])
    assert found is not None and found.between == pytest.approx(250)
    assert row_accounts.spell_wire(found) == "not run, 75 % stay"
