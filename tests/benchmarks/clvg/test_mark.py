"""clvg: what a judge is shown, and what becomes of its weaknesses, of refusals and of files that are no videos."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from cutscore.benchmarks.clvg.ask_parts import GENERATED
from cutscore.benchmarks.clvg.dataset import ContextPart, GenerationCase
from cutscore.benchmarks.clvg.mark import FRAMES, compare, mark, show_context, view_of
from cutscore.core.deliverable import Deliverable
from cutscore.core.ending import ScoreGap
from cutscore.core.evidence import Evidence
from cutscore.core.finding import Finding
from cutscore.core.judge_view import WHOLE_VIEW, JudgeView
from cutscore.core.judgement import Judgement, Question, SampleJudge, Weakness
from cutscore.media.render import write_clip
from cutscore.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store")


def case(store: Store, subcategory: str = "mechanics") -> GenerationCase:
    picture = store.put_bytes(b"png", name="first.png", media_type="image/png")
    return GenerationCase(
        id="a",
        cluster="a",
        subcategory=subcategory,
        instruction="Let it fall.",
        files=(picture,),
        context=(ContextPart(role="first_frame", file="first.png"),),
    )


def evidence(store: Store, content: bytes | None) -> Evidence:
    files = () if content is None else (store.put_bytes(content, name=GENERATED, media_type="video/mp4"),)
    return Evidence(files=files).bind(store)


def video(folder: Path) -> bytes:
    import numpy as np

    write_clip(folder / "film.mp4", [np.full((36, 64, 3), 40 * n, np.uint8) for n in range(4)], rate=4)
    return (folder / "film.mp4").read_bytes()


class Says:
    """A judge who names these weaknesses, and remembers what it was shown."""

    def __init__(self, *weaknesses: Weakness, answered: bool = True) -> None:
        self.weaknesses, self.answered, self.views = weaknesses, answered, list[JudgeView]()

    def judge(self) -> SampleJudge:
        return SampleJudge("somebody", self.ask)

    def ask(
        self, questions: Sequence[Question], evidence: Evidence, *, view: JudgeView = WHOLE_VIEW
    ) -> list[Judgement]:
        self.views.append(view)
        answer = ("yes" if self.weaknesses else "no") if self.answered else None
        return [
            Judgement(question=each.id, judge="somebody", answer=answer, weaknesses=self.weaknesses, because="because")
            for each in questions
        ]


def scores(found: Sequence[Finding | ScoreGap]) -> dict[str, float | None]:
    return {each.name: each.score for each in found if isinstance(each, Finding)}


def gaps(found: Sequence[Finding | ScoreGap]) -> dict[str, str]:
    return {each.name: each.status for each in found if isinstance(each, ScoreGap)}


FALLS_UP = Weakness(text="It falls upwards.", code="impossible_motion", at=(1, 2))


def test_a_video_without_weaknesses_passes_and_one_with_fails_at_its_place(store: Store, tmp_path: Path) -> None:
    film = evidence(store, video(tmp_path))
    assert scores(mark(Deliverable(), film, case(store), {"judge": Says().judge()}))["passed"] == 1
    found = mark(Deliverable(), film, case(store), {"judge": Says(FALLS_UP).judge()})
    assert (scores(found)["passed"], scores(found)["passed_of_videos"]) == (0, 0)
    (weak,) = [each for each in found if each.name == "weakness/impossible_motion"]
    assert isinstance(weak, Finding)
    assert weak.at is not None
    assert float(weak.at.start_s) == 1


@pytest.mark.parametrize("content", [None, b"", b"<html>Sign in</html>", b"\x89PNG\r\n\x1a\n" + b"0" * 64])
def test_what_is_no_video_fails_without_a_question(store: Store, content: bytes | None) -> None:
    judge = Says()
    found = mark(Deliverable(), evidence(store, content), case(store), {"judge": judge.judge()})
    assert scores(found)["passed"] == 0
    assert gaps(found)["passed_of_videos"] == "excluded", "there is no video to speak of"
    assert judge.views == []


def test_without_a_judge_or_an_answer_nothing_is_scored(store: Store, tmp_path: Path) -> None:
    film = evidence(store, video(tmp_path))
    assert gaps(mark(Deliverable(), film, case(store), {}))["passed"] == "unscored"
    silent = Says(answered=False).judge()
    assert gaps(mark(Deliverable(), film, case(store), {"judge": silent}))["passed"] == "unscored"


@pytest.mark.parametrize(
    ("subcategory", "prompt"),
    [("mechanics", "judge_reasoning"), ("denoising", "judge_perception"), ("composition", "judge_prompt_following")],
)
def test_each_family_has_its_own_question(store: Store, subcategory: str, prompt: str) -> None:
    view = view_of(case(store, subcategory))
    assert view.prompt == prompt
    assert [each.label for each in view.shown] == ["request", "list of pieces", "piece 1: first frame", "the video"]
    assert view.frames == ("fps=4,max=64" if prompt == "judge_reasoning" else "fps=2,max=32")
    assert len(FRAMES) == 3


def test_a_judge_sees_no_truth(store: Store) -> None:
    plain = case(store)
    told = plain.model_copy(update={"staged": {"kind": "bounces"}, "construction": {"by": "x"}})
    empty = Evidence().bind(store)
    assert show_context(empty, told).model_dump() == show_context(empty, plain).model_dump()
    assert view_of(told) == view_of(plain)


def test_a_second_judge_says_how_far_to_trust_the_first() -> None:
    def said(*weaknesses: Weakness) -> Judgement:
        return Judgement(question="q", judge="x", answer="yes" if weaknesses else "no", weaknesses=weaknesses)

    other = Weakness(text="It is gone.", code="lost_matter")
    both = scores(compare(said(FALLS_UP), said(FALLS_UP, other)))
    assert (both["judge_agrees"], both["judge_recall"]) == (1, 0.5)
    assert (both["recall/impossible_motion"], both["recall/lost_matter"]) == (1, 0)
    missed = scores(compare(said(), said(other)))
    assert (missed["judge_agrees"], missed["judge_recall"]) == (0, 0)
    assert gaps(compare(said(), said())) == {"judge_recall": "excluded"}, "there was nothing to name"
