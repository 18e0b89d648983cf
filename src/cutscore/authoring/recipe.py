"""From films to a pack that can be passed on: what the recipes of all benchmarks share.

A recipe has three steps:

    made = make_items(footage, options, make, …)               items of each film, or why there are none
    left = drop_easy_items(made, out, options, recipe=NAME)    without what all baselines answer
    return publish_pack(left, …)                               pack, datasheet, and the counts of both
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Generic, TypeVar

from cutscore.authoring.build_folder import BuildFolder
from cutscore.authoring.datasheet import Datasheet, Grid, write_datasheet
from cutscore.authoring.difficulty_filter import (
    FEWEST_BASELINES,
    FilterCandidate,
    FilterResult,
    filter_by_consensus,
    run_baselines,
)
from cutscore.authoring.footage import RefusedSource, SourceClip, SourceFootage, all_reasons
from cutscore.authoring.pack_writer import NO_WRITERS, SidecarWriter, write_pack
from cutscore.authoring.recipe_options import BuildOptions, BuildResult
from cutscore.core.errors import BadInput
from cutscore.core.item import Item

UNFILTERED = "unfiltered"
NOTHING: Mapping[str, str] = MappingProxyType({})

AnItem = TypeVar("AnItem", bound=Item)


@dataclass
class RecipeItems(Generic[AnItem]):
    """What a recipe has made so far.

    Args:
        films: What each item was made of, by its id.
        authors: Who wrote what is known of a film, by the film's name; a film of which nothing need be known has none.
        dropped: How much was made and is not in the pack, by reason.
        refused: What nothing could be made of.
        warnings: What whoever publishes the pack should know.
    """

    items: list[AnItem] = field(default_factory=list)
    films: dict[str, SourceClip] = field(default_factory=dict)
    authors: dict[str, str] = field(default_factory=dict)
    dropped: Counter[str] = field(default_factory=Counter)
    refused: list[RefusedSource] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def add(self, item: AnItem, film: SourceClip, *, author: str | None = None) -> None:
        """Add an item that was made of a film."""
        self.items.append(item)
        self.films[item.id] = film
        if author is not None:
            self.authors[film.name] = author


def make_items(
    footage: SourceFootage,
    options: BuildOptions,
    make: Callable[[SourceClip, RecipeItems[AnItem]], None],
    *,
    doing: str,
    nothing: str,
) -> RecipeItems[AnItem]:
    """Make items of each film, and note why a film gave none.

    `make` adds the items of a film. It raises BadInput where it cannot, also when a film cannot be decoded or a model
    wrote nothing usable. `doing` is a word for the line of progress, `nothing` what the user can do when no film gave
    an item.
    """
    check_baselines(options.baselines)
    made = RecipeItems[AnItem](refused=list(footage.refused))
    for film in footage.clips:
        options.tell(f"{doing}: {film.name}")
        try:
            make(film, made)
        except BadInput as fault:
            made.refused.append(refuse(film, fault))
    if not made.items:
        if len(made.refused) == 1:
            raise BadInput(f"film '{made.refused[0].what}'", made.refused[0].because, nothing)
        raise BadInput("footage", all_reasons(made.refused), nothing)
    return made


def refuse(film: SourceClip, fault: BadInput, part: str = "") -> RefusedSource:
    """Return that nothing was made of a film, or of a part of it, and why, as its author knows it.

    The film has its name instead of the hash under which the build keeps it, and the remedy is kept.
    """

    def say(text: str) -> str:
        for hashed in (film.path.name, film.ref.sha256):
            text = text.replace(hashed, film.name)
        return text

    what = ", ".join(filter(None, (film.name, part)))
    about = say(fault.what)
    known = {film.name, *(f"{kind}'{film.name}'" for kind in ("", "film ", "clip "))}  # stands there already
    head = "" if about in known or about.replace(" ", "_") == part else about
    because = ": ".join(filter(None, (head, say(fault.fact))))
    return RefusedSource(what=what, because="; ".join(filter(None, (because, say(fault.next)))))


def count_values(values: Iterable[str], names: Sequence[str] = ()) -> dict[str, int]:
    """Count values, in the order of the names; a name that has none is there with 0.

    >>> count_values(["b", "c", "b"], ["a", "b"])
    {'a': 0, 'b': 2, 'c': 1}
    """
    counts = Counter(values)
    return {name: counts[name] for name in dict.fromkeys((*names, *counts))}


@dataclass(frozen=True)
class FilteredItems(Generic[AnItem]):
    """What is left (`kept`) after the difficulty filter, ready to be published; `did` is None when nobody was asked."""

    recipe: str
    made: RecipeItems[AnItem]
    out: BuildFolder
    options: BuildOptions
    kept: tuple[AnItem, ...]
    did: FilterResult | None = None


def drop_easy_items(
    made: RecipeItems[AnItem],
    out: BuildFolder,
    options: BuildOptions,
    *,
    recipe: str,
    candidate: Callable[[AnItem], FilterCandidate] | None = None,
    sidecars: Mapping[str, SidecarWriter] = NO_WRITERS,
) -> FilteredItems[AnItem]:
    """Drop what all baselines answer; without baselines everything stays.

    `candidate` returns what the filter wants to know of an item; unless told, all of them stand on one axis. The
    recipe's name is also the benchmark's.
    """
    left = FilteredItems(recipe, made, out, options, tuple(made.items))
    if not options.baselines:
        return left
    pool = out.fresh(UNFILTERED)
    write_pack(pool, made.items, out.store, sidecars=sidecars)
    limit = options.cost_limit_usd
    marks = run_baselines(options.baselines, pool, out, benchmark=recipe, cost_limit_usd=limit, tell=options.tell)
    told = candidate or (lambda item: FilterCandidate(item=item.id, axis=recipe))
    did = filter_by_consensus([told(item) for item in made.items], marks)
    if not did.kept:
        raise BadInput("difficulty filter", "every item is answered by every baseline", "take others, or none")
    kept = set(did.kept)
    return replace(left, kept=tuple(item for item in made.items if item.id in kept), did=did)


def publish_pack(
    left: FilteredItems[AnItem],
    *,
    about: str,
    counts: dict[str, dict[str, int]],
    clips: int | None = None,
    settings: Mapping[str, str] = NOTHING,
    grids: Sequence[Grid] = (),
    probing: Sequence[str] = (),
    warnings: Iterable[str] = (),
    failures: Iterable[str] = (),
    try_with: str = "--subject oracle --subject reader",
    sidecars: Mapping[str, SidecarWriter] = NO_WRITERS,
) -> BuildResult:
    """Write pack and datasheet, and turn the build's folder into a pack: how every recipe ends.

    All of the recipe's own options are settings. There are as many clips as films unless told, warnings come after what
    was noted on the way and of licences, and `try_with` names subjects, and a judge where one is needed, of the command
    that the datasheet shows; the rest is as `Datasheet`, `BuildResult` and `write_pack` have it.
    """
    made, out, options, did = left.made, left.out, left.options, left.did
    films = list({film.name: film for film in (made.films[item.id] for item in left.kept)}.values())
    easy = {f"all {len(did.filtered_by)} baselines answer it": len(did.dropped)} if did else {}
    built = BuildResult(
        items=len(left.kept),
        clips=len(films) if clips is None else clips,
        counts=counts,
        dropped={**easy, **made.dropped},
        refused=tuple(made.refused),
        warnings=(*made.warnings, *_licence_warnings(films), *warnings),
        failures=tuple(failures),
    )
    sheet = Datasheet(
        recipe=left.recipe,
        about=about,
        built=built,
        clips=films,
        authors=count_values(made.authors[film.name] for film in films if film.name in made.authors),
        grids=grids,
        filtering=did.sentences if did else (),
        probing=probing,
        seed=options.seed,
        settings={**settings, **options.own},
        run=(f"cutscore check DIR --bench {left.recipe}", f"cutscore run {left.recipe} --data DIR {try_with}"),
    )
    write_datasheet(out.draft, sheet, write_pack(out.draft, left.kept, out.store, sidecars=sidecars))
    out.publish()
    return built


def check_baselines(baselines: Sequence[str]) -> None:
    """Raise when there are baselines, and too few for a consensus; before anything costs time."""
    if 0 < len(baselines) < FEWEST_BASELINES:
        fact = f"a consensus of {len(baselines)} says little"
        raise BadInput("--baseline", fact, f"give {FEWEST_BASELINES} or more, or none")


def count_grid(
    title: str, pairs: Iterable[tuple[str, str]], rows: Sequence[str], columns: Sequence[str], *, note: str = ""
) -> Grid:
    """Count pairs in a table that also shows where there are none."""
    counts = Counter(pairs)
    body = [(row, *(counts[row, column] for column in columns)) for row in rows]
    return Grid(title, ("", *columns), body, note)


def _licence_warnings(clips: Iterable[SourceClip]) -> list[str]:
    """Warn of clips whose licence nobody said."""
    names = [clip.name for clip in clips if not clip.licence]
    return [f"the licence of {', '.join(names)} is unknown; say it with --licence or NAME.licence"] if names else []
