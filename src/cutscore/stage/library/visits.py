"""Stories of people who meet: a birthday, a letter, a race, a walk in the snow."""

from fractions import Fraction

from cutscore.stage.library.acts import appears, counts, feels, later, moves, sooner, takes, turns, vanishes, walks
from cutscore.stage.library.directing import View, story
from cutscore.stage.scene import Scene
from cutscore.stage.things import Mood


def birthday(seed: int, length_s: Fraction) -> Scene:
    d = story("birthday", "A birthday visit", seed, length_s)
    host, guest, gift = d.colours(3)
    years = d.draw.randint(3, 6)
    d.place("street", name="street")
    d.place("room", name="room")
    d.stand("house", "house", 1250, 740, colour=host, height=460, place="street", layer=-2)
    d.stand("guest-outside", "person", 200, 790, colour=guest, width=140, look=d.draw.randrange(20), place="street")
    d.stand("gift-outside", "gift", 290, 660, colour=gift, width=90, place="street", layer=1)
    d.stand("host", "person", 500, 830, colour=host, width=170, look=20 + d.draw.randrange(20), place="room")
    d.stand("table", "table", 980, 850, colour="brown", material="wood", place="room", layer=1)
    d.stand("cake", "cake", 980, 652, colour="pink", count=years, place="room", layer=2)
    d.stand("guest", "person", 1420, 830, colour=guest, width=170, look=d.draw.randrange(20), place="room", seen=False)
    d.stand("gift", "gift", 1310, 700, colour=gift, width=110, place="room", layer=3, seen=False)
    d.beat(
        2,
        takes("gift-outside", "guest-outside"),
        walks("guest-outside", (1080, 640)),
        view=View(place="street", on="house"),
        say="A guest comes with a gift.",
        cues=[("step", 100)] * 4,
    )
    d.beat(
        Fraction(1, 2),
        feels("host", "surprised"),
        view=View("medium", "host", place="room"),
        cues=[("knock", 120), ("knock", 120)],
    )
    d.beat(1, appears("guest"), appears("gift"), view=View(place="room"), say="Come in.", cues=[("ding", 700)])
    d.beat(
        1,
        takes("gift", "guest"),
        moves("guest", 1300, 640),
        feels("guest", "happy"),
        view=View("medium", "gift", place="room"),
        say="Happy birthday to you.",
    )
    d.beat(
        1,
        feels("host", "happy"),
        view=View("close", "cake", place="room"),
        say=f"There are {years} candles.",
        cues=[("ding", 880)] * 2,
    )
    d.beat(
        1,
        later(counts("cake", 0)),
        view=View("medium", "cake", place="room"),
        say="Blow them out.",
        cues=[("whoosh", 100)],
    )
    d.beat(1, view=View(place="room"), say="Now there is cake for everybody.", cues=[("ding", 660), ("ding", 880)])
    return d.scene()


def letter(seed: int, length_s: Fraction) -> Scene:
    d = story("letter", "The letter", seed, length_s)
    moods: tuple[Mood, ...] = ("happy", "sad", "surprised")
    mood = d.draw.choice(moods)
    news = {"happy": "It is good news.", "sad": "It is sad news.", "surprised": "Nobody has expected this."}[mood]
    bag, reader = d.colours(2)
    d.place("street", name="street", light=d.draw.choice(("day", "dusk")))
    d.place("room", name="room")
    d.stand("carrier", "person", 150, 790, colour=bag, width=140, look=d.draw.randrange(20), place="street")
    d.stand("house", "house", 1300, 740, colour=reader, height=440, place="street", layer=-2)
    d.stand("letter-outside", "letter", 230, 680, colour="white", width=70, place="street", layer=2)
    d.stand("reader", "person", 760, 840, colour=reader, width=190, look=20 + d.draw.randrange(20), place="room")
    d.stand("chair", "chair", 560, 840, colour="brown", place="room", layer=-1)
    d.thing("letter", "letter", 900, 640, colour="white", width=130, place="room", layer=3, seen=False)
    d.beat(
        2,
        takes("letter-outside", "carrier"),
        walks("carrier", (1150, 640)),
        view=View(place="street"),
        say="A letter is on its way.",
        cues=[("step", 100)] * 5,
    )
    d.beat(1, sooner(vanishes("letter-outside")), view=View("medium", "house", place="street"), cues=[("knock", 100)])
    d.beat(1, appears("letter"), view=View(place="room"), say="What may it be?")
    d.beat(
        1,
        takes("letter", "reader"),
        moves("letter", 860, 600),
        view=View("medium", "reader", place="room"),
        cues=[("whoosh", 100)],
    )
    d.beat(
        1,
        sooner(moves("letter", 850, 580)),
        view=View("close", "letter", place="room", zoom=Fraction(5, 4)),
        say="The reader opens it.",
    )
    d.beat(
        Fraction(3, 2),
        feels("reader", mood),
        view=View("close", "reader", place="room"),
        say=news,
        cues=[("ding", 880 if mood == "happy" else 330)],
    )
    return d.scene()


def race(seed: int, length_s: Fraction) -> Scene:
    d = story("race", "The race", seed, length_s)
    first, second = d.colours(2)
    upper_wins = d.draw.random() < 0.5
    d.place("street", name="street")
    d.thing("upper", "car", 200, 730, colour=first, width=260, place="street")
    d.thing("lower", "car", 200, 840, colour=second, width=260, place="street", layer=1)
    d.stand("flag", "flag", 1480, 760, colour="red", place="street", layer=-1)
    winner, name = ("upper", first) if upper_wins else ("lower", second)
    ends = {"upper": (1380 if upper_wins else 1180, 730), "lower": (1180 if upper_wins else 1380, 840)}
    d.beat(1, view=View(place="street"), say="Two cars are ready.", cues=[("beep", 440), ("beep", 440), ("beep", 880)])
    d.beat(
        Fraction(3, 2),
        walks("upper", (620, 730)),
        walks("lower", (700, 840)),
        view=View(place="street"),
        say="Go.",
        cues=[("buzz", 110)] * 2,
    )
    d.beat(
        Fraction(3, 2),
        walks("upper", (1000, 730)),
        walks("lower", (960, 840)),
        view=View("medium", "upper", place="street", follow=True),
        cues=[("buzz", 130)] * 2,
    )
    d.beat(
        Fraction(3, 2),
        walks("upper", ends["upper"]),
        walks("lower", ends["lower"]),
        view=View("medium", "lower", place="street", follow=True),
        cues=[("buzz", 150)] * 2,
    )
    d.beat(
        1, view=View("close", winner, place="street"), say=f"The {name} car wins.", cues=[("ding", 880), ("ding", 990)]
    )
    return d.scene()


def lantern(seed: int, length_s: Fraction) -> Scene:
    d = story("lantern", "A walk in the snow", seed, length_s)
    coat, bird = d.colours(2)
    d.place("forest", name="forest", light="night", weather="snow")
    d.place("room", name="room", light="dusk")
    d.stand("walker", "person", 200, 820, colour=coat, width=150, look=d.draw.randrange(40), place="forest")
    d.thing("lantern", "lantern", 310, 660, colour="yellow", width=70, place="forest", layer=2)
    d.stand("bird", "bird", 1250, 830, colour=bird, mood="asleep", place="forest", layer=1)
    d.stand("bird-inside", "bird", 800, 820, colour=bird, place="room", width=150, layer=1)
    d.stand("walker-inside", "person", 500, 830, colour=coat, width=190, look=5, mood="happy", place="room")
    d.stand("lamp", "lamp", 1200, 830, colour="yellow", place="room", height=300)
    d.beat(
        2,
        takes("lantern", "walker"),
        walks("walker", (900, 655)),
        view=View(place="forest"),
        say="Somebody walks through the snow.",
        cues=[("step", 100)] * 5,
    )
    d.beat(1, view=View("close", "bird", place="forest"), say="A bird lies there, cold.", cues=[("buzz", 900)])
    d.beat(
        1,
        feels("walker", "sad"),
        walks("walker", (1080, 655)),
        view=View("medium", "walker", place="forest"),
        cues=[("step", 100)] * 2,
    )
    d.beat(1, later(takes("bird", "walker")), turns("bird", -12), view=View(place="forest"), say="Come with me.")
    d.beat(
        Fraction(3, 2),
        moves("bird-inside", 840, 700, arc=60),
        view=View(place="room"),
        say="In the warm room it flies again.",
        cues=[("ding", 990), ("ding", 1200)],
    )
    d.beat(1, view=View("close", "bird-inside", place="room", zoom=Fraction(5, 4)), cues=[("ding", 1200)])
    return d.scene()


SCENES = {
    "birthday": (birthday, 24),
    "letter": (letter, 22),
    "race": (race, 18),
    "lantern": (lantern, 22),
}
