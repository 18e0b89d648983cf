"""Whether somebody else has looked at tasks that were built here: sign-offs, as at the expert gate."""

from collections.abc import Sequence
from pathlib import Path

from cutscore.authoring.gates.expert import check_expert, read_signoffs
from cutscore.authoring.pack_record import read_record
from cutscore.core.item import Item
from cutscore.labels.signoffs import SHEET
from cutscore.results.wording import count

RECIPE = "videowebarena"
MOST_NAMED = 3


def tell_signoffs(items: Sequence[Item], data: Path) -> list[str]:
    """Return which tasks two people have not let pass, its author and somebody else; of packs that were built here."""
    signed = read_signoffs(data)
    if not signed and read_record(data).get("recipe") != RECIPE:
        return []
    gates = {item.id: check_expert(item, signed) for item in items}
    against = [f"{id} is not let pass: {gate.faults[0]}" for id, gate in gates.items() if gate.state == "failed"]
    open_ones = [id for id, gate in gates.items() if gate.state == "pending"]
    if not open_ones:
        return against
    more = f" and {len(open_ones) - MOST_NAMED} more" if len(open_ones) > MOST_NAMED else ""
    who = f"{count(len(open_ones), 'task')} not signed off by two people in {SHEET}"
    return [*against, f"{who}: {', '.join(open_ones[:MOST_NAMED])}{more}"]
