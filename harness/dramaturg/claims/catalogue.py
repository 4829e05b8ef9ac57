"""``claims.yaml``: published claims, as predicates on figures that can be measured.

    systems:
      erlang: {implementation: erlang}
      caf-0.17: {implementation: caf, version: ">=0.17,<0.18"}
      actr-published: {refused: it loses the order of messages}
    claims:
      T1:
        study: thesis
        figure: "6.1"
        says: One sentence.
        setup: {benchmark: pingpong, scenario: windowed, scale: small, measure: rate}
        predicates:
          - {kind: order, says: ..., order: [erlang, [caf-0.17, pony], akka]}

A unit is a system's name, or a mapping with ``system`` and the fields of the setup that differ. All
predicates compare *speed*: messages a second (``measure: rate``), these times their size
(``payload``) or one over the run time (``runs``). So a ratio above 1 says that the first is ahead.
"""

import hashlib
import json
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from pydantic import (
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    field_validator,
    model_validator,
)

from dramaturg import files, meant, paths
from dramaturg.claims import measured_systems
from dramaturg.timing.planning.scenarios import Scale

FILE = paths.ROOT / "claims" / "claims.yaml"


class ClaimsError(ValueError):
    """Claims or recorded runs that cannot be used; says which file, where, and what to do."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class System(_Strict):
    """The system of a claim: an implementation of this project, in versions, or a program of
    others."""

    implementation: str | None = None
    """``caf``, or ``caf+sharing`` for a variant."""
    version: str = ""
    """Bounds of the runtime's version, such as ``>=0.17,<0.18``; empty for any."""
    refused: str = ""
    """The reason why no run of it counts, here or not: a published program that is wrong."""

    @field_validator("version")
    @classmethod
    def _is_bounds(cls, text: str) -> str:
        try:
            SpecifierSet(text)
        except InvalidSpecifier:
            raise ValueError(f"{text!r} is no bounds of a version, such as >=0.17,<0.18") from None
        return text

    @model_validator(mode="after")
    def _is_one(self) -> "System":
        if not self.implementation and not self.refused:
            raise ValueError("a system has an implementation, or in `refused` why no run counts")
        if self.version and not self.implementation:
            raise ValueError("only an implementation has a `version`")
        return self


class Redefinition(_Strict):
    """A benchmark's chapter says something else since then: earlier runs did other work."""

    benchmark: str = Field(min_length=1)
    since: AwareDatetime
    says: str = Field(min_length=1)
    """The benchmark's definition before, with the requirement that changed."""


class Setup(_Strict):
    """The measured setting; a field that is left out is as the claim says, or at its default."""

    benchmark: str | None = None
    scenario: str | None = None
    scale: Scale | None = None
    history: bool | None = None
    parameters: dict[str, Any] = {}
    nodes: int | None = Field(default=None, ge=1)
    bandwidth: float | None = Field(default=None, gt=0)
    """Mbit/s."""
    delay: float | None = Field(default=None, ge=0)
    """Milliseconds, one way."""
    loss: float | None = Field(default=None, ge=0, le=100)
    """Percent."""
    cores: int | None = Field(default=None, ge=1)
    """None: all that the machine has."""
    measure: measured_systems.Measure | None = None


class Unit(Setup):
    """A system, and what of the setup is otherwise with it."""

    system: str

    @model_validator(mode="before")
    @classmethod
    def _may_be_a_name(cls, said: Any) -> Any:
        return {"system": said} if isinstance(said, str) else said


class Needs(_Strict):
    """The needs of a claim: a machine without these decides nothing."""

    cores: int = Field(default=1, ge=1)
    netem: bool = False
    machine: str = ""
    """A part of its processor's name: for figures in units of time."""


class Over(_Strict):
    """An axis: a field of the setup, or a parameter of the benchmark, and its values."""

    axis: str
    values: list[Annotated[int, Field(ge=0, le=1 << 53)] | float] = Field(min_length=2)

    @field_validator("values")
    @classmethod
    def _rise(cls, values: list[int | float]) -> list[int | float]:
        if sorted(set(values)) != values:
            raise ValueError("values of an axis rise")
        return values


class _Predicate(_Strict):
    says: str = Field(min_length=1)
    setup: Setup = Setup()
    needs: Needs = Needs()


class _Bounded(_Predicate):
    above: float | None = None
    below: float | None = None

    @model_validator(mode="after")
    def _has_bounds(self) -> "_Bounded":
        if self.above is None and self.below is None:
            raise ValueError("a bound is missing: `above`, `below` or both")
        if self.above is not None and self.below is not None and self.above >= self.below:
            raise ValueError("`above` must be less than `below`")
        return self


class _Factors(_Bounded):
    @model_validator(mode="after")
    def _are_factors(self) -> "_Factors":
        if any(bound is not None and bound <= 0 for bound in (self.above, self.below)):
            raise ValueError("bounds of a ratio are greater than 0")
        return self


class Ratio(_Factors):
    """``of`` is so many times as fast as ``to``; with ``over`` at every point of the axis."""

    kind: Literal["ratio"]
    of: Unit
    to: Unit
    over: Over | None = None


class Equal(_Predicate):
    """As fast, within a margin: 0.1 is 10 % more, or as much less."""

    kind: Literal["equal"]
    of: Unit
    to: Unit
    within: float = Field(gt=0)
    over: Over | None = None


class Order(_Predicate):
    """The fastest first; each is at least ``by`` times as fast as each of the next rank."""

    kind: Literal["order"]
    order: list[Unit | list[Unit]] = Field(min_length=2)
    by: float = Field(default=1.0, ge=1)
    over: Over | None = None

    @cached_property
    def ranks(self) -> list[list[Unit]]:
        return [rank if isinstance(rank, list) else [rank] for rank in self.order]


class Slope(_Bounded):
    """The least squares line of speed over the axis: log-log, or its share of the mean speed for
    each step of 1 on the axis."""

    kind: Literal["slope"]
    of: Unit
    over: Over
    axes: Literal["log-log", "linear"] = "log-log"

    @model_validator(mode="after")
    def _has_logarithms(self) -> "Slope":
        if self.axes == "log-log" and self.over.values[0] <= 0:
            raise ValueError("an axis with logarithms has no place for 0: `axes: linear`, or no 0")
        return self


class Rises(_Predicate):
    """Each value of the axis has at least ``by`` times the speed of the one before."""

    kind: Literal["rises"]
    of: Unit
    over: Over
    by: float = Field(default=1.0, ge=1)


class Falls(_Predicate):
    """Each value of the axis has at most one ``by``-th of the speed of the one before."""

    kind: Literal["falls"]
    of: Unit
    over: Over
    by: float = Field(default=1.0, ge=1)


class Peak(_Predicate):
    """The place on the axis where speed is greatest: at an end, inside, or between two values."""

    kind: Literal["peak"]
    of: Unit
    over: Over
    at: Literal["start", "inside", "end"] | tuple[float, float]

    @cached_property
    def there(self) -> list[int | float]:
        """The values among which the peak is."""
        values = self.over.values
        if self.at == "inside":
            return values[1:-1]
        if isinstance(self.at, str):
            return values[:1] if self.at == "start" else values[-1:]
        low, high = self.at
        return [value for value in values if low <= value <= high]

    @model_validator(mode="after")
    def _leaves_a_choice(self) -> "Peak":
        if not 0 < len(self.there) < len(self.over.values):
            raise ValueError("a peak must be possible inside and outside of `at`")
        return self


class Value(_Factors):
    """The run time itself, in milliseconds: of one machine alone."""

    kind: Literal["value"]
    of: Unit


class Crashes(_Predicate):
    """At least this share of the invocations ends in a crash."""

    kind: Literal["crashes"]
    of: Unit
    share: float = Field(default=0.5, gt=0, lt=1)


Predicate = Annotated[
    Ratio | Equal | Order | Slope | Rises | Falls | Peak | Value | Crashes,
    Field(discriminator="kind"),
]


class Explanation(Ratio):
    """A cause that a study names, switched on (``of``) and off (``to``). It counts only if the
    ratio between the two shows it. It needs what it says itself and not what its claim needs: a
    mechanism shows where a whole curve does not."""

    kind: Literal["ratio"] = "ratio"


class Claim(_Strict):
    """One row of a study's results."""

    study: str = Field(min_length=1)
    figure: str = ""
    says: str = Field(min_length=1)
    """The claim, in one sentence of ours."""
    no_claim: str = ""
    """The reason why there is nothing to decide."""
    setup: Setup = Setup()
    needs: Needs = Needs()
    predicates: list[Predicate] = []
    explained_by: list[Explanation] = []

    @model_validator(mode="after")
    def _says_something(self) -> "Claim":
        if bool(self.predicates) == bool(self.no_claim):
            raise ValueError("a claim has either predicates or a reason in `no_claim`")
        return self


class Catalogue(_Strict):
    """All claims."""

    level: float = Field(default=0.05, gt=0, lt=1)
    """The probability that any verdict of the page is false, at most."""
    commands: list[str] = []
    """The commands that measure everything that one machine can measure."""
    redefined: list[Redefinition] = []
    systems: dict[str, System]
    claims: dict[str, Claim] = Field(min_length=1)

    @model_validator(mode="after")
    def _is_possible(self) -> "Catalogue":
        for name, claim in self.claims.items():
            for predicate in (*claim.predicates, *claim.explained_by):
                try:
                    for unit in spoken_of(predicate):
                        self.place(claim, predicate, unit)
                except ValueError as error:
                    raise ValueError(f"{name}, {predicate.says!r}: {error}") from None
        return self

    def place(self, claim: Claim, predicate: "_Predicate", unit: Unit) -> measured_systems.Place:
        """The exact place of this unit. Raises ValueError for one that cannot exist."""
        if unit.system not in self.systems:
            known = ", ".join(sorted(self.systems))
            raise ValueError(f"no system is called {unit.system!r}; there are: {known}")
        said: dict[str, Any] = {}
        parameters: dict[str, Any] = {}
        for layer in (claim.setup, predicate.setup, unit):
            more = layer.model_dump(exclude_unset=True, exclude={"system", "parameters"})
            said |= {key: value for key, value in more.items() if value is not None}
            parameters |= layer.parameters
        return measured_systems.place(unit.system, said, parameters)

    def digest(self, claim: Claim, predicate: "_Predicate") -> str:
        """The digest of everything that decides its verdict: a bound that is changed after a run
        makes another predicate."""
        names = sorted({unit.system for unit in spoken_of(predicate)})
        said = {
            "predicate": predicate.model_dump(mode="json", exclude_unset=True, exclude={"says"}),
            "setup": claim.setup.model_dump(mode="json", exclude_unset=True),
            "needs": claim.needs.model_dump(mode="json", exclude_unset=True),
            "systems": {name: self.systems[name].model_dump(exclude_unset=True) for name in names},
            "level": self.level,
        }
        text = json.dumps(said, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def digests(self) -> set[str]:
        """The digests of all predicates."""
        return {
            self.digest(claim, predicate)
            for claim in self.claims.values()
            for predicate in (*claim.predicates, *claim.explained_by)
        }


def spoken_of(predicate: Any) -> Iterator[Unit]:
    """Every unit of a predicate, at each point of its axis."""
    if isinstance(predicate, Order):
        found = [unit for rank in predicate.ranks for unit in rank]
    else:
        found = [getattr(predicate, name) for name in ("of", "to") if hasattr(predicate, name)]
    for unit in found:
        yield from along(unit, getattr(predicate, "over", None))


def along(unit: Unit, over: Over | None) -> list[Unit]:
    """The unit at each point of the axis; itself without one."""
    return [unit] if over is None else [at(unit, over.axis, value) for value in over.values]


def at(unit: Unit, axis: str, value: float) -> Unit:
    """The unit at this point. A name that is no field of the setup is a parameter."""
    if axis in measured_systems.AXES:
        return Unit.model_validate(unit.model_dump(exclude_unset=True) | {axis: value})
    return unit.model_copy(update={"parameters": unit.parameters | {axis: value}})


def load(file: Path | None = None) -> Catalogue:
    """The claims of a file, or the project's. Raises ClaimsError."""
    file = file or FILE
    try:
        return checked(files.read_yaml(file), str(file))
    except files.Unreadable as error:
        raise ClaimsError(f"{file}: {error}") from None


def checked(content: Any, file: str) -> Catalogue:
    """Claims from what a file says. Raises ClaimsError that names each place."""
    try:
        return Catalogue.model_validate(content)
    except ValidationError as error:
        found = (_problem(problem) for problem in error.errors())
        raise ClaimsError(f"{file}: {files.brief('; '.join(found))}") from None


def _problem(problem: Any) -> str:
    text = str(problem.get("ctx", {}).get("error") or problem["msg"])
    if problem["type"] == "extra_forbidden":
        keys = meant.keys_at(Catalogue, problem["loc"])
        near = meant.hint(str(problem["loc"][-1]), keys) or ";"
        text = f"no such key{near} keys are: {', '.join(keys)}"
    place = ".".join(str(part) for part in problem["loc"])
    return f"{place}: {text}" if place else text
