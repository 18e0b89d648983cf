"""repurpose: what the starter commissions are, how films are marked, who judges, what gets nothing."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from cutscore.api.requests import cell_requests
from cutscore.authoring.hostile import FEWEST, HostileSubmission
from cutscore.authoring.loaded_benchmark import LoadedBenchmark
from cutscore.benchmarks.repair.edits.effects import black_out, freeze
from cutscore.benchmarks.repurpose import keyless
from cutscore.benchmarks.repurpose.dataset import CONTENTS, FILM, FORMS, REPORT, Commission, authoring_faults
from cutscore.benchmarks.repurpose.hostile import honest, hostile
from cutscore.benchmarks.repurpose.mark import analyse_film, judge_evidence, mark
from cutscore.benchmarks.repurpose.oracle import judge_by_truth
from cutscore.benchmarks.repurpose.tables import tables
from cutscore.cells.request import CellRequest
from cutscore.core.deliverable import Deliverable
from cutscore.core.ending import Ending, fold_findings
from cutscore.core.evidence import Evidence
from cutscore.core.finding import Finding
from cutscore.core.judgement import Judgement, JudgeSpec, Question
from cutscore.core.row import Row
from cutscore.core.subject import WorkContext
from cutscore.core.timeline import Span
from cutscore.media.footage import Footage, load_footage, write_footage
from cutscore.registry import benchmark
from cutscore.scoring.judges.choose import open_judge
from cutscore.submissions import read_submission


@pytest.fixture(scope="module")
def starter(bench: Callable[[str], LoadedBenchmark]) -> LoadedBenchmark:
    return bench("repurpose")


@pytest.fixture(scope="module")
def talk(starter: LoadedBenchmark) -> Commission:
    return next(item for item in starter.items if item.id == "recap-1")  # type: ignore[return-value]


def found(ending: Ending, name: str, mode: str = "") -> Finding:
    return next(each for each in ending.findings if (each.name, each.mode) == (name, mode))


def test_there_is_a_commission_for_every_content_and_every_form(starter: LoadedBenchmark) -> None:
    assert sorted(item.groups["content"] for item in starter.items) == sorted(CONTENTS)
    assert sorted(item.groups["form"] for item in starter.items) == sorted(FORMS)


def test_every_rubric_of_the_starter_can_be_answered(starter: LoadedBenchmark) -> None:
    for item in starter.items:
        assert isinstance(item, Commission)
        assert authoring_faults(item) == []
        assert all(each.predicate for each in item.rubric if each.pillar != "format")
        critical = [each.points for each in item.rubric if each.pillar == "penalty" and each.points >= 30]
        # A film that is none loses more than a perfect one has.
        assert min(critical) > sum(each.points for each in item.rubric if each.pillar != "penalty")


def test_a_near_miss_loses_what_it_left_out_and_says_where(starter: LoadedBenchmark, talk: Commission) -> None:
    ending = starter.mark(starter.oracle_deliverable("near_miss", talk), talk)
    assert 0.5 < ending.scores["score@paper"] < 1
    appeal = found(ending, "narrative/appeal")
    assert (appeal.value, appeal.file) == (0, FILM)
    assert appeal.because.startswith("The appeal to plant a tree this year is heard. No: stage says 'no': 0.00 s of ")
    assert found(ending, "format/format-length").because.endswith("asked were 8 ± 1 s")
    assert found(ending, "score", "strict").because.startswith("length: final.mp4 lasts")
    claim = found(ending, "narrative/claim")
    assert claim.value == 1
    assert claim.at is not None
    assert claim.at.start_s == 0


def test_the_source_map_is_told_of_every_film(starter: LoadedBenchmark, talk: Commission) -> None:
    ending = starter.mark(starter.oracle_deliverable("perfect", talk), talk)
    told = {each.name: each.value for each in ending.findings if not each.mode and "/" not in each.name}
    assert set(told) == {
        *("answered", "from source", "coverage", "repeated", "hurried", "frozen", "padded", "letterboxed", "heard"),
        "ungrounded",
    }
    assert told["from source"] == told["heard"] == told["answered"] == 1
    assert told["ungrounded"] == told["repeated"] == 0
    assert told["coverage"] == pytest.approx(0.5, abs=0.05)


def test_without_a_judge_only_the_format_is_known(starter: LoadedBenchmark, talk: Commission) -> None:
    made = starter.oracle_deliverable("perfect", talk)
    ending = LoadedBenchmark(starter.found, starter.store, starter.items, starter.prompts).mark(made, talk)
    assert ending.status == "marked"
    assert set(ending.scores) == {"format@paper", "format@strict"}
    assert ending.status_of("score@paper") == "unscored"
    gap = ending.gap("score@paper")
    assert gap is not None
    assert gap.because.startswith("between 0.000 and 1.000: nobody answered ")
    assert found(ending, "format", "paper").value == 1
    assert "the score lies between 0.000 and 1.000" in found(ending, "answered").because
    assert found(ending, "answered").value == pytest.approx(5 / len(talk.rubric))


@pytest.mark.parametrize("change", [black_out, freeze])
def test_a_stretch_that_shows_nothing_costs_in_strict(
    change: Callable[[Footage, Span], Footage], starter: LoadedBenchmark, talk: Commission, tmp_path: Path
) -> None:
    made = starter.oracle_deliverable("perfect", talk)
    assert isinstance(made, Deliverable)
    film, report = made.files
    changed = change(load_footage(starter.store.path(film)), Span(start_s=5, end_s="13/2"))
    write_footage(changed, tmp_path / FILM)
    ending = starter.mark(Deliverable(files=(starter.store.put(tmp_path / FILM, name=FILM), report)), talk)
    paper, strict = (ending.scores[f"score@{mode}"] for mode in ("paper", "strict"))
    assert strict == pytest.approx(paper * (1 - 1.5 / 8), abs=0.03)
    at = found(ending, "score", "strict").at
    assert at is not None
    assert float(at.start_s) == pytest.approx(5, abs=0.25)


def test_one_line_without_an_answer_leaves_bounds(starter: LoadedBenchmark, talk: Commission) -> None:
    class Hesitant:
        """Answers like the stage, all but one item."""

        def ask(self, questions: Sequence[Question], evidence: Evidence) -> list[Judgement]:
            said = judge_by_truth(questions, evidence, talk)
            return [each.model_copy(update={"answer": None}) if each.question == "claim" else each for each in said]

    made = starter.oracle_deliverable("perfect", talk)
    assert isinstance(made, Deliverable)
    findings = mark(made, Evidence(files=made.files).bind(starter.store), talk, {"judge": Hesitant()})
    ending = fold_findings(findings, ("score@paper", "visual@paper", "sound@paper", "narrative@paper"))
    worth = next(each.points for each in talk.rubric if each.id == "claim")
    low = 1 - worth / sum(each.points for each in talk.rubric if each.pillar != "penalty")
    assert set(ending.scores) == {"visual@paper", "sound@paper"}
    assert [gap.because for gap in ending.gaps if gap.concerns("score@paper")] == [
        f"between {low:.3f} and 1.000: nobody answered claim"
    ]


@pytest.mark.parametrize(("said", "score"), [("yes", 0.0), ("no", 5 / 24)])
def test_a_judge_who_is_named_answers_alone(
    starter: LoadedBenchmark, talk: Commission, said: str, score: float
) -> None:
    judge = open_judge(JudgeSpec(f"constant:{said}"), starter.found, {})
    made = LoadedBenchmark(starter.found, starter.store, starter.items, starter.prompts, judge=judge)
    ending = made.mark(starter.oracle_deliverable("perfect", talk), talk)
    # Who says yes to everything says yes to every fault, too.
    assert ending.scores["score@paper"] == pytest.approx(score)
    assert all("stage" not in each.because for each in ending.findings)


def test_stage_judges_unless_somebody_is_named() -> None:
    for name, judge, expected in (
        ("repurpose", "", "stage"),
        ("repurpose", "constant:yes", "constant:yes"),
        ("sequencing", "", ""),
    ):
        (request,) = cell_requests(CellRequest(name, judge=judge), subjects=["oracle"])
        assert request.judge == expected


def test_a_judge_gets_brief_edit_sound_and_words_and_not_the_report(starter: LoadedBenchmark, talk: Commission) -> None:
    made = starter.oracle_deliverable("perfect", talk)
    evidence = Evidence(files=made.files).bind(starter.store)
    shown = judge_evidence(analyse_film(evidence, talk), evidence, talk)
    assert [ref.name for ref in shown.files] == [FILM]
    assert list(shown.facts) == ["brief", "edit list", "sound", "transcript"]
    lines = str(shown.facts["transcript"]).splitlines()
    assert [line.partition(": ")[2] for line in lines] == [talk.said[number].text for number in (1, 2, 4, 6)]
    assert "100% of what is from the source is heard" in str(shown.facts["sound"])
    assert "00:02.000–00:0" in str(shown.facts["edit list"])


def test_an_empty_report_loses_its_point(starter: LoadedBenchmark, talk: Commission) -> None:
    film, _ = starter.oracle_deliverable("perfect", talk).files
    blank = starter.store.put_bytes(b" \n", name=REPORT, media_type="text/markdown")
    for files in ((film,), (film, blank)):
        ending = starter.mark(Deliverable(files=files), talk)
        assert ending.scores["score@paper"] == pytest.approx(23 / 24)
        assert ending.scores["score@strict"] == pytest.approx(23 / 24)  # the brief's rules are those of the film


def test_a_broken_source_is_our_failure(starter: LoadedBenchmark, talk: Commission) -> None:
    bad = starter.store.put_bytes(b"no film", name=talk.source.name, media_type="video/mp4")
    item = talk.model_copy(update={"materials": (bad,)})
    ending = starter.mark(starter.oracle_deliverable("perfect", talk), item)
    assert ending.status == "unscored"
    assert ending.because.startswith("source 'recap-1/film.mp4': ")


def test_a_rubric_that_asks_for_what_the_brief_does_not_say_is_refused(talk: Commission) -> None:
    plain = talk.model_dump(mode="json")
    plain["deliveries"][0].pop("aspect")
    with pytest.raises(ValueError, match=r"'format-aspect' asks for aspect, of which final\.mp4 says nothing"):
        Commission.model_validate(plain)
    for change, fault in (
        ({"rubric": [*plain["rubric"], plain["rubric"][-1]]}, "rubric has 'uncut' twice"),
        ({"materials": plain["materials"] * 2}, "more than once"),
        ({"rubric": [plain["rubric"][-1]]}, "has no item that earns points"),
    ):
        with pytest.raises(ValueError, match=fault):
            Commission.model_validate({**talk.model_dump(mode="json"), **change})


@pytest.mark.real
def test_the_reader_lies_between_null_and_oracle_and_keeps_the_format(starter: LoadedBenchmark) -> None:
    scores = []
    for item in starter.items:
        ask = starter.found.part("ask").ask(item, starter.prompts)
        context = WorkContext(
            store=starter.store, make_workspace=Path, epoch=1, seed=1, frames=starter.found.card.frames
        )
        ending = starter.mark(keyless.reader(ask, context), item)
        assert ending.scores["format@paper"] == 1, item.id
        scores.append(ending.scores["score@paper"])
        looked, cut = context.steps.trajectory() or ()
        assert "00:00.000–" in looked.saw
        assert (cut.did[0].tool, [ref.name for ref in cut.media]) == ("cut", ["kept.jpg"])
    assert 0.2 < sum(scores) / len(scores) < 0.9
    assert keyless.reader(ask.model_copy(update={"files": ()}), context).empty


def test_a_brief_that_says_nothing_of_the_format_is_read_with_defaults() -> None:
    assert keyless.read_format("Make something nice.") == keyless.FilmFormat((16, 9), keyless.Fraction(10))


def test_notes_stand_before_the_brief_in_the_variant(starter: LoadedBenchmark, talk: Commission) -> None:
    part = starter.found.part("ask")
    plain, told = part.ask(talk, starter.prompts), part.variant(talk, starter.prompts, "reference")
    assert told.brief.endswith(plain.brief)
    assert '00:02.000 to 00:04.000: medium shot of the hall, on the speaker; in motion: speaker; heard: "Plant' in (
        told.brief
    )
    assert part.variant(talk.model_copy(update={"hints": {}}), starter.prompts, "reference") is None


def score(bench: LoadedBenchmark, item: Commission, one: HostileSubmission, folder: Path) -> Ending:
    place = folder / item.id
    place.mkdir()
    one.write(place)
    return bench.mark(read_submission(folder, item.id, epoch=1, store=bench.store), item)


# Attacks on a container are met in the same way in every family, and are tried there.
OWN = ("one second, over and over", "in bars", "padded with black", "no sound track", "hurried through", "as HDR")


@pytest.mark.real
@pytest.mark.parametrize("name", OWN)
def test_a_film_that_keeps_the_format_and_tells_nothing_gets_nothing(
    starter: LoadedBenchmark, talk: Commission, name: str, tmp_path: Path
) -> None:
    every = hostile(talk, starter.store)
    assert len(every) >= 2 * FEWEST
    one = next(each for each in every if name in each.name)
    ending = score(starter, talk, one, tmp_path)
    assert ending.scores["score@strict"] == 0
    assert ending.scores["score@paper"] <= one.most.get("paper", 0)


@pytest.mark.real
def test_a_film_that_begins_a_picture_early_is_as_good(starter: LoadedBenchmark, tmp_path: Path) -> None:
    item = next(each for each in starter.items if each.id == "teaser-1")
    assert isinstance(item, Commission)
    early = next(each for each in honest(item, starter.store) if each.name == "one picture early")
    (tmp_path / item.id).mkdir()
    early.write(tmp_path / item.id)
    ending = starter.mark(read_submission(tmp_path, item.id, epoch=1, store=starter.store), item)
    assert ending.scores["score@strict"] >= early.least


def test_tables_have_pillars_contents_and_forms(starter: LoadedBenchmark) -> None:
    card = starter.found.card
    rows = [
        Row(
            benchmark="repurpose",
            version="1",
            cell="c",
            subject="oracle",
            item=item.id,
            epoch=1,
            cluster=item.cluster,
            groups=item.groups,
            ending=Ending(status="marked", scores=dict.fromkeys(card.score_keys("paper"), number / 4)),
        )
        for number, item in enumerate(starter.items)
    ]
    made = tables(rows, card)
    assert [table.id for table in made] == ["pillars", "content", "form", "lift"]
    assert [column.name for column in made[1].columns][-4:] == list(CONTENTS)
    assert json.dumps([table.model_dump(mode="json") for table in made])


def test_the_card_is_about_what_is_marked() -> None:
    card: Any = benchmark("repurpose").card
    assert (card.needs_judge, card.judge.default, list(card.inputs)) == (True, "stage", ["reference"])
