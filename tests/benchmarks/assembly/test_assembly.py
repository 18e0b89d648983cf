"""assembly: what the starter stories are, how manifests and films are marked, who is refused, who guesses in vain."""

import json
from collections import Counter
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from statistics import fmean
from typing import Any

import av
import pytest
from pydantic import ValidationError

from cutscore.authoring.clip_cache import splice_clips
from cutscore.authoring.hostile import FEWEST
from cutscore.authoring.loaded_benchmark import LoadedBenchmark
from cutscore.benchmarks.assembly import keyless
from cutscore.benchmarks.assembly.build import starter
from cutscore.benchmarks.assembly.dataset import DIMENSIONS, FILM, MANIFEST, AssemblyItem
from cutscore.benchmarks.assembly.hostile import honest, hostile
from cutscore.benchmarks.assembly.shortcuts import PICKS, shortcuts
from cutscore.benchmarks.assembly.tables import tables
from cutscore.benchmarks.assembly.verify.candidate_match import APART, distance, grey_pictures
from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable
from cutscore.core.ending import Ending
from cutscore.core.files import FileRef, FileStore
from cutscore.core.row import Row
from cutscore.core.subject import WorkContext
from cutscore.media.frames import read_frames
from cutscore.media.plan import FramePlan
from cutscore.media.probe import probe
from cutscore.store import Store
from cutscore.submissions import read_submission


@pytest.fixture
def assembly(bench: Callable[[str], LoadedBenchmark]) -> LoadedBenchmark:
    return bench("assembly")


@pytest.fixture
def story(assembly: LoadedBenchmark) -> AssemblyItem:
    """The second story: a birthday in four slots."""
    return stories(assembly)[1]


def stories(bench: LoadedBenchmark) -> list[AssemblyItem]:
    return [item for item in bench.items if isinstance(item, AssemblyItem)]


def handed(bench: LoadedBenchmark, manifest: object = None, film: FileRef | None = None, text: str = "") -> Deliverable:
    files = [] if manifest is None else [bench.store.put_bytes(json.dumps(manifest).encode(), name=MANIFEST)]
    return Deliverable(files=(*files, *([film] if film else [])), text=text)


def scores(ending: Ending, name: str = "score") -> tuple[float, float]:
    assert ending.status == "marked", ending.because
    return ending.scores[f"{name}@paper"], ending.scores[f"{name}@strict"]


def why(ending: Ending, name: str, mode: str = "") -> str:
    return next(each.because for each in ending.findings if (each.name, each.mode) == (name, mode))


# ---- the starter stories


def test_stories_of_three_to_six_slots_with_three_candidates_each(assembly: LoadedBenchmark) -> None:
    assert [len(item.slots) for item in stories(assembly)] == [3, 4, 5, 6]
    for item in stories(assembly):
        assert {len(item.candidates(slot)) for slot in item.slots} == {3}
        facts = [probe(assembly.store.path(ref)) for ref in item.materials]
        assert {(each.width, each.height, each.frames, each.sound) for each in facts} == {(128, 72, 8, None)}
        assert {each.rate for each in facts} == {8}


def test_a_distractor_differs_in_the_term_of_one_field(assembly: LoadedBenchmark) -> None:
    decided = Counter[str]()
    for item in stories(assembly):
        for shot in item.storyboard:
            dimension = item.dimension(shot.slot)
            terms = [each.term for each in item.distractors.values() if each.slot == shot.slot]
            assert len({*terms, getattr(shot, dimension)}) == 3
            decided[dimension] += 1
    assert min(decided[name] for name in DIMENSIONS) >= 3


def test_in_at_least_half_of_the_slots_both_distractors_differ_the_same_way(assembly: LoadedBenchmark) -> None:
    """The right clip is then not the middle one of its three."""
    middle = {"eye level", "normal lens", "static", "medium wide shot", "medium close-up"}
    for item in stories(assembly):
        rights = [getattr(shot, item.dimension(shot.slot)) for shot in item.storyboard]
        assert 2 * sum(term not in middle for term in rights) >= len(rights)


def test_all_candidates_of_a_story_can_be_told_apart(assembly: LoadedBenchmark, story: AssemblyItem) -> None:
    seen = [grey_pictures(assembly.store.path(ref)) for ref in story.materials]
    assert min(distance(one, other) for one, other in combinations(seen, 2)) > APART


def test_names_and_files_tell_nothing(assembly: LoadedBenchmark, story: AssemblyItem) -> None:
    assert [ref.name for ref in story.materials] == [f"story-2/clip-{number:02d}.mp4" for number in range(1, 13)]
    said = []
    for ref in story.materials:
        with av.open(str(assembly.store.path(ref))) as container:
            said.append({**container.metadata, **container.streams.video[0].metadata})
    assert all(each == said[0] for each in said)
    assert not {"title", "comment", "encoder", "creation_time"} & said[0].keys()
    golden = [int(name[-6:-4]) for name in story.golden.values()]
    assert golden != sorted(golden)


def test_the_brief_has_the_storyboard_the_sheet_and_every_form(assembly: LoadedBenchmark, story: AssemblyItem) -> None:
    ask: Ask = assembly.found.part("ask").ask(story, assembly.prompts)
    board = keyless.storyboard(ask.brief)
    assert [slot["slot"] for slot in board] == list(story.slots)
    assert all(set(slot) == {"slot", "description", *DIMENSIONS} for slot in board)
    assert assembly.prompts["shot-language"].text.strip() in ask.brief
    told = "solution.mp4: the chosen clips one after the other, in order of the storyboard (mp4, 4 s ± 0.5 s)"
    assert told in ask.brief
    assert "stage" not in ask.brief


def test_the_sheet_explains_every_term_of_every_story(assembly: LoadedBenchmark) -> None:
    sheet = assembly.prompts["shot-language"].text
    for item in stories(assembly):
        for shot in item.storyboard:
            assert all(getattr(shot, name) in sheet for name in DIMENSIONS)
        assert all(each.term in sheet for each in item.distractors.values())


def test_a_variant_leaves_out_all_four_cinematic_fields(assembly: LoadedBenchmark, story: AssemblyItem) -> None:
    variant = assembly.found.part("ask").variant
    brief = variant(story, assembly.prompts, "no_cinematic").brief
    assert not any(f'"{field}"' in brief for field in DIMENSIONS)
    assert brief.count('"description"') == len(story.storyboard)
    bare = [shot.model_copy(update=dict.fromkeys(DIMENSIONS, "")) for shot in story.storyboard]
    assert variant(story.model_copy(update={"storyboard": tuple(bare)}), assembly.prompts, "no_cinematic") is None


@pytest.mark.parametrize("field", ["description", *DIMENSIONS])
def test_a_variant_leaves_one_field_out(assembly: LoadedBenchmark, story: AssemblyItem, field: str) -> None:
    ask = assembly.found.part("ask").variant(story, assembly.prompts, f"no_{field}")
    assert all(field not in slot and len(slot) == 5 for slot in keyless.storyboard(ask.brief))
    open_board = tuple(shot.model_copy(update={field: ""}) for shot in story.storyboard)
    bare = story.model_copy(update={"storyboard": open_board})
    assert assembly.found.part("ask").variant(bare, assembly.prompts, f"no_{field}") is None


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"storyboard": ()}, "at least 3"),
        ({"golden": {}}, "golden names one clip for each slot"),
        ({"distractors": {}}, "is the right clip of a slot or a distractor"),
        ({"deliveries": ()}, "at least 1"),
    ],
)
def test_a_bad_item_is_refused(story: AssemblyItem, change: dict[str, Any], fault: str) -> None:
    with pytest.raises(ValidationError, match=fault):
        AssemblyItem.model_validate(story.model_dump() | change)


@pytest.mark.parametrize(
    ("slot", "fault"), [("slot-1", "slot 'slot-2' has no distractor"), ("slot-9", "slot-9', which is none")]
)
def test_every_slot_has_its_distractors(story: AssemblyItem, slot: str, fault: str) -> None:
    names = [name for name, each in story.distractors.items() if each.slot == "slot-2"]
    moved = names if slot == "slot-1" else names[:1]
    distractors = {
        name: each.model_copy(update={"slot": slot}) if name in moved else each
        for name, each in story.distractors.items()
    }
    with pytest.raises(ValidationError, match=fault):
        AssemblyItem.model_validate(story.model_dump() | {"distractors": distractors})


# ---- manifests


def test_a_near_miss_by_hand(assembly: LoadedBenchmark, story: AssemblyItem) -> None:
    """Three of four slots: (3/4 − 1/3) / (2/3) = 0.625; the film shows the wrong clip where it is said."""
    ending = assembly.mark(assembly.oracle_deliverable("near_miss", story), story)
    assert scores(ending) == pytest.approx((0.625, 0.625))
    assert scores(ending, "share") == (0.75, 0.75)
    last = next(each for each in ending.findings if each.name == "slot-4")
    wrong = story.candidates("slot-4")[1]
    assert last.because.startswith(f"{wrong} differs from {story.golden['slot-4']} in {story.dimension('slot-4')} (")
    assert last.at is not None
    assert (last.file, float(last.at.start_s), float(last.at.end_s)) == (FILM, 3, 4)


@pytest.mark.parametrize(
    ("right", "score"), [(0, -0.5), (1, -0.125), (2, 0.25), (4, 1.0)], ids=["none", "one", "half", "all"]
)
def test_the_score_is_corrected_for_chance_and_may_be_negative(
    assembly: LoadedBenchmark, story: AssemblyItem, right: int, score: float
) -> None:
    chosen = {slot: story.candidates(slot)[0 if number < right else 1] for number, slot in enumerate(story.slots)}
    ending = assembly.mark(handed(assembly, chosen), story)
    assert ending.scores["score@paper"] == pytest.approx(score)
    assert ending.scores["clipped@paper"] == pytest.approx(max(0, score))
    # Without its film nobody gains, and nobody gets out of what is below 0.
    assert ending.scores["score@strict"] == pytest.approx(min(0, score))


@pytest.mark.parametrize("form", ["object", "inside", "list", "bare names", "text"])
def test_every_form_of_the_brief_is_read(assembly: LoadedBenchmark, story: AssemblyItem, form: str) -> None:
    golden = dict(story.golden)
    bare = {slot: name.removeprefix("story-2/").removesuffix(".mp4") for slot, name in golden.items()}
    said = {
        "object": handed(assembly, golden),
        "inside": handed(assembly, {"slots": golden, "sure": 0.7}),
        "list": handed(assembly, list(golden.values())),
        "bare names": handed(assembly, bare),
        "text": handed(assembly, text=json.dumps(golden)),
    }[form]
    ending = assembly.mark(said, story)
    assert scores(ending) == (1.0, 0.0)
    assert why(ending, "score", "strict") == "missing file: solution.mp4 was not delivered"


def test_slots_that_are_empty_or_of_others_say_so(assembly: LoadedBenchmark, story: AssemblyItem) -> None:
    one, two, *_ = story.slots
    ending = assembly.mark(handed(assembly, {one: None, two: story.golden[one]}), story)
    assert why(ending, one) == f"nothing was chosen, {story.golden[one]} is right"
    assert why(ending, two) == f"{story.golden[one]} is of another slot, {story.golden[two]} is right"
    assert scores(ending) == (-0.5, -0.5)


# ---- films


def test_the_film_of_another_choice_costs_nothing_in_paper_and_all_in_strict(
    assembly: LoadedBenchmark, story: AssemblyItem
) -> None:
    """The right clips but for one, whose camera moves otherwise."""
    slot = next(slot for slot in story.slots if story.dimension(slot) == "camera_movement")
    shown = {**story.golden, slot: story.candidates(slot)[1]}
    film = splice_clips(assembly.store, FILM, story.clips(list(shown.values())))
    ending = assembly.mark(handed(assembly, story.golden, film), story)
    assert scores(ending) == (1.0, 0.0)
    assert why(ending, "rendered").startswith(f"other order: place {story.slots.index(slot) + 1} of the film shows")
    assert all(each.at is None for each in ending.findings)


def test_a_film_may_show_a_clip_as_often_as_the_manifest_says(assembly: LoadedBenchmark, story: AssemblyItem) -> None:
    one, two, *_ = story.slots
    chosen = {**story.golden, two: story.golden[one]}
    film = splice_clips(assembly.store, FILM, story.clips(list(chosen.values())))
    assert scores(assembly.mark(handed(assembly, chosen, film), story)) == pytest.approx((0.625, 0.625))


def submitted(bench: LoadedBenchmark, item: AssemblyItem, write: Callable[[Path], None], folder: Path) -> Ending:
    """Take a folder in as `cutscore score` does, and mark it."""
    (folder / item.id).mkdir(parents=True)
    write(folder / item.id)
    return bench.mark(read_submission(folder, item.id, store=bench.store), item)


def test_there_are_enough_hostile_submissions_with_names_of_their_own(
    assembly: LoadedBenchmark, story: AssemblyItem
) -> None:
    names = [each.name for each in hostile(story, assembly.store)]
    assert len(set(names)) == len(names) >= FEWEST


@pytest.mark.real
def test_no_hostile_submission_scores_and_honest_ones_do(assembly: LoadedBenchmark, tmp_path: Path) -> None:
    item = stories(assembly)[0]
    for number, each in enumerate(hostile(item, assembly.store)):
        ending = submitted(assembly, item, each.write, tmp_path / f"hostile-{number}")
        for mode, value in zip(("paper", "strict"), scores(ending), strict=True):
            assert value <= each.most.get(mode, 0), each.name
            assert why(ending, "score", mode)
    for number, good in enumerate(honest(item, assembly.store)):
        assert scores(submitted(assembly, item, good.write, tmp_path / f"honest-{number}")) == (1.0, 1.0), good.name


# ---- who guesses


def glimpsed(store: FileStore, item: AssemblyItem) -> dict[str, keyless.EndPictures]:
    plan = FramePlan.parse("fps=8,max=16")
    shown = ((ref, read_frames(store.path(ref), plan)) for ref in item.materials)
    return {each.clip.name: each for each in keyless.end_pictures(shown)}


def test_shortcuts_hand_over_a_clip_for_each_slot(assembly: LoadedBenchmark, story: AssemblyItem) -> None:
    ask = assembly.found.part("ask").ask(story, assembly.prompts)
    made = shortcuts(ask, assembly.store)
    assert set(made) == {*PICKS, "brief only"}
    for deliverable in made.values():
        chosen = json.loads(assembly.store.path(deliverable.files[0]).read_bytes())
        assert sorted(chosen) == list(story.slots)


@pytest.mark.release
@pytest.mark.real
def test_no_shortcut_finds_the_right_clip_even_among_the_right_three(tmp_path: Path) -> None:
    """Five seeds of all stories, 90 slots: the share that is right is within four standard errors of a third."""
    store = Store(tmp_path)
    hits: dict[str, list[bool]] = {name: [] for name in PICKS}
    for seed in range(5):
        for item in starter(store, seed=seed):
            seen = glimpsed(store, item)
            for slot in item.slots:
                group = [seen[name] for name in item.candidates(slot)]
                for name, pick in PICKS.items():
                    hits[name].append(pick(group).clip.name == item.golden[slot])
    for name, found in hits.items():
        assert abs(fmean(found) - 1 / 3) < 4 * (2 / 9 / len(found)) ** 0.5, name


def test_the_reader_lies_between_blind_and_the_oracle(assembly: LoadedBenchmark) -> None:
    """On one story it finds the right three for four of six slots, and the right one among them each time."""
    item = stories(assembly)[3]
    ask = assembly.found.part("ask").ask(item, assembly.prompts)
    context = WorkContext(store=assembly.store, make_workspace=Path, epoch=1, seed=1, frames=assembly.found.card.frames)
    ending = assembly.mark(keyless.reader(ask, context), item)
    assert scores(ending) == pytest.approx((0.5, 0.5))  # its film shows what it says
    grouped, took = context.steps.trajectory() or ()
    assert grouped.saw.startswith("slot-1: ")
    assert took.saw.count("they differ most in") == len(item.slots)
    assert [ref.name for ref in took.media] == ["groups.jpg"]
    assert keyless.reader(ask.model_copy(update={"files": ()}), context) == Deliverable()


def test_blind_takes_different_clips_and_makes_no_film(assembly: LoadedBenchmark, story: AssemblyItem) -> None:
    ask = assembly.found.part("ask").ask(story, assembly.prompts)
    (file,) = keyless.blind(ask, 3, assembly.store).files
    chosen = json.loads(assembly.store.path(file).read_bytes())
    assert len(set(chosen.values())) == len(story.slots)


# ---- tables


def test_tables_show_the_chance_line_dimensions_and_slots(assembly: LoadedBenchmark, story: AssemblyItem) -> None:
    rows = [
        Row(
            benchmark="assembly",
            version="1",
            cell=who,
            subject=who,
            item=story.id,
            epoch=1,
            cluster=story.cluster,
            groups=story.groups,
            ending=assembly.mark(assembly.oracle_deliverable(made, story), story),
        )
        for who, made in (("oracle", "perfect"), ("me", "near_miss"), ("null", "empty"))
    ]
    first, dimensions, slots, lift = tables(rows, assembly.found.card)
    assert lift.title.startswith("No lift: nobody was measured")
    assert [column.name for column in first.columns][3:] == ["score", "clipped", "share"]
    assert first.plot is not None
    assert (first.plot.level, first.plot.level_name) == (0, "chance")
    values = {row[0]: [getattr(cell, "value", None) for cell in row[3:]] for row in first.rows}
    assert values["me"] == pytest.approx([0.625, 0.625, 0.75])
    assert values["null"] == pytest.approx([0, 0, 0])
    assert [column.name for column in dimensions.columns][3:] == list(DIMENSIONS)
    assert [column.name for column in slots.columns][3:] == ["4"]
