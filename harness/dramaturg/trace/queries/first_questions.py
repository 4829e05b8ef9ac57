"""The first questions that people ask of a trace, with the SQL that answers them."""

from collections.abc import Collection
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Question:
    """A question, its SQL, the views of kinds that it reads, and whether it needs --sent."""

    asks: str
    sql: str
    needs: tuple[str, ...] = ()
    sent: bool = False


QUESTIONS = (
    Question(
        "Who received most?",
        "SELECT actor, taken FROM actors ORDER BY taken DESC, actor LIMIT 5",
    ),
    Question(
        "Which pairs exchanged most?",
        "SELECT sender, receiver, count(*) AS messages FROM messages GROUP BY ALL"
        " ORDER BY messages DESC, sender, receiver LIMIT 5",
    ),
    Question(
        "How many messages of each kind did each class take?",
        "SELECT receiver_class, kind, count(*) AS messages FROM messages GROUP BY ALL"
        " ORDER BY messages DESC, receiver_class, kind",
    ),
    Question(
        "Which chat lived longest, in turns?",
        "SELECT receiver AS chat, min(turn) AS first, max(turn) AS last, max(turn) - min(turn) + 1"
        " AS turns FROM messages WHERE receiver_class = 'chat' AND turn IS NOT NULL"
        " GROUP BY receiver ORDER BY turns DESC, chat LIMIT 5",
        needs=("chat_join",),
    ),
    Question(
        "Which message was taken after one of a later turn?",
        "SELECT receiver, event, sender, message FROM messages WHERE turn IS NOT NULL QUALIFY turn"
        " < max(turn) OVER (PARTITION BY receiver ORDER BY event) ORDER BY receiver, event LIMIT 5",
        needs=("client_forward",),
    ),
    Question(
        "Which pair had most messages under way, in one possible order?",
        "SELECT sender, receiver, max(under_way) AS most FROM (SELECT sender, receiver,"
        " sum(change) OVER (PARTITION BY sender, receiver ORDER BY moment, change DESC"
        " ROWS UNBOUNDED PRECEDING) AS under_way FROM (SELECT sender, receiver,"
        " sent_step AS moment, 1 AS change FROM messages WHERE step IS NOT NULL UNION ALL"
        " SELECT sender, receiver, step, -1 FROM messages WHERE step IS NOT NULL))"
        " GROUP BY ALL ORDER BY most DESC, sender, receiver LIMIT 5",
        sent=True,
    ),
    Question(
        "Which message was overtaken through a third actor?",
        "SELECT late.receiver, late.event, late.sender, late.message, quick.event AS overtaken_by,"
        " quick.sender AS through FROM messages late JOIN messages between_them ON"
        " between_them.sender = late.sender AND between_them.sent_number > late.sent_number JOIN"
        " messages quick ON quick.sender = between_them.receiver AND quick.sent_upon ="
        " between_them.event AND quick.receiver = late.receiver AND quick.event < late.event"
        " ORDER BY ALL LIMIT 5",
        sent=True,
    ),
)  # fmt: skip


def first_questions(views: Collection[str]) -> list[Question]:
    """Return the questions that a run with these views can answer."""
    return [each for each in QUESTIONS if all(view in views for view in each.needs)]
