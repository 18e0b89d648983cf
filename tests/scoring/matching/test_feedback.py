"""Lists are cleaned before they are matched, and an optimiser is told what was left out and what was made up."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from cutscore.core.judgement import Judgement, Weakness
from cutscore.core.matching import Confusion, WeaknessPairs
from cutscore.core.timeline import Span
from cutscore.scoring.matching.cleaning import clean_weaknesses
from cutscore.scoring.matching.feedback import match


@dataclass
class Told:
    """A matcher that was told which texts are the same, and counts how often it is asked."""

    same: frozenset[tuple[str, str]] = frozenset()
    plausible: frozenset[int] = frozenset()
    name: str = "told"
    approximate: bool = False
    asked: list[int] = field(default_factory=list)

    def pair(
        self, reference: Sequence[Weakness], predicted: Sequence[Weakness], *, coverage: bool = False
    ) -> WeaknessPairs:
        self.asked.append(len(reference) * len(predicted))
        pairs = [
            (one, other)
            for one, mine in enumerate(reference)
            for other, theirs in enumerate(predicted)
            if (mine.text, theirs.text) in self.same
        ]
        return WeaknessPairs(tuple(pairs), self.plausible)


def faults(*texts: str) -> list[Weakness]:
    return [Weakness(text=text) for text in texts]


def test_feedback_lists_what_was_left_out_and_what_was_made_up_by_their_words() -> None:
    told = Told(frozenset({("hand melts", "the hand dissolves")}))
    found = match(faults("hand melts", "sky flickers"), faults("too dark", "the hand dissolves", "no sound"), told)
    assert found.confusion == Confusion(tp=0.4, fp=0.4, fn=0.2)
    assert found.binary == Confusion(tp=1)
    assert found.pairs == ((0, 1),)
    assert (found.omissions, found.hallucinations) == (("sky flickers",), ("too dark", "no sound"))
    assert (found.matcher, found.approximate, found.mode) == ("told", False, "paper")


def test_where_one_side_is_empty_the_other_is_all_wrong_and_nobody_is_asked() -> None:
    told = Told()
    missed, made_up = match(faults("a", "b"), [], told), match(faults("None."), faults("x"), told)
    assert (missed.omissions, missed.hallucinations, missed.confusion) == (("a", "b"), (), Confusion(fn=1))
    assert (made_up.omissions, made_up.hallucinations, made_up.confusion) == ((), ("x",), Confusion(fp=1))
    assert match([], faults("no issues"), told).confusion == Confusion(tn=1)
    assert told.asked == []


def test_plausible_extras_are_no_hallucinations_in_reference_mode() -> None:
    told = Told(plausible=frozenset({0}))
    assert match(faults("a"), faults("x"), told, "paper").hallucinations == ("x",)
    found = match(faults("a"), faults("x"), told, "reference")
    assert (found.hallucinations, found.plausible, found.confusion) == ((), ("x",), Confusion(tp=0.5, fn=0.5))


def test_entries_that_are_none_are_dropped_and_named(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("INFO", logger="cutscore"):
        found = match(
            faults("The hand melts."),
            faults("the hand  melts", "The hand melts!", "N/A", " – ", "keine Mängel"),
            Told(),
        )
    assert [each.text for each in found.predicted] == ["the hand  melts"]
    assert found.dropped == (
        "judge: entry 2, 'The hand melts!', was named before",
        "judge: entry 3, 'N/A', says that there is nothing",
        "judge: entry 4, ' – ', has no words",
        "judge: entry 5, 'keine Mängel', says that there is nothing",
    )
    assert "dropped before matching: judge: entry 3, 'N/A', says that there is nothing" in caplog.text


def test_what_only_begins_like_a_null_phrase_or_has_another_place_stays() -> None:
    listed = [
        Weakness(text="No issues with the hand, yet it has six fingers"),
        Weakness(text="no shadow"),
        Weakness(text="flicker", at=Span(start_s=1, end_s=2)),
        Weakness(text="flicker", at=Span(start_s=5, end_s=6)),
        Weakness(text="flicker", code="F1"),
    ]
    assert clean_weaknesses(listed, whose="judge").kept == tuple(listed)


def test_a_weakness_without_a_code_is_written_as_before_there_were_codes() -> None:
    plain = {"text": "x", "at": None, "severity": None, "support": None}
    assert Weakness(text="x").model_dump(mode="json") == plain
    assert Weakness(text="x", code="F1").model_dump(mode="json") == {**plain, "code": "F1"}
    said = Judgement(question="q", judge="j", answer="yes", weaknesses=(Weakness(text="x"),))
    assert said.model_dump(mode="json")["weaknesses"] == [plain]
    assert Weakness.model_validate_json(Weakness(text="x", code="F1").model_dump_json()).code == "F1"
