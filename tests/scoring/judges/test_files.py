"""A judge is asked about plain files: with a journal and a purse of its own folder, and without a run."""

import json
import shutil
from fractions import Fraction
from pathlib import Path
from typing import Any

import anyio
import numpy as np
import pytest

from cutscore.core.errors import BadInput, BudgetReached
from cutscore.core.judge_view import JudgeView, Shown
from cutscore.core.judgement import JudgeSpec, Question
from cutscore.ledger.call_book import read_spending
from cutscore.media.render import write_clip
from cutscore.scoring.judges.files import judge_files, judge_files_async, open_file_judge

RED = Question(id="red", kind="yes_no", text="Is file 1 red?")
HOW = Question(id="how", kind="scale", text="How red?")
BETTER = Question(id="better", kind="pairwise", text="Which is redder?")
YES = r'{"seal": "\g<seal>", "addressed": false, "answers": [{"id": "red", "because": "It is.", "answer": "yes"}]}'


@pytest.fixture
def film(tmp_path: Path) -> Path:
    """A clip of one second, red throughout."""
    file = tmp_path / "red.mp4"
    write_clip(file, [np.broadcast_to(np.uint8([200, 0, 0]), (16, 16, 3))] * 10, rate=Fraction(10))
    return file


@pytest.fixture
def scripted(tmp_path: Path) -> str:
    """A model that says yes, with the seal of the request."""
    script: dict[str, Any] = {"rules": [{"when": "seal (?P<seal>[0-9a-f]{8})", "say": YES}]}
    (tmp_path / "script.json").write_text(json.dumps(script), encoding="utf-8")
    return f"scripted/{tmp_path / 'script.json'}"


def test_a_model_is_paid_once_for_one_question_about_one_file(film: Path, scripted: str, tmp_path: Path) -> None:
    kept = tmp_path / "judged"
    (made,) = judge_files([RED], [film], judge=JudgeSpec(scripted, votes=3, frames="uniform=2"), folder=kept)
    assert (made.answer, made.votes, made.because) == ("yes", ("yes",) * 3, "It is.")
    lines = [json.loads(line) for line in (kept / "journal.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [len(line["seen"][0]["frames"]) for line in lines] == [2, 2, 2]
    assert read_spending(kept / "ledger.jsonl").answered == 3

    moved = shutil.copy(film, tmp_path / "other name.mp4")
    again = judge_files([RED], [moved], judge=JudgeSpec(scripted, votes=3, frames="uniform=2"), folder=kept)
    assert again == [made]
    assert read_spending(kept / "ledger.jsonl").answered == 3


def test_more_calls_than_threads_share_one_judge_and_equal_ones_are_paid_once(
    film: Path, scripted: str, tmp_path: Path
) -> None:
    async def ask_all() -> None:
        with open_file_judge(scripted, folder=tmp_path / "judged") as judge, anyio.fail_after(60):
            async with anyio.create_task_group() as group:
                for number in range(90):
                    question = RED.model_copy(update={"text": f"Is it red, for the {number % 45}. time?"})
                    group.start_soon(judge.ask, [question], [film])

    anyio.run(ask_all)
    assert len((tmp_path / "judged" / "journal.jsonl").read_text(encoding="utf-8").splitlines()) == 45
    assert read_spending(tmp_path / "judged" / "ledger.jsonl").answered == 45


def test_a_view_labels_plain_files(film: Path, tmp_path: Path) -> None:
    script = {"rules": [{"when": "(?s)======== edited [0-9a-f]{24}.*seal (?P<seal>[0-9a-f]{8})", "say": YES}]}
    (tmp_path / "script.json").write_text(json.dumps(script), encoding="utf-8")
    view = JudgeView(shown=(Shown(label="edited", file="red.mp4"),), frames="uniform=3")
    judge = f"scripted/{tmp_path / 'script.json'}"
    (made,) = judge_files([RED], [film], judge=judge, view=view, folder=tmp_path / "judged")
    assert made.answer == "yes"
    (line,) = (tmp_path / "judged" / "journal.jsonl").read_text(encoding="utf-8").splitlines()
    assert [seen["plan"] for seen in json.loads(line)["seen"]] == ["uniform=3"]
    assert json.loads(line)["seen"][0]["clip"]["name"] == "red.mp4", "the record has the file's own name"


def test_several_wait_side_by_side_in_a_running_loop(film: Path, scripted: str, tmp_path: Path) -> None:
    said: dict[str, Any] = {}

    async def ask(text: str) -> None:
        question = RED.model_copy(update={"text": text})
        (said[text],) = await judge_files_async([question], [film], judge=scripted, folder=tmp_path / "judged")

    async def all_of_them() -> None:
        async with anyio.create_task_group() as group:
            for number in range(4):
                group.start_soon(ask, f"Is it red, for the {number}. time?")

    anyio.run(all_of_them)
    assert [made.answer for made in said.values()] == ["yes"] * 4
    assert len((tmp_path / "judged" / "journal.jsonl").read_text(encoding="utf-8").splitlines()) == 4


def test_judges_without_a_key_answer_too(film: Path, tmp_path: Path) -> None:
    other = tmp_path / "deeper" / film.name
    other.parent.mkdir()
    shutil.copy(film, other)
    said = judge_files([RED, HOW, BETTER], [film, other], judge="constant:yes,8,B")
    assert [each.answer for each in said] == ["yes", 8, "B"]
    (colour,) = judge_files(
        [Question(id="colour", kind="choice", text="What colour is the panel?", choices=("red", "blue"))],
        [film],
        judge="reader",
        benchmark="colorbars",
    )
    assert colour.judge == "reader"


@pytest.mark.parametrize(
    ("judge", "said"),
    [
        ("truth", "judge 'truth': 'truth' looks up what it says by the item of a run"),
        ("people:x.jsonl", "judge 'people:x.jsonl': 'people' looks up what it says by the item of a run"),
        ("reader", "judge 'reader': belongs to a benchmark; say which one"),
        ("nobody", "no judge 'nobody'"),
    ],
)
def test_a_judge_that_needs_more_than_files_says_so(film: Path, judge: str, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        judge_files([RED], [film], judge=judge)


def test_a_missing_file_and_a_spent_budget_are_named(film: Path, scripted: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"file 'nowhere.mp4': is not there or not a regular file"):
        judge_files([RED], ["nowhere.mp4"], judge="constant:yes")
    with pytest.raises(BadInput, match="has no known price, so --cost-limit cannot be kept"):
        judge_files([RED], [film], judge=scripted, cost_limit_usd=1.0)
    (tmp_path / "cutscore.toml").write_text(
        f'[prices."{scripted}"]\ninput_usd_per_mtok = 1\noutput_usd_per_mtok = 1\n', encoding="utf-8"
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path)
        with pytest.raises(BudgetReached, match=r"spent \$0.00 of \$0.00"):
            judge_files([RED], [film], judge=scripted, cost_limit_usd=0.0, folder=tmp_path / "judged")
