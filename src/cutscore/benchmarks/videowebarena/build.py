"""Visits and recordings → tutorials with tasks: the recipe of `cutscore build videowebarena VISIT.json --url ADDRESS`.

    VISIT.json     is played on the site at ADDRESS and filmed; its `tasks` become those of the pack. With --record a
                   person plays it, on a page of this machine, and the file is written
    VIDEO.mp4      a recording of your own, taken as it is, with NAME.vtt beside it; its site is --set site=NAME

The pack has the layout that `dataset.py` reads. What baselines do without the tutorial is told as a failure.
"""

import hashlib
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from cutscore.authoring.build_folder import BuildFolder
from cutscore.authoring.datasheet import Datasheet, write_datasheet
from cutscore.authoring.difficulty_filter import run_baselines
from cutscore.authoring.footage import RefusedSource, SourceClip, read_footage
from cutscore.authoring.recipe import count_values
from cutscore.authoring.recipe_options import BuildOptions, BuildResult, RecipeOption
from cutscore.benchmarks.videowebarena.media_files import VIDEO_ENDINGS
from cutscore.benchmarks.videowebarena.sites import SiteAddresses, load_sites
from cutscore.benchmarks.videowebarena.tutorials.action_log import ENDING, TutorialLog, read_log
from cutscore.benchmarks.videowebarena.tutorials.film import write_tutorial
from cutscore.benchmarks.videowebarena.tutorials.filming import film_visit
from cutscore.benchmarks.videowebarena.tutorials.recorder import record_person
from cutscore.benchmarks.videowebarena.tutorials.recording import VisitPlayer
from cutscore.benchmarks.videowebarena.tutorials.task_files import WrittenTask, make_tasks, write_tasks
from cutscore.benchmarks.videowebarena.tutorials.visit import (
    ScriptedVisit,
    name_visit,
    read_beginning,
    read_visit,
    write_visit,
)
from cutscore.core.errors import BadInput
from cutscore.labels.signoffs import SHEET
from cutscore.media.transcript import read_transcript, to_vtt

NAME = "videowebarena"
OPTIONS = {"site": RecipeOption("site of a recording that comes without a visit", ("",), free=True)}
UPLOADS = "uploads"  # beside a visit: files that it hands in
VIDEOS, VISITS = "videos", "visits"


@dataclass(frozen=True)
class Tutorial:
    """A visit with its video, played here or recorded elsewhere; the log is of those that were played."""

    visit: ScriptedVisit
    clip: SourceClip
    log: TutorialLog | None = None


@dataclass(frozen=True)
class Tutorials:
    """All tutorials of a build, in the order in which they were named, and what was refused."""

    made: tuple[Tutorial, ...]
    refused: tuple[RefusedSource, ...] = ()


def read_sources(words: Sequence[str], out: BuildFolder, options: BuildOptions, *, licence: str) -> Tutorials:
    """Film each visit, take each recording, and look at all videos as any footage is looked at."""
    read = _read_beginning if options.record else _read_word
    visits = {Path(word): read(Path(word), options.own["site"]) for word in words}
    names = [visit.name for visit in visits.values()]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise BadInput(f"visit '{twice}'", "is named twice", "give each a name of its own")
    sites, folder = find_sites(list(visits.values()), options.url), out.fresh("tutorials")
    videos: dict[str, ScriptedVisit] = {}
    for file, visit in visits.items():
        if visit.recording:
            videos[str(file.parent / visit.recording)] = visit
            continue
        options.tell(f"visit: {visit.name}")
        uploads = file.parent / UPLOADS
        play = partial(record_person, file=file, tell=options.tell) if options.record else VisitPlayer.play
        filmed = film_visit(visit, sites, uploads=uploads if uploads.is_dir() else None, play=play)
        write_tutorial(filmed, folder)
        videos[str(folder / f"{visit.name}.mp4")] = filmed.visit
    footage = read_footage(list(videos), out, licence=licence, tell=options.tell)
    made = []
    for clip in footage.clips:
        log = Path(clip.source).with_suffix(ENDING)
        visit = videos[clip.source]
        made.append(Tutorial(visit, clip, None if visit.recording else read_log(log)))
    return Tutorials(tuple(made), footage.refused)


def _read_word(file: Path, site: str) -> ScriptedVisit:
    if file.suffix == ".json":
        return read_visit(file)
    try:
        return ScriptedVisit.model_validate({**name_visit(file, site), "recording": file.name})
    except ValueError:
        raise BadInput(f"recording '{file.name}'", "or its site cannot be named so", "rename it") from None


def _read_beginning(file: Path, site: str) -> ScriptedVisit:
    if file.suffix != ".json":
        raise BadInput(f"--record {file.name}", "is no name for a visit", "write for example lesson.json")
    return read_beginning(file, site)


def find_sites(visits: Sequence[ScriptedVisit], url: str) -> SiteAddresses:
    """Return the sites of variables and of the file, and that of the visits at the address that was given."""
    names = list(dict.fromkeys(name for visit in visits for name in visit.sites))
    known = load_sites(names=names)
    own = list(dict.fromkeys(visit.site for visit in visits if visit.steps))
    if not url or not own:
        return known
    if len(own) > 1:
        raise BadInput("--url", f"the visits are to {' and '.join(own)}", f"set {own[0].upper()}=… and so on instead")
    entry = known.sites[own[0]].model_dump() if own[0] in known.sites else {}
    try:
        told = SiteAddresses.model_validate({"sites": {own[0]: {**entry, "address": url}}})
    except ValueError:
        raise BadInput(f"--url '{url}'", "is no address", "write http://HOST:PORT") from None
    return SiteAddresses(sites={**known.sites, **told.sites})


def build(sources: Tutorials, out: BuildFolder, options: BuildOptions) -> BuildResult:
    """Write the pack: videos, transcripts, logs, tasks, scripts and a datasheet."""
    visits = [each.visit for each in sources.made]
    tasks = make_tasks(visits, {each.visit.name: each.log for each in sources.made if each.log})
    out.draft.mkdir(parents=True)
    for tutorial in sources.made:
        _write_media(tutorial, out.draft)
    write_tasks(tasks, out.draft)
    solved = find_solved(tasks, out, options, visits) if options.baselines else []
    built = BuildResult(
        items=len(tasks),
        clips=len(sources.made),
        counts={
            "set": count_values(each.task.set for each in tasks),
            "site": count_values(each.visit.site for each in tasks),
        },
        refused=sources.refused,
        warnings=(*_tell_tutorials(sources.made), *_tell_tasks(tasks)),
        failures=tuple(solved),
    )
    sheet = Datasheet(
        recipe=NAME,
        about="Tutorials of websites, and tasks that only somebody can do who has watched them.",
        built=built,
        clips=[each.clip for each in sources.made],
        authors={},
        filtering=_tell_baselines(options.baselines, solved),
        settings=dict(options.own),
        run=(f"cutscore check DIR --bench {NAME}", f"cutscore run {NAME} --data DIR --subject oracle"),
    )
    write_datasheet(out.draft, sheet, _hashes(out.draft))
    out.publish()
    return built


def _write_media(tutorial: Tutorial, folder: Path) -> None:
    visit, clip = tutorial.visit, tutorial.clip
    ending = Path(clip.ref.name).suffix
    if ending not in VIDEO_ENDINGS:
        raise BadInput(f"recording '{clip.source}'", f"is a {ending.strip('.')} file", "save it as MP4 or MOV")
    for name in (VIDEOS, VISITS):
        (folder / name).mkdir(exist_ok=True)
    shutil.copyfile(clip.path, folder / VIDEOS / f"{visit.name}{ending}")
    if clip.transcript:
        vtt = to_vtt(read_transcript(clip.transcript))
        (folder / VIDEOS / f"{visit.name}.vtt").write_text(vtt, encoding="utf-8")
    if tutorial.log:
        shutil.copyfile(Path(clip.source).with_suffix(ENDING), folder / VIDEOS / f"{visit.name}{ENDING}")
    write_visit(visit, folder / VISITS / f"{visit.name}.json")


def find_solved(
    tasks: Sequence[WrittenTask], out: BuildFolder, options: BuildOptions, visits: Sequence[ScriptedVisit]
) -> list[str]:
    """Return which factual tasks a baseline does, though it has not seen the tutorial."""
    with _told_address(visits, options.url):
        marks = run_baselines(
            options.baselines,
            out.draft,
            out,
            benchmark=NAME,
            cost_limit_usd=options.cost_limit_usd,
            tell=options.tell,
        )
    factual = [each.id for each in tasks if each.task.set == "factual"]
    done = [(name, item) for name, scores in marks.items() for item in factual if (scores.get(item) or 0) >= 1]
    return [f"{item} is done by '{name}' without the tutorial: ask for a fact of it" for name, item in done]


@contextmanager
def _told_address(visits: Sequence[ScriptedVisit], url: str) -> Iterator[None]:
    """Let a run in this process find the site that was told by its address alone."""
    variable = visits[0].site.upper()
    before = os.environ.get(variable)
    if url:
        os.environ[variable] = url
    try:
        yield
    finally:
        os.environ.pop(variable, None)
        if before is not None:
            os.environ[variable] = before


def _tell_tutorials(made: Sequence[Tutorial]) -> Iterator[str]:
    look = "look through it for faces, names, addresses, keys and passwords before you pass it on"
    for each in made:
        if each.visit.recording:
            yield f"'{each.visit.name}' is a recording of your own, taken as it is: {look}"
        if each.visit.recording and not each.clip.transcript:
            yield f"'{each.visit.name}' has no transcript: put NAME.vtt beside the recording"
        if not each.clip.licence:
            yield f"the licence of '{each.visit.name}' is unknown; say it with --licence"


def _tell_tasks(tasks: Sequence[WrittenTask]) -> Iterator[str]:
    for each in tasks:
        if each.is_skeleton:
            yield f"{each.id} is a skeleton: write 'tasks' into the visit '{each.visit.name}' and build again"
        elif each.task.script is None:
            yield f"{each.id} has no script: its difficulties are not known, and the oracle cannot play it"
    yield f"nobody has signed these tasks: their author and somebody else do so in {SHEET}"


def _tell_baselines(baselines: Sequence[str], solved: Sequence[str]) -> list[str]:
    if not baselines:
        return ["Nobody tried to do the tasks without the tutorial: build with --baseline blind."]
    return list(solved) or [f"None of {', '.join(baselines)} does a factual task without the tutorial."]


def _hashes(folder: Path) -> dict[str, str]:
    files = sorted(file for file in folder.rglob("*") if file.is_file())
    return {file.relative_to(folder).as_posix(): _sha256(file) for file in files}


def _sha256(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
