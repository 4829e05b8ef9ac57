"""Did a run contain what its case is for? (``case.proto``, Feature)"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from dramaturg.model import names
from dramaturg.model.chatapp import LOGOUT
from dramaturg.model.messages import ARITY, KINDS
from dramaturg.trace.events import AnyLogs, Event
from dramaturg.v2 import case_pb2
from dramaturg.v2 import trace_pb2 as kind

_TURN_AT = {
    number: KINDS[number].arguments.index("turn")
    for number in ARITY
    if "turn" in KINDS[number].arguments
}


def found(logs: AnyLogs) -> set[int]:
    """The features that the run has."""
    return {feature for feature, has in _FOUND.items() if has(logs)}


def missing(logs: AnyLogs, features: Iterable[int]) -> list[int]:
    """Return those features that the run lacks."""
    return [feature for feature in features if not _FOUND[feature](logs)]


def lacking(features: Iterable[int]) -> str:
    """Say in words that a run lacks these."""
    names = (
        case_pb2.Feature.Name(feature).removeprefix("FEATURE_").replace("_", " ").lower()
        for feature in features
    )
    return f"the run had no {', no '.join(names)}, which it is for"


def _of_class(logs: AnyLogs, actor_class: int) -> Iterable[tuple[int, Sequence[Event]]]:
    return ((name, log) for name, log in logs.items() if names.class_of(name) == actor_class)


def _received(logs: AnyLogs, wanted: int) -> bool:
    actors = _of_class(logs, wanted >> 4)
    return any(message[0] == wanted for _, log in actors for _, message in log)


def _left_mid_iteration(logs: AnyLogs) -> bool:
    return any(
        message[0] == kind.MESSAGE_KIND_CHAT_LEAVE and message[1][0] != LOGOUT
        for _, log in _of_class(logs, names.CHAT)
        for _, message in log
    )


def _computed(logs: AnyLogs) -> bool:
    return any(
        message[0] == kind.MESSAGE_KIND_ACCUMULATOR_STOP and message[1][1] > 0
        for _, log in _of_class(logs, names.ACCUMULATOR)
        for _, message in log
    )


def _history_replayed(logs: AnyLogs) -> bool:
    return any(
        message[0] == kind.MESSAGE_KIND_CLIENT_FORWARD and message[1][1] == 2
        for _, log in _of_class(logs, names.CLIENT)
        for _, message in log
    )


def _double_member(logs: AnyLogs) -> bool:
    for _, log in _of_class(logs, names.CHAT):
        joins = [args[1] for _, (number, args) in log if number == kind.MESSAGE_KIND_CHAT_JOIN]
        if len(set(joins)) < len(joins):
            return True
    return False


def _lone_post(logs: AnyLogs) -> bool:
    for _, log in _of_class(logs, names.CHAT):
        members = 1
        for _, (number, _) in log:
            if number == kind.MESSAGE_KIND_CHAT_POST and members == 1:
                return True
            members += number == kind.MESSAGE_KIND_CHAT_JOIN
            members -= number == kind.MESSAGE_KIND_CHAT_LEAVE
    return False


def _double_friend(logs: AnyLogs) -> bool:
    for _, log in _of_class(logs, names.CLIENT):
        friends = [
            args[0] for _, (number, args) in log if number == kind.MESSAGE_KIND_CLIENT_BEFRIEND
        ]
        if len(set(friends)) < len(friends):
            return True
    return False


def _empty_turn(logs: AnyLogs) -> bool:
    nothing = (kind.MESSAGE_KIND_ACCUMULATOR_STOP, (0, 0))
    return any(
        len(log) > 1 and all(message == nothing for _, message in log)
        for _, log in _of_class(logs, names.ACCUMULATOR)
    )


def _history_again(logs: AnyLogs) -> bool:
    for _, log in _of_class(logs, names.CHAT):
        joined, posts = set(), 0
        for _, (number, args) in log:
            if number == kind.MESSAGE_KIND_CHAT_JOIN:
                if posts and args[1] in joined:
                    return True
                joined.add(args[1])
            posts += number == kind.MESSAGE_KIND_CHAT_POST
    return False


def _chat_ended(logs: AnyLogs) -> bool:
    for _, log in _of_class(logs, names.CHAT):
        kinds = Counter(message[0] for _, message in log)
        members = 1 + kinds[kind.MESSAGE_KIND_CHAT_JOIN] - kinds[kind.MESSAGE_KIND_CHAT_LEAVE]
        if members == 0 and log[-1][1][1][0] != LOGOUT:
            return True
    return False


def _turns_overlap(logs: AnyLogs) -> bool:
    for _, log in _of_class(logs, names.CLIENT):
        latest = 0
        for _, (number, args) in log:
            turn = args[_TURN_AT[number]] if number in _TURN_AT else LOGOUT
            if turn == LOGOUT:
                continue
            if turn < latest:
                return True
            latest = turn
    return False


_FOUND: dict[int, Callable[[AnyLogs], bool]] = {
    case_pb2.FEATURE_POST: lambda logs: _received(logs, kind.MESSAGE_KIND_CHAT_POST),
    case_pb2.FEATURE_LEAVE: _left_mid_iteration,
    case_pb2.FEATURE_INVITE: lambda logs: _received(logs, kind.MESSAGE_KIND_CHAT_JOIN),
    case_pb2.FEATURE_COMPUTE: _computed,
    case_pb2.FEATURE_HISTORY: _history_replayed,
    case_pb2.FEATURE_DOUBLE_MEMBER: _double_member,
    case_pb2.FEATURE_CHAT_ENDS: _chat_ended,
    case_pb2.FEATURE_TURNS_OVERLAP: _turns_overlap,
    case_pb2.FEATURE_LONE_POST: _lone_post,
    case_pb2.FEATURE_DOUBLE_FRIEND: _double_friend,
    case_pb2.FEATURE_EMPTY_TURN: _empty_turn,
    case_pb2.FEATURE_HISTORY_AGAIN: _history_again,
}
