"""The examples beside the rules are what model and harness do."""

import json
import re
from types import SimpleNamespace
from typing import Any

import pytest
from runs_kit import section, shown
from test_pages import integers, page, table

from dramaturg.control import json_lines
from dramaturg.model import names, placement
from dramaturg.model.actor import Actor
from dramaturg.model.chatapp import (
    Accumulator,
    Chat,
    Client,
    Directory,
    Parameters,
    Selection,
    digest,
)
from dramaturg.model.workload import MICRO
from dramaturg.trace.watches import Watched, watch


def parameters(**changed: Any) -> Parameters:
    standard = {"clients": 5, "directories": 2, "turns": 1, "compute": 0, "post": 0, "leave": 0,
                "invite": 0, "befriend": 50, "selection": Selection.CUMULATIVE, "fib_n": 3,
                "history": True, "seed": 42}  # fmt: skip
    return Parameters(**{**standard, **changed})


def listening(actor: Actor) -> list[tuple[Any, ...]]:
    """Return the messages that the actor sends from here on."""
    said: list[tuple[Any, ...]] = []
    actor.send = lambda receiver, kind, *args: said.append((names.spell(receiver), *args))
    actor.spawn = actor.terminate = lambda *args: None
    return said


def test_a_name_is_the_integer_that_is_shown() -> None:
    rows = list(
        table("actors.md", "printed", "class", "first index", "second index", "the integer")
    )
    assert len(rows) > 2
    for printed, number, first, second, integer in rows:
        name = names.parse(printed.strip("`"))
        assert name == int(integer) == int(number) << 56 | int(first) << 24 | int(second)


def test_no_name_has_the_bit_of_a_sign() -> None:
    assert max(names.LABELS) < 128


def test_the_watches_of_the_example_take_what_it_says() -> None:
    heads = ("watch", "class", "modulus", "remainder", "first", "last", "from", "events")
    rows = [list(map(int, row)) for row in table("actors.md", *heads)]
    fields = ("modulus", "remainder", "first", "last", "begin", "events")
    watches = [watch(row[1], **dict(zip(fields, row[2:], strict=True))) for row in rows]
    watched = Watched(watches)
    heads = ("actor", "its own watch", "if it takes 6 messages, it logs", "its count")
    for actors, _, logs, _ in table("actors.md", *heads):
        for actor in re.findall(r"`(.*?)`", actors):
            wanted = watched.slice_of(names.parse(actor))
            found = list(range(6))[wanted.begin :][: wanted.rows(6)] if wanted else []
            assert found == integers(logs), actor


def test_a_fold_goes_wrong_where_the_chapter_says() -> None:
    def others(step: Any) -> list[int]:
        found = []
        rows = table("actors.md", "d", "folded in, in this order", "gives")
        for row, (start, numbers, gives) in enumerate(rows, start=1):
            d = int(start)
            for x in integers(numbers):
                d = step(1664525 * d + 1013904223 + x)
            found += [row] if d != int(gives) else []
        return found

    def signed(h: int) -> int:
        h = (h + 2**31) % 2**32 - 2**31
        return (h ^ h >> 16) % 2**32

    assert others(lambda h: h % 2**32 ^ h % 2**32 >> 16) == []
    assert others(lambda h: h % 2**31 ^ h % 2**31 >> 16) == [4, 8]
    assert others(signed) == [4, 8]
    assert others(lambda h: h % 2**32) == [2, 3, 4, 5, 6, 7, 8]


def test_a_directory_befriends_as_the_table_shows() -> None:
    rows = list(table("chatapp.md", "f", "pass", "c", "draw", "so"))
    directory = Directory(0, 42, parameters())
    directory.clients = [0, 2]
    drawn: list[int] = []
    draw = directory.lcg.next_int

    class Shown:
        """Draws as the directory's own, for as long as the table goes on."""

        def next_int(self, modulus: int) -> int:
            if len(drawn) == len(rows):
                raise StopIteration
            drawn.append(draw(modulus))
            return drawn[-1]

    directory.lcg = Shown()  # type: ignore[assignment]
    said = listening(directory)
    with pytest.raises(StopIteration):
        directory.befriend(0)
    assert drawn == [int(row[3]) for row in rows]
    assert [row[4].startswith("below 50: `befriend(0)`") for row in rows].index(True) == 1
    assert said == [("client/2", 0), ("client/0", 2)]


@pytest.mark.parametrize(
    ("row", "changed"),
    [
        (0, {"compute": 40, "post": 30, "leave": 5, "invite": 25}),
        (1, {"compute": 75, "post": 25, "leave": 25, "invite": 25}),
        (2, {"compute": 25, "post": 25, "leave": 25, "invite": 25}),
    ],
)
def test_a_choice_is_drawn_as_the_example_shows(row: int, changed: dict[str, int]) -> None:
    selection, draws, choice = list(table("chatapp.md", "selection", "draws", "choice"))[row]
    kind = Selection.CUMULATIVE if selection == "cumulative" else Selection.CASCADE
    client = Client(3, names.parse("directory/0"), 42, parameters(**changed, selection=kind))
    listening(client)
    drawn: list[int] = []
    draw = client.lcg.next_int

    class Noted:
        def next_int(self, modulus: int) -> int:
            drawn.append(draw(modulus))
            return drawn[-1]

    client.lcg = Noted()  # type: ignore[assignment]
    client.act(0, 0, 0, 0, 0, 0)
    assert drawn == integers(re.sub(r"`.*?`( =)?", "", draws))
    [picked] = [action.name.lower() for action, count in client.picks.items() if count]
    assert picked in choice


def test_payloads_are_those_of_the_example() -> None:
    [text] = re.findall(r"- Client 3 posts (.*?)\n- ", page("chatapp.md"), re.DOTALL)
    shown = [number for number in integers(text) if number > 2**32]
    made = []
    for salt in (0, 2**32 - 1):
        client = Client(3, 0, 42, parameters())
        client.chats = [names.parse("chat/3.0")]
        said = listening(client)
        for turn in range(2):
            client.act(0, turn, 2, 0, 0, salt)
        made += [args[2] for args in said]
    assert shown == made


def test_a_join_is_answered_as_the_example_shows() -> None:
    for history, expected in (
        (True, [("accumulator/4", 1, 3, (digest(0) + digest(1)) % 2**32), ("client/3", 4, 2, 0),
                ("client/3", 4, 2, 1), ("client/3", 4, 2)]),
        (False, [("client/3", 4, 1)]),
    ):  # fmt: skip
        chat = Chat(names.parse("chat/0.0"), 0, history)
        listening(chat)
        for payload in (0, 1):
            chat.post(0, 3, payload)
        said = listening(chat)
        chat.join(0, 4, 3)
        assert said == expected


def test_an_accumulator_counts_as_the_example_shows() -> None:
    d = digest(7)
    accumulator = Accumulator(0, 2)
    said = listening(accumulator)
    steps = [None, ("stop", 1, d), ("stop", 0, 2), ("bump", 0, 2, 2 * d % 2**32), ("stop", 1, d)]
    rows = list(table("chatapp.md", "report", "`expected`", "`reported`", "then"))
    for step, (_, expected, reported, _) in zip(steps, rows, strict=True):
        assert said == []
        if step is not None:
            getattr(accumulator, step[0])(0, *step[1:])
        assert (accumulator.expected, accumulator.reported) == (
            integers(expected),
            integers(reported),
        )
    assert said == [("poker/0", 0, 2, 2, 2 * d % 2**32, 2 * d % 2**32)]


@pytest.mark.parametrize(("answer", "verdict"), list(table("stdio.md", "answer", "it is")))
def test_an_answer_is_right_or_wrong_as_the_table_says(answer: str, verdict: str) -> None:
    line = json.loads(answer.strip("`"))
    if verdict.startswith("right"):
        json_lines.parsed("prepare", line["reply"])
    else:
        with pytest.raises(Exception, match=r"field|integer|fraction|number"):
            json_lines.parsed("prepare", line["reply"])


@pytest.mark.parametrize("benchmark", MICRO)
def test_a_small_run_is_the_models(benchmark: str) -> None:
    assert shown(benchmark) == section(benchmark), "python harness/tests/spec/runs_kit.py writes it"


def test_actors_are_placed_as_the_example_shows() -> None:
    classes = {
        "peer": names.PEER, "sender": names.SENDER, "browser": names.BROWSER,
        "employee": names.EMPLOYEE, "client": names.CLIENT, "directory": names.DIRECTORY,
        "directories": names.DIRECTORY,
    }  # fmt: skip
    label = "|".join(classes)
    parameters = SimpleNamespace(directories=2)
    placed = 0
    for _, *nodes in table("distributed.md", "benchmark", "node 0", "node 1", "node 2"):
        for node, cell in enumerate(nodes):
            for which, numbers in re.findall(rf"({label})s? ([\d, and]+)", cell):
                for index in integers(numbers):
                    actor = names.name(classes[which], index)
                    assert placement.node_of(actor, 3, parameters) == node
                    placed += 1
    assert placed == 5 * 4 + 7 + 2
