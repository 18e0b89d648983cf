"""What a judge is asked of a turn: three things that must all hold, and a fourth with the earlier films in view."""

from collections.abc import Mapping

from cutscore.core.judgement import Question

# The released judge has the first three; it sees no earlier film.
DIMENSIONS: Mapping[str, str] = {
    "branch": "Does the film show the reaction that the brief's rules give to this answer of the viewer, and no other?",
    "focus": "Is the thing or person that the script is about the right one, clearly seen and as the script says?",
    "action": "Does the action of the script really happen, from begin to end, believably and without a jump?",
}
CONTINUITY = "continuity"
ACROSS = (
    "Does the film go on from where the film before has ended, with the same people, things and place, and without a"
    " jump?"
)


def question_id(turn: int, dimension: str) -> str:
    """Return the id of a question, which is also the name of its finding.

    >>> question_id(2, "branch")
    'turn2/branch'
    """
    return f"turn{turn}/{dimension}"


def parse_question(id: str) -> tuple[int, str]:
    """Return turn and dimension of a question.

    >>> parse_question("turn12/focus")
    (12, 'focus')
    """
    turn, _, dimension = id.partition("/")
    return int(turn.removeprefix("turn")), dimension


def turn_questions(turn: int) -> list[Question]:
    """Return the three questions of a turn."""
    return [Question(id=question_id(turn, name), kind="yes_no", text=text) for name, text in DIMENSIONS.items()]


def continuity_question(turn: int) -> Question:
    """Return the question that is asked with the earlier films in view."""
    return Question(id=question_id(turn, CONTINUITY), kind="yes_no", text=ACROSS)
