"""A judge is asked about files that labels name, and its verdicts meet the labels, without any run."""

import json
from functools import partial
from pathlib import Path

import pytest
from anyio.from_thread import start_blocking_portal

from cutscore.core.errors import BadInput, BrokenData
from cutscore.core.judgement import JudgeSession, JudgeSpec, Question, Weakness
from cutscore.core.label import Label, LabelledFiles
from cutscore.core.subject import SubjectSpec
from cutscore.results.judge_card.measures import measures
from cutscore.results.judge_card.pairing import pair_with_labels
from cutscore.results.judge_card.plain_files import file_cases
from cutscore.results.judge_card.resampling import Resampling
from cutscore.results.judge_card.verdicts import JudgeCase, JudgeVerdict, ask
from cutscore.scoring.judges.call_folder import open_call_folder
from cutscore.scoring.judges.choose import open_judge
from cutscore.scoring.judges.local_files import LocalFiles
from cutscore.scoring.matching.feedback import match
from cutscore.scoring.matching.matchers import DEFAULT_MATCHER

FAULTS = Question(id="faults", kind="weaknesses", text="What is wrong with the video?")


def labelled(item: str, *faults: str, person: str = "ann", **files: object) -> Label:
    shown = LabelledFiles.model_validate({"video": f"{item}.txt", "prompt": "A cup falls.", **files})
    named = tuple(Weakness(text=text) for text in faults)
    return Label(benchmark="own", item=item, kind="weaknesses", person=person, weaknesses=named, files=shown)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Text files stand for videos, so that a scripted judge can read them."""
    for name in "abc":
        (tmp_path / f"{name}.txt").write_text(f"take {name}", encoding="utf-8")
    return tmp_path


def cases_of(labels: list[Label], root: Path) -> list[JudgeCase]:
    return file_cases(labels, [FAULTS], root=root, store=LocalFiles())


def test_a_case_shows_context_and_video_and_shares_a_cluster_with_its_context(root: Path) -> None:
    labels = [
        labelled("a", "cup floats", references=["c.txt"]),
        labelled("b", prompt="Another scene."),
        labelled("a", person="bob", references=["c.txt"]),
    ]
    one, other = cases_of(labels, root)
    assert [each.label for each in one.view.shown] == ["prompt", "reference 1", "video"]
    assert one.evidence.facts == {"prompt": "A cup falls."}
    assert one.evidence.path("video.txt").read_text(encoding="utf-8") == "take a"
    assert (one.cluster, other.cluster) == ("a", "b")
    assert cases_of([labelled("a"), labelled("b")], root)[1].cluster == "a", "the same context"
    run_label = labelled("a").model_copy(update={"files": None})
    assert cases_of([run_label], root) == []


def test_verdicts_about_files_meet_their_labels(root: Path) -> None:
    said = {"id": "faults", "because": "Seen."}

    def reply(*faults: str) -> str:
        answer = {**said, "weaknesses": [{"text": text} for text in faults]}
        return json.dumps({"seal": "SEAL", "addressed": False, "answers": [answer]}).replace("SEAL", r"\g<seal>")

    seal = r"seal (?P<seal>[0-9a-f]{8})"
    rules = [{"when": f"(?s)take a.*{seal}", "say": reply("the cup is floating")}, {"when": seal, "say": reply()}]
    (root / "judge.json").write_text(json.dumps({"rules": rules}), encoding="utf-8")
    labels = [
        labelled("a", "The cup floats"),
        labelled("b", "The light flickers", prompt="x"),
        labelled("c", prompt="y"),
    ]
    verdicts = ask_all(f"scripted/{root / 'judge.json'}", cases_of(labels, root), root / "asked")
    assert [each.judgement.answer for each in verdicts] == ["yes", "no", "no"]
    (pairing,) = pair_with_labels(labels, verdicts)
    found = {
        each.name: each.value
        for each in measures(
            "weaknesses",
            pairing.pairs,
            match=partial(match, matcher=DEFAULT_MATCHER),
            draws=Resampling(resamples=50),
        )[0]
    }
    assert found["faults found, by characters (approximate)"] == 0.5
    assert (found["sensitivity"], found["specificity"]) == (0.5, 1.0)


def ask_all(judge: str, cases: list[JudgeCase], folder: Path) -> list[JudgeVerdict]:
    with open_call_folder(folder) as calls, start_blocking_portal() as portal:
        cell_judge = open_judge(JudgeSpec(judge, journal=calls.journal_file))
        subject = SubjectSpec(kind="folder", label="folder")
        session = JudgeSession("files", subject, portal.call, tally=calls.tally(cell_judge.model))
        return list(ask(lambda _: cell_judge.for_sample(session), cases))


def test_what_is_missing_changed_or_contradicts_itself_is_named(root: Path) -> None:
    with pytest.raises(BadInput, match=r"nowhere.txt': is not there, and labels are about it"):
        cases_of([labelled("a", video="nowhere.txt")], root)
    with pytest.raises(BrokenData, match=r"a.txt': has sha256 .*, its label says 000000000000…"):
        cases_of([labelled("a", sha256={"a.txt": "0" * 64})], root)
    with pytest.raises(BrokenData, match="item 'a': labels name different files for it"):
        cases_of([labelled("a"), labelled("a", person="bob", video="b.txt")], root)
