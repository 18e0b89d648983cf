"""Programmes to make something shorter of: a talk, a match, a concert.

Something moves all the time, and not all of it matters: each has moments that nobody would miss.
"""

from collections.abc import Iterable
from fractions import Fraction

from cutscore.stage.library.acts import appears, feels, grows, moves, turns, walks
from cutscore.stage.library.directing import Director
from cutscore.stage.scene import Scene
from cutscore.stage.setting import Effect

TAGS = ("programme", "film")


def _talk(seed: int, length_s: Fraction) -> Scene:
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
    d.film(place="hall")
    d.beat(1, walks("speaker", (620, 560)), say="Good evening.", cues=["step"] * 3)
    d.film("medium", "speaker", place="hall", zoom=1.25)
    d.beat(1, moves("speaker", 760, 555), say="Plant a tree in every street.")
    d.film("medium", "tree", place="street", zoom=1.2)
    d.beat(1, grows("tree", 2), say="Its shade cools all of us.")
    d.film("close", "cup", place="hall", pan=-150)
    d.beat(1, moves("cup", 700, 560, arc=60), say="My tea is cold by now.", cues=["whoosh"])
    d.film(place="street")
    d.beat(1, moves("bird", 620, 330, arc=120), say="And birds come back to it.", cues=[("ding", 1200)] * 2)
    d.film("close", "speaker", place="hall")
    d.beat(1, walks("speaker", (560, 545), (700, 565)), say="Is this on?", cues=[("buzz", 120)] * 2)
    d.film("medium", "sapling", place="hall", zoom=1.25)
    d.beat(
        1,
        grows("sapling", 3),
        feels("speaker", "happy"),
        walks("speaker", (960, 540), (840, 560)),
        say="So plant one this year.",
    )
    d.film(place="hall", zoom=1.2)
    d.beat(1, walks("speaker", (300, 560)), say="Thank you.")
    return d.scene()


def _match(seed: int, length_s: Fraction) -> Scene:
    d = Director("match", "The match", tags=(*TAGS, "sports"), seed=seed, length_s=length_s)
    home, away, cat = d.colours(3)
    d.place("park", name="pitch", colour="green")
    d.stand("goal", "door", 1430, 780, colour="white", height=330, place="pitch", layer=-2)
    d.stand("striker", "person", 500, 840, colour=home, width=130, look=d.draw.randrange(20), place="pitch", layer=1)
    d.stand("keeper", "person", 1300, 800, colour=away, width=120, look=20 + d.draw.randrange(20), place="pitch")
    d.thing("ball", "ball", 780, 800, colour="white", width=80, place="pitch", layer=2)
    d.stand("cat", "cat", -150, 860, colour=cat, place="pitch", layer=3)
    d.thing("heart", "heart", 1000, 700, colour="red", width=90, place="pitch", layer=3, seen=False)
    d.film(place="pitch")
    d.beat(1, walks("ball", (500, 790), (760, 800)), say="It begins.", cues=[("beep", 2000)])
    d.film("medium", "striker", place="pitch", follow=True)
    d.beat(1, walks("striker", (720, 690)), walks("ball", (900, 800)), say="A slow start.", cues=["step"] * 4)
    d.film("medium", "keeper", place="pitch")
    d.beat(1, moves("ball", 1560, 330, arc=90), say="That goes wide.", cues=["whoosh"])
    d.film("close", "cat", place="pitch", follow=True)
    d.beat(1, walks("cat", (1750, 790)), say="A cat runs over the pitch.", cues=[("ding", 1500)] * 3)
    d.film(place="pitch", zoom=1.25)
    d.beat(1, walks("ball", (1100, 790)), walks("striker", (980, 690)), say="Now a quick attack.", cues=["step"] * 5)
    d.film("medium", "goal", place="pitch")
    d.beat(
        1,
        moves("ball", 1430, 620, arc=120),
        moves("keeper", 1250, 720),
        say="And it is in.",
        cues=[("knock", 120), ("ding", 880), ("ding", 990)],
    )
    d.film("close", "striker", place="pitch", follow=True)
    d.beat(
        1,
        feels("striker", "happy"),
        appears("heart"),
        walks("striker", (900, 560), (860, 690)),
        cues=[("ding", 880)] * 3,
    )
    d.film(place="pitch")
    d.beat(
        1, walks("striker", (300, 690)), walks("keeper", (700, 700)), say="One to nothing.", cues=[("beep", 2000)] * 3
    )
    return d.scene()


def _concert(seed: int, length_s: Fraction) -> Scene:
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
    d.film(place="stage")
    d.beat(1, moves("lamp", 800, 150), cues=_notes("knock", low))
    d.film("medium", "singer", place="stage")
    d.beat(1, walks("singer", (420, 555), (620, 555)), say="Under the old lamp", cues=_notes("ding", low))
    d.film("close", "drummer", place="stage")
    d.beat(1, turns("drummer", 8), moves("drummer", 1050, 640, arc=50), cues=_notes("knock", low))
    d.film(place="stage", zoom=1.25)
    d.beat(
        1,
        walks("singer", (760, 520)),
        moves("lamp", 500, 200, arc=60),
        say="we sing all night",
        cues=_notes("ding", high),
    )
    d.film(place="park")
    d.beat(1, moves("balloon", 700, 250, arc=80), cues=_notes("ding", low))
    d.film("medium", "drummer", place="stage", pan=-150)
    d.beat(1, moves("drummer", 1180, 600, arc=90), cues=_notes("knock", high))
    d.film("close", "singer", place="stage")
    d.beat(
        1,
        feels("singer", "happy"),
        walks("singer", (560, 500), (700, 560)),
        say="we sing all night",
        cues=_notes("ding", high),
    )
    d.film("medium", "crowd", place="park")
    d.beat(1, walks("crowd", (1200, 560)), cues=_notes("knock", (190,)))
    return d.scene()


def _notes(effect: Effect, pitches: Iterable[int]) -> list[tuple[Effect, int]]:
    return [(effect, pitch) for pitch in pitches]


SCENES = {"talk": (_talk, 24), "match": (_match, 24), "concert": (_concert, 24)}
