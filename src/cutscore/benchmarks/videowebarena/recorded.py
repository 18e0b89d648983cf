"""What was read when known work of the starter pack was done on its sites: marks can be checked without them.

starter/evidence.json      by item and digest of the work: facts, digests of the reads, files
starter/evidence/SHA256    the files that marking looks at
"""

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from cutscore.benchmarks.videowebarena.dataset import STARTER, WebItem
from cutscore.core.evidence import Evidence
from cutscore.core.files import FileStore
from cutscore.core.frozen import FrozenModel, digest_of
from cutscore.core.strict_json import read_json

INDEX, FILES = "evidence.json", "evidence"
NOT_MARKED = (".html", ".har", ".jsonl", "stop.png")  # of no check of the pack
NOT_KEPT = ("events", "settled")


class RecordedWork(FrozenModel):
    """The evidence of one piece of known work."""

    item: str
    work: str
    evidence: Evidence


@cache
def read_recorded(folder: Path = STARTER) -> Mapping[tuple[str, str], Evidence]:
    """Return all evidence of a folder by item and digest of the work; none where it has none."""
    file = folder / INDEX
    if not file.is_file():
        return {}
    plain = read_json(file.read_text(encoding="utf-8"))
    rows = [RecordedWork.model_validate(each) for each in plain] if isinstance(plain, list) else []
    return {(row.item, row.work): row.evidence for row in rows}


def find_recorded(item: WebItem, known: FrozenModel, store: FileStore, folder: Path = STARTER) -> Evidence | None:
    """Return the evidence of this very work, with its files in the store; None where it was not recorded."""
    evidence = read_recorded(folder).get((item.id, work_digest(item, known)))
    for ref in evidence.files if evidence else ():
        store.put(folder / FILES / ref.sha256, name=ref.name, media_type=ref.media_type)
    return evidence


def work_digest(item: WebItem, known: FrozenModel) -> str:
    """Return what the evidence hangs on: the task as it is asked and read, and what is done."""
    return digest_of([item.start_urls, item.login, item.reset, item.checks.final, known])


def write_recorded(made: Iterable[tuple[WebItem, FrozenModel, Evidence]], store: FileStore, folder: Path) -> None:
    """Write evidence into a folder, less what marking does not look at."""
    rows = []
    (folder / FILES).mkdir(exist_ok=True)
    for item, known, evidence in made:
        files = tuple(ref for ref in evidence.files if not ref.name.endswith(NOT_MARKED))
        for ref in files:
            (folder / FILES / ref.sha256).write_bytes(store.path(ref).read_bytes())
        facts = {
            name: {key: each for key, each in fact.items() if key not in NOT_KEPT} if isinstance(fact, dict) else fact
            for name, fact in evidence.facts.items()
        }
        kept = evidence.model_copy(update={"files": files, "facts": facts})
        rows.append(RecordedWork(item=item.id, work=work_digest(item, known), evidence=kept).model_dump_json())
    (folder / INDEX).write_text("[\n" + ",\n".join(rows) + "\n]\n", encoding="utf-8")
