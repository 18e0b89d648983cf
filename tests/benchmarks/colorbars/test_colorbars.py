"""colorbars: what the clips show is what the items say."""

import json
import shutil
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

from cutscore.benchmarks._contract import Bench, blind_knows_no_more_than_chance
from cutscore.benchmarks.colorbars import build, keyless, oracle, tables
from cutscore.benchmarks.colorbars.dataset import Moment, items
from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable
from cutscore.core.ending import Ending
from cutscore.core.errors import BrokenData
from cutscore.core.estimate import Estimate
from cutscore.core.row import Row
from cutscore.media.frames import read_frames
from cutscore.media.plan import FramePlan
from cutscore.media.probe import probe
from cutscore.store import Store


@pytest.fixture
def colorbars(bench: Callable[[str], Bench]) -> Bench:
    return bench("colorbars")


def nearest_colour(pixels: np.ndarray) -> str:
    """Name the bar that the middle of a picture comes closest to, by its mean colour."""
    mean = pixels.reshape(-1, 3).mean(axis=0)
    return min(build.COLOURS, key=lambda name: float(np.abs(mean - build.COLOURS[name]).sum()))


def test_sixty_questions_about_twenty_clips(colorbars: Bench) -> None:
    assert [item.id for item in colorbars.items[:4]] == ["bars-01-a", "bars-01-b", "bars-01-c", "bars-02-a"]
    assert set(Counter(item.cluster for item in colorbars.items).values()) == {3}
    assert Counter(item.groups["moment"] for item in colorbars.items) == {"early": 20, "middle": 20, "late": 20}
    assert len({item.segments for item in colorbars.items}) == 20


def test_the_decoded_clip_shows_the_answer_at_the_moment(colorbars: Bench) -> None:
    """The truth is in the pixels that a subject gets, and still there a tenth of a second to either side."""
    for item in colorbars.items:
        about = [item.at_s + away for away in (Fraction(-1, 10), Fraction(0), Fraction(1, 10))]
        plan = FramePlan.parse("times=" + ";".join(f"{float(at):.2f}" for at in about))
        frames = read_frames(colorbars.shelf.path(item.clip), plan)
        assert {nearest_colour(frame.pixels) for frame in frames} == {item.answer}, item.id


def test_a_clip_is_two_seconds_of_160_by_90(colorbars: Bench) -> None:
    facts = probe(colorbars.shelf.path(colorbars.items[0].clip))
    assert (facts.width, facts.height, facts.duration_s) == (160, 90, 2)
    assert facts.rate == 25


def test_the_default_frame_plan_shows_every_moment(colorbars: Bench) -> None:
    """Whoever sees the frames of the plan has one of the right colour nearest to each moment."""
    plan = FramePlan.parse(colorbars.found.card.frames)
    for item in colorbars.items:
        nearest = min(plan.times(Fraction(2)), key=lambda at: abs(at - item.at_s))
        assert item.shown.holds(nearest), item.id


@given(st.integers())
def test_scenes_and_moments_keep_their_distances(seed: int) -> None:
    """Four colours, no gaps, at least 0.32 s each; one moment in each third, at least 0.12 s from any cut."""
    draw = Random(seed)
    segments = build.scene(draw)
    assert len({segment.colour for segment in segments}) == 4
    assert segments[0].start_s == 0
    assert segments[-1].end_s == 2
    assert all(one.end_s == two.start_s for one, two in pairwise(segments))
    assert all(segment.length_s >= Fraction(8, 25) for segment in segments)
    assert sum(1 for _ in build.frames(segments)) == 50
    moments = build.moments(draw, segments)
    cuts = [Fraction(0), *(segment.end_s for segment in segments)]
    assert all(abs(at_s - cut) >= Fraction(12, 100) for at_s in moments.values() for cut in cuts)
    assert [int(at_s * 3 / 2) for at_s in moments.values()] == [0, 1, 2]
    assert list(moments) == ["early", "middle", "late"]


def test_the_brief_names_clip_moment_and_choices(colorbars: Bench) -> None:
    item = next(item for item in colorbars.items if item.id == "bars-07-b")
    ask: Ask = colorbars.found.part("ask").ask(item, colorbars.prompts)
    assert "bars-07.mp4" in ask.brief
    assert "at 1.000 seconds?" in ask.brief
    assert "blue, cyan, magenta, yellow" in ask.brief
    assert ask.choices == ("blue", "cyan", "magenta", "yellow")
    assert ask.files == (item.clip,)
    assert ask.prompts == {"ask": colorbars.prompts["ask"].digest}


def test_the_finding_leads_to_the_second_of_video(colorbars: Bench) -> None:
    """The README shows this item and this sentence."""
    item = next(item for item in colorbars.items if item.id == "bars-07-b")
    finding = colorbars.mark(Deliverable(text="Yellow."), item).findings[0]
    assert finding.as_json() == {
        "name": "accuracy",
        "value": 0.0,
        "because": "answered 'Yellow.'; from 00:00.840 to 00:01.200 the screen is magenta",
        "file": "bars-07.mp4",
        "at": [0.84, 1.2],
    }
    readme = (colorbars.found.folder / "README.md").read_text()
    assert "answered 'yellow'; from 00:00.840 to 00:01.200 the screen is magenta" in readme
    assert colorbars.mark(Deliverable(text="Answer: MAGENTA"), item).scores == {"accuracy": 1.0, "judged": 1.0}


@pytest.mark.parametrize(
    "text", ["", "red", "blue, cyan, magenta, yellow", "magenta " * 100_000, '{"answer": "magenta", "answer": "blue"}']
)
def test_hostile_answers_get_nothing_with_a_reason(colorbars: Bench, text: str) -> None:
    item = next(item for item in colorbars.items if item.id == "bars-07-b")
    ending = colorbars.mark(Deliverable(text=text), item)
    assert ending.scores == {"accuracy": 0.0, "judged": 0.0}
    assert ending.findings[0].because.endswith("the screen is magenta")
    assert len(ending.findings[0].because) < 200


def test_a_near_miss_is_the_colour_next_door(colorbars: Bench) -> None:
    for item in colorbars.items:
        said = colorbars.made("near_miss", item).text
        here = item.segments.index(item.shown)
        assert said in {segment.colour for segment in item.segments[max(0, here - 1) : here + 2]} - {item.answer}


def test_a_clip_of_one_colour_has_a_near_miss_too(tmp_path: Path) -> None:
    segments = [{"colour": "blue", "start_s": 0, "end_s": 2}]
    item = Moment.model_validate(fields(segments=segments))
    assert oracle.near_miss(item, Store(tmp_path)).text == "red"


def test_blind_over_many_rounds_is_very_near_chance(colorbars: Bench) -> None:
    assert blind_knows_no_more_than_chance(colorbars, rounds=20) == []


def test_blind_guesses_alike_with_equal_seeds_and_takes_every_choice(tmp_path: Path) -> None:
    ask = Ask(item="a", brief="which?", choices=("red", "blue", "green", "white"))
    guesses = [keyless.blind(ask, seed, Store(tmp_path)).text for seed in range(60)]
    assert guesses == [keyless.blind(ask, seed, Store(tmp_path)).text for seed in range(60)]
    assert set(guesses) == set(ask.choices)


def fields(**other: object) -> dict[str, object]:
    segments = [{"colour": "red", "start_s": 0, "end_s": 1}, {"colour": "blue", "start_s": 1, "end_s": 2}]
    clip = {"name": "a.mp4", "sha256": "0" * 64, "size_bytes": 1}
    plain = {"id": "a", "cluster": "a", "clip": clip, "at_s": "1.5", "choices": ["red", "blue"], "answer": "blue"}
    return {**plain, "segments": segments, **other}


@pytest.mark.parametrize(
    ("other", "words"),
    [
        ({"answer": "red"}, "the answer is 'red', but the segments show blue at 1.5 s"),
        ({"at_s": 5}, "the answer is 'blue', but the segments show nothing at 5 s"),
        ({"choices": ["red", "green"]}, "choices are distinct and name the answer 'blue' once"),
        ({"choices": ["blue", "blue"]}, "choices are distinct and name the answer 'blue' once"),
        ({"choices": ["blue"]}, "at least 2 items"),
        ({"choices": ["blue", "Red!"]}, "String should match pattern"),
        ({"at_s": "soon"}, "'soon' is not a number of seconds or a timecode"),
    ],
)
def test_an_item_that_contradicts_itself_is_refused(other: dict[str, object], words: str) -> None:
    assert Moment.model_validate(fields()).shown.colour == "blue"
    with pytest.raises(ValidationError) as caught:
        Moment.model_validate(fields(**other))
    assert words in str(caught.value)


def test_a_data_pack_of_the_users_own(colorbars: Bench, tmp_path: Path) -> None:
    """The three items beside this file are a pack once their clips lie beside them."""
    shutil.copy(Path(__file__).parent / "items.jsonl", tmp_path)
    store = Store(tmp_path / "store")
    wanted = [item for item in colorbars.items if item.id in ("bars-01-a", "bars-07-b", "bars-20-c")]
    with pytest.raises(BrokenData, match=r"line 1: file 'bars-01\.mp4' does not exist"):
        items(store, tmp_path)
    for item in wanted:
        shutil.copyfile(colorbars.shelf.path(item.clip), tmp_path / item.clip.name)
    assert items(store, tmp_path) == wanted
    lines = [json.loads(line) for line in (tmp_path / "items.jsonl").read_text().splitlines()]
    lines[1]["answer"] = "blue"
    (tmp_path / "items.jsonl").write_text("\n".join(json.dumps(line) for line in lines))
    with pytest.raises(BrokenData, match=r"line 2: the answer is 'blue', but the segments show magenta at 1 s"):
        items(store, tmp_path)


def row(subject: str, item: Moment, value: float | None, model: str = "") -> Row:
    ending = (
        Ending(status="unscored", because="the judge was out")
        if value is None
        else Ending(status="marked", scores={"accuracy": value})
    )
    return Row(
        benchmark="colorbars",
        version="1",
        cell=f"{subject}-1",
        subject=subject,
        model=model,
        item=item.id,
        epoch=1,
        cluster=item.cluster,
        groups=item.groups,
        ending=ending,
    )


def test_accuracy_by_moment(colorbars: Bench) -> None:
    card = colorbars.found.card
    rows = [row("oracle", item, 1.0) for item in colorbars.items]
    rows += [row("model", item, float(item.groups["moment"] == "late"), "m/x") for item in colorbars.items]
    rows[-1] = row("model", colorbars.items[-1], None, "m/x")
    (table,) = tables.tables(rows, card)
    assert [column.name for column in table.columns] == ["subject", "model", "early", "middle", "late"]
    (model, oracle) = table.rows
    assert model[:2] == ("model", "m/x")
    assert oracle[:2] == ("oracle", "")
    assert [cell.value for cell in oracle[2:] if isinstance(cell, Estimate)] == [1.0, 1.0, 1.0]
    early, _, late = model[2:]
    assert isinstance(early, Estimate)
    assert isinstance(late, Estimate)
    assert (early.value, early.n, early.clusters, early.unscored) == (0.0, 20, 20, 0)
    assert (late.value, late.n, late.unscored) == (1.0, 19, 1)
    assert late.group == {"moment": "late"}


def test_no_rows_and_rows_without_moments_make_no_numbers(colorbars: Bench) -> None:
    (empty,) = tables.tables([], colorbars.found.card)
    assert empty.rows == ()
    odd = row("oracle", colorbars.items[0], 1.0).model_copy(update={"groups": {}})
    (table,) = tables.tables([odd], colorbars.found.card)
    assert table.rows == (("oracle", "", None, None, None),)
