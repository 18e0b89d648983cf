"""Steps: how answers are split, what matches, and that no way of writing gains by itself."""

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cutscore.benchmarks.vidwork.answers.steps import (
    MOST_STEPS,
    THRESHOLDS,
    char_dice,
    embedding_similarity,
    match_steps,
    pair_steps,
    split_steps,
    word_dice,
)

OMELETTE = ("Crack three eggs into a bowl", "Whisk the eggs", "Melt butter in the pan", "Pour the mixture into the pan")


def f1(answer: str, annotated: tuple[str, ...] = OMELETTE, **options: float) -> float:
    return match_steps(split_steps(answer), annotated, **options).f1


def numbered(steps: tuple[str, ...] | list[str]) -> str:
    return "\n".join(f"{number}. {step}" for number, step in enumerate(steps, start=1))


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("1. Crack eggs\n2. Whisk", ["Crack eggs", "Whisk"]),
        ("Steps:\n- Crack eggs\n* Whisk\n• Pour\nEnjoy!", ["Crack eggs", "Whisk", "Pour"]),
        ("**Step 1:** Crack eggs\n**Step 2:** Whisk", ["Crack eggs", "Whisk"]),
        ("1) Crack 2 eggs\n2) Bake at 200 - 220 degrees", ["Crack 2 eggs", "Bake at 200 - 220 degrees"]),
        ("### 1. Crack\n### 2. Whisk", ["Crack", "Whisk"]),
        ("1. Crack eggs. 2. Whisk them.", ["Crack eggs.", "Whisk them."]),
        ("Crack eggs\nWhisk", ["Crack eggs", "Whisk"]),
        ("First crack; then whisk! Pour?", ["First crack;", "then whisk!", "Pour?"]),
        ("- only one", ["only one"]),
        ("3 eggs are cracked. They are whisked.", ["3 eggs are cracked.", "They are whisked."]),
        ("2.5 cups of flour go in\nStir", ["2.5 cups of flour go in", "Stir"]),
        ("", []),
        ("1.\n2.\n…", []),
    ],
)
def test_list_lines_else_sentences(text: str, steps: list[str]) -> None:
    assert split_steps(text) == steps


def test_the_annotated_list_gets_full_marks_in_any_order_and_tau_tells_the_order() -> None:
    assert f1(numbered(OMELETTE)) == 1.0
    for order in permutations(OMELETTE):
        match = match_steps(split_steps(numbered(list(order))), OMELETTE)
        assert match.f1 == 1.0
        assert -1 <= (match.tau or 0) <= 1
    assert match_steps(OMELETTE, OMELETTE).tau == 1
    assert match_steps(OMELETTE[::-1], OMELETTE).tau == -1


def test_a_worked_example() -> None:
    """Three said, four annotated, two match: F1 = 2·2/(3+4)."""
    match = match_steps(["Crack the eggs in a bowl", "Melt some butter in a pan", "Serve with toast"], OMELETTE)
    assert match.pairs == ((0, 0), (2, 1))
    assert match.f1 == pytest.approx(4 / 7)
    assert (match.precision, match.tau) == (pytest.approx(2 / 3), 1)


def test_the_threshold_itself_is_a_match() -> None:
    assert word_dice("whisk cream", "whisk eggs") == 0.5
    assert match_steps(["whisk cream"], ["whisk eggs"]).f1 == 1.0
    assert match_steps(["whisk cream slowly"], ["whisk eggs"]).f1 == 0.0


def test_one_step_matches_once() -> None:
    """Saying the one step that is known ten times does not find ten."""
    match = match_steps(["Whisk the eggs"] * 10, OMELETTE)
    assert len(match.pairs) == 1
    assert match.f1 == pytest.approx(2 / 14)


def test_as_many_pairs_as_possible_are_formed() -> None:
    """Greedy pairing would give the only partner of the second step to the first."""
    assert len(pair_steps([[0.9, 0.6], [0.8, 0.0]], said=2, threshold=0.5).pairs) == 2


def test_a_generic_template_and_other_nonsense_score_little() -> None:
    assert f1("1. Gather supplies\n2. Perform the procedure\n3. Verify the result") == 0
    assert f1("") == f1("I cannot see the video.") == f1("🙂" * 50) == 0
    everything = numbered([*OMELETTE, *(f"Do something else number {count}" for count in range(40))])
    assert f1(everything) == pytest.approx(8 / 48)


def test_one_line_that_holds_all_steps_is_one_step() -> None:
    assert f1(", ".join(OMELETTE)) < 0.5


def test_verbose_steps_lose_by_their_words() -> None:
    padded = [f"{step}, carefully, using fresh ingredients, while talking about childhood summers" for step in OMELETTE]
    assert f1(numbered(padded)) < f1(numbered(OMELETTE))


def test_a_megabyte_is_read_to_an_end() -> None:
    many = match_steps(split_steps("whisk eggs\n" * 10**5), OMELETTE)
    assert many.said > MOST_STEPS
    assert many.f1 < 0.001
    assert f1("*" * 10**6) == 0
    assert f1("- " * 500_000) == 0


def test_f1_falls_as_the_threshold_rises() -> None:
    said = ["Crack the eggs", "Whisk all eggs quickly", "Melt butter", "Pour it in"]
    values = [match_steps(said, OMELETTE, threshold=threshold).f1 for threshold in THRESHOLDS]
    assert values == sorted(values, reverse=True)
    assert len(set(values)) > 1


def test_alternatives_have_names_of_their_own() -> None:
    assert char_dice("whisk the eggs", "whisk the egs") > 0.7
    assert word_dice("whisk the eggs", "whisk the egggs") == 0.5
    space = {"beat": (1.0, 0.0), "whisk": (0.9, 0.1), "pour": (0.0, 1.0), "": (0.0, 0.0)}
    likeness = embedding_similarity(lambda texts: [space[text] for text in texts], list(space))
    assert match_steps(["whisk"], ["beat"], similarity=likeness).f1 == 1.0
    assert match_steps(["pour"], ["beat"], similarity=likeness).f1 == 0.0
    assert likeness("", "pour") == 0


some_steps = st.lists(
    st.lists(st.sampled_from(["egg", "bowl", "whisk", "pan", "butter", "salt"]), min_size=1, max_size=4).map(" ".join),
    max_size=6,
)


@settings(max_examples=50)
@given(some_steps, some_steps)
def test_f1_is_the_same_from_both_sides_and_pairs_are_one_to_one(said: list[str], annotated: list[str]) -> None:
    match, mirrored = match_steps(said, annotated), match_steps(annotated, said)
    assert match.f1 == mirrored.f1
    assert 0 <= match.f1 <= 1
    assert len({one for one, _ in match.pairs}) == len({two for _, two in match.pairs}) == len(match.pairs)
    assert all(word_dice(said[two], annotated[one]) >= 0.5 for one, two in match.pairs)


@settings(max_examples=50)
@given(some_steps.filter(bool))
def test_every_list_matches_itself(steps: list[str]) -> None:
    assert match_steps(split_steps(numbered(steps)), steps).f1 == 1.0
