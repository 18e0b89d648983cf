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
from cutscore.authoring.footage import RefusedSource, SourceClip, SourceFootage
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
        items: In the order of their films.
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

    def films_of(self, kept: Iterable[AnItem]) -> list[SourceClip]:
        """Return the films of some items, each once."""
        return list({film.name: film for film in (self.films[item.id] for item in kept)}.values())


def make_items(
    footage: SourceFootage,
    options: BuildOptions,
    make: Callable[[SourceClip, RecipeItems[AnItem]], None],
    *,
    doing: str,
    nothing: str,
) -> RecipeItems[AnItem]:
    """Make items of each film, and note why a film gave none.

    Args:
        footage: The films, and what was refused when they were taken in.
        options: Of the build.
        make: Adds the items of a film. It raises BadInput where it cannot, also when a film cannot be decoded or a
            model wrote nothing usable.
        doing: What is done, in a word, for the line of progress.
        nothing: What the user can do when no film gave an item.
    """
    check_baselines(options.baselines)
    made = RecipeItems[AnItem](refused=list(footage.refused))
    for film in footage.clips:
        options.tell(f"{doing}: {film.name}")
        try:
            make(film, made)
        except BadInput as fault:
            made.refused.append(RefusedSource(what=film.name, because=fault.fact))
    if not made.items:
        last = made.refused[-1]
        raise BadInput(f"film '{last.what}'", last.because, nothing)
    return made


def count_values(values: Iterable[str], names: Sequence[str] = ()) -> dict[str, int]:
    """Count values, in the order of the names; a name that has none is there with 0.

    >>> count_values(["b", "c", "b"], ["a", "b"])
    {'a': 0, 'b': 2, 'c': 1}
    """
    counts = Counter(values)
    return {name: counts[name] for name in dict.fromkeys((*names, *counts))}


@dataclass(frozen=True)
class FilteredItems(Generic[AnItem]):
    """What is left after the difficulty filter, ready to be published.

    Args:
        recipe: Its name, which is also the benchmark's.
        made: What was made.
        out: The build's folder.
        options: What the command line said.
        kept: Items that are left.
        did: What the filter did; None when nobody was asked.
    """

    recipe: str
    made: RecipeItems[AnItem]
    out: BuildFolder
    options: BuildOptions
    kept: tuple[AnItem, ...]
    did: FilterResult | None = None

    @property
    def dropped(self) -> dict[str, int]:
        """How many items the filter dropped, by reason."""
        return {f"all {len(self.did.filtered_by)} baselines answer it": len(self.did.dropped)} if self.did else {}

    @property
    def sentences(self) -> list[str]:
        """Sentences for the datasheet."""
        if self.did is None:
            return []
        axes = (f"{each.axis}: {each.kept} kept, {each.dropped} dropped" for each in self.did.axes)
        each = (
            f"{b.name}: {b.answered} answered, {b.missed} missed, {b.unscored} unscored" for b in self.did.baselines
        )
        enough = f"an open question counts as answered from a score of {self.did.enough:g} on, a closed one from 1"
        return [str(self.did), enough, *axes, *each]


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

    Args:
        made: The pool, whose files are in the build's store.
        out: Where the pool is written for the baselines, and their logs are kept.
        options: Who they are.
        recipe: Its name, which is also the benchmark's.
        candidate: What the filter wants to know of an item; unless told, all of them stand on one axis.
        sidecars: As `write_pack` takes them.
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

    Args:
        left: What is in the pack. All of the recipe's own options are settings.
        about: What the items ask, in a sentence or two.
        counts: Items by named strata.
        clips: How many are in the pack; one for each film unless told.
        settings: More that decided what was built.
        grids: Counts that are the recipe's own.
        probing: Sentences on what the texts alone give away.
        warnings: What whoever publishes the pack should know, besides what was noted on the way and of licences.
        failures: Gates that the pack does not pass.
        try_with: Subjects, and a judge where one is needed, of the command that the datasheet shows.
        sidecars: As `write_pack` takes them.
    """
    films = left.made.films_of(left.kept)
    built = BuildResult(
        items=len(left.kept),
        clips=len(films) if clips is None else clips,
        counts=counts,
        dropped={**left.dropped, **left.made.dropped},
        refused=tuple(left.made.refused),
        warnings=(*left.made.warnings, *licence_warnings(films), *warnings),
        failures=tuple(failures),
    )
    sheet = _datasheet(left, built, films, about=about, try_with=try_with)
    sheet = replace(sheet, grids=grids, probing=probing, settings={**settings, **sheet.settings})
    write_datasheet(left.out.draft, sheet, write_pack(left.out.draft, left.kept, left.out.store, sidecars=sidecars))
    left.out.publish()
    return built


def _datasheet(
    left: FilteredItems[AnItem], built: BuildResult, films: Sequence[SourceClip], *, about: str, try_with: str
) -> Datasheet:
    authors = left.made.authors
    return Datasheet(
        recipe=left.recipe,
        about=about,
        built=built,
        clips=films,
        authors=count_values(authors[film.name] for film in films if film.name in authors),
        filtering=left.sentences,
        seed=left.options.seed,
        settings=left.options.own,
        run=(f"cutscore check DIR --bench {left.recipe}", f"cutscore run {left.recipe} --data DIR {try_with}"),
    )


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


def licence_warnings(clips: Iterable[SourceClip]) -> list[str]:
    """Warn of clips whose licence nobody said."""
    names = [clip.name for clip in clips if not clip.licence]
    return [f"the licence of {', '.join(names)} is unknown; say it with --licence or NAME.licence"] if names else []
