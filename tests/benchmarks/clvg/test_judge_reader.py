"""clvg: the reader judge finds what its detectors can see, names it by code, and leaves the rest unscored."""

from pathlib import Path

import pytest

from cutscore.benchmarks.clvg.ask_parts import GENERATED
from cutscore.benchmarks.clvg.judge_reader import (
    DETECTORS,
    READING_RULES,
    judge_by_reading,
    judge_with,
    named_detectors,
)
from cutscore.benchmarks.clvg.staged.registry import find_kind
from cutscore.core.errors import UnknownName
from cutscore.core.evidence import Evidence
from cutscore.core.judge_view import JudgeView
from cutscore.core.judgement import Judgement, JudgeSession, JudgeSpec, Question, ask_judge
from cutscore.core.subject import SubjectSpec
from cutscore.media.footage import Footage, hold_picture, write_footage
from cutscore.prompts import Prompt
from cutscore.registry import benchmark
from cutscore.scoring.judges.choose import open_judge
from cutscore.store import Store

QUESTION = Question(id="weaknesses", kind="weaknesses", text="Which weaknesses does it have?")


def show(store: Store, tmp_path: Path, name: str, made: Footage | None, number: int = 0) -> Evidence:
    """A film of a staged case beside its context, as a judge is shown them."""
    kind = find_kind(name)
    case = kind.cases[number]
    given = kind.context(case.settings, store)
    files = [file.model_copy(update={"name": f"context/{file.name}"}) for file in given.files]
    if made is not None:
        write_footage(made, path := tmp_path / "film.mp4", preset="ultrafast")
        files.append(store.put(path, name=GENERATED, media_type="video/mp4"))
    pieces = "\n".join(f"- {part.role.replace('_', ' ')}: {part.file}" for part in given.parts)
    return Evidence(files=tuple(files), facts={"request": case.instruction, "pieces": pieces}).bind(store)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store")


@pytest.mark.parametrize("name", ["enhancement", "edge_drawing", "inpainting", "style_reference", "subject_motion"])
def test_right_films_pass_and_planted_weaknesses_are_named(name: str, store: Store, tmp_path: Path) -> None:
    kind = find_kind(name)
    settings = kind.cases[0].settings
    said = judge_by_reading([QUESTION], show(store, tmp_path, name, kind.film(settings, 1)))[0]
    assert (said.answer, said.weaknesses) == ("no", ())
    for code in kind.plants:
        said = judge_by_reading([QUESTION], show(store, tmp_path, name, kind.spoil(settings, code)))[0]
        assert (said.answer, [each.code for each in said.weaknesses]) == ("yes", [code])
        assert said.weaknesses[0].at is not None


def test_what_no_detector_speaks_to_is_left_and_a_standstill_is_still_seen(store: Store, tmp_path: Path) -> None:
    kind = find_kind("pouring")
    right = kind.film(kind.cases[0].settings, 0)
    said = judge_by_reading([QUESTION], show(store, tmp_path, "pouring", right))[0]
    assert said.answer is None
    still = hold_picture(next(right.pictures()), count=right.count, rate=right.rate)
    said = judge_by_reading([QUESTION], show(store, tmp_path, "pouring", still))[0]
    assert [each.code for each in said.weaknesses] == ["frozen"]


def test_an_empty_list_of_a_detector_that_vouches_for_nothing_is_no_pass(store: Store, tmp_path: Path) -> None:
    kind = find_kind("edge_drawing")
    shown = show(store, tmp_path, "edge_drawing", kind.film(kind.cases[0].settings, 0))
    assert judge_with(["standstill", "no_change"], shown).answer is None
    assert judge_with(["standstill", "lines"], shown).answer == "no"
    assert judge_with([], shown).answer is None


def test_without_a_video_there_is_no_answer(store: Store, tmp_path: Path) -> None:
    assert judge_by_reading([QUESTION], show(store, tmp_path, "edge_drawing", None))[0].answer is None


def test_a_detector_that_nobody_knows_is_refused_with_the_nearest(store: Store, tmp_path: Path) -> None:
    kind = find_kind("edge_drawing")
    with pytest.raises(UnknownName, match="did you mean 'lines'"):
        judge_with(["line"], show(store, tmp_path, "edge_drawing", kind.film(kind.cases[0].settings, 0)))


def test_every_detector_says_what_it_is_about() -> None:
    assert all(each.about and "\n" not in each.about for each in DETECTORS.values())


def test_a_prompt_says_what_to_look_for_and_the_rest_is_overlooked(store: Store, tmp_path: Path) -> None:
    kind = find_kind("inpainting")
    settings = kind.cases[0].settings
    stained = show(store, tmp_path, "inpainting", kind.spoil(settings, "not_restored"))

    def judged(prompt: str) -> Judgement:
        return judge_by_reading([QUESTION], stained, prompt=prompt)[0]

    assert [each.code for each in judged("Be fair.\nLook for: stains").weaknesses] == ["not_restored"]
    assert (judged("Look for: camera, noise").answer, judged("Look for: camera, noise").weaknesses) == ("no", ())
    assert judged("Be fair.") == judged("")  # tells it nothing, so it looks for everything
    assert judged("look for: stain").answer is None
    assert "did you mean 'stains'" in judged("look for: stain").because


def test_a_prompt_that_names_one_detector_finds_that_weakness_and_no_other(store: Store, tmp_path: Path) -> None:
    kind = find_kind("continuation")
    settings = kind.cases[0].settings
    still = show(store, tmp_path, "continuation", kind.spoil(settings, "frozen"))
    both = judge_by_reading([QUESTION], still, prompt="Look for: standstill, join")[0]
    alone = judge_by_reading([QUESTION], still, prompt="Look for: standstill")[0]
    assert [each.code for each in alone.weaknesses] == ["frozen"]
    assert both.weaknesses[0] == alone.weaknesses[0]
    assert "frozen" not in {
        each.code for each in judge_by_reading([QUESTION], still, prompt="Look for: join")[0].weaknesses
    }


def test_the_readers_prompt_is_the_users_and_counts_in_who_judged(store: Store, tmp_path: Path) -> None:
    kind = find_kind("edge_drawing")
    shown = show(store, tmp_path, "edge_drawing", kind.spoil(kind.cases[0].settings, "wrong_edges"))
    (tmp_path / "few.md").write_text("Look for: noise\n")
    found, view = benchmark("clvg"), JudgeView(prompt="judge_perception")

    def verdict(**prompts: Path) -> tuple[object, dict[str, str]]:
        judge = open_judge(JudgeSpec("reader", prompts=prompts), found)
        session = JudgeSession("x", SubjectSpec(kind="folder", label="folder"), lambda call, *given: None)
        return ask_judge(judge.for_sample(session), [QUESTION], shown, view)[0].answer, dict(judge.prompts)

    digest = Prompt.of("judge", "Look for: noise\n").digest
    assert verdict() == ("yes", {})
    assert verdict(judge=tmp_path / "few.md") == ("no", {"judge": digest})
    assert verdict(judge_perception=tmp_path / "few.md") == ("no", {"judge_perception": digest})
    assert verdict(judge_reasoning=tmp_path / "few.md")[0] == "yes"  # another family's


def test_whoever_adds_rules_knows_all_detectors() -> None:
    assert named_detectors("\n".join(READING_RULES)) == list(DETECTORS)
