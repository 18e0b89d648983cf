"""What a search leaves behind: the prompt, usable at once, and beside it a record of all that led to it.

    better.md           p*, word for word what a judge reads
    better.json         the record
    better.work/        journal, ledger, every candidate, and each reading of the test split

The test split is read once, for p0 and p*. Whoever reads it again with this prompt is counted in `readings.jsonl`: the
more often one looks, the less the split is held out.
"""

import datetime
import hashlib
import json
from collections.abc import Iterable, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Literal

from pydantic import ConfigDict, Field, ValidationError

import cutscore
from cutscore.cells.record_file import write_text_record
from cutscore.core.errors import BadInput, BrokenData
from cutscore.core.frozen import FrozenModel, digest_of
from cutscore.core.matching import Confusion
from cutscore.core.strict_json import first_fault, read_json
from cutscore.journal import append_line
from cutscore.optimize.candidates import Candidate, CandidateTable
from cutscore.optimize.held_out import HeldOutReading
from cutscore.optimize.prompt_changes import prompt_change

READINGS = "readings.jsonl"


class SearchSettings(FrozenModel):
    """All that decides which way a search goes; equal settings and equal replies end in the same prompt.

    Args:
        prompt: Name of the prompt that was improved.
        digests: Of p0, labels, splits, the prompts of optimiser and matcher, and code.
        simulation: What stood in for people or models, where something did.
    """

    benchmark: str
    family: dict[str, str] = Field(default_factory=dict)
    method: str
    gate: bool
    matching: str
    phi: str
    judge: str
    votes: int
    sequential: bool = False
    optimizer: str
    matcher: str
    prompt: str
    seed: int
    minibatch: int
    calls: int | None
    cost_limit_usd: float | None
    sizes: dict[str, int]
    prevalence: dict[str, float | None]
    digests: dict[str, str]
    simulation: str = ""


class CandidateRecord(FrozenModel):
    """A row of table T."""

    number: int
    sha256: str
    parent: int | None
    step: int
    phi: float
    validation: Confusion
    binary: Confusion
    before: Confusion | None
    after: Confusion | None
    unread: int
    calls: int
    usd: float | None
    text: str

    @classmethod
    def of(cls, row: Candidate) -> "CandidateRecord":
        """Return a candidate as it is kept."""
        names = (name for name in cls.model_fields if name != "sha256")
        return cls(sha256=row.digest, **{name: getattr(row, name) for name in names})


class WayStep(FrozenModel):
    """A step on the way from p0 to p*: which rules came and went, and what that brought on the validation split."""

    candidate: int
    phi: float
    added: tuple[str, ...]
    removed: tuple[str, ...]


class OptimizeRecord(FrozenModel):
    """A finished search.

    Args:
        stopped: Why it ended.
        refused: Proposals that were no prompt, by reason; `rejected` did no better on a minibatch.
        calls: Metric calls, and calls of each role, those of the journal included.
        cost_usd: What their replies cost; None when a price is not known.
        unfinished: Calls that were under way at a kill, by role: whether they cost something is not known.
        test: What the test split says; None where there is none.
    """

    model_config = ConfigDict(serialize_by_alias=True, validate_by_name=True, validate_by_alias=True)

    record: Literal["cutscore.optimize/1"] = Field(default="cutscore.optimize/1", alias="schema")
    settings: SearchSettings
    version: str = cutscore.__version__
    date: datetime.date
    stopped: str
    best: int
    candidates: tuple[CandidateRecord, ...]
    refused: dict[str, int]
    rejected: int
    refused_pairs: int = 0
    way: tuple[WayStep, ...]
    calls: dict[str, int]
    cost_usd: float | None
    unfinished: dict[str, int] = Field(default_factory=dict)
    test: HeldOutReading | None
    warnings: tuple[str, ...] = ()

    @property
    def first_text(self) -> str:
        """p0."""
        return self.candidates[0].text

    @property
    def best_text(self) -> str:
        """p*."""
        return self.candidates[self.best].text


class TransferRecord(FrozenModel):
    """Another judge with p0 and with a prompt that was found elsewhere (Table 5's adaptation); nothing was optimised.

    Args:
        prompt: Digest of the prompt.
        found_with: Judge that it was found with; empty where it has no record.
        readings: How often the test split was read with this prompt by then.
    """

    model_config = ConfigDict(serialize_by_alias=True, validate_by_name=True, validate_by_alias=True)

    record: Literal["cutscore.transfer/1"] = Field(default="cutscore.transfer/1", alias="schema")
    benchmark: str
    family: dict[str, str] = Field(default_factory=dict)
    judge: str
    votes: int
    matching: str
    matcher: str
    prompt: str
    found_with: str
    labels: str
    date: datetime.date
    calls: dict[str, int]
    cost_usd: float | None
    readings: int
    test: HeldOutReading
    warnings: tuple[str, ...] = ()


def way_of(table: CandidateTable) -> tuple[WayStep, ...]:
    """Return the way from p0 to p*, rule by rule."""
    way = list(table.way(table.best))
    return tuple(
        WayStep(candidate=later.number, phi=later.phi, added=change.added, removed=change.removed)
        for earlier, later in pairwise(way)
        for change in [prompt_change(earlier.text, later.text)]
    )


def record_file(prompt: Path) -> Path:
    """Return where the record of a prompt is."""
    return prompt.with_suffix(".json")


def work_folder(prompt: Path) -> Path:
    """Return the folder of journal and ledger of a prompt."""
    return prompt.with_suffix(".work")


def write_result(prompt: Path, record: OptimizeRecord) -> None:
    """Write the prompt and its record, each whole or not at all; the record last: where it is, the search is done."""
    write_text_record(prompt, record.best_text)
    write_json(record_file(prompt), record)


def write_json(file: Path, record: OptimizeRecord | TransferRecord) -> None:
    """Write a record, whole or not at all."""
    plain = record.model_dump(mode="json", by_alias=True)
    write_text_record(file, json.dumps(plain, ensure_ascii=False, indent=1) + "\n")


def read_record(file: Path) -> OptimizeRecord:
    """Read the record of a search, by its own name or by that of its prompt."""
    found = read_any_record(record_file(file) if file.suffix == ".md" else file)
    if not isinstance(found, OptimizeRecord):
        raise BadInput(f"record '{file}'", "is of a transfer, and no search", "name what -o of 'optimize judge' wrote")
    return found


def find_record(prompt: Path) -> OptimizeRecord | None:
    """Return the record beside a prompt; None where there is nothing, or something that no search wrote."""
    file = record_file(prompt)
    try:
        plain = read_json(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    is_ours = isinstance(plain, dict) and plain.get("schema") == "cutscore.optimize/1"
    return read_record(prompt) if is_ours else None


def read_any_record(file: Path) -> OptimizeRecord | TransferRecord:
    """Read the record of a search or of a transfer."""
    try:
        plain = read_json(file.read_text(encoding="utf-8"))
        is_transfer = isinstance(plain, dict) and plain.get("schema") == "cutscore.transfer/1"
        return (TransferRecord if is_transfer else OptimizeRecord).model_validate(plain)
    except OSError as error:
        raise BadInput(
            f"record '{file}'", f"cannot be read ({error.strerror})", "name what -o of 'optimize' wrote"
        ) from error
    except ValidationError as error:
        raise BrokenData(
            f"record '{file}'", first_fault(error), "write it anew with 'cutscore optimize judge'"
        ) from None
    except ValueError as error:
        raise BrokenData(f"record '{file}'", str(error), "write it anew with 'cutscore optimize judge'") from None


def count_reading(prompt: Path, *, judge: str, why: str, labels: str) -> int:
    """Book that the test split was read with a prompt that has a record, and return how often that was by now."""
    file = work_folder(prompt) / READINGS
    at = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    append_line(file, {"at": at, "judge": judge, "why": why, "labels": labels})
    return readings(prompt)


def count_card_reading(prompts: Iterable[Path], *, judge: str, labels: str) -> int:
    """Book a judge's card with each prompt that a search found, and return how often the test split was read by now.

    0 where no search found any of them.
    """
    found = [each for each in prompts if find_record(each)]
    return max((count_reading(each, judge=judge, why="judge-card", labels=labels) for each in found), default=0)


def readings(prompt: Path) -> int:
    """Return how often the test split was read with a prompt."""
    file = work_folder(prompt) / READINGS
    return len(file.read_bytes().splitlines()) if file.is_file() else 0


def code_digest() -> str:
    """Return the digest of the code that searches and matches: other code may walk another way."""
    here = Path(__file__).parent
    files = sorted([*here.glob("*.py"), *(here.parent / "scoring" / "matching").glob("*.py")])
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


def settings_digest(settings: SearchSettings) -> str:
    """Return the digest of settings, whatever code they are used by."""
    plain = settings.model_dump(mode="json")
    digests: Mapping[str, str] = plain["digests"]
    return digest_of({**plain, "digests": {name: digest for name, digest in digests.items() if name != "code"}})
