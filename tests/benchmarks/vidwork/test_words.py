"""Words, numbers and stems: what becomes equal and what stays apart."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cutscore.benchmarks.vidwork.words import MOST_CHARACTERS, content_words, is_content, negates, stem, words

FAMILIES = [
    "chop chops chopped chopping",
    "slice slices sliced slicing",
    "stir stirs stirred stirring",
    "dry dries dried drying",
    "add adds added adding",
    "use uses used using",
    "wash washes washed washing",
    "press presses pressed pressing",
    "egg eggs",
    "tomato tomatoes",
    "box boxes",
    "movie movies",
    "need needs needed needing",
    "bleed bleeds bleeding",
    "tighten tightens tightened tightening",
]


@pytest.mark.parametrize("family", FAMILIES)
def test_the_forms_of_a_word_have_one_stem(family: str) -> None:
    assert len({stem(word) for word in family.split()}) == 1


def test_different_words_keep_different_stems() -> None:
    assert len({stem(family.split()[0]) for family in FAMILIES}) == len(FAMILIES)
    for one, other in [
        ("string", "str"),
        ("red", "r"),
        ("glass", "gla"),
        ("need", "ne"),
        ("thing", "th"),
    ]:
        assert stem(one) != stem(other)


@pytest.mark.parametrize(
    "same",
    [
        ("2", "two", "TWO", "2.0", "２", "4/2"),
        ("1/2", "½", "0.5", "half", "0,5", "2/4"),
        ("1½", "1 1/2", "1.5", "3/2"),
        ("1,000", "1000", "thousand", "1,000.0"),
        ("12", "dozen", "twelve"),
    ],
)
def test_a_number_has_one_spelling(same: tuple[str, ...]) -> None:
    assert len({tuple(words(text)) for text in same}) == 1


@pytest.mark.parametrize("text", ["1.2.3", "3/0", "9" * 5000, "1" * 19, "0/0"])
def test_what_is_no_quantity_is_compared_as_text(text: str) -> None:
    assert words(text) == [text]


def test_a_number_parts_from_its_unit() -> None:
    assert words("250ml at 180°C") == ["250", "ml", "at", "180", "c"]


def test_unseen_characters_and_forms_do_not_make_another_word() -> None:
    assert words("be\u00adfore ｂｅｆｏｒｅ BE\u200bFORE") == ["before"] * 3
    assert words("don’t") == words("don't") == ["don't"]
    assert words("Crème brûlée") == words("Cre\u0300me bru\u0302le\u0301e")


def test_content_words_leave_out_what_builds_a_sentence() -> None:
    assert content_words("Then they were adding the person's two eggs to it") == ["ad", "person", "2", "eg"]
    assert content_words("it is not") == ["it", "is", "not"]  # nothing else is left
    assert content_words("") == content_words("…!") == []


def test_negations_are_known_and_are_no_content() -> None:
    assert [word for word in words("It won't, cannot and never did; nobody knew") if negates(word)] == [
        "won't",
        "cannot",
        "never",
    ]
    assert not is_content("won't")
    assert not is_content("without")


def test_the_rest_of_an_endless_text_is_not_read() -> None:
    assert len(words("a " * 10**6)) == MOST_CHARACTERS // 2


@settings(max_examples=50)
@given(st.text())
def test_any_text_has_words_without_spaces_and_stems_that_are_not_empty(text: str) -> None:
    for word in words(text):
        assert word
        assert not word.isspace()
        assert 0 < len(stem(word)) <= len(word)


@settings(max_examples=50)
@given(st.text(st.characters(codec="ascii")))
def test_case_does_not_count(text: str) -> None:
    assert words(text) == words(text.upper())
