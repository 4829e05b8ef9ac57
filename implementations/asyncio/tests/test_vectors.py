"""The questions of level 0, with the answers of ``vectors.json``."""

import json
from pathlib import Path
from typing import Any

import pytest

from asyncio_actors.benchmarks.fibonacci import fibonacci
from asyncio_actors.benchmarks.fold import checksum, payload_digest, stream
from asyncio_actors.benchmarks.payload import payload, result_of
from asyncio_actors.control.describe import answer
from asyncio_actors.control.histogram import bucket_of

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


@pytest.mark.parametrize("vector", VECTORS["stream"], ids=str)
def test_stream(vector: dict[str, Any]) -> None:
    assert list(stream(vector["key"], len(vector["numbers"]))) == vector["numbers"]


@pytest.mark.parametrize("vector", VECTORS["task"], ids=str)
def test_task(vector: dict[str, Any]) -> None:
    content = payload(vector["salt"], vector["number"], vector["size"])
    assert list(content[:4]) == vector["first"]
    assert checksum(0, content) == vector["checksum"]
    assert result_of(vector["number"], content) == vector["result"]


@pytest.mark.parametrize("vector", VECTORS["latency"], ids=str)
def test_latencies(vector: dict[str, Any]) -> None:
    due, answered = vector["due"], vector["answered"]
    assert [bucket_of(reading - due) for reading in answered] == vector["buckets"]
    counts = answer({"latencies": {"due": due, "answered": answered}})
    assert {bucket for bucket, count in enumerate(counts) if count} == set(vector["buckets"])
    assert sum(counts) == len(answered)


def test_a_probe_that_is_not_known_is_named() -> None:
    with pytest.raises(ValueError, match="sieve"):
        answer({"sieve": {"n": 3}})
