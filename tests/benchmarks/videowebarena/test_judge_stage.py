"""The judge of our own tasks: wordings that count, and pictures that say what they were drawn from."""

from pathlib import Path

import pytest

from cutscore.benchmarks.videowebarena.dataset import WebItem
from cutscore.benchmarks.videowebarena.judge_stage import judge_by_truth
from cutscore.benchmarks.videowebarena.scripts import TaskScripts
from cutscore.benchmarks.videowebarena.task_checks import TaskChecks
from cutscore.benchmarks.videowebarena.websites.picture_words import read_words
from cutscore.benchmarks.videowebarena.websites.pictures import DrawnPicture, draw_picture
from cutscore.core.evidence import Evidence
from cutscore.core.judgement import Question
from cutscore.store import Store

NOTE = "the shop sells no boats"


def item(accepted: dict[str, list[str]]) -> WebItem:
    done = {"about": "x"}
    scripts = TaskScripts.model_validate({"perfect": done, "near_misses": [done], "accepted": accepted})
    return WebItem(
        id="vwa-x-0",
        cluster="v",
        set="vwa",
        site="x",
        intent="buy",
        sites=("x",),
        start_urls=(),
        checks=TaskChecks(final=None),
        scripts=scripts,
    )


@pytest.mark.parametrize(
    ("said", "answer"), [("Sorry: there are no  BOATS here", "same"), ("I could not find it", "different")]
)
def test_a_reason_is_the_same_where_it_has_an_accepted_wording(said: str, answer: str) -> None:
    question = Question(id="unachievable", kind="choice", text=f"Why: {NOTE}", choices=("same", "different"))
    (judged,) = judge_by_truth([question], Evidence(facts={"answer": said}), item({NOTE: ["no boats"]}))
    assert (judged.judge, judged.answer) == ("stage", answer)


def test_wordings_of_another_reference_do_not_count() -> None:
    question = Question(id="fuzzy", kind="choice", text="The reference answer: Lyon", choices=("correct", "incorrect"))
    accepted = {"Lyon": ["lyon", "lyons"], "Paris": ["paris"]}
    (judged,) = judge_by_truth([question], Evidence(facts={"answer": "Paris"}), item(accepted))
    assert judged.answer == "incorrect"


def test_of_a_task_without_wordings_nothing_is_said() -> None:
    question = Question(id="fuzzy", kind="choice", text="The reference answer: Lyon", choices=("correct", "incorrect"))
    (judged,) = judge_by_truth([question], Evidence(facts={"answer": "Lyon"}), item({}))
    assert judged.answer is None
    assert judged.because == "nobody wrote down accepted wordings; name a judge"


def test_a_picture_shows_what_it_was_drawn_to_show(tmp_path: Path) -> None:
    store = Store(tmp_path)
    drawn = store.put_bytes(draw_picture(DrawnPicture(kind="cup", colour="red", ground="blue")), name="a.png")
    foreign = store.put_bytes(b"\x89PNG\r\n\x1a\n" + bytes(60), name="b.png")
    question = Question(id="vqa", kind="short", text="Which colour has the cup?")
    said = [
        judge_by_truth([question], Evidence(files=(ref,)).bind(store), item({}))[0].answer for ref in (drawn, foreign)
    ]
    assert said == ["a red cup on a blue background", None]
    assert read_words(b"") == ""
