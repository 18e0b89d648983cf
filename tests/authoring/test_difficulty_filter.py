import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutscore.authoring.difficulty_filter import FilterCandidate, FilterResult, filter_by_consensus
from cutscore.core.errors import BadInput

POOL = (
    FilterCandidate(item="steps", axis="step_recognition"),
    FilterCandidate(item="why", axis="causal_reasoning"),
    FilterCandidate(item="ab", axis="temporal_ordering", pair="p", closed=True),
    FilterCandidate(item="ba", axis="temporal_ordering", pair="p", closed=True),
    FilterCandidate(item="false", axis="error_detection", pair="p", closed=True),
    FilterCandidate(item="true", axis="error_detection", pair="p", closed=True),
)
NOTHING: dict[str, dict[str, float]] = {"a": {}, "b": {}, "c": {}}
EVERYTHING = {each.item: 1.0 for each in POOL}


def filtered(**changed: float | None) -> FilterResult:
    """Three baselines of which two answer everything; the third as told."""
    return filter_by_consensus(POOL, {"a": EVERYTHING, "c": EVERYTHING, "b": {**EVERYTHING, **changed}})


def test_what_all_answer_is_dropped():
    assert filtered().dropped == tuple(EVERYTHING)
    assert filtered().kept == ()
    assert filtered(why=0.0).kept == ("why",)


def test_open_questions_are_answered_from_the_threshold_on_and_closed_ones_by_a_full_mark():
    assert filtered(why=0.5, steps=0.49).kept == ("steps",)
    assert filtered(ab=0.99).kept == ("ab", "ba")
    strict = filter_by_consensus(POOL, {name: {**EVERYTHING, "why": 0.7} for name in "abc"}, enough=0.8)
    assert (strict.kept, strict.enough) == (("why",), 0.8)


def test_pairs_stay_or_go_together_within_their_axis():
    assert filtered(true=0.0).kept == ("false", "true")
    assert filtered(ba=0.0).kept == ("ab", "ba")


def test_unscored_is_never_an_answer_and_is_said():
    found = filtered(why=None)
    assert found.kept == ("why",)
    short = {item: score for item, score in EVERYTHING.items() if item != "steps"}
    missing = filter_by_consensus(POOL, {"a": EVERYTHING, "b": short, "c": EVERYTHING})
    assert missing.kept == ("steps",)
    for each in (found, missing):
        assert [count.unscored for count in each.baselines] == [0, 1, 0]
        assert str(each) == "5 of 6 items dropped, answered by a and b and c; unscored, and so not answered: b 1"


def test_counts_by_axis_and_baseline():
    found = filtered(why=0.1, true=0.0, steps=None)
    assert found.filtered_by == ("a", "b", "c")
    assert [(each.axis, each.kept, each.dropped) for each in found.axes] == [
        ("step_recognition", 1, 0),
        ("causal_reasoning", 1, 0),
        ("temporal_ordering", 0, 2),
        ("error_detection", 2, 0),
    ]
    counts = {each.name: (each.answered, each.missed, each.unscored) for each in found.baselines}
    assert counts == {"a": (6, 0, 0), "b": (3, 2, 1), "c": (6, 0, 0)}
    assert FilterResult.model_validate_json(found.model_dump_json()) == found


@pytest.mark.parametrize(
    ("pool", "marks", "enough", "said"),
    [
        (POOL, {"a": {}, "b": {}}, 0.5, "has 2 baselines; give 3 or more"),
        (POOL, {"a": {}, "b": {}, "c": {"strange": 1.0}}, 0.5, "baseline 'c' has a mark of 'strange'"),
        ((*POOL, POOL[0]), NOTHING, 0.5, "item 'steps' is there twice"),
        (POOL, NOTHING, 0.0, "'enough' is 0; give a score above 0"),
    ],
)
def test_what_cannot_be_is_refused(pool, marks, enough, said):
    with pytest.raises(BadInput, match=said):
        filter_by_consensus(pool, marks, enough=enough)


SCORES = st.lists(st.sampled_from([None, 0.0, 0.5, 1.0]), min_size=3, max_size=3)


@given(st.lists(st.tuples(st.sampled_from("xyz"), st.booleans(), SCORES), max_size=12))
def test_the_filter_by_its_definition(drawn):
    """Second opinion: an item goes exactly when no member of its pair has a baseline that does not answer it."""
    pool = [
        FilterCandidate(item=f"i{n}", axis="one", pair=pair.strip("z"), closed=shut)
        for n, (pair, shut, _) in enumerate(drawn)
    ]
    marks = {f"m{b}": {f"i{n}": scores[b] for n, (_, _, scores) in enumerate(drawn)} for b in range(3)}
    found = filter_by_consensus(pool, marks)
    assert sorted((*found.kept, *found.dropped)) == sorted(each.item for each in pool)
    for number, (pair, _, _) in enumerate(drawn):
        members = [n for n, (other, _, _) in enumerate(drawn) if other == pair and pair != "z"] or [number]
        missed = [
            score is None or score < (1 if drawn[n][1] else 0.5) for n in {*members, number} for score in drawn[n][2]
        ]
        assert (f"i{number}" in found.kept) == any(missed)
    for count in found.baselines:
        assert count.answered + count.missed + count.unscored == len(pool)
