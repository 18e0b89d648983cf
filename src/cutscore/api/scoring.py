"""Mark one deliverable, offline: without Inspect, a key or a network unless a judge needs them."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cutscore.api.items import check_mode, load_items
from cutscore.api.judging import open_item_judges
from cutscore.api.requests import check_judge
from cutscore.cells.admission import admit
from cutscore.cells.evidence import join_deliverable, record_without_world
from cutscore.cells.marking import mark_one
from cutscore.cells.recorded_evidence import read_recorded, take_files_of
from cutscore.cells.selection import find_item
from cutscore.core.ending import Ending, Status
from cutscore.core.errors import BadInput, UnknownName
from cutscore.core.finding import Finding, score_key
from cutscore.core.judgement import JUDGE_ROLE, JudgeSpec
from cutscore.registry import benchmark as find_benchmark
from cutscore.store import Store
from cutscore.submissions import read_submission

if TYPE_CHECKING:
    from cutscore.core.deliverable import Deliverable
    from cutscore.core.evidence import Evidence
    from cutscore.core.files import FileStore
    from cutscore.core.item import Item
    from cutscore.registry import Benchmark


@dataclass(frozen=True)
class Score:
    """What one deliverable is worth, and why.

    Args:
        benchmark, item, mode: What was marked, and how.
        ending: Status, scores and findings.
        headline: Key of the score that counts (`reward@paper`).
        judge: Who was asked for an opinion; empty when nobody was.
        options: Choices in scoring that are not the card's defaults.
        remarks: What a reader of the score should know.
    """

    benchmark: str
    item: str
    mode: str
    ending: Ending
    headline: str
    judge: str = ""
    options: Mapping[str, str] | None = None
    remarks: tuple[str, ...] = ()

    @property
    def value(self) -> float | None:
        """The headline; None unless the deliverable was marked."""
        return self.ending.scores.get(self.headline)

    @property
    def status(self) -> Status:
        """`marked`, `unscored` or `stopped`."""
        return self.ending.status

    @property
    def scores(self) -> dict[str, float]:
        """Every score by its key, in all modes."""
        return dict(self.ending.scores)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What was found, each with its reason and its place in the clip."""
        return self.ending.findings

    def as_json(self) -> dict[str, Any]:
        """Return the object that `cutscore score --json` prints."""
        plain = {"benchmark": self.benchmark, "item": self.item, "mode": self.mode}
        plain |= self.ending.as_json(self.headline)
        plain |= {"judge": self.judge} if self.judge else {}
        return plain | ({"options": dict(self.options)} if self.options else {})


@dataclass(frozen=True)
class MarkedFiles:
    """An item, what was delivered for it, how it ended in a scoring mode, and the store that has the files of both."""

    item: Item
    deliverable: Deliverable
    ending: Ending
    mode: str
    store: Store


def score(
    benchmark: str,
    item: str,
    submission: str | Path,
    *,
    mode: str = "",
    options: Mapping[str, str] | None = None,
    epoch: int = 1,
    data: str | Path | None = None,
    judge: str = "",
    roles: Mapping[str, str] | None = None,
    votes: int = 0,
    prompts: Mapping[str, str | Path] | None = None,
    log_dir: str | Path | None = None,
    on_marked: Callable[[MarkedFiles], None] | None = None,
) -> Score:
    """Mark one deliverable.

    Args:
        benchmark: Name of the benchmark.
        item: Id of the item.
        submission: Folder with `ITEM[/EPOCH]/files`, or with the files themselves; `answer.txt` is an answer in words.
            What `record_sites` read of a world lies beside them.
        mode: Scoring mode; the card's default when empty.
        options: Choices in scoring, by name.
        epoch: Which repeat, where the folder has several.
        data: Folder with items of your own.
        judge: Who judges, where an opinion is asked; the card's default when empty.
        roles: Who sits in further roles of the judge that the card names, by role.
        votes: How often the judge is asked each question; what the card says when 0.
        prompts: Files that replace the judge's prompts, by name.
        log_dir: Where the judge's replies and costs are kept, to be asked only once.
        on_marked: Gets what was marked while its files are there; afterwards they are gone.
    """
    found = find_benchmark(benchmark)
    files = {name: Path(file) for name, file in (prompts or {}).items()}
    spec = JudgeSpec(judge or found.card.judge.default, votes, files, own_data=data is not None)
    check_judge(found.card, spec.name, votes)
    specs = {JUDGE_ROLE: spec, **_role_specs(found, spec, roles or {})}
    _check_folder(Path(submission))
    mode, chosen = check_mode(found.card, mode), _check_options(found, options or {})
    pack, run = (Path(each) if each is not None else None for each in (data, log_dir))
    with tempfile.TemporaryDirectory(prefix="cutscore-") as scratch:
        store = Store(Path(scratch) / "store")
        items = load_items(found, store, pack)
        wanted = find_item(items, item, bench=found.name, data=str(pack or ""))
        admitted = admit(found, items, pack)
        admitted.check(item)
        root, name = _find_files(Path(submission), wanted, items)
        with open_item_judges(specs, found, items, item=item, epoch=epoch, scratch=Path(scratch), run=run) as asked:
            delivered = read_submission(root, name, epoch=epoch, store=store)
            evidence = _find_evidence(found, wanted, delivered, root, epoch=epoch, store=store)
            judges = asked.judges if asked else {}
            ending = mark_one(found, delivered, evidence, wanted, store=store, judges=judges, mode=mode, options=chosen)
        if on_marked is not None:
            on_marked(MarkedFiles(wanted, delivered, ending, mode, store))
    silent = tuple(each.message for each in asked.said if each.answer is None) if asked else ()
    remarks, headline = (*admitted.remarks, *silent), score_key(found.card.headline, mode)
    return Score(found.name, item, mode, ending, headline, asked.name if asked else "", chosen, remarks)


def _role_specs(found: Benchmark, judge: JudgeSpec, roles: Mapping[str, str]) -> dict[str, JudgeSpec]:
    for role in roles:
        if role not in found.card.judge.roles:
            raise UnknownName.among("role of the judge", role, found.card.judge.roles)
    return {role: judge.in_role(role, name) for role, name in roles.items()}


def _check_folder(folder: Path) -> None:
    if not folder.is_dir():
        fact = "is not a folder" if folder.exists() else "there is no such folder"
        raise BadInput(f"submission '{folder}'", fact, "name a folder with the files that were delivered")


def _find_files(folder: Path, item: Item, items: Sequence[Item]) -> tuple[Path, str]:
    """Return where the item's files are, as folder and name in it: below a folder of its name, or right here.

    A folder that has places for other items has none for this one; then nothing was delivered for it.
    """
    known = {each.id for each in items}
    if any(entry.name in known and entry.is_dir() for entry in folder.iterdir()):
        return folder, item.id
    here = folder.resolve()
    return here.parent, here.name


def _find_evidence(
    found: Benchmark, item: Item, delivered: Deliverable, folder: Path, *, epoch: int, store: FileStore
) -> Evidence:
    """Return what was read of a world and lies in the folder; else what can be read of the deliverable alone."""
    for work in read_recorded(folder) if found.has_part("environment") else ():
        if (work.item, work.work) == (item.id, str(epoch)):
            return join_deliverable(take_files_of(work, folder, store), delivered)
    return record_without_world(found, item, delivered, store)


def _check_options(found: Benchmark, options: Mapping[str, str]) -> dict[str, str]:
    try:
        return found.card.changed_options(options)
    except ValueError as error:
        raise BadInput(f"benchmark '{found.name}'", str(error)) from None
