"""What was read when known work of the starter pack was done on its sites: marks can be checked without them.

It is in starter/evidence.json and starter/evidence/, as `cells/recorded_evidence.py` writes it.
"""

from collections.abc import Iterable, Mapping
from functools import cache

from cutscore.benchmarks.videowebarena.dataset import STARTER, WebItem
from cutscore.cells.recorded_evidence import RecordedWork, read_recorded, take_files_of, write_recorded
from cutscore.core.evidence import Evidence
from cutscore.core.files import FileStore
from cutscore.core.frozen import FrozenModel, digest_of

NOT_MARKED = (".html", ".har", ".jsonl", "stop.png")  # of no check of the pack
NOT_KEPT = ("events", "settled")


@cache
def _starter_work() -> Mapping[tuple[str, str], RecordedWork]:
    return {(work.item, work.work): work for work in read_recorded(STARTER)}


def find_recorded(item: WebItem, known: FrozenModel, store: FileStore) -> Evidence | None:
    """Return the evidence of this very work, with its files in the store; None where it was not recorded."""
    work = _starter_work().get((item.id, work_digest(item, known)))
    return take_files_of(work, STARTER, store) if work else None


def work_digest(item: WebItem, known: FrozenModel) -> str:
    """Return what the evidence hangs on: the task as it is asked and read, and what is done."""
    return digest_of([item.start_urls, item.login, item.reset, item.checks.final, known])


def write_starter(made: Iterable[tuple[WebItem, FrozenModel, Evidence]], store: FileStore) -> None:
    """Write the evidence of the starter pack, less what marking does not look at."""
    works = []
    for item, known, evidence in made:
        files = tuple(ref for ref in evidence.files if not ref.name.endswith(NOT_MARKED))
        facts = {
            name: {key: each for key, each in fact.items() if key not in NOT_KEPT} if isinstance(fact, dict) else fact
            for name, fact in evidence.facts.items()
        }
        kept = evidence.model_copy(update={"files": files, "facts": facts})
        works.append(RecordedWork(item=item.id, work=work_digest(item, known), evidence=kept))
    write_recorded(works, store, STARTER)
