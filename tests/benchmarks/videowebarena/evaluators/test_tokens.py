"""Words: by examples, by their own two ways, and beside NLTK where it and its sentence splitter are installed."""

import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cutscore.benchmarks.videowebarena.evaluators.text import clean_answer
from cutscore.benchmarks.videowebarena.evaluators.tokens import has_word, tokens


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("don't go, it's john's.", ["do", "n't", "go", ",", "it", "'s", "john", "'s", "."]),
        ("cannot we gonna", ["can", "not", "we", "gon", "na"]),
        ("at 3:30, 1,234 or 12%", ["at", "3:30", ",", "1,234", "or", "12", "%"]),
        ("a::b x--y ...", ["a", ":", ":b", "x", "--", "y", "..."]),
        ("<p>the end.</p>", ["<", "p", ">", "the", "end.", "<", "/p", ">"]),
        (
            "see fig. two. then mr. x of the u.s. did",
            ["see", "fig", ".", "two", ".", "then", "mr.", "x", "of", "the", "u.s.", "did"],
        ),
        ("0. items and 0. 5", ["0.", "items", "and", "0", ".", "5"]),
        ("in the u.s.", ["in", "the", "u.s", "."]),
        ('he said "yes."', ["he", "said", "``", "yes", ".", "''"]),
        ("dogs' tails 'a", ["dogs", "'", "tails", "'", "a"]),
        ("", []),
        (" \n\t", []),
    ],
)
def test_cuts_as_the_treebank_does(text, words):
    assert tokens(text) == words


WORDS = ["a", "b1", "0", "mr.", ".", "'s", "can", "u.s", "not", "na", "n't", "t", "me", "is", "/a", "-1", "gon"]
PIECES = st.sampled_from(
    [*"ab1.,:;'\"()-$%!? \n", ". ", "'s ", "n't ", "...", "cannot", " 0. ", "u.s.", "mr. ", "\xa0"]
)


@given(st.lists(PIECES, max_size=12).map("".join), st.sampled_from(WORDS))
@example("10 of 0.", "0")
def test_looking_for_one_word_agrees_with_cutting_all(text, word):
    assert has_word(word, text) == (word in tokens(text))


@pytest.mark.real
@pytest.mark.parametrize("text", ["a" * 2_000_000, "0.0" * 700_000, "x 10 " * 400_000, "'" * 500_000, "(" * 500_000])
def test_a_long_text_takes_no_longer_than_its_length(text):
    started = time.process_time()
    assert not has_word("0", text)
    assert time.process_time() - started < 5


@pytest.mark.real
def test_cuts_as_nltk_does(released_tasks):
    """Of all wanted texts one differs (a drawing made of marks); NLTK 3.10 cuts dashes and opening quotes as well."""
    nltk = pytest.importorskip("nltk", reason="NLTK is not installed: pip install 'nltk<3.10'")
    try:
        nltk.data.find("tokenizers/punkt_tab/english")
    except LookupError:
        pytest.skip("NLTK has no Punkt table here: NLTK_DATA names a folder that has punkt_tab")
    wanted = {clean_answer(text) for _, entry in released_tasks for text in _wanted_texts(entry)}
    differ = [text for text in wanted if nltk.word_tokenize(text) != tokens(text)]
    assert len(differ) <= (1 if nltk.__version__ < "3.10" else 15)


def _wanted_texts(entry):
    sections = [entry.get(name) or {} for name in ("eval", "intermediate_eval")]
    rules = [section.get("reference_answers") or {} for section in sections]
    rules += [target["required_contents"] for section in sections for target in section.get("program_html") or []]
    values = [value for rule in rules for value in rule.values()]
    texts = [text for value in values for text in (value if isinstance(value, list) else [value])]
    return [part for text in texts for part in text.split(" |OR| ")]
