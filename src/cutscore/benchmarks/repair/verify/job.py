"""An output and what it is compared with; each comparison is made once, since every mode asks for it."""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from pathlib import Path

from cutscore.benchmarks.repair.defect import CUT_OUT, DefectKind
from cutscore.benchmarks.repair.report import FIXED
from cutscore.benchmarks.repair.verify.copies import find_copy
from cutscore.benchmarks.repair.verify.honesty import Rendering, check_rendering
from cutscore.benchmarks.repair.verify.outside import FaultSearch, find_faults
from cutscore.benchmarks.repair.verify.window import WindowComparison, compare_window, streams_of
from cutscore.core.bundle import Delivery
from cutscore.core.timeline import Span
from cutscore.media import deliverable as delivered_media
from cutscore.scoring.verifiers.delivery import check_delivery
from cutscore.scoring.verifiers.film_faults import FilmFault
from cutscore.scoring.verifiers.refusal import Refusal

KEPT = 32  # outputs whose measurements are kept


@dataclass(frozen=True)
class RepairJob:
    """An output and what it is compared with; equal jobs have equal files."""

    output: Path
    broken: Path
    golden: Path
    sha256: tuple[str, ...]
    wanted: Delivery
    kind: DefectKind
    window: Span


@lru_cache(maxsize=KEPT)
def find_delivery_fault(job: RepairJob) -> Refusal | None:
    unmet = [check for check in check_delivery(job.output, job.wanted) if not check.met]
    because = "; ".join(check.reason for check in unmet)
    return Refusal(unmet[0].name, f"{FIXED} {because}") if unmet else None


@lru_cache(maxsize=KEPT)
def find_copy_fault(job: RepairJob) -> Refusal | None:
    """Refuse a copy of the broken clip: in the stream of the defect, or in all streams where it is to be cut out."""
    streams = streams_of(job.kind)
    if len(streams) > 1 and (job.kind not in CUT_OUT or not delivered_media.has_sound(job.broken)):
        streams = ("pictures",)  # a swap is measured by its pictures
    golden = None if job.kind in CUT_OUT else job.golden
    found = [find_copy(job.output, job.broken, job.window, stream, golden=golden) for stream in streams]
    return found[0] if all(found) else None


@lru_cache(maxsize=KEPT)
def compare_clips(job: RepairJob, sounds: tuple[str, ...]) -> WindowComparison:
    window = None if job.kind == "swapped_shots" else job.window
    return compare_window(job.output, job.golden, window, streams_of(job.kind), sounds, defect=(job.broken, job.window))


@lru_cache(maxsize=KEPT)
def check_cuts(job: RepairJob, cuts: tuple[Span, ...]) -> Rendering:
    return check_rendering(job.output, job.broken, cuts)


@lru_cache(maxsize=KEPT)
def find_film_faults(job: RepairJob, like: Path, search: FaultSearch) -> tuple[FilmFault, ...]:
    return tuple(find_faults(job.output, like, clip_length_s(job.output), search))


@lru_cache(maxsize=KEPT)
def clip_length_s(path: Path) -> Fraction:
    return delivered_media.probe(path).duration_s or Fraction(0)
