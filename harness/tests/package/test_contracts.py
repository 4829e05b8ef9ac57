"""Each contract on imports is kept as the harness is, and broken by one import that it forbids."""

import copy
from typing import Any

import grimp
import pytest
from importlinter.api import read_configuration
from importlinter.contracts.forbidden import ForbiddenContract
from importlinter.contracts.layers import LayersContract
from importlinter.domain.contract import Contract

from dramaturg import paths

TYPES: dict[str, type[Contract]] = {"layers": LayersContract, "forbidden": ForbiddenContract}

SETTINGS = read_configuration(str(paths.ROOT / "harness" / "pyproject.toml"))

CONTRACTS: dict[str, Contract] = {
    options["name"]: TYPES[options["type"]](options["name"], SETTINGS["session_options"], options)
    for options in SETTINGS["contracts_options"]
}

FORBIDDEN: dict[str, tuple[str, str]] = {
    "A layer imports what is below it; layers in one line, nothing of each other": (
        "claims.decide", "history.change_points",
    ),
    "A trace is read, then replayed, then explained; a part of one is more than all of it": (
        "trace.events", "trace.watches",
    ),
    "Of a part, what all benchmarks have in common is below each, and what runs it above": (
        "trace.partial.bang", "trace.partial.big",
    ),
    "What is timed is planned, then run; whether to believe it is known without the runner": (
        "timing.validity.setup_costs", "timing.running.observer",
    ),
    "Statistics know no measurement": ("timing.statistics.ranks", "records"),
    "What judges is pure: it starts nothing and waits for nobody": ("model.lcg", "/subprocess"),
    "What runs an implementation does not know what is expected of it": (
        "machine.floors", "trace.replay.survivors",
    ),
    "Only conformance/ knows pytest": ("files", "/pytest"),
    "A certificate is data: what starts an implementation is handed in": (
        "certificates.handed_certificate", "control.session",
    ),
    "A report is read off results: nothing that runs is part of it": (
        "report.archive", "control.session",
    ),
    "A verdict on a claim is read off recorded runs: nothing that runs is part of it": (
        "claims.decide", "processes.git",
    ),
    "A history is read off results: nothing that runs is part of it": (
        "history.change_points", "plan.case_plan",
    ),
    "A site is read off what was handed over: nothing that runs is part of it": (
        "site.badges", "plan.case_plan",
    ),
    "Of a site's files one has a network": ("site.badges", "/ssl"),
}  # fmt: skip
"""By contract, a module and what it must not import: of the harness, but for those with a slash."""


def whole(module: str) -> str:
    return module[1:] if module.startswith("/") else f"dramaturg.{module}"


@pytest.fixture(scope="module")
def imports() -> Any:
    """The imports of the harness as it is."""
    (package,) = SETTINGS["session_options"]["root_packages"]
    return grimp.build_graph(package, include_external_packages=True, cache_dir=None)


def broken(imports: Any) -> set[str]:
    """The contracts that these imports break."""
    # A contract takes out of the graph what it ignores.
    return {
        name
        for name, contract in CONTRACTS.items()
        if not contract.check(copy.deepcopy(imports), verbose=False).kept
    }


def with_import(imports: Any, importer: str, imported: str) -> Any:
    assert importer in imports.modules
    changed = copy.deepcopy(imports)
    if imported not in changed.modules:
        assert not imported.startswith("dramaturg"), f"there is no module {imported}"
        changed.add_module(imported, is_squashed=True)
    assert not changed.direct_import_exists(importer=importer, imported=imported)
    changed.add_import(
        importer=importer, imported=imported, line_number=1, line_contents=f"import {imported}"
    )
    return changed


def test_each_contract_has_an_import_that_it_forbids() -> None:
    assert FORBIDDEN.keys() == CONTRACTS.keys()
    assert len(CONTRACTS) == len(SETTINGS["contracts_options"]), "no two have one name"


def test_the_harness_breaks_none(imports: Any) -> None:
    assert broken(imports) == set()


@pytest.mark.parametrize("name", FORBIDDEN)
def test_a_forbidden_import_breaks_its_contract_and_no_other(imports: Any, name: str) -> None:
    importer, imported = map(whole, FORBIDDEN[name])
    assert broken(with_import(imports, importer, imported)) == {name}
