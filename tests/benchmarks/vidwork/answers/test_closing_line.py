"""The closing line: read where it closes, and nowhere else."""

import pytest

from cutscore.benchmarks.vidwork.answers.closing_line import read_closing_line


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("ANSWER: before", "before"),
        ("Answer: After.", "after"),
        ("Thinking it over …\n\n**ANSWER: before**\n\n", "before"),
        ("final answer: before", "before"),
        ("> ANSWER = `after`", "after"),
        ("ＡＮＳＷＥＲ：before", "before"),
        ("ANSWER: before or after", "before or after"),
        ("ANSWER:", ""),
        ("ANSWER: before\nANSWER: after", "after"),
        ("ANSWER: before\nThough I am not sure.", None),
        ("The answer: before", None),
        ("My answer is before", None),
        ("before", None),
        ("", None),
        ("\n \n", None),
        ("ANSWER: " + "before " * 100, None),
        ("answerable: before", None),
    ],
)
def test_the_last_line_alone_can_close(text: str, said: str | None) -> None:
    assert read_closing_line(text) == said


def test_a_megabyte_before_it_does_not_hide_it() -> None:
    assert read_closing_line("x" * 10**6 + "\nANSWER: before") == "before"
    assert read_closing_line("ANSWER: before" + "x" * 10**6) is None
    assert read_closing_line("_" * 10**6 + "answer: before") is None
