"""Posts of a client that nobody watches: which is its nth, as far as it is seen.

A payload says how many posts its client has sent before (CHAT-24). That number is the
schedule's, since a client without a chat sends none; but it rises from post to post, and by
no more than the client has chosen to post in between.
"""

from bisect import bisect_left, insort

from dramaturg.trace.partial.chatapp.script import Diary


class Posts:
    """The known facts about one client's posts, by their turns."""

    def __init__(self, diary: Diary) -> None:
        self._chosen = diary.posts
        self._turns: list[int] = []
        self._numbers: dict[int, int] = {}

    def fits(self, turn: int, number: int) -> bool:
        """True if its post of this turn can have this number. If so, it has from now on."""
        if turn in self._numbers:
            return self._numbers[turn] == number
        if number > self._chosen[turn]:
            return False
        at = bisect_left(self._turns, turn)
        if at > 0 and not self._follows(self._turns[at - 1], turn, number):
            return False
        if at < len(self._turns):
            later = self._turns[at]
            ahead = self._numbers[later] - number
            if not 1 <= ahead <= self._chosen[later] - self._chosen[turn]:
                return False
        insort(self._turns, turn)
        self._numbers[turn] = number
        return True

    def _follows(self, earlier: int, turn: int, number: int) -> bool:
        ahead = number - self._numbers[earlier]
        return 1 <= ahead <= self._chosen[turn] - self._chosen[earlier]
