"""Websites for a person, and a web task for an agent that is not run here: opened, and in the end recorded."""

from __future__ import annotations

import shutil
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast

from cutscore.api.items import load_items, scratch_store
from cutscore.cells.evidence import record_evidence
from cutscore.cells.recorded_evidence import RecordedWork, read_recorded, write_recorded
from cutscore.cells.selection import find_item
from cutscore.cells.world import SampleParts, Workspace, open_world
from cutscore.core.deliverable import Deliverable
from cutscore.core.environment import Environment
from cutscore.core.errors import BadInput, NoRoom
from cutscore.core.subject import WorkContext
from cutscore.prompts import load_prompts
from cutscore.registry import benchmark as find_benchmark
from cutscore.settings import load_settings
from cutscore.submissions import TEXT_FILE

if TYPE_CHECKING:
    from cutscore.core.evidence import Evidence

EPOCH = 1
BENCHMARK = "videowebarena"
OPENER = "open_for_agents"


@dataclass(frozen=True)
class ServedSite:
    """A website of our own that answers; `login` tells account and password, where it has accounts."""

    name: str
    title: str
    address: str
    login: str


@contextmanager
def serve_sites(*, port: int = 0, seed: int = 1) -> Iterator[tuple[ServedSite, ...]]:
    """Serve the websites of our own on loopback, a free port where none is told; they end with the block."""
    from cutscore.benchmarks.videowebarena.websites.catalogue import websites
    from cutscore.benchmarks.videowebarena.websites.serving import serve

    served = serve(seed=seed, port=port)
    try:
        found = served.addresses.addresses
        yield tuple(
            ServedSite(name, site.title, found[name], f"{site.account} / {site.password}" if site.account else "")
            for name, site in websites().items()
        )
    finally:
        served.close()


class AgentWorld(Environment, Protocol):
    """A world in which other people's agents act."""

    @property
    def cdp_address(self) -> str:
        """Where its browser is reached by the DevTools protocol."""

    @property
    def urls(self) -> tuple[str, ...]:
        """The addresses of all tabs."""

    async def take_back(self) -> None:
        """End the agents' turn, before evidence is taken."""


@dataclass(frozen=True)
class OpenTask:
    """A task that is open.

    Args:
        brief: What is asked.
        urls: Where its tabs stand, the active one first.
        cdp: Where the browser is reached: `chromium.connect_over_cdp(cdp)`.
        folder: Where `answer.txt` and whatever else is asked for is left.
    """

    task: str
    brief: str
    urls: tuple[str, ...]
    cdp: str
    folder: Path

    def as_json(self) -> dict[str, Any]:
        """Return what a program that waits for it is told."""
        return {
            "event": "open",
            "task": self.task,
            "brief": self.brief,
            "urls": list(self.urls),
            "cdp": self.cdp,
            "folder": str(self.folder),
        }


def record_sites(
    task: str,
    out: str | Path,
    *,
    wait: Callable[[OpenTask], Awaitable[str]],
    data: str | Path | None = None,
    conditions: Mapping[str, str] | None = None,
) -> Evidence:
    """Open the start of a web task, wait until somebody has done it, and record what there is then.

    Args:
        task: Id of the item.
        out: Folder that `score` marks: `TASK/` has what was handed over, `evidence.json` what was read.
        wait: Returns when the work is done, with the answer; an empty one does not replace `TASK/answer.txt`.
        data: Folder with tasks of your own.
        conditions: Conditions of work by name, where they are not the card's defaults.
    """
    from anyio import run

    found, root = find_benchmark(BENCHMARK), Path(out)
    _check_out(root, task)
    with scratch_store() as store, Workspace() as workspace:
        pack = Path(data) if data is not None else None
        item = find_item(load_items(found, store, pack), task, bench=found.name, data=str(pack or ""))
        prompts = load_prompts(found.folder / "prompts", benchmark=found.name, config=load_settings().prompts)
        given = found.card.condition_values(conditions or {})
        context = WorkContext(store=store, make_workspace=workspace.make, epoch=EPOCH, seed=0, conditions=given)
        evidence = run(_work, SampleParts(found, item, prompts), context, root, wait)
        made = RecordedWork(item=task, work=str(EPOCH), evidence=evidence)
        write_recorded([*read_recorded(root), made], store, root)
    return evidence


async def _work(
    parts: SampleParts, context: WorkContext, root: Path, wait: Callable[[OpenTask], Awaitable[str]]
) -> Evidence:
    ask = parts.found.ask(parts.item, parts.prompts)
    async with open_world(parts, None, ask, context, opener_name=OPENER) as opened:
        world = cast(AgentWorld, opened)
        folder = _make_folder(root / ask.item)
        answer = await wait(OpenTask(ask.item, ask.brief, world.urls, world.cdp_address, folder))
        await world.take_back()
        evidence = await record_evidence(parts.found, parts.item, Deliverable(), store=context.store, environment=world)
        _keep_deliverable(folder, answer, world.outputs)
    return evidence


def _check_out(root: Path, task: str) -> None:
    if root.exists() and not root.is_dir():
        raise BadInput(f"-o '{root}'", "is not a folder", "name another one")
    folder = root / task
    if any(work.item == task for work in read_recorded(root)) or (folder.is_dir() and any(folder.iterdir())):
        raise BadInput(f"-o '{root}'", f"has something of task '{task}' already", "name another folder, or remove it")


def _make_folder(folder: Path) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise NoRoom.of(f"folder '{folder}'", error, "name another one with -o") from error
    return folder.resolve()


def _keep_deliverable(folder: Path, answer: str, outputs: Path | None) -> None:
    """Write the answer and what was downloaded; files of the agent's own stay as they are."""
    for file in sorted(outputs.iterdir()) if outputs else ():
        if not (folder / file.name).exists():
            shutil.copyfile(file, folder / file.name)
    if answer or not (folder / TEXT_FILE).exists():
        (folder / TEXT_FILE).write_text(answer, encoding="utf-8")
