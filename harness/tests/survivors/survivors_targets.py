"""The files that are mutated, and the tests that have to notice."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Target:
    """A file of ``harness/dramaturg``."""

    file: str
    tests: tuple[str, ...]
    """Files of ``harness/tests``, folders or single tests that say what it does. The fewer, the
    sooner it is done; of these, each mutant is shown to those that reach it."""

    @property
    def module(self) -> str:
        return f"dramaturg/{self.file}".removesuffix(".py").replace("/", ".")

    @property
    def slug(self) -> str:
        return self.file.removesuffix(".py").replace("/", "-")


_CERTIFICATES = ("certificates/test_certificate.py", "attack/test_certificates.py")
_PARTS = tuple(
    f"trace/test_parts.py::test_{name}"
    for name in (
        "no_part_of_a_run_is_refused",
        "no_slice_of_a_run_is_refused_and_what_is_decided_of_it_can_be_wrong",
        "whatever_stands_in_a_log_there_is_a_verdict",
        "the_counts_name_whom_the_facts_have_born",
        "a_part_of_acts_is_not_replayed",
        "a_farewell_before_all_else_is_too_early",
        "a_poke_before_the_directory_has_settled_is_too_early",
        "what_a_watched_client_tells_a_watched_accumulator_is_compared",
        "a_salt_of_another_run_does_not_fit",
        "what_a_client_posts_comes_back_to_it",
        "the_first_messages_of_an_actor_are_replayed",
    )
)
"""All but those that mutate the logs of many parts: a mutant that survives takes as long as all
tests that reach it, and these take a minute."""
_EXPLAINED = tuple(f"trace/test_{name}.py" for name in ("causes", "draws", "render", "sequence"))

TARGETS = {
    target.file: target
    for target in (
        Target("certificates/statement.py", _CERTIFICATES),
        Target("certificates/envelope.py", _CERTIFICATES),
        Target(
            "timing/validity/ledger.py", ("timing/test_ledger.py", "timing/test_plausibility.py")
        ),
        Target(
            "trace/replay/receipts.py",
            ("conformance/test_run_receipts.py", "model/test_receipts.py"),
        ),
        Target(
            "timing/validity/timed_receipts.py",
            (
                "timing/test_timed_receipts.py",
                "timing/test_salted_receipts.py",
                "timing/test_scenarios.py",
                "model/test_receipts.py",
            ),
        ),
        Target(
            "model/facts.py",
            (
                "model/test_chatapp.py",
                "model/test_facts.py",
                "model/test_ranges.py",
                "timing/test_timed_receipts.py",
            ),
        ),
        Target("trace/explanation/causes.py", (*_EXPLAINED, "trace/test_what_caused_it.py")),
        Target(
            "trace/replay/token_game.py",
            (
                *_EXPLAINED,
                "trace/test_replay.py",
                "trace/test_what_is_named.py",
                "trace/test_single_mutations.py",
                "model/test_chatapp.py",
                "model/test_micro.py",
            ),
        ),
        Target(
            "trace/partial/part_replay.py",
            (
                "trace/test_part_of_everybody.py",
                "trace/test_part_verdicts.py",
                *_PARTS,
            ),
        ),
    )
}

NEEDS_MORE = (
    "certificates/test_certificate.py::test_a_certificate_names_what_was_judged_on_what_and_where",
)
"""Tests that are left out, since they ask for what a scratch folder has not: a repository."""
