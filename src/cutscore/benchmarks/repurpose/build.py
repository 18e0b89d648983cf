"""Films → commissions: the starter pack, staged, and packs from footage with briefs and rubrics beside it."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial
from pathlib import Path

from cutscore.authoring.build_folder import BuildFolder
from cutscore.authoring.footage import SourceClip, SourceFootage
from cutscore.authoring.model_writer import ModelWriter, open_writer
from cutscore.authoring.recipe import RecipeItems, count_values, drop_easy_items, make_items, publish_pack
from cutscore.authoring.recipe_options import BuildOptions, BuildResult, RecipeOption
from cutscore.authoring.source_facts import is_staged, origin_of, staged_origin, transcript_of
from cutscore.authoring.starter import put_scene_part
from cutscore.benchmarks.repurpose.commissions.client_briefs import PERSON, ClientBrief, read_client_brief
from cutscore.benchmarks.repurpose.commissions.stage_items import SceneMoments, editor_notes
from cutscore.benchmarks.repurpose.commissions.stage_scripts import COMMISSIONS, StageCommission, stage_rubric
from cutscore.benchmarks.repurpose.dataset import (
    CONTENTS,
    FORMS,
    Commission,
    FilmTerms,
    SourceCut,
    SpokenLine,
    authoring_faults,
    deliveries,
)
from cutscore.benchmarks.repurpose.rubric.criteria import format_items
from cutscore.core.bundle import Provenance
from cutscore.core.files import FileRef, FileStore
from cutscore.core.frozen import digest_of
from cutscore.media.edit import replace_sound
from cutscore.media.footage import load_footage, write_footage
from cutscore.stage import library
from cutscore.stage.scene import Scene
from cutscore.stage.sound import sound

NAME = "repurpose"
REFERENCE = "reference"
STAGE = "the stage"
# Sound of a clip is held in memory while it is encoded anew.
LONGEST_ANEW_S = 3600

SECONDS, WIDTH, HEIGHT, RATE = 16, 128, 72, Fraction(8)

PROMPTS = Path(__file__).parent / "prompts" / "build"
OPTIONS = {
    "content": RecipeOption(f"what the films are: {', '.join(CONTENTS)}", ("",), free=True),
    "form": RecipeOption(f"what is wanted: {', '.join(FORMS)}", ("",), free=True),
    "length_s": RecipeOption("seconds of the film that is wanted", ("",), free=True),
    "within_s": RecipeOption("seconds by which it may be longer or shorter", ("",), free=True),
    "aspect": RecipeOption("its picture, such as 9:16", ("",), free=True),
    "container": RecipeOption("its container", ("", "mp4", "mov", "matroska", "webm")),
    "sound": RecipeOption("whether it has to be heard", ("", "true", "false")),
    "frames": RecipeOption("frame plan for a model that drafts briefs and rubrics", ("fps=1,max=120",), free=True),
}
ROLES = ("commission",)


def starter(store: FileStore) -> list[Commission]:
    """Stage the starter pack: put the sources with their sound into the store, and return the items."""
    return [_stage_commission(store, each) for each in COMMISSIONS]


def starter_scene(wanted: StageCommission) -> Scene:
    """Return a scene of the starter pack, small enough to be shipped."""
    size = {"width": WIDTH, "height": HEIGHT, "rate": RATE}
    return library.scene(wanted.scene, seed=1, length_s=SECONDS).model_copy(update=size)


def _stage_commission(store: FileStore, wanted: StageCommission) -> Commission:
    scene = starter_scene(wanted)
    id = f"{wanted.terms.form.replace(' ', '-')}-1"  # the scene's name would tell where to look it up
    source = put_scene_part(store, f"{id}/film.mp4", scene, 0, scene.frames)
    origin = staged_origin(wanted.scene, seed=1)
    written, said, edit = brief_scene(scene, wanted)
    return make_commission(id, source, written, said=said, edit=edit, origin=origin)


def brief_scene(scene: Scene, wanted: StageCommission) -> tuple[ClientBrief, list[SpokenLine], list[SourceCut]]:
    """Return the commission of a scene whose script has one: what is wanted, what is said in it, and how to do it.

    The edit is known for scenes with the shots of the starter pack; of a longer or shorter one nobody has made one.
    """
    moments = SceneMoments.of(scene)
    written = ClientBrief(
        wanted.brief, wanted.terms, stage_rubric(wanted, moments), reference=editor_notes(scene, moments)
    )
    usual = moments.shots == SceneMoments.of(library.scene(wanted.scene, seed=scene.seed, length_s=SECONDS)).shots
    return (
        written,
        [SpokenLine(span=span, text=text) for span, text in moments.lines],
        [SourceCut(span=span) for span in wanted.edit] if usual else [],
    )


def make_commission(
    id: str,
    source: FileRef,
    written: ClientBrief,
    *,
    said: Sequence[SpokenLine],
    edit: Sequence[SourceCut],
    origin: Provenance,
) -> Commission:
    """Return the item of a film and what is wanted of it."""
    terms, wanted = written.terms, deliveries(written.terms)
    own = [each for each in written.rubric if each.pillar == "format"]
    return Commission(
        id=id,
        cluster=id,
        groups={"content": terms.content, "form": terms.form},
        brief=written.brief,
        materials=(source,),
        deliveries=wanted,
        licence=origin.licence,
        media_type=terms.content,
        modalities=("picture", *(("sound",) if terms.sound is not None else ()), *(("speech",) if said else ())),
        human_minutes=30 if is_staged(origin) else None,
        provenance={source.name: origin},
        hints={REFERENCE: written.reference} if written.reference else {},
        content=terms.content,
        form=terms.form,
        rubric=(*(() if own else format_items(wanted[0])), *written.rubric),
        edit=tuple(edit),
        said=tuple(said),
        drafted_by=written.drafted_by,
    )


def build(footage: SourceFootage, out: BuildFolder, options: BuildOptions) -> BuildResult:
    """Make a pack of commissions: the recipe of `cutscore build repurpose`."""
    drafter = open_writer("commission", out, options, prompts=PROMPTS)
    make = partial(_make, out=out, options=options, drafter=drafter)
    nothing = "no commission can be made of this footage"
    made = make_items(footage, options, make, doing="commission", nothing=nothing)
    left = drop_easy_items(made, out, options, recipe=NAME)
    return publish_pack(
        left,
        about="Films with a client's brief: a short film is to be made, and graded by a rubric.",
        counts={
            name: count_values((item.groups[name] for item in left.kept), order)
            for name, order in (("content", CONTENTS), ("form", FORMS))
        },
        settings=drafter.settings,
        warnings=[line for item in left.kept for line in _remarks(item, made.films[item.id])],
        failures=[f"item '{item.title}': {fault}" for item in left.kept for fault in authoring_faults(item)],
        try_with="--subject reader --judge MODEL",
    )


def _remarks(item: Commission, film: SourceClip) -> Iterator[str]:
    if item.drafted_by:
        yield f"item '{item.id}' was drafted by {item.drafted_by} and is not signed off"
    if film.length_s > LONGEST_ANEW_S:
        yield f"film '{film.name}' is given as it is, with whatever its file says of itself"


def _make(
    film: SourceClip, made: RecipeItems[Commission], *, out: BuildFolder, options: BuildOptions, drafter: ModelWriter
) -> None:
    """Make the item of one film."""
    id = f"film-{digest_of([film.ref.sha256, options.seed])[:8]}"
    wanted = next((each for each in COMMISSIONS if film.scene and each.scene == film.scene.name), None)
    if film.scene is not None and wanted is not None and not drafter.model:
        written, said, edit = brief_scene(film.scene, wanted)
        author = STAGE
    else:
        given = {name: value for name, value in options.own.items() if name in FilmTerms.model_fields}
        written, edit = read_client_brief(film, given, drafter), []
        heard = transcript_of(film, out)
        said = [SpokenLine(span=each, text=each.text) for each in heard.segments if each.text] if heard else []
        author = written.drafted_by or PERSON
    source, origin = _source(film, id, out), origin_of(film, seed=options.seed)
    made.add(make_commission(id, source, written, said=said, edit=edit, origin=origin), film, author=author)


def _source(film: SourceClip, id: str, out: BuildFolder) -> FileRef:
    """Return the film under a name that tells nothing, encoded anew without what its file says; a long one as it is."""
    if film.length_s > LONGEST_ANEW_S:
        return out.store.put(film.path, name=f"{id}/film{film.path.suffix or '.mp4'}", media_type=film.ref.media_type)

    def write(path: Path) -> None:
        whole = load_footage(film.path, trusted=film.scene is not None)
        write_footage(whole if film.scene is None else replace_sound(whole, sound(film.scene)), path)

    path = out.once(f"sources/{film.ref.sha256}.mp4", write)
    return out.store.put(path, name=f"{id}/film.mp4", media_type="video/mp4")
