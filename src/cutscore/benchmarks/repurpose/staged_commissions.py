"""Commissions on the stage: what clients want of its programmes, the rubric for it, and an edit that fulfils all of it.

Every item of a rubric has a predicate over the source's own time, so that footage whose story is known is graded by
arithmetic.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from cutscore.benchmarks.repurpose.criteria import Criterion, EvidenceKind
from cutscore.benchmarks.repurpose.edit_facts import (
    HOLLOW,
    Ends,
    InOrder,
    Lasts,
    Measures,
    OnBeat,
    Opens,
    Paces,
    Predicate,
    ShareName,
    Shows,
    Whole,
)
from cutscore.benchmarks.repurpose.rubric import Pillar
from cutscore.benchmarks.repurpose.terms import Terms
from cutscore.core.timeline import Span, timecode
from cutscore.stage.camera import takes
from cutscore.stage.scene import Scene
from cutscore.stage.sound import all_cues
from cutscore.stage.speech import said

CRITICAL = 30  # points that a film loses which is none


@dataclass(frozen=True)
class Moments:
    """What a scene offers an author: its shots and spoken lines by number, from 0, and the beats of its music."""

    shots: tuple[Span, ...]
    lines: tuple[tuple[Span, str], ...]
    beats_s: tuple[Fraction, ...]

    @classmethod
    def of(cls, scene: Scene) -> "Moments":
        spoken = ((Span(start_s=each.line.start_s, end_s=each.words[-1].end_s), each.line.text) for each in said(scene))
        return cls(tuple(take.span for take in takes(scene)), tuple(spoken), tuple(cue.at_s for cue in all_cues(scene)))

    def line(self, number: int) -> Span:
        return self.lines[number][0]


@dataclass(frozen=True)
class Commissioned:
    """A commission of the starter pack: a scene of the library, what the client wants, and who knows how to do it.

    Args:
        terms: What the film has to be.
        asked: Gives the items of its own rubric; those that all share are added.
        edit: One edit that fulfils all of them, of the scene as it is in the starter pack.
    """

    scene: str
    terms: Terms
    brief: str
    asked: Callable[[Moments], Sequence[Criterion]]
    edit: tuple[Span, ...]


def item(
    id: str, pillar: Pillar, text: str, predicate: Predicate, *, points: float = 1, evidence: EvidenceKind = "pictures"
) -> Criterion:
    """Write an item that a predicate answers."""
    return Criterion(id=id, pillar=pillar, points=points, text=text, evidence=evidence, predicate=predicate)


def heard(id: str, text: str, line: Span, *, points: float = 2) -> Criterion:
    """Write an item of the narrative: a sentence that has to be in the film, from its beginning to its end."""
    return item(
        id, "narrative", text, Shows(span=line, least_s=line.length_s, heard=True), points=points, evidence="words"
    )


def seen(id: str, text: str, shot: Span, *, points: float = 1, least_s: Fraction = Fraction(1)) -> Criterion:
    """Write an item about what is to be seen."""
    return item(id, "visual", text, Shows(span=shot, least_s=least_s), points=points)


def fault(id: str, text: str, shot: Span, *, points: float = 2) -> Criterion:
    """Write a penalty for what should have been left out."""
    return item(id, "penalty", text, Shows(span=shot), points=points)


def shared_items(moments: Moments, length_s: Fraction) -> list[Criterion]:
    """Return what every client wants, and what no client takes: each of these costs more than all the rest can earn."""
    lines = tuple(span for span, _ in moments.lines)
    return [
        item(
            "no-bars", "visual", "The picture fills the frame without bars.", Measures(share="letterboxed", most=0.05)
        ),
        item("moves", "visual", "At most a third of the film stands still.", Measures(share="frozen", most=1 / 3)),
        item("legible", "visual", "Every shot lasts at least one second.", Paces(shortest_s=Fraction(7, 8))),
        item(
            "own-sound",
            "sound",
            "The pictures are heard with the sound that they have in the source.",
            Measures(share="heard", least=0.75),
            evidence="sound",
            points=2,
        ),
        item(
            "whole-lines",
            "sound",
            "Every sentence that is played is complete.",
            Whole(spans=lines),
            evidence="words",
            points=2,
        ),
        *(
            item(id, "penalty", text, predicate, points=CRITICAL)
            for id, text, predicate in (
                ("foreign", "Less than half of the film is taken from the source.", _share("from_source", most=0.499)),
                ("loops", "More than a third of the film repeats what was in it before.", _more("repeated")),
                ("hurried", "More than half of the film runs faster than the source.", _more("hurried")),
                ("stands", "More than half of the film stands still.", _more("frozen")),
                ("padding", "More than a quarter of the film is black.", _more("padded")),
                ("bars", "More than a quarter of the picture lies in bars.", _more("letterboxed")),
                (
                    "uncut",
                    "The film lasts more than 150% of the length that was asked for.",
                    Lasts(over_s=length_s * 3 / 2),
                ),
            )
        ),
    ]


def _share(name: ShareName, *, most: float) -> Measures:
    return Measures(share=name, most=most)


def _more(name: ShareName) -> Measures:
    return Measures(share=name, least=HOLLOW[name] + 0.001)


def _talk(m: Moments) -> list[Criterion]:
    return [
        heard("claim", "The demand for a tree in every street is heard.", m.line(1)),
        heard("shade", "The reason that trees give shade is heard.", m.line(2)),
        heard("birds", "The reason that birds come back is heard.", m.line(4)),
        heard("appeal", "The appeal to plant a tree this year is heard.", m.line(6)),
        item(
            "argument",
            "narrative",
            "The demand comes before the reasons for it.",
            InOrder(spans=(m.line(1), m.line(2))),
        ),
        item("last-word", "narrative", "The last shot is that of the appeal.", Ends(span=m.shots[6])),
        seen("tree", "The growing tree is in the picture.", m.shots[2]),
        seen("bird", "The bird on its way to the tree is in the picture.", m.shots[4]),
        fault("tea", "The remark about cold tea is in the film.", m.shots[3]),
        fault("microphone", "The question about the microphone is in the film.", m.shots[5]),
    ]


def _short(m: Moments) -> list[Criterion]:
    return [
        item("kite", "narrative", "The kite is introduced in the first shot.", Opens(span=m.shots[0])),
        item(
            "loss",
            "narrative",
            "The moment in which the wind takes the kite is in the film.",
            Shows(span=m.shots[1]),
            points=2,
        ),
        item("sorrow", "narrative", "The unhappy child is in the film.", Shows(span=m.shots[2]), points=2),
        item("trouble", "narrative", "The way to the tree is in the film.", Shows(span=m.shots[3]), points=2),
        item(
            "story",
            "narrative",
            "The loss of the kite comes before the sorrow about it.",
            InOrder(spans=(m.shots[1], m.shots[2])),
        ),
        item("open-end", "narrative", "The last shot leaves open whether the kite is saved.", Ends(span=m.shots[3])),
        seen("flight", "The kite in the air is in the picture for at least one second.", m.shots[0]),
        seen("park", "A view of the whole park is in the picture for at least one second.", m.shots[3]),
        fault("spoiler", "The kite is seen after it was saved.", m.shots[6], points=6),
    ]


def _match(m: Moments) -> list[Criterion]:
    return [
        item("goal", "narrative", "The goal is in the film.", Shows(span=m.shots[5], least_s=Fraction(3, 2)), points=3),
        item("attack", "narrative", "The attack before the goal is in the film.", Shows(span=m.shots[4]), points=2),
        item("joy", "narrative", "The celebration of the goal is in the film.", Shows(span=m.shots[6]), points=2),
        item(
            "cause",
            "narrative",
            "The attack comes before the goal.",
            InOrder(spans=(m.shots[4], m.shots[5])),
        ),
        item("result", "narrative", "The last shot is that of the final whistle.", Ends(span=m.shots[7])),
        seen("shot", "The ball on its way to the goal is in the picture for at least one second.", m.shots[5]),
        seen("scorer", "The scorer is in the picture after the goal for at least one second.", m.shots[6]),
        item(
            "score",
            "sound",
            "The announcement of the result is heard.",
            Shows(span=m.line(6), least_s=m.line(6).length_s, heard=True),
            points=2,
            evidence="words",
        ),
        fault("cat", "The cat on the pitch is in the film.", m.shots[3]),
        fault("slow-start", "The slow start of the match is in the film.", m.shots[1]),
    ]


def _concert(m: Moments) -> list[Criterion]:
    return [
        item("hook", "narrative", "The first shot is that of the chorus.", Opens(span=m.shots[3]), points=2),
        item("drums", "narrative", "The drummer's solo is in the film.", Shows(span=m.shots[5]), points=2),
        item("place", "narrative", "The park at night is in the film.", Shows(span=m.shots[4]), points=2),
        seen("balloon", "The rising balloon is in the picture for at least one second.", m.shots[4]),
        seen("drummer", "The drummer is in the picture for at least one second.", m.shots[5]),
        item(
            "chorus",
            "sound",
            "One line of the chorus is heard from its beginning to its end.",
            Shows(span=m.line(1), least_s=m.line(1).length_s, heard=True),
            points=2,
            evidence="words",
        ),
        item(
            "on-beat",
            "sound",
            "At least three in four cuts fall on a beat of the music.",
            OnBeat(beats_s=m.beats_s),
            points=3,
            evidence="sound",
        ),
        fault("leaving", "The crowd that walks away is in the film.", m.shots[7]),
        fault("second-chorus", "The last chorus is given away in the film.", m.shots[6]),
    ]


def _kept(*spans: tuple[float, float]) -> tuple[Span, ...]:
    return tuple(Span(start_s=start, end_s=end) for start, end in spans)


COMMISSIONS = (
    Commissioned(
        "talk",
        Terms(content="talk", form="recap", length_s=8, within_s=1, aspect=(16, 9)),
        """**Source.** An evening talk about trees in the city.
**Audience.** Members of a neighbourhood club who missed the evening.
**Platform.** The club's newsletter; it is played on a computer, with sound.
**Wanted.** A recap: what the speaker demands, the reasons, what we are to do. In the speaker's own words.
**Tone.** Calm and clear. Nothing that has to do with the evening and not with trees.""",
        _talk,
        _kept((2, 4), (4, 6), (8, 10), (12, 14)),
    ),
    Commissioned(
        "lost-kite",
        Terms(content="narrative short", form="trailer", length_s=7, within_s=1, aspect=(16, 9)),
        """**Source.** A short film without much talk: a child, a kite, a park.
**Audience.** Families who choose what to watch at the weekend.
**Platform.** A cinema's website, before the programme; with sound.
**Wanted.** A trailer: who it is about, what goes wrong, what is at stake. How it ends must stay open.
**Tone.** Light at first, then worried. Shots that one has time to look at.""",
        _short,
        _kept((0, 2.25), (3.875, 5.625), (5.75, 6.75), (7.625, 9.375)),
    ),
    Commissioned(
        "match",
        Terms(content="sports broadcast", form="social cut", length_s=7, within_s=1, aspect=(9, 16)),
        """**Source.** The broadcast of a match in the park.
**Audience.** People on the way home who want to know what happened.
**Platform.** A feed on the phone, held upright; many have the sound on.
**Wanted.** A social cut of the decisive minute: how it came about, the moment itself, what they made of it, the result.
**Tone.** Quick. Nothing of what the crowd laughed about.""",
        _match,
        _kept((8, 9.75), (10, 12), (12, 13.25), (14, 16)),
    ),
    Commissioned(
        "concert",
        Terms(content="music performance", form="teaser", length_s=5, within_s=1, aspect=(16, 9)),
        """**Source.** A recording of an evening concert: a singer, a drummer, a park.
**Audience.** Those who have not decided yet whether to come next time.
**Platform.** A screen in a shop window, with a loudspeaker.
**Wanted.** A teaser: first the chorus, then the drums, then where it takes place. The last chorus is not for it.
**Tone.** It follows the music: cuts fall on its beats.""",
        _concert,
        _kept((6, 7.75), (10.5, 12), (8.5, 10)),
    ),
)


def staged_rubric(wanted: Commissioned, moments: Moments) -> tuple[Criterion, ...]:
    """Return the rubric of a commission on a scene of its script, without the Format pillar."""
    return (*wanted.asked(moments), *shared_items(moments, wanted.terms.length_s))


def notes(scene: Scene, moments: Moments) -> str:
    """Write an editor's notes on a scene, shot by shot: when, where, what it shows, what is said."""
    lines = ["An editor's notes on the source, shot by shot:", ""]
    for take in takes(scene):
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
