"""Stories of people who meet: a birthday, a letter, a race, a walk in the snow."""

from fractions import Fraction

from cutscore.stage.library.acts import appears, counts, feels, later, moves, sooner, takes, turns, vanishes, walks
from cutscore.stage.library.directing import story
from cutscore.stage.scene import Scene
from cutscore.stage.things import Mood


def _birthday(seed: int, length_s: Fraction) -> Scene:
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
    d.film(place="street", on="house")
    d.beat(
        2,
        takes("gift-outside", "guest-outside"),
        walks("guest-outside", (1080, 640)),
        say="A guest comes with a gift.",
        cues=["step"] * 4,
    )
    d.film("medium", "host", place="room")
    d.beat(0.5, feels("host", "surprised"), cues=[("knock", 120), ("knock", 120)])
    d.film(place="room")
    d.beat(1, appears("guest"), appears("gift"), say="Come in.", cues=[("ding", 700)])
    d.film("medium", "gift", place="room")
    d.beat(1, takes("gift", "guest"), moves("guest", 1300, 640), feels("guest", "happy"), say="Happy birthday to you.")
    d.film("close", "cake", place="room")
    d.beat(1, feels("host", "happy"), say=f"There are {years} candles.", cues=[("ding", 880)] * 2)
    d.film("medium", "cake", place="room")
    d.beat(1, later(counts("cake", 0)), say="Blow them out.", cues=["whoosh"])
    d.film(place="room")
    d.beat(1, say="Now there is cake for everybody.", cues=[("ding", 660), ("ding", 880)])
    return d.scene()


def _letter(seed: int, length_s: Fraction) -> Scene:
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
    d.film(place="street")
    d.beat(
        2,
        takes("letter-outside", "carrier"),
        walks("carrier", (1150, 640)),
        say="A letter is on its way.",
        cues=["step"] * 5,
    )
    d.film("medium", "house", place="street")
    d.beat(1, sooner(vanishes("letter-outside")), cues=["knock"])
    d.film(place="room")
    d.beat(1, appears("letter"), say="What may it be?")
    d.film("medium", "reader", place="room")
    d.beat(1, takes("letter", "reader"), moves("letter", 860, 600), cues=["whoosh"])
    d.film("close", "letter", place="room", zoom=1.25)
    d.beat(1, sooner(moves("letter", 850, 580)), say="The reader opens it.")
    d.film("close", "reader", place="room")
    d.beat(1.5, feels("reader", mood), say=news, cues=[("ding", 880 if mood == "happy" else 330)])
    return d.scene()


def _race(seed: int, length_s: Fraction) -> Scene:
    d = story("race", "The race", seed, length_s)
    first, second = d.colours(2)
    upper_wins = d.draw.random() < 0.5
    d.place("street", name="street")
    d.thing("upper", "car", 200, 730, colour=first, width=260, place="street")
    d.thing("lower", "car", 200, 840, colour=second, width=260, place="street", layer=1)
    d.stand("flag", "flag", 1480, 760, colour="red", place="street", layer=-1)
    winner, name = ("upper", first) if upper_wins else ("lower", second)
    ends = {"upper": (1380 if upper_wins else 1180, 730), "lower": (1180 if upper_wins else 1380, 840)}
    d.film(place="street")
    d.beat(1, say="Two cars are ready.", cues=[("beep", 440), ("beep", 440), ("beep", 880)])
    d.film(place="street")
    d.beat(1.5, walks("upper", (620, 730)), walks("lower", (700, 840)), say="Go.", cues=[("buzz", 110)] * 2)
    d.film("medium", "upper", place="street", follow=True)
    d.beat(1.5, walks("upper", (1000, 730)), walks("lower", (960, 840)), cues=[("buzz", 130)] * 2)
    d.film("medium", "lower", place="street", follow=True)
    d.beat(1.5, walks("upper", ends["upper"]), walks("lower", ends["lower"]), cues=[("buzz", 150)] * 2)
    d.film("close", winner, place="street")
    d.beat(1, say=f"The {name} car wins.", cues=[("ding", 880), ("ding", 990)])
    return d.scene()


def _lantern(seed: int, length_s: Fraction) -> Scene:
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
    d.film(place="forest")
    d.beat(
        2,
        takes("lantern", "walker"),
        walks("walker", (900, 655)),
        say="Somebody walks through the snow.",
        cues=["step"] * 5,
    )
    d.film("close", "bird", place="forest")
    d.beat(1, say="A bird lies there, cold.", cues=[("buzz", 900)])
    d.film("medium", "walker", place="forest")
    d.beat(1, feels("walker", "sad"), walks("walker", (1080, 655)), cues=["step"] * 2)
    d.film(place="forest")
    d.beat(1, later(takes("bird", "walker")), turns("bird", -12), say="Come with me.")
    d.film(place="room")
    d.beat(
        1.5,
        moves("bird-inside", 840, 700, arc=60),
        say="In the warm room it flies again.",
        cues=[("ding", 990), ("ding", 1200)],
    )
    d.film("close", "bird-inside", place="room", zoom=1.25)
    d.beat(1, cues=[("ding", 1200)])
    return d.scene()


SCENES = {"birthday": (_birthday, 24), "letter": (_letter, 22), "race": (_race, 18), "lantern": (_lantern, 22)}
