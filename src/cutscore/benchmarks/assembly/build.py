"""Films → storyboards with candidates for each slot: the starter pack, and packs from footage."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from pathlib import Path
from random import Random

from cutscore.authoring.build_folder import BuildFolder
from cutscore.authoring.clip_cache import put_pictures
from cutscore.authoring.datasheet import Grid
from cutscore.authoring.footage import SourceClip, SourceFootage
from cutscore.authoring.model_writer import ModelWriter, open_writer
from cutscore.authoring.recipe import RecipeItems, count_values, drop_easy_items, make_items, publish_pack, refuse
from cutscore.authoring.recipe_options import BuildOptions, BuildResult, RecipeOption
from cutscore.authoring.source_facts import is_staged, origin_of, scene_shots, staged_origin
from cutscore.benchmarks.assembly.construction.candidates import (
    MEDIA_TYPE,
    CandidateBuilder,
    CandidateClip,
    SlotCandidates,
    SlotRequest,
)
from cutscore.benchmarks.assembly.construction.distractors import Ladder, draw_steps, ladders, order_ladders
from cutscore.benchmarks.assembly.construction.makers import FRAMING, open_maker
from cutscore.benchmarks.assembly.construction.storyboards import describe_shots, describe_staged_shots
from cutscore.benchmarks.assembly.dataset import (
    DIMENSIONS,
    FEWEST,
    MOST,
    AssemblyItem,
    Distractor,
    StoryboardEntry,
    StoryboardSlot,
    deliveries,
)
from cutscore.benchmarks.assembly.framing import Reframing, frame_footage
from cutscore.core.bundle import Provenance
from cutscore.core.errors import BadInput
from cutscore.core.files import FileRef, FileStore
from cutscore.core.frozen import digest_of
from cutscore.core.timeline import Span
from cutscore.media.footage import Footage as Pictures
from cutscore.media.orientation import Pixels
from cutscore.stage import library
from cutscore.stage.render import frames
from cutscore.stage.scene import Scene

NAME = "assembly"
SHORTEST_S, LONGEST_S = Fraction(1), Fraction(4)  # of a clip

PROMPTS = Path(__file__).parent / "prompts" / "build"
OPTIONS = {
    "slots": RecipeOption(f"slots of a storyboard, {FEWEST} to {MOST}", ("4",), within=(FEWEST, MOST)),
    "maker": RecipeOption(
        "who makes distractors: our transforms, python:pkg.mod:fn, or a folder of ready clips", (FRAMING,), free=True
    ),
    "height": RecipeOption("height of the clips in pixels", ("360",), within=(32, 2160)),
    "frames": RecipeOption("frame plan for a model that writes storyboards", ("fps=2,max=16",), free=True),
}
ROLES = ("storyboard",)


@dataclass(frozen=True)
class StarterStory:
    """A story of the starter pack: which scene, which of its shots, and what it tells."""

    scene: str
    shots: tuple[int, ...]
    tells: str


# Shots that show the same from the same place are not taken: nobody could tell their slots apart.
STARTER = (
    StarterStory("lost-kite", (2, 3, 4), "A child loses a toy to the wind and gets it back with some help."),
    StarterStory("birthday", (1, 3, 4, 5), "A guest comes to a birthday with a gift, and there is cake for everybody."),
    StarterStory(
        "lantern", (1, 2, 3, 5, 6), "On a walk through the snow somebody finds a cold bird and takes it home."
    ),
    StarterStory("treasure", (1, 2, 3, 4, 5, 6), "A journey by sea ends with a find in a forest."),
)
SEED, SECONDS, RATE, COUNT = 1, 12, Fraction(8), 8
SOURCE, SIZE = (384, 216), (128, 72)


def starter(store: FileStore, *, seed: int = 0) -> list[AssemblyItem]:
    """Stage the starter pack: clips in the store, and the items; another seed draws other framings and names."""
    return [stage_story(store, f"story-{number}", story, seed=seed) for number, story in enumerate(STARTER, 1)]


def stage_story(store: FileStore, id: str, story: StarterStory, *, seed: int) -> AssemblyItem:
    """Stage one story: each shot in three framings."""
    size = {"width": SOURCE[0], "height": SOURCE[1], "rate": RATE}
    scene = library.scene(story.scene, seed=SEED, length_s=SECONDS).model_copy(update=size)
    entries, spans = describe_staged_shots(scene), scene_shots(scene)
    slots, draw, used = [], Random(f"{NAME} {id} {seed}"), Counter[str]()
    for number, step in zip(story.shots, draw_steps(len(story.shots), draw), strict=True):
        entry, (first, end) = entries[number - 1], spans[number - 1]
        ladder = order_ladders(ladders(entry.camera), used, draw)[0]
        used[ladder.dimension] += 1
        start = first + (end - first - COUNT) // 2
        makes = [_paint_framing(store, scene, start, framing) for framing in ladder.framings]
        slots.append(_draft_slot(entry, ladder, step, makes))
    origin = staged_origin(story.scene, seed=SEED)
    return make_item(id, slots, brief=story.tells, length_s=COUNT / RATE, origin=origin, draw=draw)


Make = Callable[[str], FileRef]


def _paint_framing(store: FileStore, scene: Scene, first: int, framing: Reframing) -> Make:
    """Return what puts a framing of a staged shot into the store under a name."""

    def put(name: str) -> FileRef:
        source = _frames(scene, first)
        shot = Pictures(lambda: iter(source), len(source), RATE, None, scene.name)
        return put_pictures(store, name, frame_footage(shot, framing, size=SIZE).pictures(), rate=RATE)

    return put


@lru_cache(maxsize=1)
def _frames(scene: Scene, first: int) -> list[Pixels]:
    """Paint a shot once for all of its framings, which are asked for one after the other."""
    return list(frames(scene, first, first + COUNT))


@dataclass(frozen=True)
class SlotDraft:
    """A slot before its clips have names: what is said of it, and its candidates, the right one first."""

    entry: StoryboardEntry
    makes: Sequence[tuple[Make, Distractor | None]]


def _draft_slot(entry: StoryboardEntry, ladder: Ladder, step: int, makes: Sequence[Make]) -> SlotDraft:
    """Put the right clip on a step of the ladder and distractors on the others."""
    right = entry.model_copy(update={ladder.dimension: ladder.terms[step]})
    others = [
        (make, Distractor(slot="slot", dimension=ladder.dimension, term=term))
        for make, term in zip(makes, ladder.terms, strict=True)
        if term != ladder.terms[step]
    ]
    return SlotDraft(right, [(makes[step], None), *others])


def make_item(
    id: str, slots: Sequence[SlotDraft], *, brief: str, length_s: Fraction, origin: Provenance, draw: Random
) -> AssemblyItem:
    """Return the item of slots in order of the storyboard: every candidate gets a name that is drawn."""
    count = sum(len(slot.makes) for slot in slots)
    names = iter(draw.sample([f"{id}/clip-{number:02d}.mp4" for number in range(1, count + 1)], count))
    shots, golden, distractors, files = [], {}, {}, []
    for number, slotted in enumerate(slots, 1):
        slot = f"slot-{number}"
        shots.append(StoryboardSlot(slot=slot, **slotted.entry.model_dump(include={"description", *DIMENSIONS})))
        for make, wrong in slotted.makes:
            ref = make(next(names))
            files.append(ref)
            if wrong is None:
                golden[slot] = ref.name
            else:
                distractors[ref.name] = wrong.model_copy(update={"slot": slot})
    return AssemblyItem(
        id=id,
        cluster=id,
        groups={"slots": str(len(slots))},
        brief=brief,
        materials=tuple(sorted(files, key=lambda ref: ref.name)),
        deliveries=deliveries(len(slots) * length_s),
        licence=origin.licence,
        media_type="animation" if is_staged(origin) else "",
        modalities=("picture", "text"),
        provenance={ref.name: origin for ref in files},
        storyboard=tuple(shots),
        golden=golden,
        distractors=dict(sorted(distractors.items())),
    )


def build(footage: SourceFootage, out: BuildFolder, options: BuildOptions) -> BuildResult:
    """Make a pack of storyboards: the recipe of `cutscore build assembly`."""
    writer = open_writer("storyboard", out, options, prompts=PROMPTS)
    candidates = open_maker(options.own["maker"], out, int(options.own["height"]) // 2 * 2, seed=options.seed)
    take_apart = partial(_take_apart, candidates=candidates, writer=writer, options=options)
    nothing = "no storyboard can be made of this footage"
    made = make_items(footage, options, take_apart, doing="storyboard", nothing=nothing)
    left = drop_easy_items(made, out, options, recipe=NAME)
    deciding = [item.dimension(slot) for item in left.kept for slot in item.slots]
    return publish_pack(
        left,
        about="Storyboards with candidates for each slot: the one that is filmed as the slot says is to be found.",
        clips=sum(len(item.materials) for item in left.kept),
        counts={"dimension": count_values(deciding, DIMENSIONS)},
        grids=[_measurement_grid(left.kept)],
        settings=writer.settings,
    )


def _measurement_grid(items: Sequence[AssemblyItem]) -> Grid:
    """Return what was measured of every distractor."""
    rows = [
        (f"`{name}`", each.slot, each.dimension, each.term, *(each.measured.get(one, "") for one in DIMENSIONS))
        for item in items
        for name, each in item.distractors.items()
    ]
    note = "In tolerances, against the right clip: beyond ± 2 a dimension is changed, within ± 1 it is not."
    return Grid("Distractors, measured", ("clip", "slot", "differs in", "is", *DIMENSIONS), rows, note)


def _take_apart(
    film: SourceClip,
    made: RecipeItems[AssemblyItem],
    *,
    candidates: CandidateBuilder,
    writer: ModelWriter,
    options: BuildOptions,
) -> None:
    """Choose shots of a film, film each anew, and make an item of those that can be told apart."""
    slots = int(options.own["slots"])
    id = f"story-{digest_of([film.ref.sha256, slots, options.own['maker'], options.seed])[:8]}"
    shots, story, author = describe_shots(film, writer)
    long_enough = [(n, span, entry) for n, (span, entry) in enumerate(shots, 1) if span.length_s >= SHORTEST_S]
    if len(long_enough) < FEWEST:
        fact = f"{len(long_enough)} shots last {float(SHORTEST_S):g} s or more, {FEWEST} are the fewest"
        raise BadInput(f"film '{film.name}'", fact)
    length_s = min(LONGEST_S, *(span.length_s for _, span, _ in long_enough))
    draw, used, filmed = Random(f"{NAME} {id} {options.seed}"), Counter[str](), list[tuple[Span, SlotCandidates]]()
    steps = draw_steps(slots, draw)
    for number, span, entry in _spread_shots(long_enough, slots):
        middle_s = (span.start_s + span.end_s) / 2
        part = Span(start_s=middle_s - length_s / 2, end_s=middle_s + length_s / 2)
        wanted = SlotRequest(film, id, number, part, entry, steps[len(filmed)])
        try:
            found = candidates.film(wanted, [each for _, each in filmed], used, draw, writer)
        except BadInput as fault:
            made.refused.append(refuse(film, fault, str(span)))
            continue
        filmed.append((span, found))
        if len(filmed) == slots:
            break
    if len(filmed) < FEWEST:
        raise BadInput(f"film '{film.name}'", f"{len(filmed)} slots could be made, {FEWEST} are the fewest")
    ready = [
        SlotDraft(each.entry, [(_put_clip(candidates.out, clip), _distractor(clip)) for clip in each.clips])
        for _, each in sorted(filmed, key=lambda pair: pair[0].start_s)
    ]
    length_s, origin = filmed[0][1].length_s, origin_of(film, seed=options.seed)
    made.add(make_item(id, ready, brief=story, length_s=length_s, origin=origin, draw=draw), film, author=author)


def _put_clip(out: BuildFolder, clip: CandidateClip) -> Make:
    return lambda name: out.store.put(clip.path, name=name, media_type=MEDIA_TYPE)


def _distractor(clip: CandidateClip) -> Distractor | None:
    if not clip.dimension:
        return None
    return Distractor(slot="slot", dimension=clip.dimension, term=clip.term, measured=dict(clip.amounts))


Numbered = tuple[int, Span, StoryboardEntry | None]


def _spread_shots(shots: Sequence[Numbered], count: int) -> list[Numbered]:
    """Return shots in the order to try them: first those that lie evenly over the film, then the others."""
    first = [round(number * (len(shots) - 1) / max(1, count - 1)) for number in range(count)]
    order = list(dict.fromkeys([*first, *range(len(shots))]))
    return [shots[number] for number in order]
