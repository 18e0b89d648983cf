"""Small stories for cutting: several places and shots, people who feel something, sound throughout."""

from fractions import Fraction

from cutscore.stage.library.directing import (
    Director,
    View,
    appears,
    counts,
    drops,
    feels,
    fills,
    later,
    moves,
    sooner,
    takes,
    turns,
    vanishes,
    walks,
)
from cutscore.stage.scene import Scene
from cutscore.stage.things import Mood

GROUND = 800
_NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn")


def _story(name: str, title: str, seed: int, length_s: Fraction) -> Director:
    return Director(name, title, tags=("story", "film"), seed=seed, length_s=length_s)


def lost_kite(seed: int, length_s: Fraction) -> Scene:
    d = _story("lost-kite", "The lost kite", seed, length_s)
    child, kite = d.colours(2)
    name = d.draw.choice(_NAMES)
    d.place("park", colour="green")
    d.stand("child", "person", 420, GROUND, colour=child, width=150, look=d.draw.randrange(40))
    d.stand("tree", "tree", 1240, 770, colour="green", height=420, layer=-2)
    d.thing("kite", "kite", 560, 330, colour=kite, layer=3)
    d.stand("ladder", "ladder", 1480, GROUND, colour="brown", material="wood", layer=-1)
    d.beat(
        2,
        feels("child", "happy"),
        moves("kite", 640, 240),
        view=View(),
        say=f"{name} flies a {kite} kite.",
        cues=[("whoosh", 100)],
    )
    d.beat(
        1,
        moves("kite", 1200, 470, arc=120),
        feels("child", "surprised"),
        view=View("medium", "kite", follow=True),
        say="The wind takes it away.",
        cues=[("whoosh", 100)],
    )
    d.beat(1, feels("child", "sad"), view=View("close", "child"), say="Oh no.", cues=[("buzz", 160)])
    d.beat(1, walks("child", (1040, 627)), view=View(pan=0), say="It hangs in the tree.", cues=[("step", 100)] * 3)
    d.beat(1, moves("ladder", 1200, 620), view=View("medium", "tree"), say="A ladder helps.", cues=[("knock", 100)])
    d.beat(
        1,
        moves("child", 1190, 470),
        later(takes("kite", "child"), Fraction(4, 5)),
        view=View(),
        cues=[("step", 100)] * 3,
    )
    d.beat(
        Fraction(3, 2),
        moves("child", 900, 627),
        feels("child", "happy"),
        view=View("medium", "child", follow=True),
        say="The kite is back.",
        cues=[("ding", 660), ("ding", 880)],
    )
    return d.scene()


def birthday(seed: int, length_s: Fraction) -> Scene:
    d = _story("birthday", "A birthday visit", seed, length_s)
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
    d = _story("letter", "The letter", seed, length_s)
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


def cat_in_tree(seed: int, length_s: Fraction) -> Scene:
    d = _story("cat-in-tree", "The cat in the tree", seed, length_s)
    cat, coat = d.draw.choice(("orange", "grey", "black", "brown")), d.colour()
    d.place("park", name="park", light=d.draw.choice(("day", "dusk")))
    d.stand("tree", "tree", 1100, 790, colour="green", height=480, place="park", layer=-2)
    d.thing("cat", "cat", 1120, 420, colour=cat, mood="sad", place="park", layer=2)
    d.stand("helper", "person", 200, GROUND, colour=coat, width=150, look=d.draw.randrange(40), place="park", layer=1)
    d.stand("ladder", "ladder", 340, GROUND, colour="yellow", place="park")
    d.beat(1, view=View(place="park"), say="A cat sits in a tree.", cues=[("buzz", 500)])
    d.beat(1, view=View("close", "cat", place="park"), say="It cannot come down.", cues=[("buzz", 600), ("buzz", 500)])
    d.beat(
        Fraction(3, 2),
        takes("ladder", "helper"),
        walks("helper", (900, 640)),
        view=View("medium", "helper", place="park", follow=True),
        say="Somebody brings a ladder.",
        cues=[("step", 100)] * 4,
    )
    d.beat(1, drops("ladder"), moves("ladder", 1040, 600), view=View(place="park"), cues=[("knock", 100)])
    d.beat(
        1,
        moves("helper", 1010, 460),
        later(takes("cat", "helper"), Fraction(4, 5)),
        view=View("medium", "cat", place="park"),
        say="Up we go.",
        cues=[("step", 100)] * 3,
    )
    d.beat(
        1,
        moves("helper", 760, 640),
        feels("cat", "happy"),
        feels("helper", "happy"),
        view=View(place="park"),
        cues=[("step", 100)] * 3,
    )
    d.beat(1, view=View("close", "cat", place="park"), say="All is well.", cues=[("ding", 880)])
    return d.scene()


def picnic(seed: int, length_s: Fraction) -> Scene:
    d = _story("picnic", "The picnic in the rain", seed, length_s)
    one, two, cover = d.colours(3)
    d.place("park", name="sunny", colour="green")
    d.place("park", name="rainy", colour="green", weather="rain")
    apples = d.draw.randint(2, 5)
    for place in ("sunny", "rainy"):
        wet = place == "rainy"
        mood = "sad" if wet else "happy"
        d.stand(f"blanket-{place}", "blanket", 800, 850, colour=cover, place=place, layer=-1)
        d.stand(f"first-{place}", "person", 480, 830, colour=one, width=150, look=3, mood=mood, place=place)
        d.stand(f"second-{place}", "person", 1120, 830, colour=two, width=150, look=26, mood=mood, place=place)
        d.stand(f"basket-{place}", "basket", 800, 820, colour="brown", place=place, layer=1)
        d.stand(f"apples-{place}", "apples", 930, 835, colour="red", count=apples, width=160, place=place, layer=2)
    d.thing("umbrella", "umbrella", 1500, 300, colour=d.colour(but=(one, two)), width=360, place="rainy", layer=4)
    d.beat(Fraction(3, 2), view=View(place="sunny"), say="Two friends have a picnic.", cues=[("ding", 660)])
    d.beat(1, view=View("close", "apples-sunny", place="sunny"), say=f"They brought {apples} apples.")
    d.beat(
        1,
        feels("first-sunny", "surprised"),
        view=View("medium", "first-sunny", place="sunny"),
        say="What was that?",
        cues=[("buzz", 70)],
    )
    d.beat(Fraction(3, 2), view=View(place="rainy"), say="It begins to rain.")
    d.beat(
        1,
        moves("umbrella", 800, 520),
        view=View("medium", "basket-rainy", place="rainy"),
        say="Take the umbrella.",
        cues=[("whoosh", 100)],
    )
    d.beat(
        Fraction(3, 2),
        feels("first-rainy", "happy"),
        feels("second-rainy", "happy"),
        view=View(place="rainy", zoom=Fraction(5, 4)),
        say="Now they can go on.",
        cues=[("ding", 880)],
    )
    return d.scene()


def treasure(seed: int, length_s: Fraction) -> Scene:
    d = _story("treasure", "The treasure", seed, length_s)
    sail, coat, key = d.colours(3)
    d.place("sea", name="sea", light=d.draw.choice(("day", "dusk")))
    d.place("forest", name="forest")
    d.thing("boat", "boat", 200, 560, colour=sail, place="sea")
    d.stand("seeker", "person", 240, 820, colour=coat, width=150, look=d.draw.randrange(40), place="forest", layer=1)
    d.stand("stone", "stone", 760, 820, colour="grey", width=160, place="forest")
    d.stand("key", "key", 770, 800, colour=key, width=90, place="forest", layer=-1)
    d.stand("chest", "chest", 1300, 830, colour="brown", material="wood", place="forest", width=220)
    d.beat(
        2,
        walks("boat", (1350, 560)),
        view=View(place="sea"),
        say="A boat sails to an island.",
        cues=[("whoosh", 100)] * 2,
    )
    d.beat(
        1,
        walks("seeker", (600, 650)),
        view=View(place="forest"),
        say="Something is hidden in the forest.",
        cues=[("step", 100)] * 3,
    )
    d.beat(
        1,
        moves("stone", 900, 780, arc=40),
        view=View("close", "stone", place="forest"),
        say="What is under the stone?",
        cues=[("knock", 100)],
    )
    d.beat(
        1,
        takes("key", "seeker"),
        moves("key", 720, 640),
        feels("seeker", "surprised"),
        view=View("medium", "seeker", place="forest"),
        say=f"A {key} key.",
        cues=[("ding", 990)],
    )
    d.beat(
        Fraction(3, 2),
        walks("seeker", (1130, 650)),
        view=View("medium", "seeker", place="forest", follow=True),
        cues=[("step", 100)] * 4,
    )
    d.beat(
        1, later(fills("chest", 1)), view=View("close", "chest", place="forest"), say="It fits.", cues=[("knock", 100)]
    )
    d.beat(
        1,
        feels("seeker", "happy"),
        view=View(place="forest"),
        say="The chest is full of gold.",
        cues=[("ding", 660), ("ding", 880), ("ding", 990)],
    )
    return d.scene()


def race(seed: int, length_s: Fraction) -> Scene:
    d = _story("race", "The race", seed, length_s)
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
    d = _story("lantern", "A walk in the snow", seed, length_s)
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
    "lost-kite": (lost_kite, 26),
    "birthday": (birthday, 24),
    "letter": (letter, 22),
    "cat-in-tree": (cat_in_tree, 22),
    "picnic": (picnic, 22),
    "treasure": (treasure, 24),
    "race": (race, 18),
    "lantern": (lantern, 22),
}
