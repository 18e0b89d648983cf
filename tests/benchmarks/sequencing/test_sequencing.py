"""sequencing: what the starter films are, how orders and films are marked, who is refused and why."""

import json
from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest
from pydantic import ValidationError

from cutscore.authoring.clip_cache import splice_clips
from cutscore.authoring.loaded_benchmark import LoadedBenchmark
from cutscore.authoring.source_facts import scene_shots
from cutscore.benchmarks.sequencing import keyless
from cutscore.benchmarks.sequencing.build import STARTER, draw_names, split, starter_scene
from cutscore.benchmarks.sequencing.dataset import FILM, ORDER, SequencingItem, items
from cutscore.benchmarks.sequencing.tables import tables
from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable
from cutscore.core.ending import Ending
from cutscore.core.errors import BadInput, BrokenData
from cutscore.core.files import FileRef
from cutscore.core.row import Row
from cutscore.core.subject import WorkContext
from cutscore.core.timeline import Span
from cutscore.media.audio import read_sound
from cutscore.media.edit import join_footage, trim
from cutscore.media.footage import load_footage, write_footage
from cutscore.media.frames import read_frames
from cutscore.media.orientation import Pixels
from cutscore.media.plan import FramePlan
from cutscore.media.probe import probe
from cutscore.media.render import write_clip
from cutscore.scoring.verifiers.rendered import ALIKE, hash_film, similarity
from cutscore.stage.render import frame
from cutscore.stage.sound import sound
from cutscore.store import Store

RATE = Fraction(8)


@pytest.fixture
def sequencing(bench: Callable[[str], LoadedBenchmark]) -> LoadedBenchmark:
    return bench("sequencing")


@pytest.fixture
def film(sequencing: LoadedBenchmark) -> SequencingItem:
    """The third film: a birthday in seven clips."""
    item = sequencing.items[2]
    assert isinstance(item, SequencingItem)
    return item


def handed(
    bench: LoadedBenchmark, *, order: object = None, film: FileRef | bytes | None = None, text: str = ""
) -> Deliverable:
    """Give a deliverable: an order (bytes as they are, all else as JSON) and a film, either or none."""
    files = []
    if order is not None:
        data = order if isinstance(order, bytes) else json.dumps(order).encode()
        files.append(bench.store.put_bytes(data, name=ORDER))
    if isinstance(film, bytes):
        film = bench.store.put_bytes(film, name=FILM)
    return Deliverable(files=(*files, *([film] if film else [])), text=text)


def scores(ending: Ending) -> tuple[float, float]:
    assert ending.status == "marked", ending.because
    return ending.scores["score@paper"], ending.scores["score@strict"]


def why(ending: Ending, name: str, mode: str = "") -> str:
    return next(each.because for each in ending.findings if (each.name, each.mode) == (name, mode))


def found(ending: Ending, name: str) -> float:
    return next(each.value for each in ending.findings if each.name == name and not each.mode)


# ---- the starter films


def test_eight_films_in_seven_or_nine_clips_with_sound(sequencing: LoadedBenchmark) -> None:
    assert [len(item.order) for item in sequencing.items if isinstance(item, SequencingItem)] == [
        9,
        9,
        7,
        7,
        7,
        7,
        7,
        7,
    ]
    for item in sequencing.items:
        assert isinstance(item, SequencingItem)
        facts = [probe(sequencing.store.path(ref)) for ref in item.materials]
        assert all(each.sound is not None and (each.width, each.height) == (160, 90) for each in facts)
        assert sum((each.duration_s or 0) for each in facts) == 6 == item.deliveries[1].length_s


def test_the_sound_at_the_ends_of_a_clip_does_not_give_its_neighbour_away(
    sequencing: LoadedBenchmark, film: SequencingItem
) -> None:
    """The film sounds at each of its cuts; a clip begins and ends in silence."""
    scene = starter_scene(STARTER[2])
    whole = sound(scene).samples
    for ref, (first, end) in zip(film.clips_in_order, split(scene_shots(scene), 7), strict=True):
        heard = read_sound(sequencing.store.path(ref), rate_hz=48_000, channels="mono").samples[: (end - first) * 6000]
        under = whole[first * 6000 : end * 6000]
        assert np.abs(heard[[0, -1]]).max() < 0.01
        assert np.square(heard).sum() == pytest.approx(np.square(under).sum(), rel=0.15)


def test_no_two_clips_of_a_starter_film_look_alike(sequencing: LoadedBenchmark) -> None:
    for item in sequencing.items:
        assert isinstance(item, SequencingItem)
        seen = [hash_film(sequencing.store.path(ref)) for ref in item.materials]
        assert max(similarity(one, other) for one, other in combinations(seen, 2)) < ALIKE


def test_the_order_is_that_of_the_scene(sequencing: LoadedBenchmark, film: SequencingItem) -> None:
    scene = starter_scene(STARTER[2])
    for ref, (first, _) in zip(film.clips_in_order, split(scene_shots(scene), 7), strict=True):
        (shown,) = read_frames(sequencing.store.path(ref), FramePlan.parse("times=0"))
        assert np.abs(shown.pixels.astype(int) - frame(scene, first)).mean() < 4


def test_names_and_files_tell_nothing(sequencing: LoadedBenchmark, film: SequencingItem) -> None:
    assert [ref.name for ref in film.materials] == [f"film-3/clip-{number:02d}.mp4" for number in range(1, 8)]
    for ref in film.materials:
        with av.open(str(sequencing.store.path(ref))) as container:
            said = {**container.metadata, **{k: v for each in container.streams for k, v in each.metadata.items()}}
        assert not {"title", "comment", "encoder", "creation_time"} & said.keys()
    asked = sequencing.ask_bytes(film).decode()
    assert "birthday" not in asked.replace(film.brief, "")
    assert "stage" not in asked


def test_the_brief_tells_every_form_and_rule(sequencing: LoadedBenchmark, film: SequencingItem) -> None:
    ask: Ask = sequencing.found.part("ask").ask(film, sequencing.prompts)
    assert '["first.mp4", "second.mp4", "third.mp4"]' in ask.brief
    assert '{"order": ["first.mp4", "second.mp4", "third.mp4"]}' in ask.brief
    assert "solution.mp4: the film put together in that order (mp4, 6 s ± 0.5 s)" in ask.brief
    assert film.brief in ask.brief
    assert [each.name for each in ask.wanted] == [ORDER, FILM]


# ---- orders


def test_a_near_miss_by_hand(sequencing: LoadedBenchmark, film: SequencingItem) -> None:
    """The third and the fourth of seven clips swapped: 2 of 24 places off, 6 in order, 3 of 6 cuts right."""
    ending = sequencing.mark(sequencing.oracle_deliverable("near_miss", film), film)
    assert scores(ending) == pytest.approx((11 / 12 * 6 / 7 * 3 / 6,) * 2)
    assert found(ending, "rendered") == found(ending, "delivery") == 1
    cut = next(each for each in ending.findings if each.name == "adj" and each.mode == "paper")
    assert (cut.file, cut.because) == (
        FILM,
        f"3 of 6 cuts are those of the film; the first wrong one is {film.order[1]} to {film.order[3]}",
    )
    assert cut.at is not None
    lengths = {ref.name: probe(sequencing.store.path(ref)).duration_s or 0 for ref in film.materials}
    start_s = lengths[film.order[0]]
    assert cut.at.start_s == start_s
    assert cut.at.end_s == start_s + lengths[film.order[1]] + lengths[film.order[3]]


@pytest.mark.parametrize("form", ["list", "object", "bare names", "text"])
def test_every_form_of_the_brief_is_read(sequencing: LoadedBenchmark, film: SequencingItem, form: str) -> None:
    order = list(film.order)
    bare = [name.removeprefix("film-3/").removesuffix(".mp4") for name in order]
    said = {
        "list": handed(sequencing, order=order),
        "object": handed(sequencing, order={"order": order, "sure": 0.7}),
        "bare names": handed(sequencing, order=bare),
        "text": handed(sequencing, text=json.dumps(order)),
    }[form]
    ending = sequencing.mark(said, film)
    assert scores(ending) == (1.0, 0.0)
    assert why(ending, "score", "strict") == "missing file: solution.mp4 was not delivered"


def test_words_beside_files_are_no_order(sequencing: LoadedBenchmark, film: SequencingItem) -> None:
    ending = sequencing.mark(handed(sequencing, film=b"", text=json.dumps(list(film.order))), film)
    assert scores(ending) == (0, 0)
    assert why(ending, "score", "paper") == "missing file: solution.json was not delivered"


HOSTILE_ORDERS: dict[str, tuple[Callable[[list[str]], object], str]] = {
    "an empty file": (lambda order: b"", "not JSON"),
    "prose": (lambda order: b"the order is 1 2 3", "not JSON"),
    "NaN": (lambda order: b"[NaN]", "not JSON"),
    "an ffconcat list": (lambda order: b"ffconcat version 1.0\nfile golden.mp4\n", "not JSON"),
    "two keys of one name": (lambda order: b'{"order": [], "order": []}', "not JSON"),
    "deep": (lambda order: b"[" * 5000 + b"]" * 5000, "not JSON"),
    "huge": (lambda order: json.dumps(order).encode() + b" " * 2_000_000, "too long"),
    "a number": (lambda order: 7, "shape"),
    "two lists": (lambda order: {"order": order, "other": order[::-1]}, "shape"),
    "true": (lambda order: [True, *order[1:]], "wrong type"),
    "places": (lambda order: list(range(len(order))), "wrong type"),
    "a list in it": (lambda order: [order], "wrong type"),
    "null": (lambda order: [None, *order[1:]], "wrong type"),
    "unknown": (lambda order: ["clip-99.mp4", *order[1:]], "unknown"),
    "a look-alike letter": (lambda order: [order[0].replace("c", "\u0441"), *order[1:]], "unknown"),
    "another film's": (lambda order: [order[0].replace("film-3", "film-1"), *order[1:]], "unknown"),
    "twice": (lambda order: [order[0], *order], "duplicate"),
    "one clip for all": (lambda order: [order[0]] * len(order), "duplicate"),
    "all orders at once": (lambda order: order + order[::-1], "duplicate"),
    "one missing": (lambda order: order[:-1], "missing"),
    "none": (lambda order: [], "missing"),
}


@pytest.mark.parametrize("name", HOSTILE_ORDERS)
def test_a_hostile_order_gets_nothing_and_its_reason(
    sequencing: LoadedBenchmark, film: SequencingItem, name: str
) -> None:
    make, reason = HOSTILE_ORDERS[name]
    ending = sequencing.mark(handed(sequencing, order=make(list(film.order))), film)
    assert scores(ending) == (0, 0)
    assert why(ending, "score", "paper").startswith(f"{reason}: ")
    assert set(ending.scores.values()) == {0.0}


def test_the_true_film_does_not_stand_for_an_order(sequencing: LoadedBenchmark, film: SequencingItem) -> None:
    golden = splice_clips(sequencing.store, FILM, film.clips_in_order)
    ending = sequencing.mark(handed(sequencing, order=list(film.order[:-1]), film=golden), film)
    assert scores(ending) == (0, 0)
    assert why(ending, "score", "strict").startswith("missing: ")
    assert why(ending, "rendered") == "no order: solution.json has no order"


def test_the_reversed_film_is_an_order_and_worth_nothing(sequencing: LoadedBenchmark, film: SequencingItem) -> None:
    ending = sequencing.mark(handed(sequencing, order=list(film.order)[::-1]), film)
    assert scores(ending) == (0, 0)
    assert ending.scores["nd@paper"] == 0
    assert ending.scores["lis@paper"] == pytest.approx(1 / 7)


# ---- films


def rendered(bench: LoadedBenchmark, tmp_path: Path, pictures: Iterable[Pixels]) -> FileRef:
    write_clip(tmp_path / FILM, pictures, rate=RATE)
    return bench.store.put(tmp_path / FILM, name=FILM)


def pictures_of(bench: LoadedBenchmark, clips: Iterable[FileRef]) -> list[list[Pixels]]:
    return [list(load_footage(bench.store.path(ref)).pictures()) for ref in clips]


def second_track(bench: LoadedBenchmark, tmp_path: Path, clips: list[list[Pixels]]) -> FileRef:
    """A film with two video tracks: the clips the wrong way round, and the right way behind it."""
    right = [picture for clip in clips for picture in clip]
    wrong = [picture for clip in clips[::-1] for picture in clip]
    with av.open(str(tmp_path / FILM), "w") as out:
        streams = [out.add_stream("libx264", rate=8) for _ in range(2)]
        for stream in streams:
            stream.width, stream.height, stream.pix_fmt = 160, 90, "yuv420p"
        for stream, shown in zip(streams, (wrong, right), strict=True):
            for picture in shown:
                out.mux(stream.encode(av.VideoFrame.from_ndarray(picture)))
            out.mux(stream.encode(None))
    return bench.store.put(tmp_path / FILM, name=FILM)


Hostile = Callable[[LoadedBenchmark, SequencingItem, Path], FileRef | bytes]
BLACK = np.zeros((90, 160, 3), np.uint8)


def _shown(change: Callable[[list[list[Pixels]]], Iterable[Pixels]]) -> Hostile:
    return lambda bench, film, tmp_path: rendered(bench, tmp_path, change(pictures_of(bench, film.clips_in_order)))


def _flat(clips: Iterable[Iterable[Pixels]]) -> list[Pixels]:
    return [picture for clip in clips for picture in clip]


HOSTILE_FILMS: dict[str, tuple[Hostile, str]] = {
    "empty": (lambda *_: b"", "not a film"),
    "an ffconcat list": (lambda *_: b"ffconcat version 1.0\nfile golden.mp4\n", "not a film"),
    "an HLS playlist": (lambda *_: b"#EXTM3U\n#EXTINF:1,\ngolden.mp4\n", "not a film"),
    "the order instead": (lambda bench, film, _: json.dumps(list(film.order)).encode(), "not a film"),
    "a hole": (lambda *_: bytes(1 << 20), "not a film"),
    "the head alone": (
        lambda bench, film, _: bench.store.path(film.clips_in_order[0]).read_bytes()[:2000],
        "not a film",
    ),
    "golden in a second track": (
        lambda bench, film, tmp_path: second_track(bench, tmp_path, pictures_of(bench, film.clips_in_order)),
        "not a film",
    ),
    "the clips as they were given": (
        lambda bench, film, _: splice_clips(bench.store, FILM, film.materials),
        "other order",
    ),
    "backwards": (_shown(lambda clips: _flat(clips[::-1])), "other order"),
    "the first clip alone": (_shown(lambda clips: clips[0]), "other order"),
    "one clip twice": (_shown(lambda clips: _flat([*clips, clips[0]])), "other order"),
    "black": (_shown(lambda clips: [BLACK] * 100), "foreign"),
    "noise": (
        _shown(lambda clips: [np.random.default_rng(n).integers(0, 255, BLACK.shape, np.uint8) for n in range(20)]),
        "foreign",
    ),
    "padded with black": (_shown(lambda clips: [*_flat(clips), *[BLACK] * 20]), "foreign"),
    "three pictures of each": (_shown(lambda clips: _flat(clip[:3] for clip in clips)), "length"),
    "frozen at the first clip": (_shown(lambda clips: [clips[0][0]] * 60 + _flat(clips[1:])), "length"),
}


@pytest.mark.real  # one of each kind is in test_gates.py
@pytest.mark.parametrize("name", HOSTILE_FILMS)
def test_the_right_order_with_a_hostile_film_is_worth_nothing_in_strict(
    sequencing: LoadedBenchmark, film: SequencingItem, name: str, tmp_path: Path
) -> None:
    make, reason = HOSTILE_FILMS[name]
    ending = sequencing.mark(handed(sequencing, order=list(film.order), film=make(sequencing, film, tmp_path)), film)
    assert scores(ending) == (1.0, 0.0)
    assert why(ending, "score", "strict").startswith(f"{reason}: ")
    assert {each.file for each in ending.findings if each.mode == "strict"} == {FILM}
    assert why(ending, "rendered").startswith(f"{reason}: ")
    assert found(ending, "rendered") == 0


def test_a_link_to_the_film_is_not_taken_in(sequencing: LoadedBenchmark, film: SequencingItem, tmp_path: Path) -> None:
    golden = sequencing.store.path(splice_clips(sequencing.store, FILM, film.clips_in_order))
    (tmp_path / FILM).symlink_to(golden)
    with pytest.raises(BadInput):
        sequencing.store.put(tmp_path / FILM, name=FILM)


def test_a_wrong_order_is_not_saved_by_the_right_film(sequencing: LoadedBenchmark, film: SequencingItem) -> None:
    order = list(film.order)
    order[0], order[1] = order[1], order[0]
    ending = sequencing.mark(
        handed(sequencing, order=order, film=splice_clips(sequencing.store, FILM, film.clips_in_order)), film
    )
    assert scores(ending)[1] == 0
    assert why(ending, "score", "strict").startswith("other order: place 1 of the film shows ")


@pytest.mark.real
def test_an_honest_film_may_be_encoded_and_scaled_otherwise(
    sequencing: LoadedBenchmark, film: SequencingItem, tmp_path: Path
) -> None:
    golden = sequencing.store.path(splice_clips(sequencing.store, FILM, film.clips_in_order))
    write_footage(load_footage(golden, rate=Fraction(15)), tmp_path / "worse.mp4", crf=38)
    larger = (picture.repeat(2, axis=0).repeat(2, axis=1) for picture in load_footage(golden).pictures())
    write_clip(tmp_path / "larger.mp4", larger, rate=RATE, sound=load_footage(golden).sound)
    for name in ("worse.mp4", "larger.mp4"):
        ref = sequencing.store.put(tmp_path / name, name=FILM)
        assert scores(sequencing.mark(handed(sequencing, order=list(film.order), film=ref), film)) == (1, 1), name


def test_a_film_of_another_length_breaks_the_delivery_and_not_the_score(
    sequencing: LoadedBenchmark, film: SequencingItem, tmp_path: Path
) -> None:
    clips = [load_footage(sequencing.store.path(ref)) for ref in film.clips_in_order]
    parts = [trim(clip, Span(start_s=0, end_s=(clip.count - clip.count // 5) / clip.rate)) for clip in clips]
    write_footage(join_footage(parts), tmp_path / "cut.mp4")
    cut = sequencing.store.put(tmp_path / "cut.mp4", name=FILM)
    ending = sequencing.mark(handed(sequencing, order=list(film.order), film=cut), film)
    assert scores(ending) == (1, 1)
    assert found(ending, "delivery") == 0
    assert "asked were 6 ± 0.5 s" in why(ending, "delivery")


# ---- items and packs


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"order": ()}, "order names at least two clips"),
        ({"order": ("film-3/clip-01.mp4",) * 7}, "each of the materials once"),
        ({"order": tuple(f"film-3/clip-{n:02d}.mp4" for n in range(1, 8))}, "lie in the order of the film"),
        ({"deliveries": [{"name": FILM}, {"name": ORDER}]}, "deliveries are solution.json and solution.mp4"),
    ],
)
def test_an_item_that_is_no_shuffle_is_refused(film: SequencingItem, changes: dict[str, Any], fault: str) -> None:
    with pytest.raises(ValidationError, match=fault):
        SequencingItem.model_validate(film.model_dump() | changes)


def test_one_file_as_two_clips_is_refused(film: SequencingItem) -> None:
    first, second, *rest = film.materials
    twin = second.model_copy(update={"sha256": first.sha256})
    with pytest.raises(ValidationError, match="two of the clips are the same file"):
        SequencingItem.model_validate(film.model_dump() | {"materials": (first, twin, *rest)})


def test_a_pack_without_its_clips_is_named(film: SequencingItem, tmp_path: Path) -> None:
    (tmp_path / "items.jsonl").write_text(film.model_dump_json() + "\n")
    with pytest.raises(BrokenData, match=r"line 1: file 'film-3/clip-01\.mp4'"):
        items(Store(tmp_path / "store"), tmp_path)


def test_shots_become_as_many_clips_as_are_wanted() -> None:
    shots = [(0, 30), (30, 34), (34, 40), (40, 70)]
    assert split(shots, 4) == shots
    assert split(shots, 3) == [(0, 30), (30, 40), (40, 70)]
    assert split(shots, 6) == [(0, 15), (15, 30), (30, 34), (34, 40), (40, 55), (55, 70)]
    assert all(draw_names("x", 2, seed) == ["x/clip-02.mp4", "x/clip-01.mp4"] for seed in range(20))


# ---- keyless


def test_blind_draws_an_order_and_looks_at_nothing(sequencing: LoadedBenchmark, film: SequencingItem) -> None:
    ask = sequencing.found.part("ask").ask(film, sequencing.prompts)
    said = [keyless.blind(ask, seed, sequencing.store) for seed in (1, 1, 2)]
    assert said[0] == said[1] != said[2]
    assert [ref.name for ref in said[0].files] == [ORDER]


def test_the_reader_joins_what_goes_on(sequencing: LoadedBenchmark, film: SequencingItem, tmp_path: Path) -> None:
    ask = sequencing.found.part("ask").ask(film, sequencing.prompts)
    context = WorkContext(store=sequencing.store, make_workspace=lambda: tmp_path, epoch=1, seed=1)
    ending = sequencing.mark(keyless.reader(ask, context), film)
    assert found(ending, "rendered") == 1
    assert scores(ending)[0] == scores(ending)[1] > 0.1
    assert [len(seen.frames) for seen in context.tally.seen] == [2] * 7
    assert keyless.reader(ask.model_copy(update={"files": ()}), context).empty


def test_the_reader_does_with_pictures_alone(sequencing: LoadedBenchmark, tmp_path: Path) -> None:
    """Eight pictures of a slope that moves on, in four silent clips: each begins where another has ended."""
    slope = np.arange(96, dtype=np.uint8).repeat(3).reshape(1, 96, 3).repeat(54, axis=0)
    clips = []
    for number in (2, 0, 3, 1):
        write_clip(tmp_path / "clip.mp4", [np.roll(slope, 8 * number + n, axis=1) for n in (0, 7)], rate=RATE)
        clips.append(sequencing.store.put(tmp_path / "clip.mp4", name=f"clip-{number}.mp4"))
    context = WorkContext(store=sequencing.store, make_workspace=lambda: tmp_path, epoch=1, seed=1)
    said = keyless.reader(Ask(item="slope", brief="Put them in order.", files=tuple(clips)), context)
    assert json.loads(sequencing.store.path(said.files[0]).read_text()) == [f"clip-{n}.mp4" for n in range(4)]
    looked, wrote = context.steps.trajectory() or ()
    assert looked.saw.splitlines()[0].startswith("clip-2.mp4 → clip-3.mp4 0.")
    assert [line[:23] for line in wrote.saw.splitlines()] == [f"clip-{n}.mp4 → clip-{n + 1}.mp4" for n in range(3)]
    assert [ref.name for ref in wrote.media] == ["cuts.jpg"]


# ---- variants


def test_a_narrative_stands_before_the_brief_and_tells_the_order(
    sequencing: LoadedBenchmark, film: SequencingItem
) -> None:
    part = sequencing.found.part("ask")
    told = part.variant(film, sequencing.prompts, "narrative")
    assert told.brief.startswith("What happens in the film, shot by shot:\n\n1. Wide shot of the house: ")
    assert told.brief.endswith(part.ask(film, sequencing.prompts).brief)
    said = ["A guest comes", "Come in.", "Happy birthday", "There are 4 candles", "Blow them out", "Now there is"]
    places = [told.brief.index(words) for words in said]
    assert places == sorted(places)
    assert part.variant(film.model_copy(update={"hints": {}}), sequencing.prompts, "narrative") is None


# ---- tables


def test_tables_show_every_factor_and_the_number_of_clips(sequencing: LoadedBenchmark) -> None:
    rows = [
        Row(
            benchmark="sequencing",
            version="1",
            cell=who,
            subject=who,
            item=item.id,
            epoch=1,
            cluster=item.cluster,
            groups=item.groups,
            ending=sequencing.mark(sequencing.oracle_deliverable(made, item), item),
        )
        for who, made in (("oracle", "perfect"), ("me", "near_miss"))
        for item in sequencing.items[2:3]
    ]
    factors, clips, lift = tables(rows, sequencing.found.card)
    assert lift.title.startswith("No lift: nobody was measured")
    assert [column.name for column in factors.columns][3:] == ["score", "nd", "lis", "adj", "exact"]
    assert factors.title == "Factors of the score: nd is the easiest"
    values = {row[0]: [getattr(cell, "value", None) for cell in row[3:]] for row in factors.rows}
    assert values["oracle"] == [1, 1, 1, 1, 1]
    assert values["me"] == pytest.approx([11 / 12 * 6 / 7 * 3 / 6, 11 / 12, 6 / 7, 1 / 2, 0])
    assert [column.name for column in clips.columns][3:] == ["7 to 10"]
