"""Clips → the same clips with one defect in a window: the starter pack, and packs from footage."""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from random import Random

import numpy as np

from cutscore.authoring.build_folder import BuildFolder
from cutscore.authoring.clip_cache import put_clip
from cutscore.authoring.difficulty_filter import FilterCandidate
from cutscore.authoring.footage import SourceClip, SourceFootage
from cutscore.authoring.recipe import RecipeItems, count_values, drop_easy_items, make_items, publish_pack, refuse
from cutscore.authoring.recipe_options import BuildOptions, BuildResult
from cutscore.authoring.source_facts import is_staged, origin_of, scene_shots, staged_origin
from cutscore.benchmarks.repair import dataset
from cutscore.benchmarks.repair.dataset import GROUPS, RepairItem, find_giveaway
from cutscore.benchmarks.repair.defect import AUDIO, SPOKEN, DefectKind
from cutscore.benchmarks.repair.planting.anchors import measure_anchors
from cutscore.benchmarks.repair.planting.briefs import client_request, draw_request, hints
from cutscore.benchmarks.repair.planting.clips import (
    BROKEN,
    GOLDEN,
    BrokenClip,
    OpenClip,
    fitting_kinds,
    make_broken_clip,
    open_clip,
)
from cutscore.benchmarks.repair.planting.injection import inject
from cutscore.benchmarks.repair.planting.options import DEFECT_OPTIONS, TOLERANCE_S, DefectOptions, read_options
from cutscore.benchmarks.repair.planting.voices import draw_false_sentence, speak_fillers, speak_text
from cutscore.core.bundle import Provenance, Tier
from cutscore.core.errors import BadInput
from cutscore.core.files import FileStore
from cutscore.core.frozen import digest_of
from cutscore.media import footage as film
from cutscore.media.probe import probe
from cutscore.media.sound import Sound
from cutscore.stage import library
from cutscore.stage.render import frames
from cutscore.stage.scene import Scene
from cutscore.stage.sound import sound
from cutscore.stage.speech import with_voice

NAME = "repair"

OPTIONS = DEFECT_OPTIONS

# Small enough to be shipped; half of that is the sound.
SEED, SECONDS, WIDTH, HEIGHT, RATE = 1, 4, 128, 72, Fraction(8)
THINNED = 3  # 48 kHz to 16

_TIERS: dict[DefectKind, Tier] = {
    **dict.fromkeys(("colour_shift", "repeated_frames"), "easy"),
    **dict.fromkeys(("echo", "swapped_shots", "wrong_sentences"), "hard"),
}


@dataclass(frozen=True)
class StarterClip:
    """A clip of the starter pack: what is planted, and in which scene."""

    kind: DefectKind
    scene: str


# Words are planted in scenes with a long pause between their lines, where nothing else is heard.
STARTER = (
    StarterClip("noise", "race"),
    StarterClip("echo", "treasure"),
    StarterClip("clipping", "lost-kite"),
    StarterClip("colour_shift", "soup"),
    StarterClip("blur", "birthday"),
    StarterClip("lost_sharpness", "lantern"),
    StarterClip("swapped_shots", "lost-kite"),
    StarterClip("filler_words", "race"),
    StarterClip("repeated_frames", "race"),
    StarterClip("wrong_sentences", "maze"),
)


def starter(store: FileStore, *, seed: int = 0) -> list[RepairItem]:
    """Stage the starter pack, one clip for each of the ten kinds; another seed plants otherwise."""
    return [_stage_clip(store, f"clip-{number:02d}", told, seed) for number, told in enumerate(STARTER, 1)]


def starter_scene(told: StarterClip) -> Scene:
    """Return a scene of the starter pack; its voice is tones."""
    scene = library.scene(told.scene, seed=SEED, length_s=SECONDS)
    size = {"width": WIDTH, "height": HEIGHT, "rate": RATE, "voice": "tones"}
    return scene.model_copy(update=size | ({"cues": ()} if told.kind in SPOKEN else {}))


@lru_cache(maxsize=8)
def _scene_footage(scene: Scene) -> film.Footage:
    """Return a small scene as footage; its pictures are painted when they are first asked for, once for all defects."""
    painted = lru_cache(maxsize=1)(lambda: list(frames(scene)))
    return film.Footage(lambda: iter(painted()), scene.frames, scene.rate, _downsample(sound(scene)), scene.name)


def _downsample(heard: Sound) -> Sound:
    count = len(heard.samples) // THINNED
    samples = heard.samples[: count * THINNED].reshape(count, THINNED).mean(axis=1, dtype=np.float32)
    return Sound(samples, heard.rate_hz // THINNED)


def _stage_clip(store: FileStore, id: str, told: StarterClip, seed: int) -> RepairItem:
    scene = starter_scene(told)
    draw = Random(f"{NAME} {id} {seed}")
    made = inject(
        _scene_footage(scene),
        told.kind,
        seed=draw.getrandbits(32),
        shots=scene_shots(scene),
        fillers=[_downsample(word) for word in speak_fillers(scene.voice)],
        sentence=_downsample(speak_text(draw_false_sentence(scene, draw), scene.voice)),
    )
    broken = put_clip(store, f"{id}/{BROKEN}", partial(film.write_footage, made.broken))
    golden = put_clip(store, f"{id}/{GOLDEN}", partial(film.write_footage, made.golden))
    window = made.defect.window
    anchors = measure_anchors(store.path(broken), store.path(golden), window, told.kind, speech=False)
    return make_item(
        id,
        BrokenClip(made, broken, golden, anchors),
        cluster=told.scene,
        brief=draw_request(told.kind, draw),
        origin=staged_origin(told.scene, seed=SEED),
        size=(WIDTH, HEIGHT),
    )


def make_item(
    id: str,
    clip: BrokenClip,
    *,
    cluster: str,
    brief: str,
    origin: Provenance,
    size: tuple[int, int],
    tolerance_s: Fraction = TOLERANCE_S,
) -> RepairItem:
    """Return the item of a clip that was broken.

    The tolerance is at most a quarter of the shortest range, so that none is met by half of it or by what lies beside
    it, and at least a picture.
    """
    made, anchors = clip.injection, clip.anchors
    kind, spans, heard = made.defect.kind, [true.spans[0] for true in made.ranges], made.broken.sound
    within_s = max(1 / made.broken.rate, min([tolerance_s, *(span.length_s / 4 for span in spans)]))
    return RepairItem(
        id=id,
        cluster=cluster,
        groups={"group": dataset.group_of(kind), "kind": kind},
        brief=brief,
        materials=(clip.broken,),
        hidden=(clip.golden,),
        deliveries=dataset.deliveries(
            kind,
            size=size,
            rate=made.broken.rate,
            length_s=made.broken.length_s,
            sound_hz=None if heard is None else heard.rate_hz,
        ),
        licence=origin.licence,
        tier=_TIERS.get(kind, "medium"),
        media_type="animation" if is_staged(origin) else "",
        modalities=("sound", "speech") if kind in (*AUDIO, *SPOKEN) else ("picture",),
        provenance={clip.broken.name: origin, clip.golden.name: origin},
        hints=hints(made.defect, spans),
        defect=made.defect,
        measures=anchors.measures,
        encode_noise=anchors.encode_noise,
        ranges=made.ranges,
        tolerance_s=within_s,
        most_clean_s=2 * within_s * max(1, len(spans)),
    )


def staging(scene: Scene, *, seed: int) -> Scene:
    """Let scenes speak as well as this machine can."""
    return with_voice(scene)


def build(footage: SourceFootage, out: BuildFolder, options: BuildOptions) -> BuildResult:
    """Make a pack of broken clips: the recipe of `cutscore build repair`."""
    broken = partial(_break_clip, wanted=read_options(options.own), out=out, seed=options.seed)
    made = make_items(footage, options, broken, doing="defects", nothing="nothing can be planted in this footage")
    left = drop_easy_items(
        made, out, options, recipe=NAME, candidate=lambda item: FilterCandidate(item=item.id, axis=item.groups["group"])
    )
    return publish_pack(
        left,
        about="Clips with one defect in a window: it is to be found and mended, and nothing else to be touched.",
        counts={
            "group": count_values((item.groups["group"] for item in left.kept), list(GROUPS)),
            "kind": count_values(item.groups["kind"] for item in left.kept),
        },
    )


def _break_clip(
    clip: SourceClip, made: RecipeItems[RepairItem], *, wanted: DefectOptions, out: BuildFolder, seed: int
) -> None:
    """Make the items of a clip: of each wanted kind, or of the first drawn one that finds a place."""
    opened = open_clip(clip)
    fit = fitting_kinds(opened, wanted)
    faults = []
    for kind in wanted.kinds or Random(f"{NAME} {clip.ref.sha256} {seed}").sample(fit, len(fit)):
        try:
            item = _item(opened, kind, wanted, out, seed=seed)
        except BadInput as fault:
            faults.append(refuse(clip, fault, kind))
            continue
        made.add(item, clip)
        if not wanted.kinds:
            return
    made.refused += faults


def _item(opened: OpenClip, kind: DefectKind, wanted: DefectOptions, out: BuildFolder, *, seed: int) -> RepairItem:
    clip = opened.clip
    id = f"clip-{digest_of([clip.ref.sha256, kind, str(wanted.at), seed])[:8]}"
    brief = client_request(clip, kind, Random(f"request {id}"))
    found = make_broken_clip(
        opened, kind, wanted, out, Random(f"{NAME} {id}"), folder=id, most_cut=dataset.MOST_PLANTED
    )
    if told := find_giveaway(brief, found.injection.defect):
        raise BadInput(f"request of '{clip.name}'", f"tells too much: {told}")
    facts = probe(out.store.path(found.broken))
    return make_item(
        id,
        found,
        cluster=f"clip-{clip.ref.sha256[:8]}",
        brief=brief,
        origin=origin_of(clip, seed=seed),
        size=(facts.width, facts.height),
        tolerance_s=wanted.tolerance_s,
    )
