"""colorbars: what the clips show is what the items say."""

import json
import shutil
import zlib
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from cutscore.authoring.contract import blind_knows_no_more_than_chance
from cutscore.authoring.loaded_benchmark import LoadedBenchmark
from cutscore.benchmarks.colorbars import build, keyless, oracle, tables
from cutscore.benchmarks.colorbars.dataset import ColorbarsItem, items
from cutscore.benchmarks.colorbars.mark import judge_question
from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable
from cutscore.core.ending import Ending
from cutscore.core.errors import BrokenData
from cutscore.core.estimate import Estimate
from cutscore.core.evidence import Evidence
from cutscore.core.judgement import Judgement, Question
from cutscore.core.row import Row
from cutscore.core.subject import WorkContext
from cutscore.media.frames import read_frames
from cutscore.media.plan import FramePlan
from cutscore.media.probe import probe
from cutscore.perception.analysis import analyze_clip
from cutscore.stage.graph import SceneGraphBuilder
from cutscore.stage.palette import RGB, VIVID
from cutscore.stats.intervals import estimate
from cutscore.store import Store


@pytest.fixture
def colorbars(bench: Callable[[str], LoadedBenchmark]) -> LoadedBenchmark:
    return bench("colorbars")


def item_of(bench: LoadedBenchmark, name: str) -> ColorbarsItem:
    return next(item for item in bench.items if item.id == name)


def test_sixty_questions_about_twenty_clips(colorbars: LoadedBenchmark) -> None:
    assert [item.id for item in colorbars.items[:4]] == ["bars-01-a", "bars-01-b", "bars-01-c", "bars-02-a"]
    assert set(Counter(item.cluster for item in colorbars.items).values()) == {3}
    assert Counter(item.groups["moment"] for item in colorbars.items) == {"early": 20, "middle": 20, "late": 20}
    assert Counter(item.groups["kind"] for item in colorbars.items) == {"colour": 20, "word": 20, "count": 20}
    assert all(item.groups["kind"] == item.kind for item in colorbars.items)
    assert len({item.clip.sha256 for item in colorbars.items}) == 20


def test_the_stage_shows_the_answer_at_the_moment() -> None:
    """What the segments say is what the scene graph says of the frame on screen then."""
    for number in range(1, 21):
        draw = Random(f"colorbars {build.SEED} {number}")
        made = build.draw_clip(f"bars-{number:02d}", draw)
        witness = SceneGraphBuilder(made.scene)
        for kind, at_s in build.draw_moments(draw, made.shows).values():
            seen = witness.graph(int(at_s * build.RATE))
            shown = {
                "colour": seen.thing("panel").colour,
                "word": seen.thing("card").text,
                "count": str(sum(thing.kind == "ball" for thing in seen.things)),
            }
            assert shown[kind] == next(each.value for each in made.shows[kind] if each.holds(at_s))


def test_the_decoded_clip_shows_the_colour_at_the_moment(colorbars: LoadedBenchmark) -> None:
    """The truth is in the pixels that a subject gets, and still there a tenth of a second to either side."""
    for item in (item for item in colorbars.items if item.kind == "colour"):
        about = [item.at_s + away for away in (Fraction(-1, 10), Fraction(0), Fraction(1, 10))]
        plan = FramePlan.parse("times=" + ";".join(f"{float(at):.2f}" for at in about))
        for frame in read_frames(colorbars.store.path(item.clip), plan):
            middle = frame.pixels[100:110, 20:300].reshape(-1, 3).mean(axis=0)
            nearest = min(VIVID, key=lambda name: float(np.abs(middle - RGB[name]).sum()))
            assert nearest == item.answer, item.id


def test_a_clip_is_a_little_film(colorbars: LoadedBenchmark) -> None:
    facts = probe(colorbars.store.path(colorbars.items[0].clip))
    assert (facts.width, facts.height, facts.duration_s) == (320, 180, Fraction(12, 5))
    assert (facts.rate, facts.sound) == (25, None)


def test_the_default_frame_plan_shows_every_moment(colorbars: LoadedBenchmark) -> None:
    """Whoever sees the frames of the plan has one with the answer nearest to each moment."""
    plan = FramePlan.parse(colorbars.found.card.frames)
    for item in colorbars.items:
        nearest = min(plan.times(Fraction(12, 5)), key=lambda at: abs(at - item.at_s))
        assert item.segment.holds(nearest), item.id


@given(st.integers())
def test_scenes_and_moments_keep_their_distances(seed: int) -> None:
    """Four of everything, no gaps, at least 0.32 s each; a moment in each third, at least 0.12 s from any change."""
    draw = Random(seed)
    made = build.draw_clip("bars", draw)
    assert list(made.shows) == ["colour", "word", "count"]
    for segments in made.shows.values():
        assert len({segment.value for segment in segments}) == 4
        assert (segments[0].start_s, segments[-1].end_s) == (0, Fraction(12, 5))
        assert all(one.end_s == two.start_s for one, two in pairwise(segments))
        assert all(segment.length_s >= Fraction(8, 25) for segment in segments)
    assert made.scene.frames == 60
    moments = build.draw_moments(draw, made.shows)
    assert list(moments) == ["early", "middle", "late"]
    assert {kind for kind, _ in moments.values()} == {"colour", "word", "count"}
    assert [int(at_s * 3 / Fraction(12, 5)) for _, at_s in moments.values()] == [0, 1, 2]
    for kind, at_s in moments.values():
        cuts = [Fraction(0), *(segment.end_s for segment in made.shows[kind])]
        assert all(abs(at_s - cut) >= Fraction(12, 100) for cut in cuts)


def test_the_brief_names_clip_moment_and_choices(colorbars: LoadedBenchmark) -> None:
    item = item_of(colorbars, "bars-07-b")
    ask: Ask = colorbars.found.part("ask").ask(item, colorbars.prompts)
    assert "bars-07.mp4" in ask.brief
    assert "Which word is on the card at 1.000 seconds?" in ask.brief
    assert "train, stone, lemon, tiger" in ask.brief
    assert ask.choices == ("train", "stone", "lemon", "tiger")
    assert ask.files == (item.clip,)
    assert ask.prompts == {name: colorbars.prompts[name].digest for name in ("ask", "word")}


def test_the_finding_leads_to_the_second_of_video(colorbars: LoadedBenchmark) -> None:
    """The README shows this item and this sentence."""
    item = item_of(colorbars, "bars-07-b")
    finding = colorbars.mark(Deliverable(text="Stone."), item).findings[0]
    assert finding.as_json() == {
        "name": "accuracy",
        "value": 0.0,
        "because": "answered 'Stone.'; from 00:00.840 to 00:01.400 the card says 'tiger'",
        "file": "bars-07.mp4",
        "at": [0.84, 1.4],
    }
    readme = (colorbars.found.folder / "README.md").read_text()
    assert "answered 'stone'; from 00:00.840 to 00:01.400 the card says 'tiger'" in readme
    assert colorbars.mark(Deliverable(text="Answer: TIGER"), item).scores == {"accuracy": 1.0, "judged": 1.0}


@pytest.mark.parametrize(
    ("name", "truth"),
    [("bars-01-a", "the panel is orange"), ("bars-07-c", "there are 2 balls"), ("bars-02-a", "there is 1 ball")],
)
def test_each_kind_says_what_is_true(colorbars: LoadedBenchmark, name: str, truth: str) -> None:
    item = item_of(colorbars, name)
    assert colorbars.mark(Deliverable(text=item.answer), item).findings[0].because.endswith(truth)


@pytest.mark.parametrize(
    "text", ["", "red", "train, stone, lemon, tiger", "tiger " * 100_000, '{"answer": "tiger", "answer": "stone"}']
)
def test_hostile_answers_get_nothing_with_a_reason(colorbars: LoadedBenchmark, text: str) -> None:
    ending = colorbars.mark(Deliverable(text=text), item_of(colorbars, "bars-07-b"))
    assert ending.scores == {"accuracy": 0.0, "judged": 0.0}
    assert ending.findings[0].because.endswith("the card says 'tiger'")
    assert len(ending.findings[0].because) < 200


def test_a_near_miss_is_what_was_next_door(colorbars: LoadedBenchmark) -> None:
    for item in colorbars.items:
        said = colorbars.oracle_deliverable("near_miss", item).text
        here = item.segments.index(item.segment)
        assert said in {segment.value for segment in item.segments[max(0, here - 1) : here + 2]} - {item.answer}


def test_a_clip_of_one_colour_has_a_near_miss_too(tmp_path: Path) -> None:
    segments = [{"value": "blue", "start_s": 0, "end_s": 2}]
    item = ColorbarsItem.model_validate(fields(segments=segments))
    assert oracle.near_miss(item, Store(tmp_path)).text == "red"


def test_blind_over_many_rounds_is_very_near_chance(colorbars: LoadedBenchmark) -> None:
    assert blind_knows_no_more_than_chance(colorbars, rounds=20) == []


def test_blind_guesses_alike_with_equal_seeds_and_takes_every_choice(tmp_path: Path) -> None:
    ask = Ask(item="a", brief="which?", choices=("red", "blue", "green", "white"))
    guesses = [keyless.blind(ask, seed, Store(tmp_path)).text for seed in range(60)]
    assert guesses == [keyless.blind(ask, seed, Store(tmp_path)).text for seed in range(60)]
    assert set(guesses) == set(ask.choices)


def fields(**other: object) -> dict[str, object]:
    segments = [{"value": "red", "start_s": 0, "end_s": 1}, {"value": "blue", "start_s": 1, "end_s": 2}]
    clip = {"name": "a.mp4", "sha256": "0" * 64, "size_bytes": 1}
    plain = {"id": "a", "cluster": "a", "clip": clip, "kind": "colour", "at_s": "1.5", "choices": ["red", "blue"]}
    return {**plain, "answer": "blue", "segments": segments, **other}


@pytest.mark.parametrize(
    ("other", "words"),
    [
        ({"answer": "red"}, "the answer is 'red', but the segments show blue at 1.5 s"),
        ({"at_s": 5}, "the answer is 'blue', but the segments show nothing at 5 s"),
        ({"choices": ["red", "green"]}, "choices are distinct and name the answer 'blue' once"),
        ({"choices": ["blue", "blue"]}, "choices are distinct and name the answer 'blue' once"),
        ({"choices": ["blue"]}, "at least 2 items"),
        ({"choices": ["blue", "Red!"]}, "String should match pattern"),
        ({"kind": "smell"}, "Input should be 'colour', 'word' or 'count'"),
        ({"at_s": "soon"}, "'soon' is not a number of seconds or a timecode"),
    ],
)
def test_an_item_that_contradicts_itself_is_refused(other: dict[str, object], words: str) -> None:
    assert ColorbarsItem.model_validate(fields()).segment.value == "blue"
    with pytest.raises(ValidationError) as caught:
        ColorbarsItem.model_validate(fields(**other))
    assert words in str(caught.value)


def test_a_data_pack_of_the_users_own(colorbars: LoadedBenchmark, tmp_path: Path) -> None:
    """The three items beside this file are a pack once their clips lie beside them."""
    shutil.copy(Path(__file__).parent / "items.jsonl", tmp_path)
    store = Store(tmp_path / "store")
    wanted = [item for item in colorbars.items if item.id in ("bars-01-a", "bars-07-b", "bars-20-c")]
    with pytest.raises(BrokenData, match=r"line 1: file 'bars-01\.mp4' does not exist"):
        items(store, tmp_path)
    for item in wanted:
        shutil.copyfile(colorbars.store.path(item.clip), tmp_path / item.clip.name)
    assert items(store, tmp_path) == wanted
    lines = [json.loads(line) for line in (tmp_path / "items.jsonl").read_text().splitlines()]
    lines[1]["answer"] = "stone"
    (tmp_path / "items.jsonl").write_text("\n".join(json.dumps(line) for line in lines))
    with pytest.raises(BrokenData, match=r"line 2: the answer is 'stone', but the segments show tiger at 1 s"):
        items(store, tmp_path)


def row(subject: str, item: ColorbarsItem, value: float | None, model: str = "") -> Row:
    ending = (
        Ending(status="unscored", because="the judge was out")
        if value is None
        else Ending(status="marked", scores={"accuracy": value})
    )
    return Row(
        benchmark="colorbars",
        version="2",
        cell=f"{subject}-1",
        subject=subject,
        model=model,
        item=item.id,
        epoch=1,
        cluster=item.cluster,
        groups=item.groups,
        ending=ending,
    )


def test_accuracy_by_kind_and_by_moment(colorbars: LoadedBenchmark) -> None:
    card = colorbars.found.card
    rows = [row("oracle", item, 1.0) for item in colorbars.items]
    rows += [row("model", item, float(item.groups["moment"] == "late"), "m/x") for item in colorbars.items]
    rows[-1] = row("model", colorbars.items[-1], None, "m/x")
    kinds, moments = tables.tables(rows, card)
    assert [column.name for column in kinds.columns] == ["subject", "model", "input", "colour", "word", "count"]
    assert [column.name for column in moments.columns] == ["subject", "model", "input", "early", "middle", "late"]
    model, oracle = moments.rows
    assert model[:2] == ("model", "m/x")
    assert oracle[:2] == ("oracle", "")
    assert [cell.value for cell in oracle[3:] if isinstance(cell, Estimate)] == [1.0, 1.0, 1.0]
    early, _, late = model[3:]
    assert isinstance(early, Estimate)
    assert isinstance(late, Estimate)
    assert (early.value, early.n, early.clusters, early.unscored) == (0.0, 20, 20, 0)
    assert (late.value, late.n, late.unscored) == (1.0, 19, 1)
    assert late.bounds == (19 / 20, 1.0)
    assert moments.title == "By moment of the clip: late is the easiest"
    colour = kinds.rows[1][3]
    assert isinstance(colour, Estimate)
    assert (colour.name, colour.clusters) == ("colour", 20)


def test_cells_with_other_frames_stay_apart(colorbars: LoadedBenchmark) -> None:
    card = colorbars.found.card
    whole = [row("reader", item, 1.0).model_copy(update={"frames": card.frames}) for item in colorbars.items]
    few = [
        row("reader", item, 0.0).model_copy(update={"frames": "fps=8,max=1", "cell": "reader-2"})
        for item in colorbars.items
    ]
    kinds, _ = tables.tables([*few, *whole], card)
    assert [(line[:3], line[3].value) for line in kinds.rows if isinstance(line[3], Estimate)] == [
        (("reader", "", ""), 1.0),
        (("reader", "", "1 frame"), 0.0),
    ]


def test_an_item_counts_once_however_often_it_was_asked(colorbars: LoadedBenchmark) -> None:
    once = [row("blind", item, 0.25) for item in colorbars.items]
    thrice = [each.model_copy(update={"epoch": epoch}) for each in once for epoch in (1, 2, 3)]
    assert tables.tables(thrice, colorbars.found.card) == tables.tables(once, colorbars.found.card)


def test_no_rows_make_no_numbers_and_rows_without_groups_stand_apart(colorbars: LoadedBenchmark) -> None:
    assert [table.rows for table in tables.tables([], colorbars.found.card)] == [(), ()]
    odd = row("oracle", colorbars.items[0], 1.0).model_copy(update={"groups": {}})
    for table in tables.tables([odd], colorbars.found.card):
        assert [column.name for column in table.columns[3:]] == ["other"]


def context(store: Store, item: ColorbarsItem, folder: Path, frames: str) -> WorkContext:
    return WorkContext(
        store=store, make_workspace=lambda: folder, epoch=1, seed=zlib.crc32(item.id.encode()), frames=frames
    )


def test_the_reader_follows_the_pixels_and_tells_what_it_looked_at(colorbars: LoadedBenchmark, tmp_path: Path) -> None:
    """It is right about all colours of the first three clips, and counts what it has a number for."""
    for item in colorbars.items[:9]:
        at = context(Store(tmp_path / "store"), item, tmp_path, colorbars.found.card.frames)
        at.store.put(colorbars.store.path(item.clip), name=item.clip.name)
        said = keyless.reader(colorbars.found.part("ask").ask(item, colorbars.prompts), at).text
        assert said in item.choices
        assert said == item.answer or item.kind != "colour"
        (seen,) = at.tally.seen
        assert (seen.clip, len(seen.frames)) == (item.clip, 20)


def test_the_reader_guesses_where_it_is_shown_no_clip(colorbars: LoadedBenchmark, tmp_path: Path) -> None:
    ask = colorbars.found.part("ask").ask(colorbars.items[0], colorbars.prompts)
    context = WorkContext(store=colorbars.store, make_workspace=lambda: tmp_path, epoch=1, seed=3)
    unseen = ask.model_copy(update={"files": ()})
    assert keyless.reader(unseen, context) == keyless.blind(ask, 3, colorbars.store)
    assert not context.tally.seen


@pytest.mark.real  # long, and needs nothing else
def test_the_reader_reads_no_letters_and_does_not_pretend(colorbars: LoadedBenchmark) -> None:
    report = analyze_clip(colorbars.store.path(item_of(colorbars, "bars-07-b").clip))
    assert keyless.answer_by_sight(report, Fraction(1), ("train", "stone", "lemon", "tiger")) is None
    assert keyless.answer_by_sight(report, Fraction(1), ("red", "stone")) is None
    assert keyless.answer_by_sight(report, Fraction(1, 5), ("red", "green")) == "green"
    assert keyless.answer_by_sight(report, Fraction(1, 5), ("red", "pink")) is None
    assert keyless.answer_by_sight(report, Fraction(99), ("red", "pink")) is None


@pytest.mark.real  # long, and needs nothing else
def test_the_reader_s_opinion(colorbars: LoadedBenchmark) -> None:
    """Right about a colour, undecided about a word, and puzzled by a question that is not ours."""
    item = item_of(colorbars, "bars-07-a")

    def judged(text: str, answer: str) -> Judgement:
        question = Question(id="q", kind="yes_no", text=text)
        evidence = Evidence(files=(item.clip,), facts={"answer": answer}).bind(colorbars.store)
        (said,) = keyless.judge_by_reading([question], evidence)
        return said

    assert (judged(judge_question(item), "green").answer, judged(judge_question(item), "blue").answer) == ("yes", "no")
    assert judged(judge_question(item), "blue").because == "answered 'blue'; at 0.2 s it sees green"
    assert judged(judge_question(item_of(colorbars, "bars-07-b")), "tiger").answer is None
    assert judged("Is it good?", "green").because == "it does not understand the question"


@pytest.mark.real  # long, and needs nothing else
@pytest.mark.parametrize("changed", [pytest.param(False, marks=pytest.mark.release), True])
def test_the_reader_is_better_than_guessing_and_worse_than_knowing(
    colorbars: LoadedBenchmark, tmp_path: Path, changed: bool
) -> None:
    """The same when every colour, every word and the seed are others; no interval touches another."""
    store = Store(tmp_path / "store")
    words = ("anchor", "bridge", "candle", "dragon", "engine", "forest", "garden", "hammer")
    other = {"seed": 7, "colours": (*VIVID[3:], *VIVID[:3]), "words": words} if changed else {}
    made = build.starter(store, **other)
    bench = LoadedBenchmark(colorbars.found, store, made, colorbars.prompts)
    plan = FramePlan.parse(colorbars.found.card.frames)
    reports = {
        clip: analyze_clip(read_frames(store.path(clip), plan)) for clip in dict.fromkeys(item.clip for item in made)
    }

    def guessed(item: ColorbarsItem) -> str:
        return Random(item.id).choice(item.choices)

    answers = {
        "oracle": [item.answer for item in made],
        "reader": [
            keyless.answer_by_sight(reports[item.clip], item.at_s, item.choices) or guessed(item) for item in made
        ],
        "blind": [guessed(item) for item in made],
    }
    clusters = [item.cluster for item in made]
    found = {}
    for who, said in answers.items():
        marks = [
            bench.mark(Deliverable(text=text), item).scores["accuracy"] for text, item in zip(said, made, strict=True)
        ]
        found[who] = estimate(marks, clusters, name=who)
    assert found["blind"].high < found["reader"].low
    assert found["reader"].high < found["oracle"].low
