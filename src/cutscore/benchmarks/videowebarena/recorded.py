"""What was read when known work of the packs that ship was done on their sites: marks can be checked without them.

It is in PACK/evidence.json and PACK/evidence/, as `cells/recorded_evidence.py` writes it.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from cutscore.benchmarks.videowebarena.dataset import OWN, SOFTWARE, WebItem
from cutscore.cells.recorded_evidence import RecordedWork, read_recorded, take_files_of, write_recorded
from cutscore.core.deliverable import Deliverable
from cutscore.core.evidence import Evidence
from cutscore.core.files import FileStore
from cutscore.core.frozen import FrozenModel, digest_of

NOT_MARKED = ("stop.html", "stop.png", ".har", ".jsonl")  # of no check of these packs
NOT_KEPT = ("events", "settled")


@cache
def _recorded_works() -> Mapping[tuple[str, str], tuple[Path, RecordedWork]]:
    return {(work.item, work.work): (pack, work) for pack in (OWN, SOFTWARE) for work in read_recorded(pack)}


def find_recorded(item: WebItem, known: FrozenModel, store: FileStore) -> Evidence | None:
    """Return the evidence of this very work, with its files in the store; None where it was not recorded.

    Who hands over something and does nothing leaves pages as one who does neither.
    """
    delivered = known.files if isinstance(known, Deliverable) else ()
    done = Deliverable() if isinstance(known, Deliverable) else known
    found = _recorded_works().get((item.id, work_digest(item, done)))
    if found is None:
        return None
    evidence = take_files_of(found[1], found[0], store)
    return evidence.model_copy(update={"files": (*evidence.files, *delivered)})


def work_digest(item: WebItem, known: FrozenModel) -> str:
    """Return what the evidence hangs on: the task as it is asked and read, its own sites, and what is done."""
    sites = [] if item.site_seed is None else [item.site_seed]
    return digest_of([item.start_urls, item.login, item.reset, item.checks.final, known, *sites])


def write_evidence(pack: Path, made: Iterable[tuple[WebItem, FrozenModel, Evidence]], store: FileStore) -> None:
    """Write the evidence of tasks of a pack, less what marking does not look at; that of other tasks stays."""
    works = []
    for item, known, evidence in made:
        files = tuple(ref for ref in evidence.files if not ref.name.endswith(NOT_MARKED))
        facts = {
            name: {key: each for key, each in fact.items() if key not in NOT_KEPT} if isinstance(fact, dict) else fact
            for name, fact in evidence.facts.items()
        }
        kept = evidence.model_copy(update={"files": files, "facts": facts})
        works.append(RecordedWork(item=item.id, work=work_digest(item, known), evidence=kept))
    played = {work.item for work in works}
    works += [work for work in read_recorded(pack) if work.item not in played]
    write_recorded(sorted(works, key=lambda work: work.item), store, pack)
