"""From items to a pack that can be passed on: what the recipes of all benchmarks share."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from pydantic import ValidationError

from cutscore.benchmarks.packs import NO_WRITERS, Writer, write_pack
from cutscore.builders.datasheet import Sheet, write_datasheet
from cutscore.builders.footage import Clip
from cutscore.builders.output import Output
from cutscore.core.item import Item


def publish(items: Iterable[Item], sheet: Sheet, out: Output, *, sidecars: Mapping[str, Writer] = NO_WRITERS) -> None:
    """Write pack and datasheet, and let the build's folder become a pack."""
    files = write_pack(out.draft, items, out.store, sidecars=sidecars)
    write_datasheet(out.draft, sheet, files)
    out.publish()


def counted(values: Iterable[str], names: Sequence[str] = ()) -> dict[str, int]:
    """Count values, in the order of the names; a name that has none is there with 0.

    >>> counted(["b", "c", "b"], ["a", "b"])
    {'a': 0, 'b': 2, 'c': 1}
    """
    counts = Counter(values)
    return {name: counts[name] for name in dict.fromkeys((*names, *counts))}


def unlicensed(clips: Iterable[Clip]) -> list[str]:
    """Warn of clips whose licence nobody said."""
    names = [clip.name for clip in clips if not clip.licence]
    return [f"the licence of {', '.join(names)} is unknown; say it with --licence or NAME.licence"] if names else []


def first_fault(error: ValidationError) -> str:
    """Say why something cannot be an item."""
    first = error.errors(include_url=False, include_input=False)[0]
    place, said = ".".join(map(str, first["loc"])), first["msg"].removeprefix("Value error, ")
    return f"{place}: {said}" if place else said
