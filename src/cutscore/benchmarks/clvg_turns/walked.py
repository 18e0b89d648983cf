"""Which walk a sample took, and under which name each of its films was recorded."""

from cutscore.benchmarks.clvg_turns.dataset import SCRIPTED, InteractionCase
from cutscore.benchmarks.clvg_turns.film_names import film_name
from cutscore.core.evidence import Evidence


def walked_user(item: InteractionCase, evidence: Evidence) -> str:
    """Return the user whose answers were given, as far as they go; the scripted one where nobody recorded any."""
    said = tuple(turn.feedback for turn in evidence.turns if turn.feedback)
    return next((user for user, words in item.feedback.items() if words[: len(said)] == said), SCRIPTED)


def recorded_film(evidence: Evidence, turn: int) -> str:
    """Return the name of the film of a turn: its own where it was handed over last, or without turns at all."""
    ended = max((each.number for each in evidence.turns if not each.not_made), default=turn)
    return film_name(turn) if turn == ended or not evidence.turns else f"turn-{turn}/{film_name(turn)}"


def failure_of(evidence: Evidence, turn: int) -> tuple[str, str]:
    """Return how a generator failed in a turn, as class and words; both empty where it did not."""
    made = next((each.deliverable for each in evidence.turns if each.number == turn), None)
    return (made.failure_class or "", made.failure) if made else ("", "")
