"""A recorded run as tables: each message is a row as it was logged. SQL reaches nothing else."""

import re
import socket
from pathlib import Path

import numpy as np
import pytest
from queries_kit import CHATAPP, PINGPONG, opened, performed, rows, saved

from dramaturg import paths
from dramaturg.model import messages, names
from dramaturg.model.messages import KINDS
from dramaturg.trace import recorded
from dramaturg.trace.events import TraceError
from dramaturg.trace.queries import message_tables
from dramaturg.trace.queries.database import QueryRefused
from dramaturg.trace.queries.first_questions import QUESTIONS, first_questions
from dramaturg.trace.queries.message_columns import message_columns, numbered
from dramaturg.trace.queries.message_tables import NO_TURN
from dramaturg.trace.watches import watch
from dramaturg.v2 import case_pb2, trace_pb2


@pytest.fixture(scope="module")
def chatapp(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return saved(tmp_path_factory.mktemp("runs") / "chatapp.run", CHATAPP)


def test_each_message_is_a_row_as_it_was_logged(chatapp: Path) -> None:
    _, logs = performed(CHATAPP)
    expected, pairs = [], dict.fromkeys([(0, 0)], 0)
    for receiver, log in logs.items():
        for event, (sender, (kind, args)) in enumerate(log):
            number = pairs.get((receiver, sender), 0)
            pairs[receiver, sender] = number + 1
            named = dict(zip(KINDS[kind].arguments, args, strict=True))
            if named.get("turn") == NO_TURN:
                del named["turn"]
            expected.append(
                [
                    names.spell(receiver), event, event, names.spell(sender), number,
                    messages.label(kind), kind, list(args), named.get("turn"),
                    messages.spell(kind, args),
                ]
            )  # fmt: skip
    found = rows(
        opened(chatapp),
        "SELECT receiver, event, number, sender, pair_number, kind, kind_number, args, turn,"
        " message FROM messages",
    )
    assert sorted(found, key=str) == sorted(expected, key=str)
    assert len(found) > 200


def test_a_name_is_there_in_words_and_in_parts(chatapp: Path) -> None:
    found = rows(opened(chatapp), "SELECT COLUMNS('receiver|sender') FROM messages")
    for receiver, label, index, second, sender, *its in found:
        assert names.parse(receiver) == names.name(_class(label), index, second)
        assert names.parse(sender) == names.name(_class(its[0]), its[1], its[2])
    assert any(second for _, _, _, second, *_ in found)


def _class(label: str) -> int:
    return next(number for number, known in names.LABELS.items() if known == label)


def test_a_table_for_each_kind_has_its_arguments_by_name(chatapp: Path) -> None:
    database = opened(chatapp)
    wide = rows(database, "SELECT receiver, event, sender, args FROM messages"
                " WHERE receiver_class = 'client' AND kind = 'forward' ORDER BY ALL")  # fmt: skip
    narrow = rows(database, 'SELECT receiver, event, sender, [turn, "level", payload]'
                  " FROM client_forward ORDER BY ALL")  # fmt: skip
    assert wide == narrow != []
    assert set(database.views) == {"messages", "actors"} | {
        message_tables.kind_view(kind) for log in performed(CHATAPP)[1].values()
        for _, (kind, _) in log
    }  # fmt: skip


def test_no_argument_has_the_name_of_another_column_of_its_table() -> None:
    for number in KINDS:
        columns = [column.name for column in message_tables.kind_columns(number)]
        assert len(columns) == len(set(columns))


def test_an_actor_is_a_row_with_what_it_took(tmp_path: Path) -> None:
    """``ping/0`` is asked for three messages from its second on."""
    _, logs = performed(PINGPONG)
    ping, pong = names.name(names.PING), names.name(names.PONG)
    watches = [watch(names.PING, begin=1, events=3), watch(names.PONG, events=0)]
    file = saved(
        tmp_path / "part.run", PINGPONG, {ping: logs[ping][1:4]}, watches=watches,
        counts=trace_pb2.TraceCounts(actor=[ping, pong], taken=[len(logs[ping]), len(logs[pong])]),
    )  # fmt: skip
    database = opened(file)
    assert rows(database, "SELECT actor, logged, taken FROM actors ORDER BY actor") == [
        ["ping/0", 3, len(logs[ping])], ["pong/0", 0, len(logs[pong])],
    ]  # fmt: skip
    assert rows(database, "SELECT event, number FROM messages ORDER BY event") == [
        [0, 1], [1, 2], [2, 3],
    ]  # fmt: skip
    with pytest.raises(TraceError, match="only a part of its actors was watched"):
        opened(file, sent=True)


def test_rows_of_one_key_are_numbered_as_they_stand() -> None:
    keys = np.array([7, 3, 7, 7, 3, 9], np.uint64)
    others = np.array([1, 1, 2, 1, 1, 1], np.uint64)
    assert numbered(keys).tolist() == [0, 0, 1, 2, 1, 0]
    assert numbered(others, keys).tolist() == [0, 0, 0, 1, 1, 0]
    assert numbered(np.zeros(0, np.uint64)).tolist() == []


def test_a_message_was_sent_upon_an_event_of_its_sender(chatapp: Path) -> None:
    """And that one was taken before it, in the order of the replay."""
    database = opened(chatapp, sent=True)
    assert rows(database, "SELECT count(*) FROM messages WHERE step IS NULL") == [[0]]
    assert rows(database, "SELECT DISTINCT sender FROM messages WHERE sent_upon IS NULL") == [
        ["control"]
    ]
    wrong = rows(
        database,
        "SELECT * FROM messages m JOIN messages c ON c.receiver = m.sender AND c.event ="
        " m.sent_upon WHERE c.step <> m.sent_step OR m.step <= c.step",
    )
    assert wrong == []
    found = rows(
        database,
        "SELECT c.kind FROM messages m JOIN messages c ON c.receiver = m.sender AND c.event ="
        " m.sent_upon WHERE m.kind = 'accepted' GROUP BY ALL",
    )
    assert found == [["join"]]
    numbers = rows(database, "SELECT max(sent_number) + 1 = count(*) FROM messages"
                   " WHERE sender_class = 'chat' GROUP BY sender")  # fmt: skip
    assert {whole for (whole,) in numbers} == {True}
    steps = [step for (step,) in rows(database, "SELECT step FROM messages ORDER BY step")]
    assert steps == list(range(1, len(steps) + 1))


def test_what_the_replay_does_not_come_to_was_sent_nobody_knows_when(tmp_path: Path) -> None:
    _, logs = performed(PINGPONG)
    pong = names.name(names.PONG)
    lost = logs[pong][:2] + logs[pong][3:]
    database = opened(saved(tmp_path / "lost.run", PINGPONG, logs | {pong: lost}), sent=True)
    known = rows(database, "SELECT event, step IS NOT NULL, sent_upon IS NOT NULL FROM messages"
                 " WHERE receiver = 'pong/0' ORDER BY event")  # fmt: skip
    assert known[:2] == [[0, True, True], [1, True, True]]
    assert known[2:] == [[event, False, False] for event in range(2, len(lost))]


def test_a_message_that_was_overtaken_is_found(tmp_path: Path) -> None:
    """A chat tells the accumulator first, then a client, which tells the accumulator as well: the
    chat's message may come last there, and is then found."""
    [question] = [each for each in QUESTIONS if "overtaken" in each.asks]
    sql = question.sql.partition(" LIMIT")[0]
    _, logs = performed(CHATAPP)
    before = rows(opened(saved(tmp_path / "run", CHATAPP, logs), sent=True), sql)
    accumulator, said = _delayed(logs)
    after = rows(opened(saved(tmp_path / "late", CHATAPP, logs), sent=True), sql)
    at = [names.spell(accumulator), len(logs[accumulator]) - 1, names.spell(said)]
    assert at not in [row[:3] for row in before]
    assert at in [row[:3] for row in after]


def _delayed(logs: dict[int, list[tuple[int, tuple[int, tuple[int, ...]]]]]) -> tuple[int, int]:
    """Has the last message of a chat be taken last by an accumulator: which, and whose."""
    for receiver, log in logs.items():
        if names.class_of(receiver) == names.ACCUMULATOR:
            chats = [at for at, (who, _) in enumerate(log) if names.class_of(who) == names.CHAT]
            forwarded = KINDS[log[chats[-1]][1][0]].label == "bump" if chats else False
            if forwarded and chats[-1] < len(log) - 1:
                log.append(log.pop(chats[-1]))
                return receiver, log[-1][0]
    raise AssertionError("no accumulator heard a chat before somebody else")


def test_every_first_question_has_an_answer(chatapp: Path) -> None:
    database = opened(chatapp, sent=True)
    questions = first_questions(database.views)
    assert len(questions) == len(QUESTIONS)
    for question in questions:
        answer = database.answer(question.sql)
        assert answer.columns
        list(answer.rows)
    longest = rows(database, next(each.sql for each in questions if "chat" in each.asks))
    assert 1 < longest[0][-1] <= CHATAPP.chatapp.turns
    most = rows(database, questions[0].sql)
    _, logs = performed(CHATAPP)
    assert most[0][1] == max(map(len, logs.values()))


def test_who_has_no_chats_is_not_asked_for_the_longest(tmp_path: Path) -> None:
    database = opened(saved(tmp_path / "pingpong.run", PINGPONG))
    assert "chat" not in " ".join(each.sql for each in first_questions(database.views))


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("SELECT nope FROM messages", 'Referenced column "nope" not found'),
        ("SELEC 1", 'syntax error at or near "SELEC"'),
        ("", "0 statements"),
        ("SELECT 1; SELECT 2", "2 statements"),
        ("FROM nope", "nope does not exist!; there are messages, actors"),
        ("SELECT CAST(kind AS INTEGER) FROM messages", "Could not convert string"),
        ("DROP VIEW messages", "DROP, which is not performed"),
        ("CREATE TABLE mine AS SELECT 1", "CREATE, which is not performed"),
        ("SET threads = 8", "SET, which is not performed"),
        ("INSTALL httpfs", "LOAD, which is not performed"),
        ("ATTACH 'x.db'", "ATTACH, which is not performed"),
        ("COPY messages TO 'x.csv'", "COPY, which is not performed"),
        ("PRAGMA version", "PRAGMA, which is not performed"),
        ("FROM read_text('{file}')", "Permission Error"),
        ("FROM read_csv('https://127.0.0.1:{port}/x')", "Permission Error"),
        ("FROM glob('/*')", "Permission Error"),
        ("FROM '{file}'", "does not exist"),
    ],
)
def test_a_query_that_is_none_or_reaches_for_more_is_refused_in_one_line(
    sql: str, said: str, chatapp: Path
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(0)
        asked = sql.format(file=chatapp, port=listening.getsockname()[1])
        with pytest.raises(QueryRefused) as raised:
            rows(opened(chatapp), asked)
        with pytest.raises(BlockingIOError):
            listening.accept()
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)


def test_settings_cannot_be_changed_by_whatever_else_is_a_statement(chatapp: Path) -> None:
    """The second wall: were they performed, the database would refuse them."""
    database = opened(chatapp)
    for statement in (
        "SET enable_external_access = true",
        "SET threads = 8",
        f"COPY messages TO '{chatapp}.csv'",
        "LOAD httpfs",
        f"ATTACH '{chatapp}.db'",
    ):
        with pytest.raises(Exception, match=r"locked|disabled"):
            database.connection.execute(statement)
    assert [file.name for file in chatapp.parent.iterdir()] == ["chatapp.run"]


def test_columns_hold_batches_to_the_same_rules_as_logs(chatapp: Path) -> None:
    run = recorded.load(chatapp)
    damaged = case_pb2.RecordedRun.FromString(run.SerializeToString())
    damaged.batches[0].kind[5] = 4000
    with pytest.raises(TraceError, match=r"event \d+ has kind 4000, which is no message"):
        message_columns(damaged)
    damaged.batches[0].CopyFrom(run.batches[0])
    del damaged.batches[0].args[3]
    with pytest.raises(TraceError, match="1 argument fewer"):
        message_columns(damaged)
    damaged.batches[0].CopyFrom(run.batches[0])
    damaged.watches.append(watch(names.CLIENT))
    with pytest.raises(TraceError, match="nobody watches it"):
        message_columns(damaged)


def test_a_run_in_which_nobody_took_anything_has_tables_without_rows(tmp_path: Path) -> None:
    database = opened(saved(tmp_path / "empty.run", PINGPONG, {}))
    assert rows(database, "SELECT count(*) FROM messages") == [[0]]
    assert rows(database, "FROM actors") == []


def test_the_specification_has_the_columns_that_there_are() -> None:
    text = (paths.ROOT / "spec" / "actors.md").read_text(encoding="utf-8")
    section = text.partition("### The logs as a table")[2].partition("\n### ")[0]
    shown = re.findall(r"^\| `(\w+)` \| ([A-Z]+(?:\[\])?) \| (.+) \|$", section, re.MULTILINE)
    columns = [*message_tables.message_columns(8), *message_tables.ACTOR_COLUMNS]
    assert shown == [(column.name, column.type, column.says) for column in columns]
