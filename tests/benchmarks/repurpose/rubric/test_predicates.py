"""Predicates over a source's own time: each on both sides of its bound, by hand-made maps."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from cutscore.benchmarks.repurpose.rubric.predicates import (
    BeatPredicate,
    CoveragePredicate,
    Decision,
    EndingPredicate,
    LengthPredicate,
    OpeningPredicate,
    OrderPredicate,
    PacePredicate,
    Predicate,
    SharePredicate,
    ShowsPredicate,
    WholePredicate,
)
from cutscore.benchmarks.repurpose.source_map.edit import EditPiece, SourceMap, refuse_hollow, share_of
from cutscore.core.timeline import Span


def span(start: float, end: float) -> Span:
    return Span(start_s=start, end_s=end)


def film(*pieces: tuple[float, float] | float, silent: tuple[int, ...] = (), **shares: Any) -> SourceMap:
    """Give the map of a film: stretches of the source, or seconds of something else, one after the other."""
    made, at = [], Fraction(0)
    for number, each in enumerate(pieces):
        shown = None if isinstance(each, int | float) else span(*each)
        end = at + (shown.length_s if shown else Fraction(each))  # type: ignore[arg-type]
        out = Span(start_s=at, end_s=end)
        made.append(
            EditPiece(out=out, source="source" if shown else None, at=shown, heard=bool(shown) and number not in silent)
        )
        at = end
    usual = {"from_source": 1.0, "coverage": 0.5, "frozen": 0.0, "padded": 0.0, "letterboxed": 0.0, "heard": 1.0}
    return SourceMap(pieces=tuple(made), **{**usual, "ungrounded": False, **shares})


def paced(*pieces: tuple[str, float]) -> SourceMap:
    """Give the map of a film: each piece is so many times as fast as the source, and lasts so many seconds."""
    made, out, at = [], Fraction(0), Fraction(0)
    for speed, lasts in pieces:
        length, rate = Fraction(lasts), Fraction(speed)
        place = Span(start_s=at, end_s=at + length * rate)
        made.append(
            EditPiece(
                out=Span(start_s=out, end_s=out + length), source="source", at=place, speed=float(rate), heard=True
            )
        )
        out, at = out + length, place.end_s + 1
    return replace(film((0, 1)), pieces=tuple(made))


def yes(predicate: Any, seen: SourceMap) -> bool:
    fact = predicate.decide(seen)
    assert isinstance(fact, Decision)
    assert fact.because
    return fact.yes


GOAL = span(12, 15)


@pytest.mark.parametrize(
    ("pieces", "least", "so"),
    [
        (((11, 13),), 1, True),
        (((11, 12.9),), 1, False),
        (((20, 25), (11, 12.5), (14, 14.5)), 1, True),  # half a second twice
        (((12, 12.5), (12, 12.5), (12, 12.5)), 1, False),  # the same half second three times
        (((12.1, 14.9),), 3, True),  # a quarter of a second may be cut off
        (((12.2, 14.9),), 3, False),
        ((3.0,), 1, False),
    ],
)
def test_a_moment_is_seen_when_enough_of_it_is(pieces: Any, least: float, so: bool) -> None:
    assert yes(ShowsPredicate(span=GOAL, least_s=least), film(*pieces)) is so


def test_what_has_to_be_heard_is_not_there_without_its_sound() -> None:
    assert yes(ShowsPredicate(span=GOAL, heard=True), film((12, 14)))
    assert not yes(ShowsPredicate(span=GOAL, heard=True), film((12, 14), silent=(0,)))


def test_the_place_in_the_film_is_told() -> None:
    fact = ShowsPredicate(span=GOAL).decide(film((0, 2), (11, 13)))
    assert fact.at == span(3, 4)
    assert fact.because == "1.00 s of 00:12.000–00:15.000 of the source are seen, 0.50 s are enough"


@pytest.mark.parametrize(
    ("pieces", "so"),
    [
        (((0, 2),), True),
        (((0, 1.8),), True),
        (((0, 1.5),), False),
        (((0, 2), (4, 4.2)), True),
        (((0, 2), (4, 5)), False),
    ],
)
def test_a_sentence_that_is_played_is_played_to_its_end(pieces: Any, so: bool) -> None:
    assert yes(WholePredicate(spans=(span(0, 2), span(4, 6))), film(*pieces)) is so


def test_order_is_that_of_first_sights() -> None:
    both = OrderPredicate(spans=(span(0, 2), span(4, 6)))
    assert yes(both, film((0, 1), (4, 5)))
    assert yes(both, film((0, 1), (4, 5), (0, 1)))
    assert not yes(both, film((4, 5), (0, 1)))
    assert "is not seen" in both.decide(film((0, 1))).because


def test_beginnings_and_ends() -> None:
    assert yes(OpeningPredicate(span=span(4, 6)), film((4, 5), (0, 1)))
    assert not yes(OpeningPredicate(span=span(4, 6)), film((0, 1), (4, 5)))
    assert not yes(OpeningPredicate(span=span(4, 6)), film(1.0, (4, 5)))
    assert yes(EndingPredicate(span=span(4, 6)), film((0, 1), (4, 5)))
    assert not yes(EndingPredicate(span=span(4, 6)), film((4, 5), (0, 1)))
    assert not yes(EndingPredicate(span=span(4, 6)), film((4, 5), 0.5))


def test_parts_are_counted() -> None:
    parts = (span(0, 2), span(4, 6), span(8, 10))
    assert yes(CoveragePredicate(spans=parts, least=2), film((0, 1), (8, 9)))
    assert not yes(CoveragePredicate(spans=parts, least=3), film((0, 1), (8, 9)))


def test_lengths_of_film_and_shots() -> None:
    assert not yes(LengthPredicate(over_s=3), film((0, 3)))
    assert yes(LengthPredicate(over_s=3), film((0, 3.125)))
    assert yes(PacePredicate(shortest_s=1, longest_s=2), film((0, 1), (4, 6)))
    assert not yes(PacePredicate(shortest_s=1), film((0, 0.9), (4, 6)))
    assert yes(
        PacePredicate(shortest_s=1), film((9, 9.125), (0, 1), (4, 6), (7, 7.125))
    )  # a stray picture at either end
    assert not yes(PacePredicate(shortest_s=1), film((0, 1), (9, 9.125), (4, 6)))  # in the middle it is a flash
    assert not yes(PacePredicate(longest_s=2), film((0, 1), (4, 6.1)))


def test_cuts_fall_on_beats_of_the_source() -> None:
    beats = BeatPredicate(beats_s=(0, 1, 2, 3, 4), within_s="1/8", least=0.5)
    assert yes(beats, film((0.5, 1), (3.125, 4), (2.5, 3)))  # the beginning is no cut
    assert not yes(beats, film((0, 1), (3.25, 4), (2.5, 3)))
    assert yes(beats, film((0.5, 1), (3.125, 4), (2.5, 2.625)))  # a stray picture at the end is no cut
    assert not yes(beats, film((0, 1)))


def test_shares_have_bounds_that_are_included() -> None:
    third = film((0, 2), (0, 1))
    assert share_of(third, "repeated") == pytest.approx(1 / 3)
    assert yes(SharePredicate(share="from_source", least=0.5), film((0, 1), from_source=0.5))
    assert not yes(SharePredicate(share="from_source", least=0.5), film((0, 1), from_source=0.49))
    assert yes(SharePredicate(share="frozen", most=0.5), film((0, 1), frozen=0.5))
    assert not yes(SharePredicate(share="frozen", most=0.5), film((0, 1), frozen=0.51))
    # A penalty describes what nobody asks for.
    told = SharePredicate(share="repeated", least=1 / 3).decide(film((0, 2)))
    assert told.because == "0% of the film repeats what it has shown before; the line says at least 33%"


@pytest.mark.parametrize(
    ("made", "name"),
    [
        (film((0, 2), (0, 1)), ""),
        (film((0, 2), (0, 1.25)), "repeated"),
        (film((0, 1), frozen=0.5), ""),
        (film((0, 1), frozen=0.51), "frozen"),
        (paced(("1", 1), ("2", 1)), ""),
        (paced(("1", 1), ("2", 1.25)), "hurried"),
        (paced(("1/2", 2)), ""),
        (film((0, 1), padded=0.26), "padded"),
        (film((0, 1), letterboxed=0.26), "letterboxed"),
        (film((0, 1), ungrounded=True), "ungrounded"),
    ],
)
def test_what_is_filled_instead_of_told_is_hollow(made: SourceMap, name: str) -> None:
    refusal = refuse_hollow(made)
    assert (refusal.name if refusal else "") == name


def test_predicates_are_written_and_read_by_their_words() -> None:
    both: TypeAdapter[Predicate] = TypeAdapter(Predicate)
    for each in (
        ShowsPredicate(span=GOAL, heard=True),
        SharePredicate(share="heard", least=0.75),
        BeatPredicate(beats_s=("1/3",)),
    ):
        assert both.validate_json(both.dump_json(each)) == each
    with pytest.raises(ValidationError, match="does not match any of the expected tags"):
        both.validate_python({"what": "feels right"})
