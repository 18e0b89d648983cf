"""An item's films in step, and timelines of all that is known about their seconds.

Everybody's film, the one that was given and the one that only the marker knew stand side by side. Films of one length
share a clock, and a clock has one axis: its slider, its lanes and its cursor. Lanes are shots, sound, findings, the
judge's evidence, frames that a model was shown. They are drawn here, so that they are there without a script; the
players need `static/review.js`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from cutscore.core.files import FileRef, FileStore
from cutscore.core.row import Row
from cutscore.core.timeline import Span, timecode
from cutscore.report.embed import Media
from cutscore.report.page_parts import PageClip, player_seconds
from cutscore.report.preview import LOUDEST, Preview

GIVEN = "given"
# More players at once than that nobody compares, and browsers stall.
MOST_ON = 4
# Lengths within a tenth are of one film: that is what delivery allows in the strictest of our benchmarks.
_ALIKE = Fraction(1, 10)


@dataclass(frozen=True)
class ReviewFilm:
    """A film of the page, by the name that it had first; some are on at first, others when the reader wants them.

    It is `given`, the `reference`, or of those who handed it in.
    """

    clip: PageClip
    whose: tuple[str, ...]
    seen: Preview
    strip: str = ""
    on: bool = False

    @property
    def label(self) -> str:
        """Return whose it is and its name, in one line."""
        return f"{', '.join(self.whose)}: {self.clip.shown.name}"

    @property
    def rate(self) -> str:
        """Return pictures a second, for the script."""
        return f"{float(self.seen.rate):.6f}".rstrip("0").rstrip(".")

    def also(self, whose: str) -> "ReviewFilm":
        """Return the film as one that somebody else has, too."""
        return self if whose in self.whose else replace(self, whose=(*self.whose, whose))


@dataclass(frozen=True)
class LaneMark:
    """A stretch or an instant on a lane, in per cent of the timeline."""

    left_pc: str
    width_pc: str
    start: str
    end: str
    said: str
    tone: str = ""
    href: str = ""
    film: str = ""

    @property
    def instant(self) -> bool:
        """Return whether the mark has no length."""
        return self.start == self.end


@dataclass(frozen=True)
class TimelineLane:
    """One line of the timeline: marks, or a sound drawn as a path in a box of `BINS` by 100, or a strip of pictures."""

    name: str
    marks: tuple[LaneMark, ...] = ()
    wave: str = ""
    strip: str = ""
    width_pc: str = ""
    folded: bool = False


@dataclass(frozen=True)
class TimeAxis:
    """A clock: the films that share it, and what is known of its seconds. Loops are for the script and in words."""

    films: tuple[ReviewFilm, ...]
    lanes: tuple[TimelineLane, ...]
    loops: tuple[tuple[str, str], ...]
    length_s: Fraction

    @property
    def on(self) -> bool:
        """Return whether a film of it is shown at first."""
        return any(film.on for film in self.films)

    @property
    def lead(self) -> ReviewFilm:
        """Return the film whose pictures are counted: the first that is shown."""
        return next((film for film in self.films if film.on), self.films[0])

    @property
    def frames(self) -> int:
        """Return how many pictures the axis has at its rate."""
        return max(1, round(self.length_s * self.lead.seen.rate))

    @property
    def length(self) -> str:
        """Return its length, as a clock shows it."""
        return timecode(self.length_s)

    @property
    def open_lanes(self) -> tuple[TimelineLane, ...]:
        """Return the lanes that stand open."""
        return tuple(lane for lane in self.lanes if not lane.folded)

    @property
    def folded_lanes(self) -> tuple[TimelineLane, ...]:
        """Return those of the references."""
        return tuple(lane for lane in self.lanes if lane.folded)


@dataclass(frozen=True)
class Review:
    """An item's films side by side, and an axis for each clock; the first is that of what was handed in."""

    films: tuple[ReviewFilm, ...]
    axes: tuple[TimeAxis, ...]

    @property
    def many(self) -> bool:
        """Return whether there are more films than are shown at once."""
        return len(self.films) > MOST_ON

    @property
    def sounding(self) -> tuple[ReviewFilm, ...]:
        """Return the films that can be heard."""
        return tuple(film for film in self.films if film.seen.peaks)


@dataclass(frozen=True)
class TimedNote:
    """One finding, or another word about a stretch of time, as a lane shows it; `film` is what is seen there."""

    at: Span
    said: str
    tone: str = ""
    href: str = ""
    film: str = ""


@dataclass(frozen=True)
class LaneNotes:
    """What one lane says, about the seconds of one film, by the id of its player; of the first without one."""

    name: str
    notes: Sequence[TimedNote]
    film: str = ""
    folded: bool = False


class PageFilms:
    """The players of a page's files. A film that several handed in has one player, which names them all."""

    def __init__(self, media: Media) -> None:
        self._media = media
        self._films: dict[str, ReviewFilm] = {}

    def clips(self, prefix: str, refs: Iterable[FileRef], store: FileStore, *, whose: str) -> tuple[PageClip, ...]:
        """Take files of the one who is named in; `prefix` begins the ids of those that are no films."""
        return tuple(self._clip(f"{prefix}-{place}", ref, store, whose) for place, ref in enumerate(refs, start=1))

    def review(self, lanes: Sequence[LaneNotes]) -> Review | None:
        """Lay all films out, with what is known of their seconds; None when there are none."""
        return lay_out_review(tuple(self._films.values()), lanes)

    def length_of(self, clip: PageClip) -> Fraction | None:
        """Return how long a film is; None for other files."""
        film = self._films.get(clip.shown.sha256)
        return film.seen.length_s if film else None

    def strip_of(self, clip: PageClip) -> str:
        """Return the strip of pictures of a film; empty for other files."""
        film = self._films.get(clip.shown.sha256)
        return film.strip if film else ""

    def player_of(self, sha256: str) -> str:
        """Return the id of the player of a film; empty where it has none."""
        film = self._films.get(sha256)
        return film.clip.id if film else ""

    def _clip(self, id: str, ref: FileRef, store: FileStore, whose: str) -> PageClip:
        shown = self._media.show(ref, store)
        if (known := self._films.get(shown.sha256)) is not None:
            self._films[shown.sha256] = known.also(whose)
            return PageClip(known.clip.id, shown, film=True)
        seen = self._media.preview(shown)
        if seen is None:  # no film, or none that we can decode: the browser may try
            return PageClip(id, shown)
        clip = PageClip(f"film-{len(self._films) + 1}", shown, film=True)
        self._films[shown.sha256] = ReviewFilm(clip, (whose,), seen, self._media.strip(shown, seen))
        return clip


def lay_out_review(films: Sequence[ReviewFilm], lanes: Sequence[LaneNotes]) -> Review | None:
    """Lay out a review with a lane for each name that has notes; None when there is no film to look at."""
    if not films:
        return None
    shown = _at_first(films)
    placed = tuple(replace(film, on=film in shown) for film in films)
    lead = next(film for film in placed if film.clip == shown[0].clip)
    clocks: list[list[ReviewFilm]] = [[lead]]
    for film in placed:
        if film is not lead:
            own = next((clock for clock in clocks if _alike(clock[0], film)), None)
            own.append(film) if own else clocks.append([film])
    named = {film.clip.id for film in placed}
    homeless = [each for each in lanes if each.film not in named]
    axes = []
    for clock in clocks:
        ids = {film.clip.id for film in clock}
        axes.append(_axis(clock, [each for each in lanes if each.film in ids] + (homeless if lead in clock else [])))
    return Review(placed, tuple(axes))


def _axis(films: Sequence[ReviewFilm], lanes: Sequence[LaneNotes]) -> TimeAxis:
    length_s = max(film.seen.length_s for film in films)
    ordered = sorted(films, key=lambda film: not film.on)
    lead, heard = ordered[0], [film for film in ordered if film.on] or ordered[:1]
    drawn = []
    if lead.strip:
        width_pc = _percent(lead.seen.length_s / length_s)
        drawn.append(TimelineLane(lead.clip.shown.name, strip=lead.strip, width_pc=width_pc))
    drawn += [*_shots(ordered, length_s), *_waves(heard, length_s)]
    drawn += [
        TimelineLane(each.name, tuple(_mark(note, length_s) for note in each.notes), folded=each.folded)
        for each in lanes
        if each.notes
    ]
    return TimeAxis(tuple(films), tuple(drawn), _loops(each.notes for each in lanes), length_s)


def _alike(one: ReviewFilm, two: ReviewFilm) -> bool:
    return abs(one.seen.length_s - two.seen.length_s) <= _ALIKE * one.seen.length_s


def _at_first(films: Sequence[ReviewFilm]) -> list[ReviewFilm]:
    """Choose what is shown at first: what somebody handed in, all that is as long, and the only source; `MOST_ON`."""
    given = [film for film in films if GIVEN in film.whose]
    lead = next((film for film in films if GIVEN not in film.whose), films[0])
    if GIVEN in lead.whose:
        return [lead]
    alike = [film for film in films if _alike(lead, film)]
    source = [film for film in given if film not in alike] if len(given) == 1 else []
    return [*alike[: MOST_ON - len(source)], *source]


def _shots(films: Sequence[ReviewFilm], length_s: Fraction) -> list[TimelineLane]:
    film = next((each for each in films if len(each.seen.shots) > 1), None)
    if film is None:
        return []
    shots = film.seen.shots
    notes = [TimedNote(shot, f"shot {n} of {len(shots)}", tone=f"shot{n % 2}") for n, shot in enumerate(shots, start=1)]
    return [TimelineLane(f"shots of {film.clip.shown.name}", tuple(_mark(each, length_s) for each in notes))]


def _waves(films: Sequence[ReviewFilm], length_s: Fraction) -> list[TimelineLane]:
    """Draw the sound of films; equal sounds are drawn once."""
    lanes: dict[str, TimelineLane] = {}
    for film in films:
        if film.seen.peaks:
            wave = wave_path(film.seen.peaks, share=film.seen.length_s / length_s)
            lanes.setdefault(wave, TimelineLane(f"sound of {film.clip.shown.name}, {film.whose[0]}", wave=wave))
    return list(lanes.values())


def wave_path(peaks: Sequence[int], *, share: Fraction = Fraction(1)) -> str:
    """Return the outline of a sound, mirrored at the middle of a box 400 wide and 100 high.

    >>> wave_path((100, 0), share=Fraction(1))
    'M0,0.0L1,50.0L1,50.0L0,100.0Z'
    """
    across = [float(number * share) for number in range(len(peaks))]
    upper = [f"{x:g},{50 - 50 * peak / LOUDEST:.1f}" for x, peak in zip(across, peaks, strict=True)]
    lower = [f"{x:g},{50 + 50 * peak / LOUDEST:.1f}" for x, peak in zip(across, peaks, strict=True)]
    return "M" + "L".join([*upper, *reversed(lower)]) + "Z"


def _mark(note: TimedNote, length_s: Fraction) -> LaneMark:
    start_s, end_s = (min(max(at_s, Fraction(0)), length_s) for at_s in (note.at.start_s, note.at.end_s))
    return LaneMark(
        left_pc=_percent(start_s / length_s),
        width_pc=_percent((end_s - start_s) / length_s),
        start=player_seconds(note.at.start_s),
        end=player_seconds(note.at.end_s),
        said=note.said,
        tone=note.tone,
        href=note.href,
        film=note.film,
    )


def _loops(lanes: Iterable[Sequence[TimedNote]]) -> tuple[tuple[str, str], ...]:
    """Return each stretch that somebody speaks of once, in order of time."""
    spans = {each.at for notes in lanes for each in notes if each.at.length_s > 0}
    ordered = sorted(spans, key=lambda span: (span.start_s, span.end_s))
    return tuple((f"{player_seconds(span.start_s)},{player_seconds(span.end_s)}", str(span)) for span in ordered)


def frames_seen(row: Row) -> list[TimedNote]:
    """Return frames that a model was shown, as instants, where all are of one film: seconds of several would mix."""
    if len({manifest.clip.sha256 for manifest in row.seen}) != 1:
        return []
    times = sorted({frame.at_s for manifest in row.seen for frame in manifest.frames})
    return [TimedNote(Span(start_s=at_s, end_s=at_s), f"frame at {timecode(at_s)}", tone="seen") for at_s in times]


def judge_evidence(row: Row) -> list[TimedNote]:
    """Return the stretches that a judge points to."""
    return [
        TimedNote(judgement.at, f"{judgement.question}: {judgement.answer}", tone="judged")
        for judgement in row.judgements
        if judgement.at is not None
    ]


def _percent(share: Fraction) -> str:
    return f"{float(100 * share):.3f}%"
