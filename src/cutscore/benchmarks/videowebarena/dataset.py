"""Items: one task on one or more sites, the tutorial that goes with it, and how its end is marked."""

from pathlib import Path
from typing import Annotated

from pydantic import Field

from cutscore.benchmarks.videowebarena.defects import find_defects
from cutscore.benchmarks.videowebarena.media_files import MediaFiles
from cutscore.benchmarks.videowebarena.overlay import OFF
from cutscore.benchmarks.videowebarena.released import (
    EvalSection,
    Geolocation,
    TaskSet,
    ViewportSize,
    WebTask,
)
from cutscore.benchmarks.videowebarena.released_files import ReleasedEntry, read_tasks, require_whole
from cutscore.benchmarks.videowebarena.scripts import TaskScripts, read_scripts
from cutscore.benchmarks.videowebarena.sites import SiteName, login_sites
from cutscore.benchmarks.videowebarena.task_checks import TaskChecks
from cutscore.benchmarks.videowebarena.webarena_ids import find_webarena_id, is_released_file
from cutscore.benchmarks.videowebarena.websites.pack_seed import read_seed, read_starter
from cutscore.core.errors import BrokenData, Unscored
from cutscore.core.files import FileRef, FileStore
from cutscore.core.frozen import FrozenModel
from cutscore.core.item import TRUTH, Item
from cutscore.core.timeline import Span

OWN, SOFTWARE = Path(__file__).parent / "own", Path(__file__).parent / "software"  # packs that ship
NOT_TOLD = "not told"
CATEGORIES = ("visual", "audio", "multihop", "temporal")


class InputImage(FrozenModel):
    """An image that belongs to the intent; `file` is None where it is not at hand."""

    address: str
    file: FileRef | None = None


class NeededSpan(FrozenModel):
    """A stretch of a tutorial that must be seen or heard to do a task, by its name in the tutorial's log."""

    mark: str
    at: Span


class WebItem(Item):
    """Do something on a website that a tutorial video shows, or that needs what was to be seen in it.

    Args:
        video: Name of the tutorial, which is also the cluster; `tutorial` is its file, None where it is not at hand. A
            task of a pack may have none; the released ones all do.
        transcript: What is said in the tutorial, as subtitles, where they are at hand.
        question: What is asked about the tutorial beside the task; factual tasks alone have one.
        login: Sites where somebody is logged in at the start.
        site_seed: Of the sites of our own that are served for it; None where sites are told by address.
        webarena_id: Number of the task in WebArena, where it came from there and has not been reworded.
        checks: How it is marked, mended; `written_checks` as the file has it, where that is something else.
        needed_spans: What of the tutorial the task needs, where its log is at hand and its script says so.
        reference_images: Images that pages are compared with, by address, as far as they are at hand.
        defects: What is wrong with the data of the task; `mended` says what was done about it.
    """

    set: TaskSet
    site: SiteName
    intent: str = Field(min_length=1)
    sites: tuple[SiteName, ...]
    start_urls: tuple[str, ...]
    viewport: ViewportSize | None = None
    geolocation: Geolocation | None = None
    login: tuple[str, ...] = ()
    reset: bool = False
    site_seed: int | None = None
    images: tuple[InputImage, ...] = ()
    video: str = ""
    tutorial: FileRef | None = None
    transcript: FileRef | None = None
    question: str = ""
    template: str = ""
    webarena_id: int | None = None
    checks: Annotated[TaskChecks, TRUTH]
    written_checks: Annotated[TaskChecks | None, TRUTH] = None
    reference_images: Annotated[dict[str, FileRef], TRUTH] = Field(default_factory=dict)
    scripts: Annotated[TaskScripts | None, TRUTH] = None
    needed_spans: Annotated[tuple[NeededSpan, ...], TRUTH] = ()
    defects: tuple[str, ...] = ()
    mended: str = ""

    @property
    def draw_unit(self) -> str:
        """Its template, of factual tasks; else its video: of each, people did one task (Appendix A.3)."""
        named = self.template if self.set == "factual" else self.video
        return f"{'template' if self.set == 'factual' else 'video'} {named}" if named else self.id

    def checks_under(self, overlay: str) -> TaskChecks:
        """Return how it is marked with the overlay on or off."""
        return self.written_checks if overlay == OFF and self.written_checks else self.checks

    def require_checks(self, overlay: str) -> tuple[TaskChecks, EvalSection]:
        """Return how it is marked, and its final section; Unscored where that is invalid, which is neither 0 nor 1."""
        checks = self.checks_under(overlay)
        if checks.final is None or checks.fault:
            mended = overlay == OFF and not self.checks.fault
            hint = "leave --set overlay=off out" if mended else ""
            raise Unscored(f"item '{self.id}'", f"is invalid: it {checks.fault}", hint)
        return checks, checks.final


def items(store: FileStore, data: Path | None = None) -> list[WebItem]:
    """Return all items in published order: of a folder in the released layout, or those that a run begins with."""
    folder = data or OWN
    read = read_tasks(folder)
    entries = require_whole(read)
    if data is None:
        chosen = frozenset(read_starter(folder))
        entries = [entry for entry in entries if entry.id in chosen]
    media, scripts, seed = MediaFiles(folder, store), read_scripts(folder), read_seed(folder)
    known = is_released_file(read.wa)
    made = [_make_item(entry, media, scripts.get(entry.id), numbered=known) for entry in entries]
    return [item.model_copy(update={"site_seed": seed}) for item in made]


def _make_item(entry: ReleasedEntry, media: MediaFiles, scripts: TaskScripts | None, *, numbered: bool) -> WebItem:
    task, checks, written = entry.task, _checks(entry.task), _checks(entry.written)
    from_webarena = entry.set == "wa" and numbered
    return WebItem(
        id=entry.id,
        cluster=task.video or entry.id,
        groups=_groups(entry),
        set=entry.set,
        site=entry.site,
        intent=task.intent,
        sites=task.sites,
        start_urls=task.start_urls,
        viewport=task.viewport_size,
        geolocation=task.geolocation,
        login=login_sites(task.storage_state),
        reset=task.require_reset,
        images=tuple(
            InputImage(address=each, file=media.image(each, f"input-{number}"))
            for number, each in enumerate(task.images, start=1)
        ),
        video=task.video,
        tutorial=media.video(task.video) if task.video else None,
        transcript=media.transcript(task.video) if task.video else None,
        question=task.intermediate_intent,
        template=task.intent_template,
        webarena_id=find_webarena_id(task.task_id) if from_webarena else None,
        checks=checks,
        written_checks=written if written != checks else None,
        reference_images=_reference_images(checks.final, media),
        scripts=scripts,
        needed_spans=_needed_spans(entry, media, scripts),
        defects=tuple(find_defects(entry.written)),
        mended=entry.mended,
    )


def _checks(task: WebTask) -> TaskChecks:
    return TaskChecks(final=task.eval, intermediate=task.intermediate_eval)


def _needed_spans(entry: ReleasedEntry, media: MediaFiles, scripts: TaskScripts | None) -> tuple[NeededSpan, ...]:
    """Return the stretches of the tutorial that a script needs; none where there is no log to look them up in."""
    log, needs = media.log(entry.task.video), scripts.needs if scripts else ()
    if log is None:
        return ()
    if unknown := next((mark for mark in needs if mark not in log.marks), None):
        fact = f"needs mark '{unknown}', which the log of '{entry.task.video}' does not have"
        raise BrokenData(f"item '{entry.id}'", fact, "correct its script, or record the tutorial again")
    spans = {mark: Span(start_s=start, end_s=end) for mark, (start, end) in log.marks.items()}
    return tuple(NeededSpan(mark=mark, at=spans[mark]) for mark in needs)


def _groups(entry: ReleasedEntry) -> dict[str, str]:
    """Return the strata of tables; what a set does not tell of its tasks is `not told`."""
    task, factual = entry.task, entry.set == "factual"
    told = {
        "visual": task.visual_reasoning,
        "audio": task.audio_reasoning,
        "multihop": task.multihop_reasoning,
        "temporal": task.temporal_reasoning,
    }
    return {
        "set": entry.set,
        "site": entry.site,
        "difficulty": task.overall_difficulty or NOT_TOLD,
        "video_difficulty": task.intermediate_difficulty or NOT_TOLD,
        "evaluation": "+".join(task.eval.eval_types) if task.eval else NOT_TOLD,
        **{name: ("yes" if value else "no") if factual else NOT_TOLD for name, value in told.items()},
    }


def _reference_images(section: EvalSection | None, media: MediaFiles) -> dict[str, FileRef]:
    """Return the images to compare with that are at hand; the others lie on the sites."""
    wanted = section.reference_images if section else ()
    found = {each: media.image(each, f"reference-{number}") for number, each in enumerate(wanted, start=1)}
    return {each: ref for each, ref in found.items() if ref is not None}
