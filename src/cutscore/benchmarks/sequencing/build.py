"""Films → clips in a drawn order under names that tell nothing: the starter pack, and packs from footage."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from math import ceil, floor
from pathlib import Path
from random import Random

import numpy as np

from cutscore.authoring.build_folder import BuildFolder
from cutscore.authoring.footage import RefusedSource, SourceClip, SourceFootage
from cutscore.authoring.model_writer import ModelWriter, open_writer
from cutscore.authoring.recipe import RecipeItems, count_values, drop_easy_items, make_items, publish_pack
from cutscore.authoring.recipe_options import BuildOptions, BuildResult, RecipeOption
from cutscore.authoring.source_facts import film_shots, is_staged, origin_of, scene_shots, staged_origin
from cutscore.authoring.starter import put_scene_part
from cutscore.benchmarks.sequencing.dataset import STRATA, SequencingItem, deliveries, stratum
from cutscore.benchmarks.sequencing.story import OPENING, narrative, staged_narrative, synopsis
from cutscore.core.bundle import Provenance
from cutscore.core.errors import BadInput
from cutscore.core.files import FileRef, FileStore
from cutscore.core.frozen import digest_of
from cutscore.core.timeline import Span
from cutscore.media.edit import replace_sound
from cutscore.media.footage import load_footage, write_footage
from cutscore.prompts import load_prompt
from cutscore.scoring.metrics.one_pass import one_pass
from cutscore.scoring.metrics.phash import PerceptualHash
from cutscore.scoring.verifiers.rendered import ALIKE, FilmHashes, hash_film, similarity
from cutscore.stage import library
from cutscore.stage.scene import Scene
from cutscore.stage.sound import sound

NAME = "sequencing"
FEWEST, MOST = 7, 20  # clips of a film, as in the paper
SHORTEST_S, LEAST_S = Fraction(1, 2), Fraction(3, 10)  # of a clip, on average and at least
# What a picture counts in which nothing changes, in bits of a hash: of a still shot the halves are equally long.
_STILL_BITS = 0.05
# Else the sound would go on from clip to clip to the sample, and arithmetic without eyes or ears would tell the order.
EDGE_S = Fraction(1, 50)
NARRATIVE = "narrative"
LOOKS_ALIKE = "looks like another clip of its film"

PROMPTS = Path(__file__).parent / "prompts" / "build"
OPTIONS = {
    "clips": RecipeOption(f"clips of a film, {FEWEST} to {MOST}", ("9",), within=(FEWEST, MOST)),
    "frames": RecipeOption("frame plan for a model that writes what a film tells", ("fps=1,max=60",), free=True),
    "narrative": RecipeOption(f"the model also writes what happens shot by shot, for input={NARRATIVE}", ("no", "yes")),
}
ROLES = ("synopsis",)

SEED, SECONDS, WIDTH, HEIGHT, RATE = 1, 6, 160, 90, Fraction(8)


@dataclass(frozen=True)
class StarterFilm:
    """A film of the starter pack: which scene, how many clips, and what it tells."""

    scene: str
    clips: int
    synopsis: str


# Scenes in which a place comes back unchanged are not taken: nobody could tell their clips apart.
STARTER = (
    StarterFilm(
        "lost-kite", 9, "A child loses a toy to the wind, is unhappy about it, and gets it back with some help."
    ),
    StarterFilm("treasure", 9, "A journey by sea ends with a find: what was locked away is opened at last."),
    StarterFilm("birthday", 7, "A guest comes to a birthday with a gift, and there is cake for everybody in the end."),
    StarterFilm(
        "lantern", 7, "On a walk through the snow somebody finds a cold bird, and all ends well in a warm room."
    ),
    StarterFilm("lamp", 7, "A lamp that was out of order shines again."),
    StarterFilm("small-fire", 7, "A fire in a kitchen is put out, and nobody comes to harm."),
    StarterFilm("toast", 7, "Bread, cheese and a stove: somebody makes a snack."),
    StarterFilm("dilution", 7, "In a laboratory a strong liquid is made weaker, step by step."),
)


def starter(store: FileStore, *, seed: int = 0) -> list[SequencingItem]:
    """Stage the starter pack: clips with their sound in the store, and the items; another seed shuffles otherwise."""
    return [_stage_film(store, f"film-{number}", told, seed=seed) for number, told in enumerate(STARTER, 1)]


def starter_scene(told: StarterFilm) -> Scene:
    """Return a scene of the starter pack, small enough to be shipped."""
    size = {"width": WIDTH, "height": HEIGHT, "rate": RATE}
    return library.scene(told.scene, seed=SEED, length_s=SECONDS).model_copy(update=size)


def _stage_film(store: FileStore, id: str, told: StarterFilm, *, seed: int) -> SequencingItem:
    scene = starter_scene(told)
    parts = split(scene_shots(scene), told.clips)
    names = draw_names(id, len(parts), seed)
    files = [put_scene_part(store, name, scene, *part, edge_s=EDGE_S) for name, part in zip(names, parts, strict=True)]
    return make_item(
        id,
        files,
        brief=told.synopsis,
        narrative=f"{OPENING}\n\n{staged_narrative(scene)}",
        length_s=scene.frames / scene.rate,
        origin=staged_origin(told.scene, seed=SEED),
    )


def split(
    shots: Sequence[tuple[int, int]], clips: int, *, change: Sequence[float] | None = None, least: int = 1
) -> list[tuple[int, int]]:
    """Make so many clips of a film's shots: short neighbours are put together, or long shots cut in two.

    Args:
        shots: First frame and the one after the last of each, without gaps.
        clips: How many are wanted; fewer come out when no part can be cut any more.
        change: By how much each frame differs from the one before. Cuts then lie in the middle of what happens, so that
            the halves of a shot differ; otherwise in the middle of its time.
        least: Frames of a part that a cut leaves.

    >>> split([(0, 10), (10, 14)], 3), split([(0, 10), (10, 14), (14, 20)], 2)
    ([(0, 5), (5, 10), (10, 14)], [(0, 10), (10, 20)])
    >>> split([(0, 10)], 2, change=[0, 0, 5, 0, 0, 0, 0, 0, 0, 1])
    [(0, 2), (2, 10)]
    """
    so_far = np.cumsum(change if change is not None else np.ones(shots[-1][1]))

    def happens(first: int, end: int) -> float:
        return float(so_far[end - 1] - so_far[first])

    parts = list(shots)
    while len(parts) > clips:
        # The two neighbours that are shortest together: no clip then outgrows the others.
        at = min(range(len(parts) - 1), key=lambda number: parts[number + 1][1] - parts[number][0])
        parts[at : at + 2] = [(parts[at][0], parts[at + 1][1])]
    while len(parts) < clips:
        able = [number for number, (first, end) in enumerate(parts) if end - first >= 2 * least]
        if not able:
            break
        at = max(able, key=lambda number: happens(*parts[number]))
        first, end = parts[at]
        middle = min(
            range(first + least, end - least + 1), key=lambda cut: abs(happens(first, cut) - happens(cut, end))
        )
        parts[at : at + 1] = [(first, middle), (middle, end)]
    return parts


def draw_names(id: str, clips: int, seed: int) -> list[str]:
    """Draw a name for each clip of a film, in the film's order; never the order of the names themselves.

    >>> sorted(draw_names("film-1", 3, 0))
    ['film-1/clip-01.mp4', 'film-1/clip-02.mp4', 'film-1/clip-03.mp4']
    """
    names = [f"{id}/clip-{number:02d}.mp4" for number in range(1, clips + 1)]
    draw = Random(f"sequencing {id} {seed}")
    drawn = draw.sample(names, clips)
    while drawn == names:
        drawn = draw.sample(names, clips)
    return drawn


def make_item(
    id: str, clips: Sequence[FileRef], *, brief: str, narrative: str | None, length_s: Fraction, origin: Provenance
) -> SequencingItem:
    """Return the item of a film whose clips, in its order, bear drawn names."""
    return SequencingItem(
        id=id,
        cluster=id,
        groups={"clips": stratum(len(clips))},
        brief=brief,
        materials=tuple(sorted(clips, key=lambda ref: ref.name)),
        deliveries=deliveries(length_s),
        licence=origin.licence,
        media_type="animation" if is_staged(origin) else "",
        modalities=("picture", "sound"),
        provenance={ref.name: origin for ref in clips},
        hints={} if narrative is None else {NARRATIVE: narrative},
        order=tuple(ref.name for ref in clips),
    )


def build(footage: SourceFootage, out: BuildFolder, options: BuildOptions) -> BuildResult:
    """Make a pack of shuffled films: the recipe of `cutscore build sequencing`."""
    writer = open_writer("synopsis", out, options, prompts=PROMPTS)
    prompt = load_prompt("narrative", folder=PROMPTS, flags=options.prompts)
    teller = replace(writer, model=writer.model if options.own["narrative"] == "yes" else "", prompt=prompt)
    take_apart = partial(_take_apart, out=out, options=options, writer=writer, teller=teller)
    nothing = "nothing can be shuffled of this footage"
    made = make_items(footage, options, take_apart, doing="clips", nothing=nothing)
    left = drop_easy_items(made, out, options, recipe=NAME)
    return publish_pack(
        left,
        about="Films in clips, shuffled: the order is to be found, and the film to be put together again.",
        clips=sum(len(item.order) for item in left.kept),
        counts={"clips": count_values((item.groups["clips"] for item in left.kept), [name for _, name in STRATA])},
        settings={
            "model": writer.model,
            **{each.prompt.name: each.prompt.digest for each in (writer, teller) if each.model},
        },
    )


def _take_apart(
    film: SourceClip,
    made: RecipeItems[SequencingItem],
    *,
    out: BuildFolder,
    options: BuildOptions,
    writer: ModelWriter,
    teller: ModelWriter,
) -> None:
    """Cut a film, drop clips that look like others, and make an item of the rest."""
    clips, seed = int(options.own["clips"]), options.seed
    told, happens = synopsis(film, writer), narrative(film, teller)
    id = f"film-{digest_of([film.ref.sha256, clips, seed])[:8]}"
    rate, shots = film_shots(film)
    if shots[-1][1] < clips * SHORTEST_S * rate:
        length = f"{float(film.length_s):.1f} s"
        raise BadInput(f"film '{film.name}'", f"{length} are too short for {clips} clips of {float(SHORTEST_S):g} s")
    kept: list[tuple[Path, FilmHashes, Span]] = []
    for first, end in split(shots, clips, change=_changes(film, rate, shots[-1][1]), least=ceil(LEAST_S * rate)):
        span = Span(start_s=first / rate, end_s=end / rate)
        path = out.once(f"clips/{id}/{first}-{end}.mp4", partial(_write_clip, film, span, rate))
        seen = hash_film(path)
        if twin := next((each for each in kept if similarity(seen, each[1]) > ALIKE), None):
            made.dropped[LOOKS_ALIKE] += 1
            made.refused.append(RefusedSource(what=f"{film.name} {span}", because=f"looks like {twin[2]}"))
        else:
            kept.append((path, seen, span))
    if len(kept) < FEWEST:
        raise BadInput(f"film '{film.name}'", f"{len(kept)} clips can be told apart, {FEWEST} are the fewest")
    names = draw_names(id, len(kept), seed)
    files = [
        out.store.put(path, name=name, media_type="video/mp4") for name, (path, _, _) in zip(names, kept, strict=True)
    ]
    length_s = sum((span.length_s for _, _, span in kept), Fraction(0))
    origin = origin_of(film, seed=seed)
    item = make_item(id, files, brief=told.text, narrative=happens, length_s=length_s, origin=origin)
    made.add(item, film, author=told.author)


def _changes(film: SourceClip, rate: Fraction, frames: int) -> list[float] | None:
    """Return how much changes with each frame of a film; None for a scene of the stage, which is cut by time."""
    if film.scene is not None:
        return None
    hashed = one_pass(film.path, [PerceptualHash()]).alone[0]
    change = [_STILL_BITS] * frames
    for at_s, bits in zip(hashed.at_s, hashed.values, strict=True):
        change[min(frames - 1, floor(at_s * rate))] += float(bits)
    return change


def _write_clip(film: SourceClip, span: Span, rate: Fraction, path: Path) -> None:
    """Write a stretch of a film as a clip of its own, with its sound and without anything that the file said."""
    part = load_footage(film.path, span=span, rate=rate, trusted=film.scene is not None)
    heard = part.sound if film.scene is None else sound(film.scene).part(span)
    write_footage(replace_sound(part, heard and heard.fade(EDGE_S)), path)
