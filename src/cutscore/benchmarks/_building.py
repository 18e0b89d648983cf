"""From items to a pack that can be passed on: what the recipes of all benchmarks share."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from cutscore.benchmarks.packs import NO_WRITERS, Writer, write_pack
from cutscore.builders.baselines import run_baselines
from cutscore.builders.consensus import FEWEST_BASELINES, Candidate, Consensus, consensus
from cutscore.builders.datasheet import Grid, Sheet, write_datasheet
from cutscore.builders.footage import Clip, Footage, Refusal
from cutscore.builders.output import Output
from cutscore.builders.recipe import Options
from cutscore.core.errors import BadInput
from cutscore.core.item import Item

UNFILTERED = "unfiltered"

AnItem = TypeVar("AnItem", bound=Item)


def publish(items: Iterable[Item], sheet: Sheet, out: Output, *, sidecars: Mapping[str, Writer] = NO_WRITERS) -> None:
    """Write pack and datasheet, and let the build's folder become a pack."""
    files = write_pack(out.draft, items, out.store, sidecars=sidecars)
    write_datasheet(out.draft, sheet, files)
    out.publish()


@dataclass
class Made(Generic[AnItem]):
    """What a recipe has made of films so far, an item of each."""

    items: list[AnItem] = field(default_factory=list)
    films: list[Clip] = field(default_factory=list)
    authors: list[str] = field(default_factory=list)
    refused: list[Refusal] = field(default_factory=list)

    def films_of(self, kept: Collection[AnItem]) -> list[Clip]:
        """Give the films of some items."""
        return [film for film, item in zip(self.films, self.items, strict=True) if item in kept]


def film_by_film(
    footage: Footage, options: Options, made: Made[AnItem], make: Callable[[Clip], None], *, doing: str, nothing: str
) -> None:
    """Make what can be made of each film, and note why nothing could of another.

    Args:
        footage: The films.
        options: Who is told.
        made: Is added to; it knows already what was refused when footage was taken in.
        make: Adds the item of a film, or raises BadInput: also what cannot be decoded, and what a model could not
            write.
        doing: What is done, in a word.
        nothing: What to do when no film gave an item.
    """
    for film in footage.clips:
        options.tell(f"{doing}: {film.name}")
        try:
            make(film)
        except BadInput as fault:
            made.refused.append(Refusal(what=film.name, because=fault.fact))
    if not made.items:
        last = made.refused[-1]
        raise BadInput(f"film '{last.what}'", last.because, nothing)


def counted(values: Iterable[str], names: Sequence[str] = ()) -> dict[str, int]:
    """Count values, in the order of the names; a name that has none is there with 0.

    >>> counted(["b", "c", "b"], ["a", "b"])
    {'a': 0, 'b': 2, 'c': 1}
    """
    counts = Counter(values)
    return {name: counts[name] for name in dict.fromkeys((*names, *counts))}


@dataclass(frozen=True)
class Sifted(Generic[AnItem]):
    """Items that are left after the difficulty filter, and what it did; None when nobody was asked."""

    kept: tuple[AnItem, ...]
    did: Consensus | None = None

    @property
    def dropped(self) -> dict[str, int]:
        return {f"all {len(self.did.filtered_by)} baselines answer it": len(self.did.dropped)} if self.did else {}

    @property
    def said(self) -> list[str]:
        """Sentences for the datasheet."""
        if self.did is None:
            return []
        axes = (f"{each.axis}: {each.kept} kept, {each.dropped} dropped" for each in self.did.axes)
        each = (
            f"{b.name}: {b.answered} answered, {b.missed} missed, {b.unscored} unscored" for b in self.did.baselines
        )
        enough = f"an open question counts as answered from a score of {self.did.enough:g} on, a closed one from 1"
        return [str(self.did), enough, *axes, *each]


def sifted(
    items: Sequence[AnItem],
    out: Output,
    options: Options,
    *,
    benchmark: str,
    candidate: Callable[[AnItem], Candidate],
    sidecars: Mapping[str, Writer] = NO_WRITERS,
) -> Sifted[AnItem]:
    """Drop what all baselines answer; without baselines everything stays.

    Args:
        items: The pool, whose files are in the build's store.
        out: Where the pool is written for the baselines, and their logs are kept.
        options: Who they are.
        benchmark: Whose items these are.
        candidate: What the filter wants to know of an item.
        sidecars: As `write_pack` takes them.
    """
    if not options.baselines:
        return Sifted(tuple(items))
    pool = out.fresh(UNFILTERED)
    write_pack(pool, items, out.store, sidecars=sidecars)
    limit = options.cost_limit_usd
    marks = run_baselines(options.baselines, pool, out, benchmark=benchmark, cost_limit_usd=limit, tell=options.tell)
    did = consensus([candidate(item) for item in items], marks)
    if not did.kept:
        raise BadInput("difficulty filter", "every item is answered by every baseline", "take others, or none")
    kept = set(did.kept)
    return Sifted(tuple(item for item in items if item.id in kept), did)


def refuse_few(baselines: Sequence[str]) -> None:
    """Raise when there are baselines, and too few for a consensus; before anything costs time."""
    if 0 < len(baselines) < FEWEST_BASELINES:
        fact = f"a consensus of {len(baselines)} says little"
        raise BadInput("--baseline", fact, f"give {FEWEST_BASELINES} or more, or none")


def crossed(
    title: str, pairs: Iterable[tuple[str, str]], rows: Sequence[str], columns: Sequence[str], *, note: str = ""
) -> Grid:
    """Count pairs in a table that also shows where there are none."""
    counts = Counter(pairs)
    body = [(row, *(counts[row, column] for column in columns)) for row in rows]
    return Grid(title, ("", *columns), body, note)


def unlicensed(clips: Iterable[Clip]) -> list[str]:
    """Warn of clips whose licence nobody said."""
    names = [clip.name for clip in clips if not clip.licence]
    return [f"the licence of {', '.join(names)} is unknown; say it with --licence or NAME.licence"] if names else []
