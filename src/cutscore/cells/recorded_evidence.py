"""Evidence as files: what was read of a world, kept beside the work, so that marking needs no world.

FOLDER/evidence.json       by item and work: facts, digests of the reads, names of files
FOLDER/evidence/SHA256     these files
"""

from collections.abc import Iterable
from pathlib import Path

from cutscore.atomic import replace_file
from cutscore.core.errors import BrokenData
from cutscore.core.evidence import Evidence
from cutscore.core.files import FileStore
from cutscore.core.frozen import FrozenModel
from cutscore.core.strict_json import first_fault, read_json
from cutscore.regular_file import open_regular

INDEX, FILES = "evidence.json", "evidence"


class RecordedWork(FrozenModel):
    """The evidence of one piece of work.

    Args:
        work: Which work on the item it is of: the epoch, or a digest where the work is known beforehand.
    """

    item: str
    work: str
    evidence: Evidence


def read_recorded(folder: Path) -> list[RecordedWork]:
    """Return all evidence that a folder has; none where it has none."""
    file = folder / INDEX
    if not file.exists():
        return []
    try:
        with open_regular(file) as stream:
            plain = read_json(stream.read().decode())
        return [RecordedWork.model_validate(each) for each in plain] if isinstance(plain, list) else _refuse()
    except ValueError as error:
        raise _broken(file, first_fault(error)) from None
    except OSError as error:
        raise _broken(file, error.strerror or str(error)) from None


def take_files_of(work: RecordedWork, folder: Path, store: FileStore) -> Evidence:
    """Return the evidence with its files in the store; BrokenData where one is not there as it was."""
    for ref in work.evidence.files:
        file = folder / FILES / ref.sha256
        if not file.is_file():
            raise _broken(file, f"'{ref.name}' is not there")
        if store.put(file, name=ref.name, media_type=ref.media_type).sha256 != ref.sha256:
            raise _broken(file, f"'{ref.name}' has changed")
    return work.evidence


def write_recorded(works: Iterable[RecordedWork], store: FileStore, folder: Path) -> None:
    """Write evidence into a folder, in the place of all that it has; files that the store lacks are there already."""
    rows = []
    (folder / FILES).mkdir(parents=True, exist_ok=True)
    for work in works:
        for ref in work.evidence.files:
            file = folder / FILES / ref.sha256
            if not file.exists():
                file.write_bytes(store.path(ref).read_bytes())
        rows.append(work.model_dump_json())
    with replace_file(folder / INDEX) as draft:
        draft.write_text("[\n" + ",\n".join(rows) + "\n]\n", encoding="utf-8")


def _refuse() -> list[RecordedWork]:
    raise ValueError("is no list")


def _broken(file: Path, fact: str) -> BrokenData:
    return BrokenData(f"evidence '{file}'", fact, "record it again")
