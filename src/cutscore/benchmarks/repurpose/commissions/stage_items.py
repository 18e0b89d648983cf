"""How rubrics on the stage are written: what a scene offers an author, items with predicates, and an editor's notes."""

from dataclasses import dataclass
from fractions import Fraction

from cutscore.benchmarks.repurpose.rubric.criteria import Criterion, EvidenceKind
from cutscore.benchmarks.repurpose.rubric.points import Pillar
from cutscore.benchmarks.repurpose.rubric.predicates import (
    LengthPredicate,
    PacePredicate,
    Predicate,
    SharePredicate,
    ShowsPredicate,
    WholePredicate,
)
from cutscore.benchmarks.repurpose.source_map.edit import HOLLOW, ShareName
from cutscore.core.timeline import Span, timecode
from cutscore.stage.camera import timed_shots
from cutscore.stage.scene import Scene
from cutscore.stage.sound import all_cues
from cutscore.stage.speech import timed_lines

CRITICAL = 30  # points that a film loses which is none


@dataclass(frozen=True)
class SceneMoments:
    """What a scene offers an author: its shots and spoken lines by number, from 0, and the beats of its music."""

    shots: tuple[Span, ...]
    lines: tuple[tuple[Span, str], ...]
    beats_s: tuple[Fraction, ...]

    @classmethod
    def of(cls, scene: Scene) -> "SceneMoments":
        """Return what a scene offers."""
        spoken = (
            (Span(start_s=each.line.start_s, end_s=each.words[-1].end_s), each.line.text) for each in timed_lines(scene)
        )
        return cls(
            tuple(take.span for take in timed_shots(scene)), tuple(spoken), tuple(cue.at_s for cue in all_cues(scene))
        )

    def line(self, number: int) -> Span:
        """Return when a line is spoken."""
        return self.lines[number][0]


def make_item(
    id: str, pillar: Pillar, text: str, predicate: Predicate, *, points: float = 1, evidence: EvidenceKind = "pictures"
) -> Criterion:
    """Write an item that a predicate answers."""
    return Criterion(id=id, pillar=pillar, points=points, text=text, evidence=evidence, predicate=predicate)


def story_item(id: str, text: str, predicate: Predicate, *, points: float = 1) -> Criterion:
    """Write an item about how the story is told."""
    return make_item(id, "narrative", text, predicate, points=points)


def moment_item(id: str, text: str, shot: Span) -> Criterion:
    """Write an item about a moment of the story that has to be in the film."""
    return story_item(id, text, ShowsPredicate(span=shot), points=2)


def line_item(id: str, text: str, line: Span, *, pillar: Pillar = "narrative") -> Criterion:
    """Write an item about a sentence that has to be in the film, from its beginning to its end."""
    whole = ShowsPredicate(span=line, least_s=line.length_s, heard=True)
    return make_item(id, pillar, text, whole, points=2, evidence="words")


def shot_item(id: str, text: str, shot: Span) -> Criterion:
    """Write an item about what is to be seen for at least a second."""
    return make_item(id, "visual", text, ShowsPredicate(span=shot, least_s=Fraction(1)))


def fault_item(id: str, text: str, shot: Span, *, points: float = 2) -> Criterion:
    """Write a penalty for what should have been left out."""
    return make_item(id, "penalty", text, ShowsPredicate(span=shot), points=points)


def shared_wishes(moments: SceneMoments) -> list[Criterion]:
    """Return what every client wants."""
    bars, still = SharePredicate(share="letterboxed", most=0.05), SharePredicate(share="frozen", most=1 / 3)
    pace, own = PacePredicate(shortest_s=Fraction(7, 8)), SharePredicate(share="heard", least=0.75)
    own_sound = "The pictures are heard with the sound that they have in the source."
    lines = WholePredicate(spans=tuple(span for span, _ in moments.lines))
    whole = "Every sentence that is played is complete."
    return [
        make_item("no-bars", "visual", "The picture fills the frame without bars.", bars),
        make_item("moves", "visual", "At most a third of the film stands still.", still),
        make_item("legible", "visual", "Every shot lasts at least one second.", pace),
        make_item("own-sound", "sound", own_sound, own, evidence="sound", points=2),
        make_item("whole-lines", "sound", whole, lines, evidence="words", points=2),
    ]


def critical_faults(length_s: Fraction) -> list[Criterion]:
    """Return what no client takes: each of these costs more than all the rest can earn."""

    def more(name: ShareName) -> SharePredicate:
        return SharePredicate(share=name, least=HOLLOW[name] + 0.001)

    foreign, uncut = SharePredicate(share="from_source", most=0.499), LengthPredicate(over_s=length_s * 3 / 2)
    faults: list[tuple[str, str, Predicate]] = [
        ("foreign", "Less than half of the film is taken from the source.", foreign),
        ("loops", "More than a third of the film repeats what was in it before.", more("repeated")),
        ("hurried", "More than half of the film runs faster than the source.", more("hurried")),
        ("stands", "More than half of the film stands still.", more("frozen")),
        ("padding", "More than a quarter of the film is black.", more("padded")),
        ("bars", "More than a quarter of the picture lies in bars.", more("letterboxed")),
        ("uncut", "The film lasts more than 150% of the length that was asked for.", uncut),
    ]
    return [make_item(id, "penalty", text, predicate, points=CRITICAL) for id, text, predicate in faults]


def editor_notes(scene: Scene, moments: SceneMoments) -> str:
    """Write an editor's notes on a scene, shot by shot: when, where, what it shows, what is said."""
    lines = ["An editor's notes on the source, shot by shot:", ""]
    for take in timed_shots(scene):
        spoken = [text for span, text in moments.lines if take.span.holds(span.start_s)]
        moving = sorted({change.thing for change in scene.all_changes() if take.span.holds(change.at_s)})
        shown = f"{take.shot.size} shot of the {take.shot.place}" + (f", on the {take.shot.on}" if take.shot.on else "")
        told = [
            shown,
            *([f"in motion: {', '.join(moving)}"] if moving else []),
            *(f'heard: "{text}"' for text in spoken),
        ]
        lines.append(f"- {timecode(take.span.start_s)} to {timecode(take.span.end_s)}: {'; '.join(told)}")
    return "\n".join(lines)
