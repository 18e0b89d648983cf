"""Programmes to make something shorter of: a talk, a match, a concert.

Something moves all the time, and not all of it matters: each has moments that nobody would miss.
"""

from collections.abc import Iterable
from fractions import Fraction

from cutscore.stage.library.acts import appears, feels, grows, moves, turns, walks
from cutscore.stage.library.directing import Director, View
from cutscore.stage.scene import Scene
from cutscore.stage.setting import Effect

TAGS = ("programme", "film")


def talk(seed: int, length_s: Fraction) -> Scene:
    d = Director("talk", "A tree in every street", tags=(*TAGS, "speech"), seed=seed, length_s=length_s)
    coat, cup, bird = d.colours(3)
    d.place("room", name="hall")
    d.place("street", name="street")
    d.stand("speaker", "person", 200, 840, colour=coat, width=210, look=d.draw.randrange(40), place="hall", layer=1)
    d.stand("desk", "table", 1050, 860, colour="brown", material="wood", place="hall", layer=2)
    d.stand("cup", "cup", 980, 660, colour=cup, place="hall", layer=3)
    d.stand("sapling", "fir", 1200, 660, colour="green", height=120, place="hall", layer=3)
    d.stand("house", "house", 1250, 740, colour=cup, height=420, place="street", layer=-2)
    d.stand("tree", "tree", 560, 790, colour="green", height=200, place="street")
    d.thing("bird", "bird", 1500, 150, colour=bird, width=130, place="street", layer=2)
    d.beat(1, walks("speaker", (620, 560)), view=View(place="hall"), say="Good evening.", cues=_steps(3))
    d.beat(
        1,
        moves("speaker", 760, 555),
        view=View("medium", "speaker", place="hall", zoom=Fraction(5, 4)),
        say="Plant a tree in every street.",
    )
    d.beat(
        1,
        grows("tree", 2),
        view=View("medium", "tree", place="street", zoom=Fraction(6, 5)),
        say="Its shade cools all of us.",
    )
    d.beat(
        1,
        moves("cup", 700, 560, arc=60),
        view=View("close", "cup", place="hall", pan=-150),
        say="My tea is cold by now.",
        cues=[("whoosh", 100)],
    )
    d.beat(
        1,
        moves("bird", 620, 330, arc=120),
        view=View(place="street"),
        say="And birds come back to it.",
        cues=[("ding", 1200)] * 2,
    )
    d.beat(
        1,
        walks("speaker", (560, 545), (700, 565)),
        view=View("close", "speaker", place="hall"),
        say="Is this on?",
        cues=[("buzz", 120)] * 2,
    )
    d.beat(
        1,
        grows("sapling", 3),
        feels("speaker", "happy"),
        walks("speaker", (960, 540), (840, 560)),
        view=View("medium", "sapling", place="hall", zoom=Fraction(5, 4)),
        say="So plant one this year.",
    )
    d.beat(1, walks("speaker", (300, 560)), view=View(place="hall", zoom=Fraction(6, 5)), say="Thank you.")
    return d.scene()


def match(seed: int, length_s: Fraction) -> Scene:
    d = Director("match", "The match", tags=(*TAGS, "sports"), seed=seed, length_s=length_s)
    home, away, cat = d.colours(3)
    d.place("park", name="pitch", colour="green")
    d.stand("goal", "door", 1430, 780, colour="white", height=330, place="pitch", layer=-2)
    d.stand("striker", "person", 500, 840, colour=home, width=130, look=d.draw.randrange(20), place="pitch", layer=1)
    d.stand("keeper", "person", 1300, 800, colour=away, width=120, look=20 + d.draw.randrange(20), place="pitch")
    d.thing("ball", "ball", 780, 800, colour="white", width=80, place="pitch", layer=2)
    d.stand("cat", "cat", -150, 860, colour=cat, place="pitch", layer=3)
    d.thing("heart", "heart", 1000, 700, colour="red", width=90, place="pitch", layer=3, seen=False)
    d.beat(1, walks("ball", (500, 790), (760, 800)), view=View(place="pitch"), say="It begins.", cues=[("beep", 2000)])
    d.beat(
        1,
        walks("striker", (720, 690)),
        walks("ball", (900, 800)),
        view=View("medium", "striker", place="pitch", follow=True),
        say="A slow start.",
        cues=_steps(4),
    )
    d.beat(
        1,
        moves("ball", 1560, 330, arc=90),
        view=View("medium", "keeper", place="pitch"),
        say="That goes wide.",
        cues=[("whoosh", 100)],
    )
    d.beat(
        1,
        walks("cat", (1750, 790)),
        view=View("close", "cat", place="pitch", follow=True),
        say="A cat runs over the pitch.",
        cues=[("ding", 1500)] * 3,
    )
    d.beat(
        1,
        walks("ball", (1100, 790)),
        walks("striker", (980, 690)),
        view=View(place="pitch", zoom=Fraction(5, 4)),
        say="Now a quick attack.",
        cues=_steps(5),
    )
    d.beat(
        1,
        moves("ball", 1430, 620, arc=120),
        moves("keeper", 1250, 720),
        view=View("medium", "goal", place="pitch"),
        say="And it is in.",
        cues=[("knock", 120), ("ding", 880), ("ding", 990)],
    )
    d.beat(
        1,
        feels("striker", "happy"),
        appears("heart"),
        walks("striker", (900, 560), (860, 690)),
        view=View("close", "striker", place="pitch", follow=True),
        cues=[("ding", 880)] * 3,
    )
    d.beat(
        1,
        walks("striker", (300, 690)),
        walks("keeper", (700, 700)),
        view=View(place="pitch"),
        say="One to nothing.",
        cues=[("beep", 2000)] * 3,
    )
    return d.scene()


def concert(seed: int, length_s: Fraction) -> Scene:
    d = Director("concert", "Three songs in the park", tags=(*TAGS, "music"), seed=seed, length_s=length_s)
    dress, steel, light = d.colours(3)
    d.place("studio", name="stage", colour=light, light="dusk")
    d.place("park", name="park", light="night")
    d.stand("singer", "person", 500, 850, colour=dress, width=190, look=d.draw.randrange(40), place="stage", layer=1)
    d.stand("drummer", "robot", 1150, 840, colour=steel, place="stage")
    d.thing("lamp", "lantern", 300, 150, colour="yellow", width=100, place="stage", layer=2)
    d.stand("crowd", "person", 600, 850, colour=light, width=170, look=3, place="park", layer=1)
    d.thing("balloon", "balloon", 900, 780, colour="red", width=130, place="park", layer=2)
    low, high = (262, 392), (523, 784)
    d.beat(1, moves("lamp", 800, 150), view=View(place="stage"), cues=_notes("knock", low))
    d.beat(
        1,
        walks("singer", (420, 555), (620, 555)),
        view=View("medium", "singer", place="stage"),
        say="Under the old lamp",
        cues=_notes("ding", low),
    )
    d.beat(
        1,
        turns("drummer", 8),
        moves("drummer", 1050, 640, arc=50),
        view=View("close", "drummer", place="stage"),
        cues=_notes("knock", low),
    )
    d.beat(
        1,
        walks("singer", (760, 520)),
        moves("lamp", 500, 200, arc=60),
        view=View(place="stage", zoom=Fraction(5, 4)),
        say="we sing all night",
        cues=_notes("ding", high),
    )
    d.beat(
        1,
        moves("balloon", 700, 250, arc=80),
        view=View(place="park"),
        cues=_notes("ding", low),
    )
    d.beat(
        1,
        moves("drummer", 1180, 600, arc=90),
        view=View("medium", "drummer", place="stage", pan=-150),
        cues=_notes("knock", high),
    )
    d.beat(
        1,
        feels("singer", "happy"),
        walks("singer", (560, 500), (700, 560)),
        view=View("close", "singer", place="stage"),
        say="we sing all night",
        cues=_notes("ding", high),
    )
    d.beat(1, walks("crowd", (1200, 560)), view=View("medium", "crowd", place="park"), cues=_notes("knock", (190,)))
    return d.scene()


def _steps(count: int) -> list[tuple[Effect, int]]:
    return [("step", 100)] * count


def _notes(effect: Effect, pitches: Iterable[int]) -> list[tuple[Effect, int]]:
    return [(effect, pitch) for pitch in pitches]


SCENES = {"talk": (talk, 24), "match": (match, 24), "concert": (concert, 24)}
