"""What the work on a sample took: seconds, memory, frames. It differs from run to run, so it is no part of a score."""

from dataclasses import dataclass

from pydantic import Field

from cutscore.core.frozen import Finite, FrozenModel

WORK = "work"  # under which a row has them, among what moves from run to run


class WorkFacts(FrozenModel):
    """What was measured while a subject worked; None where nobody could.

    Args:
        wall_s: From the job to its file, loading included where that happened.
        work_s: The same without loading.
        load_s: Until the subject was ready; 0 where it was ready before.
        peak_bytes: Resident memory of all its processes together.
        gpu_peak_bytes: Their memory on GPUs.
        frames, width, height: Of the video that it made.
    """

    wall_s: Finite | None = Field(default=None, ge=0)
    work_s: Finite | None = Field(default=None, ge=0)
    load_s: Finite | None = Field(default=None, ge=0)
    peak_bytes: int | None = Field(default=None, gt=0)
    gpu_peak_bytes: int | None = Field(default=None, gt=0)
    frames: int | None = Field(default=None, gt=0)
    width: int | None = None
    height: int | None = None

    def __add__(self, later: "WorkFacts") -> "WorkFacts":
        """Return the facts of two jobs of one sample, of which the later one made the video.

        >>> one, other = WorkFacts(wall_s=2, peak_bytes=9, frames=5), WorkFacts(wall_s=1, work_s=1, frames=7)
        >>> (one + other).model_dump(exclude_none=True)
        {'wall_s': 3.0, 'peak_bytes': 9, 'frames': 7}
        """

        def both(name: str) -> float | None:
            first, second = getattr(self, name), getattr(later, name)
            return None if first is None or second is None else first + second

        def most(name: str) -> int | None:
            return max((each for each in (getattr(self, name), getattr(later, name)) if each), default=None)

        seconds = {name: both(name) for name in ("wall_s", "work_s", "load_s")}
        return later.model_copy(update={**seconds, **{name: most(name) for name in ("peak_bytes", "gpu_peak_bytes")}})


@dataclass
class WorkMeter:
    """Takes what a subject measured, job by job."""

    facts: WorkFacts | None = None

    def add(self, facts: WorkFacts) -> None:
        """Add the facts of one more job."""
        self.facts = facts if self.facts is None else self.facts + facts
