"""Which items may be scored: those of a pack that failed a gate are neither asked nor marked, and that is said."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from pydantic import ValidationError

from cutscore.cells.chance import expected_chance
from cutscore.cells.scoring_code import code_digest
from cutscore.core.bundle import Bundle, UnscorableBundle
from cutscore.core.errors import BrokenData
from cutscore.core.files import FileStore
from cutscore.core.gate import GATES_FILE, GateCard
from cutscore.core.item import Item
from cutscore.core.strict_json import first_fault, read_json
from cutscore.registry import Benchmark

LONGEST_CARD_BYTES = 256_000_000
MOST_NAMED = 5


@dataclass(frozen=True)
class AdmittedItems:
    """The items of a pack that may be scored, why the others may not (by id), and remarks on the gates for readers.

    Chance is what guessing gets on them, by score and as far as it is known; None for a benchmark's own items, of which
    the card tells.
    """

    items: list[Item]
    refused: dict[str, str]
    remarks: tuple[str, ...]
    chance: dict[str, float] | None = None

    @cached_property
    def by_id(self) -> dict[str, Item]:
        """The items by their ids."""
        return {item.id: item for item in self.items}

    def check(self, item: str = "") -> None:
        """Raise when an item must not be scored, or when there is none that may."""
        name = item or next(iter(self.refused), "")
        if name in self.refused and (item or not self.items):
            raise BrokenData(f"item '{name}'", self.refused[name], "mend it and run 'cutscore check' again")


def load_admitted(found: Benchmark, store: FileStore, data: Path | None) -> AdmittedItems:
    """Load the items of a benchmark, or of a data pack, and leave out those that failed a gate."""
    return admit(found, found.part("dataset").items(store, data), data)


def admit(found: Benchmark, items: Sequence[Item], data: Path | None) -> AdmittedItems:
    """Leave out the items of a pack that failed a gate.

    Only tasks that travel have gates (`core.bundle`). Without a card they are unchecked, and so is what changed since:
    that stops nothing and is said. Items of the benchmark itself are checked by its tests.
    """
    every = list(items)
    if data is None:
        return AdmittedItems(every, {}, ())
    chance = expected_chance(found, [item for item in every if not isinstance(item, UnscorableBundle)])
    if not every or not all(isinstance(item, Bundle) for item in every):
        say = getattr(found.part("dataset"), "find_left_out", None)  # what a published file lacks, for instance
        return AdmittedItems(every, {}, tuple(say(data)) if say else (), chance)
    next_step = f"run 'cutscore check {data} --bench {found.name}'"
    card = read_gate_card(data)
    if card is None or card.benchmark != found.name:
        return AdmittedItems(every, {}, (f"pack '{data}' has not been through its gates: {next_step}",), chance)
    now = {item.id: item.digest() for item in every}
    scoring = code_digest(found)
    refused = card.refusals(now, scoring=scoring)
    remarks = [f"item '{name}' is left out of every number: it {why}" for name, why in refused.items()]
    checked = {each.item: each.content for each in card.items}
    if scoring == card.scoring and checked == now and (best := card.best_guess):
        chance = {**chance, found.card.headline: best.mean}
    if scoring != card.scoring:
        remarks.append(f"pack '{data}': its verifier has changed since the gates, so it is unchecked; {next_step}")
    elif changed := [name for name, digest in now.items() if checked.get(name) != digest]:
        named = ", ".join(changed[:MOST_NAMED]) + (" …" if len(changed) > MOST_NAMED else "")
        remarks.append(f"pack '{data}': {len(changed)} items changed since the gates ({named}); {next_step}")
    waiting = sorted({gate.name for each in card.items for gate in each.gates if gate.state == "pending"})
    if waiting:
        remarks.append(f"pack '{data}': the {' and the '.join(waiting)} gate is pending")
    return AdmittedItems([item for item in every if item.id not in refused], refused, tuple(remarks), chance)


def read_gate_card(folder: Path) -> GateCard | None:
    """Return the card of a pack, None when it has none; raise BrokenData for one that cannot be read."""
    file = folder / GATES_FILE
    if not file.is_file():
        return None
    again = "delete it and run 'cutscore check' again"
    try:
        with file.open("rb") as stream:
            return GateCard.model_validate(read_json(stream.read(LONGEST_CARD_BYTES).decode()))
    except ValidationError as error:
        raise BrokenData(f"file '{file}'", first_fault(error), again) from None
    except (OSError, ValueError) as error:
        raise BrokenData(f"file '{file}'", str(error), again) from None
