"""The candidates of one slot: a shot in three ways, each written alike, measured, and taken or refused.

Where somebody else makes distractors, the right clip is cut out of the film as it is, as in the paper. Where we make
them by transforms of the picture, all three are filmed anew: a camera that leans or pans needs room around what it
shows, and a right clip that alone had no such transform would be known by its looks.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from cutscore.authoring.build_folder import BuildFolder
from cutscore.authoring.footage import SourceClip
from cutscore.authoring.model_writer import ModelWriter
from cutscore.benchmarks.assembly.construction.distractors import (
    PER_SLOT,
    Ladder,
    check_distractor,
    ladders,
    order_ladders,
    ready_distractors,
)
from cutscore.benchmarks.assembly.construction.storyboards import camera_movement, write_entry
from cutscore.benchmarks.assembly.dataset import StoryboardEntry
from cutscore.benchmarks.assembly.framing import ROOM, frame_footage
from cutscore.benchmarks.assembly.framing_estimate import estimate_change
from cutscore.benchmarks.assembly.verify.candidate_match import APART, distance, grey_pictures
from cutscore.core.errors import BadInput
from cutscore.core.files import FileRef
from cutscore.core.frozen import digest_of
from cutscore.core.timeline import Span
from cutscore.media.footage import Footage, load_footage, write_footage
from cutscore.media.opencv import opencv
from cutscore.media.orientation import Pixels

MEDIA_TYPE = "video/mp4"
SOURCE_CRF = 8  # of shots before they are filmed anew: no eye sees what is lost
COMPARED = 3  # pictures of a clip that are compared: the first, the middle and the last
# Correlation of two shots, the one filmed as the other is, from which on they show the same: a close-up of what is in
# the middle of a wide shot is no other slot, since the wide one may come closer.
SAME = 0.93


@dataclass(frozen=True)
class DistractorRequest:
    """What a maker of distractors is asked for: a clip that differs from the right one in a dimension.

    It is to be filmed as the term says, instead of as the right one is.
    """

    right: FileRef
    dimension: str
    term: str
    instead: str


DistractorMaker = Callable[[DistractorRequest], Path]
"""Makes a clip like the right one but for one dimension; the file is a stranger's."""


@dataclass(frozen=True)
class SlotRequest:
    """A slot of an item that is to be made of a part of a film."""

    film: SourceClip
    id: str  # of the item, for file names
    number: int  # of the shot in its film, from 1
    span: Span
    entry: StoryboardEntry | None  # None when the model is to write it
    step: int  # of its ladder on which the right clip is to stand


@dataclass(frozen=True)
class CandidateClip:
    """A candidate: its file, and for a distractor in what it differs, how it is filmed, and what was measured."""

    path: Path
    dimension: str = ""
    term: str = ""
    amounts: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True)
class SlotCandidates:
    """A slot that could be made: what the storyboard says of it, and its candidates, the right one first."""

    entry: StoryboardEntry
    clips: tuple[CandidateClip, ...]
    length_s: Fraction
    middle: Pixels

    def shows_same_as(self, other: "SlotCandidates") -> bool:
        """Return whether two slots show the same."""
        return estimate_change(self.middle, other.middle).match >= SAME


@dataclass(frozen=True)
class CandidateBuilder:
    """Films the candidates of slots for one build, in whose folder every clip is kept.

    Clips are at most `height` pixels high. Distractors lie ready in a folder, or a maker makes them; else we do.
    """

    out: BuildFolder
    height: int
    folder: Path | None = None
    maker: DistractorMaker | None = None

    @property
    def cuts(self) -> bool:
        """Return whether right clips are cut out of the film, not filmed anew: whoever makes distractors is another."""
        return self.folder is not None or self.maker is not None

    def film(
        self,
        request: SlotRequest,
        before: Sequence[SlotCandidates],
        used: Counter[str],
        draw: Random,
        writer: ModelWriter,
    ) -> SlotCandidates:
        """Make a slot that shows another thing than those of the same film before it.

        Dimensions that decided fewer slots so far come first; `used` is counted up here. The writer says what the shot
        shows when nobody did.

        Raises:
            BadInput: It cannot be made; the fact says what each try came to.
        """
        shot = self._shot(request)
        source = load_footage(shot)
        entry = self._complete_entry(request, shot, writer)
        size = _size(next(source.pictures()), self.height, room=1.0 if self.cuts else ROOM)
        faults = []
        if self.folder is not None:
            tries = [partial(self._film_ready, request, entry, source, size, self.folder)]
        else:
            tries = [
                partial(self._film_ladder, request, entry, source, size, ladder)
                for ladder in order_ladders(ladders(entry.camera), used, draw)
            ]
        for attempt in tries:
            try:
                found = attempt()
            except BadInput as fault:
                faults.append(fault.fact)
                continue
            if twin := next((each for each in before if each.shows_same_as(found)), None):
                raise BadInput("slot", f"shows the same as '{twin.entry.description[:60]}'")
            used[found.clips[1].dimension] += 1
            return found
        raise BadInput("slot", "; ".join(faults) or "nothing is said of how it was filmed that could be changed")

    def _shot(self, request: SlotRequest) -> Path:
        """Cut a shot out of its film once for all candidates; the film may be a stranger's and slow to decode."""
        film, span = request.film, request.span

        def make(draft: Path) -> None:
            shot = load_footage(film.path, span=span, trusted=film.scene is not None)
            write_footage(replace(shot, sound=None), draft, crf=SOURCE_CRF)

        return self.out.once(self._name(request, "shot"), make)

    def _complete_entry(self, request: SlotRequest, shot: Path, writer: ModelWriter) -> StoryboardEntry:
        entry = request.entry
        if entry is None:
            entry = write_entry(self.out.store.put(shot, name="shot.mp4", media_type=MEDIA_TYPE), writer)
        if entry.camera_movement:
            return entry
        return entry.model_copy(update={"camera_movement": camera_movement(list(_sample_pictures(load_footage(shot))))})

    def _film_ladder(
        self, request: SlotRequest, entry: StoryboardEntry, source: Footage, size: tuple[int, int], ladder: Ladder
    ) -> SlotCandidates:
        """Put the right clip on its step of a ladder, or leave it on its own where it is cut, and film the others."""
        own = ladder.own_step if self.cuts else request.step
        term = ladder.terms[own]
        kind = "-".join(ladder.terms).replace(" ", "")
        if self.cuts:
            right = self._write(request, "cut", _resize(source, size))
        else:
            right = self._write(request, f"{kind}-right", frame_footage(source, ladder.framings[own], size=size))
        others = []
        for step in (step for step in range(len(ladder.terms)) if step != own):
            name = f"{kind}-{step}"
            if self.maker is None:
                path = self._write(request, name, frame_footage(source, ladder.framings[step], size=size))
            else:
                ref = self.out.store.put(right, name="clip.mp4", media_type=MEDIA_TYPE)
                order = DistractorRequest(ref, ladder.dimension, ladder.terms[step], term)
                path = self._write(request, name, _lazy_footage(partial(self.maker, order), source, size))
            others.append(CandidateClip(path, ladder.dimension, ladder.terms[step]))
        return _check_candidates(entry.model_copy(update={ladder.dimension: term}), right, others, source.length_s)

    def _film_ready(
        self, request: SlotRequest, entry: StoryboardEntry, source: Footage, size: tuple[int, int], folder: Path
    ) -> SlotCandidates:
        """Make the slot with the distractors that lie in a folder."""
        found = list(ready_distractors(folder, Path(request.film.source).stem, request.number))[:PER_SLOT]
        if len(found) < PER_SLOT:
            fact = f"{len(found)} distractors lie ready for shot {request.number}, {PER_SLOT} are wanted"
            raise BadInput("slot", fact)
        right = self._write(request, "cut", _resize(source, size))
        others = [
            CandidateClip(self._write(request, f"ready-{number}", _conform(path, source, size)), dimension)
            for number, (dimension, path) in enumerate(found)
        ]
        return _check_candidates(entry, right, others, source.length_s)

    def _write(self, request: SlotRequest, name: str, footage: Footage) -> Path:
        # All pass through the same encoder, without sound and without anything that a file said of itself.
        silent = replace(footage, sound=None)
        return self.out.once(self._name(request, name), lambda draft: write_footage(silent, draft))

    def _name(self, request: SlotRequest, name: str) -> str:
        key = digest_of([str(request.span.start_s), str(request.span.end_s), request.step, name])[:12]
        return f"clips/{request.id}/{key}.mp4"


def _size(pixels: Pixels, height: int, *, room: float) -> tuple[int, int]:
    """Return width and height of clips: of the footage's aspect, even, and no larger than what is shown of it."""
    tall = min(height, int(pixels.shape[0] / room) // 2 * 2)
    return max(2, round(tall * pixels.shape[1] / pixels.shape[0] / 2) * 2), tall


def _lazy_footage(make: Callable[[], Path], source: Footage, size: tuple[int, int]) -> Footage:
    """Return footage that is made only when it is written: what is in the build's folder already costs nothing."""
    return Footage(lambda: _conform(make(), source, size).pictures(), source.count, source.rate, None, "distractor")


def _conform(path: Path, source: Footage, size: tuple[int, int]) -> Footage:
    """Return a stranger's clip at the rate, length and size of all others; a shorter one is refused."""
    span = Span(start_s=0, end_s=source.length_s)
    return _resize(load_footage(path, span=span, rate=source.rate, trusted=False), size)


def _resize(footage: Footage, size: tuple[int, int]) -> Footage:
    """Return footage at a width and height, without its sound; nothing else of it changes."""
    cv2: Any = opencv()
    resize = partial(cv2.resize, dsize=size, interpolation=cv2.INTER_AREA)
    return replace(footage, pictures=lambda: map(resize, footage.pictures()), sound=None)


def _sample_pictures(footage: Footage) -> Iterator[Pixels]:
    """Return a few pictures from the first to the last."""
    chosen = {number * (footage.count - 1) // (COMPARED - 1) for number in range(COMPARED)}
    return (pixels for number, pixels in enumerate(footage.pictures()) if number in chosen)


def _check_candidates(
    entry: StoryboardEntry, right: Path, others: Sequence[CandidateClip], length_s: Fraction
) -> SlotCandidates:
    """Measure the written clips, as a subject will see them, and refuse those that do not fit."""
    right_pictures, checked = list(_sample_pictures(load_footage(right))), []
    seen = [grey_pictures(path) for path in (right, *(other.path for other in others))]
    for other in others:
        found = check_distractor(right_pictures, list(_sample_pictures(load_footage(other.path))), other.dimension)
        if found.fault:
            raise BadInput("slot", found.fault)
        checked.append(replace(other, amounts=tuple(found.amounts.items())))
    for number, one in enumerate(seen):
        if any(distance(one, two) < APART for two in seen[number + 1 :]):
            raise BadInput("slot", f"clips that differ in {others[0].dimension} can hardly be told apart")
    return SlotCandidates(entry, (CandidateClip(right), *checked), length_s, right_pictures[COMPARED // 2])
