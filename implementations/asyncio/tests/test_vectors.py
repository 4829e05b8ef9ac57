"""The questions of level 0, with the answers of ``vectors.json``."""

import json
from pathlib import Path
from typing import Any

import pytest

from asyncio_actors.benchmarks.fibonacci import fibonacci
from asyncio_actors.benchmarks.fold import checksum, payload_digest
from asyncio_actors.control.describe import answer

VECTORS: dict[str, list[dict[str, Any]]] = json.loads(
    Path(__file__).with_name("vectors.json").read_text(encoding="utf-8")
)

CALLS = 300_000
"""Fibonacci numbers that take more are left to level 0."""


@pytest.mark.parametrize("vector", VECTORS["lcg"], ids=str)
def test_lcg(vector: dict[str, Any]) -> None:
    assert answer({"lcg": vector}) == vector["values"]


@pytest.mark.parametrize("vector", VECTORS["shuffle"], ids=str)
def test_shuffle(vector: dict[str, Any]) -> None:
    assert answer({"shuffle": vector}) == [*vector["values"], vector["state"]]


@pytest.mark.parametrize("vector", VECTORS["fold"], ids=str)
def test_fold(vector: dict[str, Any]) -> None:
    assert answer({"fold": vector}) == [vector["digest"]]


@pytest.mark.parametrize("vector", VECTORS["fibonacci"], ids=str)
def test_fibonacci(vector: dict[str, Any]) -> None:
    if vector["calls"] <= CALLS:
        assert fibonacci(vector["n"]) == vector["value"]


@pytest.mark.parametrize("vector", VECTORS["checksum"], ids=str)
def test_checksum(vector: dict[str, Any]) -> None:
    assert checksum(vector["start"], vector["numbers"]) == vector["checksum"]


@pytest.mark.parametrize("vector", VECTORS["payload"], ids=str)
def test_payload(vector: dict[str, Any]) -> None:
    assert payload_digest(vector["payload"]) == vector["digest"]


def test_a_probe_that_is_not_known_is_named() -> None:
    with pytest.raises(ValueError, match="sieve"):
        answer({"sieve": {"n": 3}})
