"""Items of a rubric: who answers them, and which of them nobody could."""

from typing import Any

import pytest
from pydantic import ValidationError

from cutscore.benchmarks.repurpose.rubric.criteria import (
    Criterion,
    find_rubric_faults,
    find_wording_faults,
    format_items,
)
from cutscore.benchmarks.repurpose.rubric.predicates import LengthPredicate
from cutscore.core.bundle import Delivery

FILM = Delivery(name="final.mp4", container="mp4", aspect=(9, 16), length_s=8, within_s=1, sound=True)


def item(text: str = "The film shows the goal.", **fields: Any) -> Criterion:
    return Criterion(**{"id": "x", "pillar": "visual", "text": text, **fields})


@pytest.mark.parametrize(
    "text",
    [
        "The film shows the goal.",
        "The last shot is that of the appeal.",
        "At least three in four cuts fall on a beat of the music.",
        "The moment in which the wind takes the kite is in the film.",
        "Does the speaker's demand come before the reasons for it?",
        "The film ends with the close of the match.",
    ],
)
def test_one_statement_that_can_be_seen_is_sound(text: str) -> None:
    assert find_wording_faults("x", text) == []


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("The goal is shown and the crowd cheers.", "joins two statements ('and')"),
        ("The goal or the save is in the film.", "joins two statements ('or')"),
        ("The goal is in the film; the crowd cheers.", "joins two statements (';')"),
        ("The film opens with the goal, reveals the result.", "has several verbs (open, reveal)"),
        ("The goal is there. The crowd cheers.", "has 2 sentences"),
        ("The pacing is good.", "asks for taste ('good')"),
        ("The trailer is engaging.", "asks for taste ('engaging')"),
        ("The cut is well-timed.", "asks for taste ('well-timed')"),
        ("The editor wanted a sad mood.", "cannot be seen in the files ('The editor')"),
        ("The film tries to be sad.", "cannot be seen in the files ('tries to')"),
        ("Several players are in the picture.", "is vague ('Several')"),
    ],
)
def test_what_is_not_one_observable_statement_is_named(text: str, fault: str) -> None:
    assert find_wording_faults("x", text) == [f"'x' {fault}"]


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"pillar": "format"}, "items of the pillar format have a rule"),
        ({"rule": "length"}, "items of the pillar format have a rule, and only they"),
        ({"pillar": "format", "rule": "length", "predicate": LengthPredicate(over_s=1)}, "needs no predicate"),
        ({"points": 0}, "greater than 0"),
        ({"pillar": "mood"}, "Input should be"),
    ],
)
def test_an_item_that_nobody_could_answer_is_refused(fields: dict[str, Any], fault: str) -> None:
    with pytest.raises(ValidationError, match=fault):
        item(**fields)


def test_the_format_pillar_has_an_item_for_each_rule_of_the_brief() -> None:
    made = format_items(FILM)
    assert [each.rule for each in made] == ["container", "aspect", "length", "sound", "report"]
    assert made[2].text == "The film lasts 8 s, within 1 s."
    assert [each.rule for each in format_items(Delivery(name="a.mp4", codecs=("h264",)))] == ["codec", "report"]
    assert [fault for each in made for fault in find_wording_faults(each.id, each.text)] == []


def test_faults_of_a_whole_rubric() -> None:
    whole = [
        *format_items(FILM),
        item(id="goal"),
        item(id="goal-2"),
        item("The goal is heard.", id="call", pillar="narrative", evidence="file"),
    ]
    assert find_rubric_faults(whole) == [
        "rubric has no item of the pillar sound",
        "'call' is of the pillar narrative, and file does not answer it",
        "'goal-2' asks what another item asks",
    ]
    sound = [item("The call is heard.", id="call", pillar="sound", evidence="sound"), item(id="n", pillar="narrative")]
    assert find_rubric_faults([*format_items(FILM), item("The ball is seen.", id="v"), *sound]) == []
