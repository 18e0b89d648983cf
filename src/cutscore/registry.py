"""Which benchmarks there are, read from their cards. Nothing of a benchmark is imported to list it.

A benchmark is a folder with a `benchmark.toml`: one of ours under `benchmarks/`, or one in another installed
package that names its folder in an entry point:

    [project.entry-points."cutscore.benchmarks"]
    mybench = "mypkg.mybench"

There is no list to edit, and a card that cannot be read takes nobody else down with it.

A folder of ours with a `suite.toml` is no benchmark: it names several that belong together, and has tables over them.
"""

import importlib
import os
import re
import sys
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from importlib.metadata import EntryPoint, EntryPoints, PackageNotFoundError, entry_points, requires
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any, Literal, get_args

from pydantic import ValidationError

from cutscore.core.ask import Ask
from cutscore.core.bundle import Bundle
from cutscore.core.card import Asset, Card, JudgeCard, Paper, ScoreCard
from cutscore.core.errors import BadInput, BrokenCard, BrokenData, MissingExtra, Stopped, UnknownName
from cutscore.core.item import Item

CARD = "benchmark.toml"
SUITE = "suite.toml"
GROUP = "cutscore.benchmarks"
# Extras that also list what others bring; naming them would send a user to the wrong one.
_NOT_FOR_USERS = ("dev", "all")
PARTS = (
    *("dataset", "ask", "mark", "oracle", "keyless", "tables", "task", "build", "hostile", "shortcuts"),
    *("environment", "evidence", "around", "release", "preferences", "doctor"),
)

PluginKind = Literal["subjects", "judges", "metrics", "recipes"]


@dataclass(frozen=True)
class Benchmark:
    """A benchmark that can be run; its parts are imported under the dotted name `package`."""

    name: str
    card: Card
    folder: Path
    package: str

    def ask(self, item: Item, prompts: Mapping[str, Any], conditions: Mapping[str, str] = MappingProxyType({})) -> Ask:
        """Return all that a subject gets of an item: what `ask.py` makes of it, or the words that were published.

        Where a condition of the card's own is set, all of them are given, and `ask.ask_under` may make another ask.
        """
        if isinstance(item, Bundle) and item.verbatim:
            return item.published_ask
        part = self.part("ask")
        under = getattr(part, "ask_under", None) if conditions else None
        ask: Ask = under(item, prompts, conditions) if under else part.ask(item, prompts)
        return ask

    def variant(self, item: Item, prompts: Mapping[str, Any], name: str) -> Ask | None:
        """Return what a subject gets of a variant of an item; None where the item has nothing for it."""
        if isinstance(item, Bundle) and item.verbatim:
            return item.with_hint(item.published_ask, name)
        ask: Ask | None = self.part("ask").variant(item, prompts, name)
        return ask

    def data_folder(self, named: Path) -> Path:
        """Return the folder of items that somebody names: one of theirs, else a pack of that name that ships."""
        return self.folder / str(named) if str(named) in self.card.packs and not named.is_dir() else named

    @property
    def has_turns(self) -> bool:
        """Whether something answers back: `ask.py` has `next_ask`."""
        return hasattr(self.part("ask"), "next_ask")

    def has_part(self, name: str) -> bool:
        """Return whether the folder has a part that not all have (`environment`, `evidence`, `around`, `release`)."""
        return self._file_of(name).is_file()

    def _file_of(self, part: str) -> Path:
        """Return the file of a part: `mark.py`, or `environment/__init__.py` where it is a folder."""
        folder = self.folder / part / "__init__.py"
        return folder if folder.is_file() else self.folder / f"{part}.py"

    def part(self, name: str) -> ModuleType:
        """Import one part of the folder (`mark` is `mark.py`); only here does a benchmark's code run.

        Raises:
            BrokenData: The folder lacks the part, or the part imports what does not exist.
            Stopped: The part needs a module that is not installed here.
        """
        if name not in PARTS:
            raise UnknownName.among("part of a benchmark", name, PARTS)
        what = f"benchmark '{self.name}'"
        if not self.has_part(name):
            raise BrokenData(what, f"has no {name}.py", f"add {self._file_of(name)}")
        try:
            return importlib.import_module(f"{self.package}.{name}")
        except ModuleNotFoundError as error:
            raise self._lacking(name, error.name or "") from error
        except ImportError as error:
            why = f"{name}.py cannot be imported ({_inert(str(error))})"
            raise BrokenData(what, why, "correct its imports") from error

    def _lacking(self, part: str, module: str) -> BrokenData | Stopped:
        what, top = f"benchmark '{self.name}'", module.partition(".")[0]
        if top in ("", "cutscore", self.package.partition(".")[0]):
            return BrokenData(what, f"{part}.py imports '{module}', which does not exist", "correct its imports")
        # A module may be called otherwise than its package (cv2); then the card of our own benchmark knows the extra.
        extra = _extra_with(top) or (",".join(self.card.extras) if self.package.startswith("cutscore.") else "")
        if extra:
            return MissingExtra.of(f"{part} of {what}", extra)
        return Stopped(what, f"{part}.py needs the module '{top}', which is not installed", "install it with pip")


@dataclass(frozen=True)
class Suite:
    """Benchmarks that belong together, in the order in which they are shown."""

    name: str
    title: str
    benchmarks: tuple[str, ...]
    folder: Path

    @property
    def prices(self) -> Path:
        """Return the list of prices with which its paper counted."""
        return self.folder / "prices.toml"

    def tables(self) -> ModuleType:
        """Import what makes the tables over its benchmarks."""
        return importlib.import_module(f"cutscore.benchmarks.{self.name}.tables")


def suites() -> dict[str, Suite]:
    """Return every suite, sorted by name."""
    made = {}
    for file in sorted((Path(__file__).parent / "benchmarks").glob(f"*/{SUITE}")):
        told = tomllib.loads(file.read_text(encoding="utf-8"))
        made[file.parent.name] = Suite(file.parent.name, told["title"], tuple(told["benchmarks"]), file.parent)
    return made


def benchmarks() -> dict[str, Benchmark]:
    """Return every benchmark whose card can be read, sorted by name."""
    return {name: found for name, found in _resolve_all().items() if isinstance(found, Benchmark)}


def broken_cards() -> list[BrokenCard]:
    """Return what is wrong with the cards that `benchmarks` leaves out."""
    return [found for found in _resolve_all().values() if isinstance(found, BrokenCard)]


def benchmark(name: str) -> Benchmark:
    """Return the benchmark of that name, or say what is wrong with its card, or offer a near name.

    Of all cards only its own is read.
    """
    offers = _offers()
    if name not in offers:
        raise UnknownName.among("benchmark", name, offers)
    found = _resolve(name, offers[name])
    if isinstance(found, BrokenCard):
        raise found
    return found


def plugins(kind: PluginKind) -> dict[str, EntryPoint]:
    """Return what other packages offer of a kind, by name and not loaded.

    Two packages that offer one name are an error: which of them would be measured is not ours to guess.
    """
    if kind not in get_args(PluginKind):
        raise UnknownName.among("kind of plug-in", kind, get_args(PluginKind))
    offered: dict[str, EntryPoint] = {}
    for entry in sorted(_entry_points_of(f"cutscore.{kind}"), key=lambda entry: (entry.name, entry.value)):
        other = offered.setdefault(entry.name, entry)
        if other.value != entry.value:
            two = f"is offered twice: {_inert(other.value)} and {_inert(entry.value)}"
            raise BadInput(f"{kind.removesuffix('s')} '{_inert(entry.name)}'", two, "uninstall one of them")
    return offered


def load_plugin(what: str, entry: EntryPoint, make: Callable[[Any], Any] = lambda offered: offered) -> Any:
    """Return what a package offers, or what is made of it; raise BadInput where it cannot be imported."""
    try:
        return make(entry.load())
    except (ImportError, AttributeError) as error:
        fact = f"its package cannot be imported: {error}"
        raise BadInput(what, fact, f"mend or uninstall what offers '{entry.value}'") from error


# --- finding folders -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Offer:
    """A name that somebody gives to a folder; None when the folder cannot be found."""

    name: str
    package: str
    folder: Path | None


def _resolve_all() -> dict[str, Benchmark | BrokenCard]:
    return {name: _resolve(name, offers) for name, offers in _offers().items()}


def _offers() -> dict[str, list[_Offer]]:
    """Return all offers of each name, sorted by name."""
    offers: dict[str, dict[str, _Offer]] = {}
    folders = [card.parent for card in sorted((Path(__file__).parent / "benchmarks").glob(f"*/{CARD}"))]
    own = (_Offer(folder.name, f"cutscore.benchmarks.{folder.name}", folder) for folder in folders)
    installed = (_Offer(entry.name, entry.value, _folder_of(entry.value)) for entry in _entry_points_of(GROUP))
    for offer in (*own, *installed):
        # One package seen twice (an old dist-info beside a new one) is one offer.
        offers.setdefault(offer.name, {}).setdefault(offer.package, offer)
    return {name: list(offers[name].values()) for name in sorted(offers)}


def _entry_points_of(group: str) -> EntryPoints:
    """Return the entry points of a group; read anew when a folder of the path has changed, as pip changes it."""
    return _read_entry_points(group, tuple((place, _changed_ns(place)) for place in sys.path))


@lru_cache(maxsize=16)
def _read_entry_points(group: str, path: tuple[tuple[str, int], ...]) -> EntryPoints:
    return entry_points(group=group)


def _changed_ns(place: str) -> int:
    try:
        return os.stat(place or os.curdir).st_mtime_ns
    except OSError:
        return 0


def _folder_of(package: str) -> Path | None:
    """Locate a dotted package as a folder. Only the top name is looked up, since that imports nothing."""
    top, *rest = steps = package.split(".")
    if not all(step.isidentifier() for step in steps):
        return None
    try:
        spec = find_spec(top)
        # A namespace package has several places, and editable installs add some that are no folders at all.
        places = [Path(place).joinpath(*rest) for place in (spec and spec.submodule_search_locations) or ()]
        return next((place for place in places if (place / CARD).exists()), next(filter(Path.is_dir, places), None))
    # A module that was put into sys.modules by hand has no spec; finders of others fail in their own ways.
    except (ImportError, ValueError, AttributeError, OSError):
        return None


# --- reading cards ---------------------------------------------------------------------------------------------


def _resolve(name: str, offers: list[_Offer]) -> Benchmark | BrokenCard:
    first, what = offers[0], f"benchmark '{_inert(name)}'"
    if len(offers) > 1:
        both = " and ".join(_inert(offer.package) for offer in offers)
        return BrokenCard(what, f"is offered by {len(offers)} packages: {both}", "uninstall all but one")
    if first.folder is None:
        missing = f"its entry point names '{_inert(first.package)}', which is not a folder of an installed package"
        return BrokenCard(what, missing, "write it as mypkg.mybench, the folder with benchmark.toml")
    try:
        return Benchmark(name, _read(first.folder / CARD, name), first.folder, first.package)
    except BrokenCard as error:
        return error


def _read(file: Path, name: str) -> Card:
    try:
        if not file.is_file():
            raise BrokenCard(str(file), "is missing or not a file", "add a card like that of colorbars")
        card = Card.model_validate(tomllib.loads(file.read_text(encoding="utf-8")))
    except OSError as error:
        raise BrokenCard(str(file), f"cannot be read ({error.strerror})", "make it readable") from error
    except UnicodeDecodeError as error:
        raise BrokenCard(str(file), "is not UTF-8 text", "save it as UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        raise BrokenCard(str(file), f"is not TOML ({_inert(str(error))})", "correct that line") from error
    except RecursionError as error:
        raise BrokenCard(str(file), "is nested too deeply", "a card has two levels") from error
    except ValidationError as error:
        raise BrokenCard(str(file), *_first_fault(error)) from error
    if card.name != name:
        other = f"names the benchmark '{card.name}', but it is installed as '{_inert(name)}'"
        raise BrokenCard(str(file), other, "make the two names equal")
    return card


def _first_fault(error: ValidationError) -> tuple[str, str]:
    """Return the first fault of a card as a fact and a next step, without quoting its values.

    A misspelt field is two faults, one too many and one too few; the one too many shows the spelling.
    """
    faults = error.errors(include_url=False, include_context=False, include_input=False)
    fault = min(faults, key=lambda fault: fault["type"] != "extra_forbidden")
    where = _inert(".".join(str(step) for step in fault["loc"]))
    if fault["type"] == "missing":
        return f"lacks the field '{where}'", "add it"
    if fault["type"] == "extra_forbidden":
        known = {name for model in (Card, JudgeCard, Paper, Asset, ScoreCard) for name in model.model_fields}
        near = get_close_matches(str(fault["loc"][-1]), sorted(known), n=1)
        return f"has a field '{where}' that no card has", f"did you mean '{near[0]}'?" if near else "remove it"
    said = _inert(fault["msg"].removeprefix("Value error, "))
    said = said[:1].lower() + said[1:]
    return (f"field '{where}': {said}" if where else said), "correct it"


def _inert(text: str) -> str:
    """Make a stranger's words safe to print: one line, no control characters, not endless."""
    return "".join(letter if letter.isprintable() else "?" for letter in text[:200])


def _extra_with(module: str) -> str | None:
    """Name the extra of ours that brings a module, as our own package metadata has it."""
    try:
        wanted = requires("cutscore") or []
    except PackageNotFoundError:  # a checkout on the path without an install
        return None
    for line in wanted:
        match = re.match(r"([A-Za-z0-9._-]+).*;.*extra\s*==\s*['\"]([A-Za-z0-9._-]+)['\"]", line)
        if match and match[2] not in _NOT_FOR_USERS and re.sub(r"[-.]", "_", match[1]).lower() == module.lower():
            return match[2]
    return None
