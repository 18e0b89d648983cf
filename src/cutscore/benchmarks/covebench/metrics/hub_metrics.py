"""AES, VQR, SRC, CLIP, TQ and MF of one task as findings, by what the user's hub file names.

    aes   mean aesthetic score of 10 frames (`reference`); in `paper` with the keyframes, which we take to be the first
          frame of each shot, since the paper does not say
    vqr   mean of what VisualQuality-R1 says to 10 frames, as JPEG of quality 95
    src   how alike things that were to stay look, at 0 s, 0.5 s, 1 s …, 32 times at most
    clip  100 · mean cosine of 10 frames with the description of the wanted video
    tq    DOVER++, measured by others
    mf    motion fidelity by CoTracker, measured by others

A score that cannot be had is a gap with its reason: *excluded* where the benchmark leaves the task out, *unscored*
where the metric failed on it, *stopped* where this machine lacks what the hub file promises.
"""

import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from cutscore.benchmarks.covebench.dataset import EDITED, EditTask
from cutscore.benchmarks.covebench.metrics.hub_file import HubFile, OutsideScores, read_hub_file
from cutscore.benchmarks.covebench.metrics.hub_rules import (
    Frame,
    describe_mean,
    describe_regions,
    describe_replies,
    first_of_shots,
    fit_frame,
    leaves_out_regions,
    no_region,
    through_jpeg,
)
from cutscore.benchmarks.covebench.metrics.outside_scores import find_score, run_program
from cutscore.benchmarks.covebench.metrics.src_entities import name_entities, read_entities
from cutscore.core.ending import ScoreGap
from cutscore.core.errors import BadInput, CutscoreError, Stopped, Unscored
from cutscore.core.evidence import Evidence
from cutscore.core.finding import Finding
from cutscore.media import deliverable as door
from cutscore.media.plan import Released, Steps, Times
from cutscore.models.hub import weights as hub_weights
from cutscore.models.hub.aesthetics import AestheticPredictor, load_aesthetics
from cutscore.models.hub.clip_text import TextImageModel, load_clip
from cutscore.models.hub.region_consistency import (
    RegionFeatures,
    RegionModels,
    compare_regions,
    load_region_models,
    resize_mask,
)
from cutscore.models.hub.visual_quality import QualityRater, load_visual_quality
from cutscore.prompts import load_prompt
from cutscore.scoring.metrics.kept_features import Features, keep_features
from cutscore.scoring.metrics.metric import MetricFrame, Needs
from cutscore.scoring.metrics.one_pass import collect_frames

PROMPTS = Path(__file__).parents[1] / "prompts" / "metrics"
NO_FILE = "none"
NOT_NAMED = "not computed: no hub file names what it takes (--set hub=FILE)"
STILLS = Needs(kind="rgb", plan=Released(10))
PACED = Needs(kind="rgb", plan=Steps(Fraction(2), 32, head=True))
SHOTS = Needs(kind="rgb", longest=96)
# Group-level dimensions that motion fidelity leaves out, by mode: as the released list, and as the paper says.
NO_MOTION = {"reference": "Background", "paper": "Motion"}
KIND = "covebench regions 1"  # of kept features; counts up when equal pictures give other numbers

logger = logging.getLogger(__name__)

Loaded = TypeVar("Loaded")
Said = Iterator[Finding | ScoreGap]
KnownRegions = RegionFeatures | None  # None where nothing was found


@lru_cache(maxsize=4)
def open_hub(file: str) -> "Hub":
    """Return the metrics of a hub file, none of NO_FILE; a model is loaded when it is first needed, once for all tasks.

    Of a file that cannot be read every metric is a gap: a checklist that was judged is not lost over it.
    """
    if file == NO_FILE:
        return Hub(HubFile())
    path = Path(file).expanduser()
    try:
        return Hub(read_hub_file(path), folder=path.absolute().parent)
    except BadInput as fault:
        return Hub(HubFile(), fault=str(fault))


@dataclass(frozen=True, eq=False)
class HubVideo:
    """What the metrics see of a delivered video: its file for shots and programs, and frames by `Hub.needs`."""

    path: Path
    frames: tuple[tuple[MetricFrame, ...], ...]


class Hub:
    """The metrics that a hub file names."""

    def __init__(self, file: HubFile, *, folder: Path | None = None, fault: str = "") -> None:
        self.file, self.folder, self.fault = file, folder, fault
        self._told: set[str] = set()
        self._lock = threading.Lock()  # several tasks are marked at once, and one model serves them all

    @property
    def needs(self) -> tuple[Needs, ...]:
        """Frames of the delivered video that the named metrics need."""
        wanted = {STILLS: ("aes", "vqr", "clip"), PACED: ("src",), SHOTS: ("aes",)}
        return tuple(each for each, names in wanted.items() if set(names) & set(self.file.named))

    def measure(self, video: HubVideo, item: EditTask, evidence: Evidence) -> Said:
        """Return the scores of one task, or why there is none."""
        if self.fault:
            yield from [self._stop(name, self.fault) for name in HubFile.model_fields]
            return
        left = [name for name in HubFile.model_fields if name not in self.file.named]
        yield from [ScoreGap(name=name, status="excluded", because=NOT_NAMED) for name in left]
        for name in self.file.named:
            metric: Callable[[HubVideo, EditTask, Evidence], Said] = getattr(self, f"_measure_{name}")
            try:
                with self._lock:
                    yield from list(metric(video, item, evidence))
            except (Stopped, BadInput) as lacking:
                yield self._stop(name, str(lacking))
            except CutscoreError as failed:
                yield ScoreGap(name=name, status="unscored", because=str(failed))
            except (RuntimeError, ValueError) as failed:  # of torch: out of memory, say; the other scores stand
                because = f"{type(failed).__name__}: {str(failed).splitlines()[0][:200]}"
                yield ScoreGap(name=name, status="unscored", because=because)

    def _stop(self, name: str, because: str) -> ScoreGap:
        """Return that a metric cannot be computed on this machine, and warn once for all tasks."""
        if because not in self._told:
            self._told.add(because)
            logger.warning("no score '%s': %s", name, because)
        return ScoreGap(name=name, status="stopped", because=because)

    def _measure_aes(self, video: HubVideo, item: EditTask, evidence: Evidence) -> Said:
        stills, firsts = self._frames(video, STILLS), self._firsts(video)
        scores = self._aesthetics.score([*stills, *firsts])
        made_by = self._made_by("aes", self._aesthetics.placement)
        told = {"reference": f"{len(stills)} frames", "paper": f"{len(stills)} frames and {len(firsts)} keyframes"}
        for mode, used in (("reference", scores[: len(stills)]), ("paper", scores)):
            yield describe_mean("aes", used, f"{told[mode]}; {made_by}", mode=mode)

    def _measure_clip(self, video: HubVideo, item: EditTask, evidence: Evidence) -> Said:
        if not item.target:
            yield ScoreGap(name="clip", status="excluded", because="the task does not describe the wanted video")
            return
        scores = self._clip.score(self._frames(video, STILLS), item.target)
        yield describe_mean("clip", scores, f"{len(scores)} frames; {self._made_by('clip', self._clip.placement)}")

    def _measure_vqr(self, video: HubVideo, item: EditTask, evidence: Evidence) -> Said:
        prompt = load_prompt("visual_quality", folder=PROMPTS).text
        replies = self._rater.reply([through_jpeg(each) for each in self._frames(video, STILLS)], prompt)
        made_by = self._made_by("vqr", self._rater.placement)
        yield describe_replies(replies, made_by)

    def _measure_src(self, video: HubVideo, item: EditTask, evidence: Evidence) -> Said:
        if left_out := leaves_out_regions(item):
            yield ScoreGap(name="src", status="excluded", because=left_out)
            return
        phrases = self._entities.get(item.id) if self._entities is not None else name_entities(item.checklist)
        if not phrases:
            yield no_region("no_concrete_entities: nothing that was to stay is a thing with a name")
            return
        source = self._source_regions(phrases, item, evidence)
        if not source["found"].size:
            yield no_region(f"no_grounded_entities: the source shows none of {', '.join(phrases)}")
            return
        found = [phrases[number] for number in source["found"]]
        height, width = source["size"].tolist()
        edited = self._embed(self._frames(video, PACED), found, size=(height, width))
        if edited is None:
            yield no_region(f"target_no_grounded_entities: {EDITED} shows none of {', '.join(found)}")
            return
        known = RegionFeatures(source["areas"], source["vectors"])
        yield describe_regions(compare_regions(known, edited), found, self._made_by("src", self._regions.placement))

    def _source_regions(self, phrases: Sequence[str], item: EditTask, evidence: Evidence) -> Features:
        """Return what is known of the source for all editors: which phrases are in it, and their embeddings."""
        if item.source is None:
            raise Unscored("SRC", "the source is not at hand")
        path, models = evidence.store.path(item.source), self._regions

        def make() -> Features:
            frames = [np.ascontiguousarray(each.pixels) for each in collect_frames(path, (PACED,)).frames[0]]
            regions = models.find_regions(frames, phrases)
            found = [number for number, each in enumerate(phrases) if any(box.phrase == each for box in regions.boxes)]
            known = models.embed_regions(frames, regions.masks)
            size = np.array(frames[0].shape[:2])
            return {"found": np.array(found, int), "size": size, "areas": known.areas, "vectors": known.vectors}

        kind = f"{KIND}; {self._digest('src')}; {models.placement}; {' | '.join(phrases)}"
        return keep_features(item.source.sha256, kind, make)

    def _embed(
        self, frames: Sequence[Frame], phrases: Sequence[str], *, size: tuple[int, int]
    ) -> RegionFeatures | None:
        regions = self._regions.find_regions(frames, phrases)
        if not regions.boxes:
            return None
        masks = [resize_mask(each, *size) for each in regions.masks]
        return self._regions.embed_regions([fit_frame(each, *size) for each in frames], masks)

    def _measure_tq(self, video: HubVideo, item: EditTask, evidence: Evidence) -> Said:
        yield self._outside("tq", video, item, evidence)

    def _measure_mf(self, video: HubVideo, item: EditTask, evidence: Evidence) -> Said:
        edited = {entry.level_1 for point in item.checklist.points for entry in point.categories}
        asked = [mode for mode, dimension in NO_MOTION.items() if dimension not in edited]
        score = self._outside("mf", video, item, evidence) if asked else None
        for mode, dimension in NO_MOTION.items():
            if score is not None and mode in asked:
                yield score.model_copy(update={"mode": mode})
            else:
                because = f"an edit of {dimension.lower()} is asked for, which mf would punish"
                yield ScoreGap(name="mf", status="excluded", because=because, mode=mode)

    def _outside(self, name: str, video: HubVideo, item: EditTask, evidence: Evidence) -> Finding:
        given: OutsideScores = getattr(self.file, name)
        if given.scores is not None:
            value, by = find_score(given.scores, item.id), f"measured elsewhere, in {given.scores.name}"
        else:
            source = evidence.store.path(item.source) if item.source else None
            value = run_program(
                given.program, video=video.path, source=source, timeout_s=given.timeout_s, cwd=self.folder
            )
            by = f"by program '{Path(given.program[0]).name}' on clean encodes"
        return Finding(name=name, value=value, because=f"{name} is {value:.4f}, {by}", file=EDITED)

    def _firsts(self, video: HubVideo) -> list[Frame]:
        """Return the first frame of each shot; only those that are no stills anyway are decoded for it."""
        known = {each.at_s: np.ascontiguousarray(each.pixels) for each in self._timed(video, STILLS)}
        begins = first_of_shots(self._timed(video, SHOTS))
        if other := tuple(at_s for at_s in begins if at_s not in known):
            known |= {each.at_s: each.pixels for each in door.read_frames(video.path, Times(other))}
        return [known[at_s] for at_s in begins if at_s in known]

    def _timed(self, video: HubVideo, need: Needs) -> tuple[MetricFrame, ...]:
        return video.frames[self.needs.index(need)]

    def _frames(self, video: HubVideo, need: Needs) -> list[Frame]:
        found = [np.ascontiguousarray(each.pixels) for each in self._timed(video, need)]
        if not found:
            raise Unscored(EDITED, "has no frame that could be decoded")
        return found

    def _digest(self, name: str) -> str:
        """Return which weights made a score; refuse others than the pinned ones."""
        given: Any = getattr(self.file, name)
        found = _digest_of(given.paths)
        if given.sha256 and given.sha256 != found:
            raise BadInput(f"weights of {name}", f"have sha256 {found[:12]}…, the hub file pins {given.sha256[:12]}…")
        return found

    def _made_by(self, name: str, placement: hub_weights.Placement) -> str:
        return f"weights {self._digest(name)[:12]} on {placement}"

    def _load(self, name: str, load: Callable[..., Loaded]) -> Loaded:
        self._digest(name)
        return load(*getattr(self.file, name).paths, hub_weights.choose_placement())

    @cached_property
    def _aesthetics(self) -> AestheticPredictor:
        return self._load("aes", load_aesthetics)

    @cached_property
    def _clip(self) -> TextImageModel:
        return self._load("clip", load_clip)

    @cached_property
    def _rater(self) -> QualityRater:
        return self._load("vqr", load_visual_quality)

    @cached_property
    def _regions(self) -> RegionModels:
        return self._load("src", load_region_models)

    @cached_property
    def _entities(self) -> dict[str, tuple[str, ...]] | None:
        file = self.file.src.entities if self.file.src else None
        return read_entities(file) if file else None


@lru_cache(maxsize=32)
def _digest_of(paths: tuple[Path, ...]) -> str:
    if missing := next((each for each in paths if not each.exists()), None):
        raise BadInput(f"weights '{missing}'", "are not there", "correct the hub file")
    return hub_weights.digest_of(*paths)
