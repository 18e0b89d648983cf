"""Commissions on the stage: what clients want of its programmes, the rubric for it, and an edit that fulfils all of it.

Every item of a rubric has a predicate over the source's own time, so that footage whose story is known is graded by
arithmetic.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from cutscore.benchmarks.repurpose.commissions.stage_items import (
    SceneMoments,
    critical_faults,
    fault_item,
    line_item,
    make_item,
    moment_item,
    shared_wishes,
    shot_item,
    story_item,
)
from cutscore.benchmarks.repurpose.dataset import FilmTerms
from cutscore.benchmarks.repurpose.rubric.criteria import Criterion
from cutscore.benchmarks.repurpose.rubric.predicates import (
    BeatPredicate,
    EndingPredicate,
    OpeningPredicate,
    OrderPredicate,
    ShowsPredicate,
)
from cutscore.core.timeline import Span


@dataclass(frozen=True)
class StageCommission:
    """A commission of the starter pack: a scene of the library, what the client wants, and who knows how to do it.

    `asked` gives the items of its own rubric; those that all share are added. The edit fulfils all of them, of the
    scene as it is in the starter pack.
    """

    scene: str
    terms: FilmTerms
    brief: str
    asked: Callable[[SceneMoments], Sequence[Criterion]]
    edit: tuple[Span, ...]


def _talk(m: SceneMoments) -> list[Criterion]:
    demand_first = OrderPredicate(spans=(m.line(1), m.line(2)))
    return [
        line_item("claim", "The demand for a tree in every street is heard.", m.line(1)),
        line_item("shade", "The reason that trees give shade is heard.", m.line(2)),
        line_item("birds", "The reason that birds come back is heard.", m.line(4)),
        line_item("appeal", "The appeal to plant a tree this year is heard.", m.line(6)),
        story_item("argument", "The demand comes before the reasons for it.", demand_first),
        story_item("last-word", "The last shot is that of the appeal.", EndingPredicate(span=m.shots[6])),
        shot_item("tree", "The growing tree is in the picture.", m.shots[2]),
        shot_item("bird", "The bird on its way to the tree is in the picture.", m.shots[4]),
        fault_item("tea", "The remark about cold tea is in the film.", m.shots[3]),
        fault_item("microphone", "The question about the microphone is in the film.", m.shots[5]),
    ]


def _short(m: SceneMoments) -> list[Criterion]:
    loss_first = OrderPredicate(spans=(m.shots[1], m.shots[2]))
    return [
        story_item("kite", "The kite is introduced in the first shot.", OpeningPredicate(span=m.shots[0])),
        moment_item("loss", "The moment in which the wind takes the kite is in the film.", m.shots[1]),
        moment_item("sorrow", "The unhappy child is in the film.", m.shots[2]),
        moment_item("trouble", "The way to the tree is in the film.", m.shots[3]),
        story_item("story", "The loss of the kite comes before the sorrow about it.", loss_first),
        story_item(
            "open-end", "The last shot leaves open whether the kite is saved.", EndingPredicate(span=m.shots[3])
        ),
        shot_item("flight", "The kite in the air is in the picture for at least one second.", m.shots[0]),
        shot_item("park", "A view of the whole park is in the picture for at least one second.", m.shots[3]),
        fault_item("spoiler", "The kite is seen after it was saved.", m.shots[6], points=6),
    ]


def _match(m: SceneMoments) -> list[Criterion]:
    goal = ShowsPredicate(span=m.shots[5], least_s=Fraction(3, 2))
    attack_first = OrderPredicate(spans=(m.shots[4], m.shots[5]))
    return [
        story_item("goal", "The goal is in the film.", goal, points=3),
        moment_item("attack", "The attack before the goal is in the film.", m.shots[4]),
        moment_item("joy", "The celebration of the goal is in the film.", m.shots[6]),
        story_item("cause", "The attack comes before the goal.", attack_first),
        story_item("result", "The last shot is that of the final whistle.", EndingPredicate(span=m.shots[7])),
        shot_item("shot", "The ball on its way to the goal is in the picture for at least one second.", m.shots[5]),
        shot_item("scorer", "The scorer is in the picture after the goal for at least one second.", m.shots[6]),
        line_item("score", "The announcement of the result is heard.", m.line(6), pillar="sound"),
        fault_item("cat", "The cat on the pitch is in the film.", m.shots[3]),
        fault_item("slow-start", "The slow start of the match is in the film.", m.shots[1]),
    ]


def _concert(m: SceneMoments) -> list[Criterion]:
    hook, on_beat = OpeningPredicate(span=m.shots[3]), BeatPredicate(beats_s=m.beats_s)
    beat = "At least three in four cuts fall on a beat of the music."
    return [
        story_item("hook", "The first shot is that of the chorus.", hook, points=2),
        moment_item("drums", "The drummer's solo is in the film.", m.shots[5]),
        moment_item("place", "The park at night is in the film.", m.shots[4]),
        shot_item("balloon", "The rising balloon is in the picture for at least one second.", m.shots[4]),
        shot_item("drummer", "The drummer is in the picture for at least one second.", m.shots[5]),
        line_item(
            "chorus", "One line of the chorus is heard from its beginning to its end.", m.line(1), pillar="sound"
        ),
        make_item("on-beat", "sound", beat, on_beat, points=3, evidence="sound"),
        fault_item("leaving", "The crowd that walks away is in the film.", m.shots[7]),
        fault_item("second-chorus", "The last chorus is given away in the film.", m.shots[6]),
    ]


def _cuts(*spans: tuple[float, float]) -> tuple[Span, ...]:
    return tuple(Span(start_s=start, end_s=end) for start, end in spans)


COMMISSIONS = (
    StageCommission(
        "talk",
        FilmTerms(content="talk", form="recap", length_s=8, within_s=1, aspect=(16, 9)),
        """**Source.** An evening talk about trees in the city.
**Audience.** Members of a neighbourhood club who missed the evening.
**Platform.** The club's newsletter; it is played on a computer, with sound.
**Wanted.** A recap: what the speaker demands, the reasons, what we are to do. In the speaker's own words.
**Tone.** Calm and clear. Nothing that has to do with the evening and not with trees.""",
        _talk,
        _cuts((2, 4), (4, 6), (8, 10), (12, 14)),
    ),
    StageCommission(
        "lost-kite",
        FilmTerms(content="narrative short", form="trailer", length_s=7, within_s=1, aspect=(16, 9)),
        """**Source.** A short film without much talk: a child, a kite, a park.
**Audience.** Families who choose what to watch at the weekend.
**Platform.** A cinema's website, before the programme; with sound.
**Wanted.** A trailer: who it is about, what goes wrong, what is at stake. How it ends must stay open.
**Tone.** Light at first, then worried. Shots that one has time to look at.""",
        _short,
        _cuts((0, 2.25), (3.875, 5.625), (5.75, 6.75), (7.625, 9.375)),
    ),
    StageCommission(
        "match",
        FilmTerms(content="sports broadcast", form="social cut", length_s=7, within_s=1, aspect=(9, 16)),
        """**Source.** The broadcast of a match in the park.
**Audience.** People on the way home who want to know what happened.
**Platform.** A feed on the phone, held upright; many have the sound on.
**Wanted.** A social cut of the decisive minute: how it came about, the moment itself, what they made of it, the result.
**Tone.** Quick. Nothing of what the crowd laughed about.""",
        _match,
        _cuts((8, 9.75), (10, 12), (12, 13.25), (14, 16)),
    ),
    StageCommission(
        "concert",
        FilmTerms(content="music performance", form="teaser", length_s=5, within_s=1, aspect=(16, 9)),
        """**Source.** A recording of an evening concert: a singer, a drummer, a park.
**Audience.** Those who have not decided yet whether to come next time.
**Platform.** A screen in a shop window, with a loudspeaker.
**Wanted.** A teaser: first the chorus, then the drums, then where it takes place. The last chorus is not for it.
**Tone.** It follows the music: cuts fall on its beats.""",
        _concert,
        _cuts((6, 7.75), (10.5, 12), (8.5, 10)),
    ),
)


def stage_rubric(wanted: StageCommission, moments: SceneMoments) -> tuple[Criterion, ...]:
    """Return the rubric of a commission on a scene of its script, without the Format pillar."""
    return (*wanted.asked(moments), *shared_wishes(moments), *critical_faults(wanted.terms.length_s))
