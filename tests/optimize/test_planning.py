"""From labels to a plan: plain files without a run, votes that stop early, limits, and what is refused."""

from pathlib import Path

import pytest

from cutscore.api.optimizing import OptimizeRequest, plan_search
from cutscore.api.search_models import settle_limits
from cutscore.core.errors import BadInput
from cutscore.core.judgement import JudgeSpec, Weakness
from cutscore.core.label import Label, LabelledFiles
from cutscore.labels.files import merge_labels, write_labels
from cutscore.scoring.judges.choose import open_judge


def write_file_labels(folder: Path, n: int = 12) -> Path:
    """Labels of so many videos, half of them with a weakness."""
    labels = []
    for number in range(n):
        (folder / f"{number}.mp4").write_bytes(bytes([number]))
        named = (Weakness(text="The hand melts."),) if number % 2 else ()
        files = LabelledFiles(video=f"{number}.mp4", prompt=f"A hand waves {number} times.")
        labels.append(
            Label(benchmark="own", item=f"v{number}", kind="weaknesses", person="ann", weaknesses=named, files=files)
        )
    write_labels(folder / "labels.jsonl", labels)
    return folder / "labels.jsonl"


def request(labels: Path, **more: object) -> OptimizeRequest:
    judge = "scripted/hello"
    return OptimizeRequest((labels,), (), judge, labels.with_name("better.md"), calls=50, **more)  # type: ignore[arg-type]


def test_labels_of_plain_files_need_no_run(tmp_path: Path) -> None:
    plan = plan_search(request(write_file_labels(tmp_path)))
    assert plan.settings.sizes == {"train": 4, "dev": 4, "test": 4}
    assert plan.settings.prevalence["dev"] == 0.5
    assert plan.settings.benchmark == "own"
    assert plan.settings.matcher == "characters"
    assert plan.given.first.startswith("You judge work that somebody else has handed in.")  # no benchmark has another
    assert any("approximate" in each for each in plan.warnings)
    (case,) = (each for each in plan.given.runs.cases if each.item == "v3")
    assert [shown.label for shown in case.view.shown] == ["prompt", "video"]
    assert "Which noticeable weaknesses does the video have" in case.questions[0].text


def test_labels_that_name_nothing_want_a_run(tmp_path: Path) -> None:
    write_labels(tmp_path / "bare.jsonl", [Label(benchmark="own", item="a", person="ann", answer="yes")])
    with pytest.raises(BadInput, match="labels: name no files; name a run with --run"):
        plan_search(request(tmp_path / "bare.jsonl"))


def test_a_judge_without_a_model_cannot_write_prompts(tmp_path: Path) -> None:
    labels = write_file_labels(tmp_path)
    with pytest.raises(
        BadInput, match="'constant:no' is no model that could write a prompt; name one with --optimizer"
    ):
        plan_search(OptimizeRequest((labels,), (), "constant:no", tmp_path / "b.md", calls=9))


@pytest.mark.parametrize(("said", "early"), [(None, False), (True, True)])
def test_votes_stop_early_when_asked(said: bool | None, early: bool) -> None:
    assert open_judge(JudgeSpec("scripted/hello", 5, stop_early=said)).terms["stop_early"] is early


def test_dollars_are_the_papers_where_every_price_is_known() -> None:
    known = "openai/gpt-4o"
    assert settle_limits([known, "characters"], calls=None, cost_limit_usd=None) == 30.0
    assert settle_limits([known], calls=None, cost_limit_usd=2.5) == 2.5
    assert settle_limits(["scripted/a.json"], calls=800, cost_limit_usd=None) is None
    with pytest.raises(BadInput, match="nothing here costs money, so nothing would end it; give --calls N"):
        settle_limits(["truth"], calls=None, cost_limit_usd=None)


def test_clusters_in_two_splits_are_warned_of(tmp_path: Path) -> None:
    file = write_file_labels(tmp_path)
    splits = ("train", "dev", "test")
    same = [
        label.model_copy(
            update={"split": splits[number // 2 % 3], "files": LabelledFiles(video="0.mp4", prompt="One.")}
        )
        for number, label in enumerate(merge_labels([file]).labels)
    ]
    write_labels(file, same)
    plan = plan_search(request(file))
    assert "1 clusters are in more than one split" in " ".join(plan.warnings)
