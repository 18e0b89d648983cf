"""The labels that were released with CLVG-Bench's evaluator (`AVE_data`), one folder a family.

    FOLDER/abnormality/all.json             one record a video
    FOLDER/abnormality/train|val|test.json  the splits; a record may be repeated there under another id, to balance them
    FOLDER/abnormality/SPLIT_PLAN.json      which record each row of a split is
    FOLDER/abnormality/MANIFEST.json        sha256 of splits and media
    FOLDER/abnormality/videos/…             media, by paths of the records

A record has id, prompt, reference_images, reference_videos, video, label and feedback. Whether it is a case is what the
words of `feedback.abnormality` say, as in the released code; where `label` says otherwise, that is named.
"""

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from pydantic import ConfigDict, Field, ValidationError

from cutscore.core.errors import BadInput, BrokenData
from cutscore.core.frozen import FrozenModel, Sha256
from cutscore.core.judgement import Weakness
from cutscore.core.label import InnerPath, Label, LabelledFiles
from cutscore.core.strict_json import first_fault, read_json
from cutscore.labels.files import MAX_ARRAY_BYTES, read_lines
from cutscore.labels.split import FAMILY
from cutscore.regular_file import open_regular

BENCHMARK, PERSON = "clvg", "release"
ALL, PLAN, MANIFEST = "all.json", "SPLIT_PLAN.json", "MANIFEST.json"
# As they call a split → as we do.
RELEASED_SPLITS = {"train": "train", "val": "dev", "test": "test"}
Form = TypeVar("Form", bound=FrozenModel)

_MARK = re.compile(r"^\s*(?:\d{1,2}[.)、]|[-*•])\s*")


class AveRecord(FrozenModel):
    """A row as it was released."""

    id: str = Field(min_length=1)
    prompt: str
    reference_images: tuple[InnerPath, ...]
    reference_videos: tuple[InnerPath, ...] = ()
    video: InnerPath
    label: int
    feedback: dict[str, str]

    @property
    def weaknesses(self) -> tuple[Weakness, ...]:
        """What people wrote, one weakness a line."""
        lines = (_MARK.sub("", line).strip() for line in self.feedback.get("abnormality", "").splitlines())
        return tuple(Weakness(text=line) for line in lines if line)


class _PlannedRow(FrozenModel):
    id: str
    source_id: str


class _OpenForm(FrozenModel):
    """A file of which we read a part."""

    model_config = ConfigDict(extra="ignore")


class _SplitPlan(_OpenForm):
    source_sha256: Sha256
    splits: dict[str, tuple[_PlannedRow, ...]]
    expected_sha256: dict[str, Sha256]


class _ListedFile(_OpenForm):
    path: str
    sha256: Sha256


class _ListedSplit(_OpenForm):
    samples: int
    sha256: Sha256


class _Manifest(_OpenForm):
    splits: dict[str, _ListedSplit]
    files: tuple[_ListedFile, ...]


@dataclass(frozen=True)
class AveRelease:
    """The labels of a release, and whatever a reader should know of them, a sentence each.

    Args:
        labels: One for each row of a split, with paths within the folder of the release.
        conflicts: Rows whose label and feedback contradict each other; they are in, and their feedback holds.
        leaks: Videos and contexts that are in more than one split; their rows are in.
        left_out: Rows whose media are missing or are not those of the manifest.
        repeats: Rows that show a video which another row of their split shows.
    """

    labels: tuple[Label, ...]
    conflicts: tuple[str, ...]
    leaks: tuple[str, ...]
    left_out: tuple[str, ...]
    repeats: int


def read_ave_release(folder: Path, *, families: Iterable[str] = (), check_media: bool = True) -> AveRelease:
    """Read the released labels of some families, all that are there by default.

    Args:
        folder: Holds a folder for each family.
        families: Their names.
        check_media: Hash every file that a row names; without it media need not be there.

    Raises:
        BadInput: There is no such family.
        BrokenData: A file is not as it was released.
    """
    names = sorted(families) or sorted(each.parent.name for each in folder.glob(f"*/{MANIFEST}"))
    if not names:
        fact = f"has no folder with a {MANIFEST}"
        raise BadInput(f"release '{folder}'", fact, "name the folder that holds abnormality, perception, …")
    labels: list[Label] = []
    conflicts: list[str] = []
    left_out: list[str] = []
    for family in names:
        root = folder / family
        if not (root / MANIFEST).is_file():
            raise BadInput(f"release '{folder}'", f"has no family '{family}'", "see the names of its folders")
        manifest, rows = _read_family(root)
        hashes = {each.path: each.sha256 for each in manifest.files}
        faults = _media_faults(root, hashes, [row for _, row in rows]) if check_media else {}
        for split, row in rows:
            what = f"{family}/{split}.json, '{row.id}'"
            wrong = [f"{path} {faults[path]}" for path in _paths(row) if path in faults]
            if wrong:
                left_out.append(f"{what}: {'; '.join(wrong)}")
                continue
            if bool(row.label) != bool(row.weaknesses):
                fact = "and its feedback is empty" if row.label else "and its feedback names a weakness"
                conflicts.append(f"{what}: label is {row.label} {fact}")
            labels.append(_label(family, split, row, hashes))
    return AveRelease(tuple(labels), tuple(conflicts), tuple(_leaks(labels)), tuple(left_out), _count_repeats(labels))


def _read_family(root: Path) -> tuple[_Manifest, list[tuple[str, AveRecord]]]:
    """Read manifest and splits, and hold them against the plan and all records."""
    manifest, plan = _read(root / MANIFEST, _Manifest), _read(root / PLAN, _SplitPlan)
    _require_hash(root / ALL, plan.source_sha256, PLAN)
    known = {row.id: row for _, row in read_lines(root / ALL, AveRecord, what="records")}
    rows = []
    seen: dict[str, str] = {}
    for split in RELEASED_SPLITS:
        file = root / f"{split}.json"
        if split not in manifest.splits or split not in plan.splits or split not in plan.expected_sha256:
            raise BrokenData(f"release '{root}'", f"its plan or manifest lacks the split '{split}'", "fetch it again")
        _require_hash(file, manifest.splits[split].sha256, MANIFEST)
        _require_hash(file, plan.expected_sha256[split], PLAN)
        mine = [row for _, row in read_lines(file, AveRecord, what="records")]
        planned = [
            known[each.source_id].model_copy(update={"id": each.id}) if each.source_id in known else None
            for each in plan.splits[split]
        ]
        if mine != planned or len(mine) != manifest.splits[split].samples:
            raise BrokenData(f"records '{file}'", f"are not those that {PLAN} names", "fetch the release again")
        for row in mine:
            if row.id in seen:
                fact = f"id '{row.id}' is in {seen[row.id]}.json, too"
                raise BrokenData(f"records '{file}'", fact, "an id belongs to one row")
            seen[row.id] = split
        rows += [(split, row) for row in mine]
    return manifest, rows


def _read(file: Path, form: type[Form]) -> Form:
    try:
        with open_regular(file) as stream:
            return form.model_validate(read_json(stream.read(MAX_ARRAY_BYTES).decode("utf-8-sig")))
    except OSError as error:
        raise BrokenData(f"'{file}'", f"cannot be read ({error.strerror})", "fetch the release again") from error
    except ValidationError as error:
        raise BrokenData(f"'{file}'", first_fault(error), "fetch the release again") from None
    except ValueError as error:
        raise BrokenData(f"'{file}'", str(error), "fetch the release again") from None


def _require_hash(file: Path, wanted: str, where: str) -> None:
    found = _hash(file)
    if found != wanted:
        fact = "is not there" if found is None else f"has sha256 {found[:12]}…, {where} pins {wanted[:12]}…"
        raise BrokenData(f"'{file}'", fact, "fetch the release again")


def _hash(file: Path) -> str | None:
    """Return the sha256 of a file; None where there is none to read."""
    try:
        with open_regular(file) as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError:
        return None


def _media_faults(root: Path, hashes: Mapping[str, str], rows: Sequence[AveRecord]) -> dict[str, str]:
    """Return what is wrong with media, by path; each is read once."""
    faults = {}
    for path in sorted({path for row in rows for path in _paths(row)}):
        if path not in hashes:
            faults[path] = f"is not in {MANIFEST}"
        elif (found := _hash(root / path)) is None:
            faults[path] = "is not there"
        elif found != hashes[path]:
            faults[path] = f"has another sha256 than {MANIFEST} pins"
    return faults


def _paths(row: AveRecord) -> tuple[str, ...]:
    return *row.reference_images, *row.reference_videos, row.video


def _label(family: str, split: str, row: AveRecord, hashes: Mapping[str, str]) -> Label:
    files = LabelledFiles(
        video=f"{family}/{row.video}",
        prompt=row.prompt,
        references=tuple(f"{family}/{path}" for path in (*row.reference_images, *row.reference_videos)),
        sha256={f"{family}/{path}": hashes[path] for path in _paths(row) if path in hashes},
    )
    return Label(
        benchmark=BENCHMARK,
        item=f"{family}/{row.id}",
        kind="weaknesses",
        person=PERSON,
        weaknesses=row.weaknesses,
        groups={FAMILY: family},
        files=files,
        split=RELEASED_SPLITS[split],
    )


def _leaks(labels: Sequence[Label]) -> Iterator[str]:
    """Name videos and contexts that are in several splits of their family."""
    homes: dict[tuple[str, str, str], dict[str, str]] = defaultdict(dict)
    for label in labels:
        if label.files:
            family = label.groups[FAMILY]
            homes[family, "video", label.files.footage].setdefault(label.split, label.item)
            if label.files.context:
                homes[family, "context", label.files.context].setdefault(label.split, label.item)
    for (_, kind, _), items in homes.items():
        if len(items) > 1:
            told = ", ".join(f"{split} '{item}'" for split, item in sorted(items.items()))
            yield f"one {kind} in several splits: {told}"


def _count_repeats(labels: Sequence[Label]) -> int:
    shown = {(label.split, label.groups[FAMILY], label.files.footage) for label in labels if label.files}
    return len(labels) - len(shown)
