"""Stories of a day outside: a kite, a cat, a picnic, a treasure."""

from fractions import Fraction

from cutscore.stage.library.acts import drops, feels, fills, later, moves, takes, walks
from cutscore.stage.library.directing import story
from cutscore.stage.scene import Scene

GROUND = 800
_NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn")


def _lost_kite(seed: int, length_s: Fraction) -> Scene:
    d = story("lost-kite", "The lost kite", seed, length_s)
    child, kite = d.colours(2)
    name = d.draw.choice(_NAMES)
    d.place("park", colour="green")
    d.stand("child", "person", 420, GROUND, colour=child, width=150, look=d.draw.randrange(40))
    d.stand("tree", "tree", 1240, 770, colour="green", height=420, layer=-2)
    d.thing("kite", "kite", 560, 330, colour=kite, layer=3)
    d.stand("ladder", "ladder", 1480, GROUND, colour="brown", material="wood", layer=-1)
    d.film("medium", "child", pan=150, tilt=-160)
    d.beat(2, feels("child", "happy"), moves("kite", 640, 240), say=f"{name} flies a {kite} kite.", cues=["whoosh"])
    d.film("medium", "kite", follow=True)
    d.beat(
        1,
        moves("kite", 1200, 470, arc=120),
        feels("child", "surprised"),
        say="The wind takes it away.",
        cues=["whoosh"],
    )
    d.film("close", "child")
    d.beat(1, feels("child", "sad"), say="Oh no.", cues=[("buzz", 160)])
    d.film()
    d.beat(1, walks("child", (1040, 627)), say="It hangs in the tree.", cues=["step"] * 3)
    d.film("medium", "tree")
    d.beat(1, moves("ladder", 1200, 620), say="A ladder helps.", cues=["knock"])
    d.film()
    d.beat(1, moves("child", 1190, 470), later(takes("kite", "child"), Fraction(4, 5)), cues=["step"] * 3)
    d.film("medium", "child", follow=True)
    d.beat(
        1.5,
        moves("child", 900, 627),
        feels("child", "happy"),
        say="The kite is back.",
        cues=[("ding", 660), ("ding", 880)],
    )
    return d.scene()


def _cat_in_tree(seed: int, length_s: Fraction) -> Scene:
    d = story("cat-in-tree", "The cat in the tree", seed, length_s)
    cat, coat = d.draw.choice(("orange", "grey", "black", "brown")), d.colour()
    d.place("park", name="park", light=d.draw.choice(("day", "dusk")))
    d.stand("tree", "tree", 1100, 790, colour="green", height=480, place="park", layer=-2)
    d.thing("cat", "cat", 1120, 420, colour=cat, mood="sad", place="park", layer=2)
    d.stand("climber", "person", 200, GROUND, colour=coat, width=150, look=d.draw.randrange(40), place="park", layer=1)
    d.stand("ladder", "ladder", 340, GROUND, colour="yellow", place="park")
    d.film(place="park")
    d.beat(1, say="A cat sits in a tree.", cues=[("buzz", 500)])
    d.film("close", "cat", place="park")
    d.beat(1, say="It cannot come down.", cues=[("buzz", 600), ("buzz", 500)])
    d.film("medium", "climber", place="park", follow=True)
    d.beat(
        1.5,
        takes("ladder", "climber"),
        walks("climber", (900, 640)),
        say="Somebody brings a ladder.",
        cues=["step"] * 4,
    )
    d.film(place="park")
    d.beat(1, drops("ladder"), moves("ladder", 1040, 600), cues=["knock"])
    d.film("medium", "cat", place="park")
    d.beat(
        1,
        moves("climber", 1010, 460),
        later(takes("cat", "climber"), Fraction(4, 5)),
        say="Up we go.",
        cues=["step"] * 3,
    )
    d.film(place="park")
    d.beat(1, moves("climber", 760, 640), feels("cat", "happy"), feels("climber", "happy"), cues=["step"] * 3)
    d.film("close", "cat", place="park")
    d.beat(1, say="All is well.", cues=[("ding", 880)])
    return d.scene()


def _picnic(seed: int, length_s: Fraction) -> Scene:
    d = story("picnic", "The picnic in the rain", seed, length_s)
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
    d.film("medium", "first-sunny", place="sunny", pan=420)
    d.beat(1.5, say="Two friends have a picnic.", cues=[("ding", 660)])
    d.film("close", "apples-sunny", place="sunny")
    d.beat(1, say=f"They brought {apples} apples.")
    d.film("medium", "first-sunny", place="sunny")
    d.beat(1, feels("first-sunny", "surprised"), say="What was that?", cues=[("buzz", 70)])
    d.film(place="rainy")
    d.beat(1.5, say="It begins to rain.")
    d.film("medium", "basket-rainy", place="rainy")
    d.beat(1, moves("umbrella", 800, 520), say="Take the umbrella.", cues=["whoosh"])
    d.film(place="rainy", zoom=1.25)
    d.beat(
        1.5,
        feels("first-rainy", "happy"),
        feels("second-rainy", "happy"),
        say="Now they can go on.",
        cues=[("ding", 880)],
    )
    return d.scene()


def _treasure(seed: int, length_s: Fraction) -> Scene:
    d = story("treasure", "The treasure", seed, length_s)
    sail, coat, key = d.colours(3)
    d.place("sea", name="sea", light=d.draw.choice(("day", "dusk")))
    d.place("forest", name="forest")
    d.thing("boat", "boat", 200, 560, colour=sail, place="sea")
    d.stand("seeker", "person", 240, 820, colour=coat, width=150, look=d.draw.randrange(40), place="forest", layer=1)
    d.stand("stone", "stone", 760, 820, colour="grey", width=160, place="forest")
    d.stand("key", "key", 770, 800, colour=key, width=90, place="forest", layer=-1)
    d.stand("chest", "chest", 1300, 830, colour="brown", material="wood", place="forest", width=220)
    d.film("medium", "boat", place="sea", pan=600)
    d.beat(2, walks("boat", (1350, 560)), say="A boat sails to an island.", cues=["whoosh"] * 2)
    d.film(place="forest")
    d.beat(1, walks("seeker", (600, 650)), say="Something is hidden in the forest.", cues=["step"] * 3)
    d.film("close", "stone", place="forest")
    d.beat(1, moves("stone", 900, 780, arc=40), say="What is under the stone?", cues=["knock"])
    d.film("medium", "seeker", place="forest")
    d.beat(
        1,
        takes("key", "seeker"),
        moves("key", 720, 640),
        feels("seeker", "surprised"),
        say=f"A {key} key.",
        cues=[("ding", 990)],
    )
    d.film("medium", "seeker", place="forest", follow=True)
    d.beat(1.5, walks("seeker", (1130, 650)), cues=["step"] * 4)
    d.film("close", "chest", place="forest")
    d.beat(1, later(fills("chest", 1)), say="It fits.", cues=["knock"])
    d.film(place="forest")
    d.beat(
        1,
        feels("seeker", "happy"),
        say="The chest is full of gold.",
        cues=[("ding", 660), ("ding", 880), ("ding", 990)],
    )
    return d.scene()


SCENES = {
    "lost-kite": (_lost_kite, 26),
    "cat-in-tree": (_cat_in_tree, 22),
    "picnic": (_picnic, 22),
    "treasure": (_treasure, 24),
}
