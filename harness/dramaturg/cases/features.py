"""Did a run contain what its case is for? (``case.proto``, Feature)"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from dramaturg.model import names
from dramaturg.model.chatapp import LOGOUT
from dramaturg.model.messages import KINDS
from dramaturg.trace.events import AnyLogs, of_kinds
from dramaturg.v2 import case_pb2
from dramaturg.v2 import trace_pb2 as kind

_TURN_AT = {
    number: each.arguments.index("turn")
    for number, each in KINDS.items()
    if "turn" in each.arguments
}
_IN_TURNS = [number for number in _TURN_AT if KINDS[number].receiver_class == names.CLIENT]
_IN_CHATS, _TO_ACCUMULATORS = (
    [number for number, each in KINDS.items() if each.receiver_class == wanted]
    for wanted in (names.CHAT, names.ACCUMULATOR)
)


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


def _taken(logs: AnyLogs, *kinds: int) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """The receiver, the kind and the arguments of each message of these kinds."""
    return ((actor, number, args) for actor, (_, (number, args)) in of_kinds(logs, kinds))


def _received(logs: AnyLogs, wanted: int) -> bool:
    return any(True for _ in _taken(logs, wanted))


def _left_mid_iteration(logs: AnyLogs) -> bool:
    return any(args[0] != LOGOUT for _, _, args in _taken(logs, kind.MESSAGE_KIND_CHAT_LEAVE))


def _computed(logs: AnyLogs) -> bool:
    return any(args[1] > 0 for _, _, args in _taken(logs, kind.MESSAGE_KIND_ACCUMULATOR_STOP))


def _history_replayed(logs: AnyLogs) -> bool:
    return any(args[1] == 2 for _, _, args in _taken(logs, kind.MESSAGE_KIND_CLIENT_FORWARD))


def _double_member(logs: AnyLogs) -> bool:
    return _twice((chat, args[1]) for chat, _, args in _taken(logs, kind.MESSAGE_KIND_CHAT_JOIN))


def _lone_post(logs: AnyLogs) -> bool:
    members: Counter[int] = Counter()
    for chat, number, _ in _taken(logs, *_IN_CHATS):
        if number == kind.MESSAGE_KIND_CHAT_POST and members[chat] == 0:
            return True
        members[chat] += number == kind.MESSAGE_KIND_CHAT_JOIN
        members[chat] -= number == kind.MESSAGE_KIND_CHAT_LEAVE
    return False


def _double_friend(logs: AnyLogs) -> bool:
    befriended = _taken(logs, kind.MESSAGE_KIND_CLIENT_BEFRIEND)
    return _twice((client, args[0]) for client, _, args in befriended)


def _twice(pairs: Iterable[tuple[int, int]]) -> bool:
    """True if one of these comes twice."""
    seen = set()
    for pair in pairs:
        if pair in seen:
            return True
        seen.add(pair)
    return False


def _empty_turn(logs: AnyLogs) -> bool:
    nothing = (kind.MESSAGE_KIND_ACCUMULATOR_STOP, (0, 0))
    all_of: Counter[int] = Counter()
    empty: Counter[int] = Counter()
    for accumulator, number, args in _taken(logs, *_TO_ACCUMULATORS):
        all_of[accumulator] += 1
        empty[accumulator] += (number, args) == nothing
    return any(many > 1 and many == empty[each] for each, many in all_of.items())


def _history_again(logs: AnyLogs) -> bool:
    joined, posted = set(), set()
    for chat, number, args in _taken(logs, *_IN_CHATS):
        if number == kind.MESSAGE_KIND_CHAT_JOIN:
            if chat in posted and (chat, args[1]) in joined:
                return True
            joined.add((chat, args[1]))
        elif number == kind.MESSAGE_KIND_CHAT_POST:
            posted.add(chat)
    return False


def _chat_ended(logs: AnyLogs) -> bool:
    members: Counter[int] = Counter()
    last_turn = {}
    for chat, number, args in _taken(logs, *_IN_CHATS):
        members[chat] += number == kind.MESSAGE_KIND_CHAT_JOIN
        members[chat] -= number == kind.MESSAGE_KIND_CHAT_LEAVE
        last_turn[chat] = args[0]
    # Its creator was a member before any message.
    return any(members[chat] == -1 and turn != LOGOUT for chat, turn in last_turn.items())


def _turns_overlap(logs: AnyLogs) -> bool:
    latest: dict[int, int] = {}
    for client, number, args in _taken(logs, *_IN_TURNS):
        turn = args[_TURN_AT[number]]
        if turn == LOGOUT:
            continue
        if turn < latest.get(client, 0):
            return True
        latest[client] = turn
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
