"""Steps that a subject records while it works, so that they outlive a crash or a limit.

A record is for people, so it is bounded: nobody reads a million steps, and no subject fails for recording too much. The
first steps are kept and the very last ones, since those tell why it ended; what is left out is said in its place.
"""

import time
from collections import deque
from collections.abc import Callable, Sequence
from threading import Lock

from cutscore.core.files import FileRef
from cutscore.core.trajectory import Action, Actor, Step, Trajectory
from cutscore.core.usage import Usage

FIRST_STEPS, FIRST_BYTES = 5_000, 8_000_000
LAST_STEPS = 50
# Of each text of a step, and of all arguments of its calls together.
MOST_CHARS = 20_000
MOST_MEDIA = 64


class StepRecorder:
    """Collects the steps of one sample; a subject may add them from several threads.

    Args:
        clean: Takes secrets out of a text. It comes before any cutting: half a secret would not be found.
        clock: Monotonic seconds; times of steps count from the making of the recorder.
    """

    def __init__(self, *, clean: Callable[[str], str] = str, clock: Callable[[], float] = time.monotonic) -> None:
        self._clean, self._clock, self._began_s = clean, clock, clock()
        self._lock = Lock()
        self._count, self._bytes = 0, 0
        self._first: list[Step] = []
        self._last: deque[Step] = deque(maxlen=LAST_STEPS)

    def add(
        self,
        said: str = "",
        *,
        did: Action | Sequence[Action] = (),
        saw: str = "",
        media: Sequence[FileRef] = (),
        error: str = "",
        usage: Usage | None = None,
        by: Actor = "tool",
        parent: int | None = None,
    ) -> int:
        """Record a step and return its number, which a sub-agent's steps may name as their parent.

        Args:
            said: In words: what is thought, found or decided.
            did: The call or calls made.
            saw: What came back, as text.
            media: Pictures or clips to look at, which were put into the store before.
            error: What went wrong; the report leads to the first step that has one.
            usage: Tokens of this step alone.
            by: Who acted; a function that asks a model says `model` for the model's turns.
            parent: Number of the step that started this one.
        """
        calls = (did,) if isinstance(did, Action) else tuple(did)
        step = Step(n=1, by=by, said=said, did=calls, saw=saw, media=tuple(media), usage=usage, error=error)
        return self._keep(step.model_copy(update={"parent": parent}), is_now=True)

    def add_logged(self, step: Step, *, parent: int | None = None) -> int:
        """Record a step of somebody's own log and return its number here; a time that the log lacks stays unknown."""
        return self._keep(step.model_copy(update={"parent": parent}), is_now=False)

    def _keep(self, step: Step, *, is_now: bool) -> int:
        more = f"{len(step.media) - MOST_MEDIA:,} more files were not kept" if len(step.media) > MOST_MEDIA else ""
        texts = {
            "said": self._shorten(step.said),
            "did": self._shorten_calls(step.did),
            "saw": "\n".join(filter(None, (self._shorten(step.saw), more))),
            "error": self._shorten(step.error),
        }
        made = step.model_copy(update={**texts, "media": step.media[:MOST_MEDIA]})
        size = len(made.model_dump_json(exclude_defaults=True))
        with self._lock:
            self._count += 1
            at_s = round(self._clock() - self._began_s, 3) if is_now else made.at_s
            kept = made.model_copy(update={"n": self._count, "at_s": at_s})
            # Once the beginning is full it stays closed: a gap has one place.
            room = len(self._first) == self._count - 1 and len(self._first) < FIRST_STEPS
            if room and self._bytes + size <= FIRST_BYTES:
                self._first.append(kept)
                self._bytes += size
            else:
                self._last.append(kept)
            return self._count

    @property
    def count(self) -> int:
        """How many steps were added by now, kept or not."""
        return self._count

    def trajectory(self) -> Trajectory | None:
        """Return what is recorded by now, None when that is nothing; a thread that still adds does not change it."""
        with self._lock:
            first, last, lost = list(self._first), list(self._last), self._count - len(self._first) - len(self._last)
        if lost:
            lost_text = f"{lost:,} steps were not kept: a record holds {FIRST_STEPS:,} steps or {FIRST_BYTES:,} bytes"
            first.append(Step(n=len(first) + 1, by="environment", said=f"{lost_text}, and the last {LAST_STEPS}"))
        return Trajectory(steps=(*first, *last)) if first else None

    def _shorten(self, text: str) -> str:
        text = self._clean(text)
        left = len(text) - MOST_CHARS
        return f"{text[:MOST_CHARS]}… ({left:,} more characters were not kept)" if left > 0 else text

    def _shorten_calls(self, calls: Sequence[Action]) -> tuple[Action, ...]:
        """Return the calls; where their arguments are too long, the first call with the start of all as one text."""
        plain = "\n".join(call.model_dump_json() for call in calls)
        if len(plain) <= MOST_CHARS:
            return tuple(calls)
        return (Action(tool=self._shorten(calls[0].tool), arguments={"all": self._shorten(plain)}),)
