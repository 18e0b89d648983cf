"""Collisions and pours: what moves by itself, and what is measured."""

from fractions import Fraction

from cutscore.stage.library.acts import Act, fills, later, moves, recolours, snap, sooner, turns
from cutscore.stage.library.directing import TIPPED, Director
from cutscore.stage.palette import Colour
from cutscore.stage.scene import Scene
from cutscore.stage.setting import World
from cutscore.stage.things import Appear, Body, Vanish

_TABLE = World(gravity=0, bounce=1, left=40, right=1560, top=40, floor=860)


def _bounces(seed: int, length_s: Fraction) -> Scene:
    d = Director("bounces", "Falling and bouncing", tags=("collision", "gravity"), seed=seed, length_s=length_s)
    d.place("room")
    count = d.draw.randint(2, 4)
    for n, colour in enumerate(d.colours(count)):
        size = d.draw.choice((90, 120, 150))
        body = Body(from_s=snap(length_s * n / (2 * count)), speed_x=d.draw.randrange(-160, 161, 20))
        x, y = 300 + 1000 * n // max(1, count - 1), d.draw.randrange(120, 260, 10)
        d.thing(f"ball-{n + 1}", "ball", x, y, colour=colour, width=size, material="shiny", body=body, layer=n)
    d.beat(1, say=f"{count} balls fall.")
    return d.scene(world=World(floor=820, bounce=d.draw.choice((0.6, 0.75, 0.8))))


def _billiards(seed: int, length_s: Fraction) -> Scene:
    d = Director("billiards", "Balls on a table", tags=("collision", "table"), seed=seed, length_s=length_s)
    d.place("tabletop", colour="green")
    colours = d.colours(5)
    for n, colour in enumerate(colours[1:]):
        x, y = 900 + 150 * (n // 2), 450 + (70 if n % 2 else -70)
        d.thing(f"ball-{n + 1}", "ball", x, y, colour=colour, width=100, body=Body(from_s=length_s))
    speed = Body(from_s=0.5, speed_x=d.draw.randrange(700, 1100, 50), speed_y=d.draw.randrange(-120, 121, 20))
    d.thing("cue-ball", "ball", 300, 450, colour="white", width=100, material="shiny", body=speed)
    d.beat(1, say="The white ball starts.")
    return d.scene(world=_TABLE)


def _chain(seed: int, length_s: Fraction) -> Scene:
    """A row of discs at rest: the first one hits the second, which hits the third, and so on."""
    d = Director("chain", "One after the other", tags=("collision", "cause"), seed=seed, length_s=length_s)
    d.place("tabletop")
    count = d.draw.randint(3, 5)
    first = d.draw.choice((-1, 1))
    for n, colour in enumerate(d.colours(count)):
        body = Body(from_s=0.5, speed_x=first * 500) if n == 0 else Body(from_s=length_s)
        x = 800 - first * (600 - 260 * n)
        d.thing(f"disc-{n + 1}", "circle", x, 450, colour=colour, width=120, body=body, material="shiny")
    d.beat(1, say="The first one pushes the second.")
    return d.scene(world=_TABLE)


def _crossing(seed: int, length_s: Fraction) -> Scene:
    """Two discs whose ways cross; whether they meet depends on the seed."""
    d = Director("crossing", "Will they meet?", tags=("collision", "prediction"), seed=seed, length_s=length_s)
    d.place("tabletop")
    one, other = d.colours(2)
    meet = d.draw.random() < 0.5
    y, from_s = (800, Fraction(9, 8)) if meet else (780, Fraction(81, 40))
    d.thing("first", "circle", 200, 450, colour=one, width=130, body=Body(from_s=0.5, speed_x=400))
    d.thing("second", "circle", 800, y, colour=other, width=130, body=Body(from_s=from_s, speed_y=-400))
    d.beat(1, say="Watch them closely.")
    return d.scene(world=_TABLE)


def _throw(seed: int, length_s: Fraction) -> Scene:
    d = Director("throw", "Throwing a ball", tags=("collision", "gravity", "person"), seed=seed, length_s=length_s)
    d.place("park", colour="green")
    shirt, ball = d.colours(2)
    d.stand("player", "person", 220, 820, colour=shirt, width=160, look=d.draw.randrange(40), mood="happy")
    d.stand("crate", "crate", 1450, 820, colour="brown", material="wood", width=180, layer=-1)
    speed = d.draw.randrange(420, 760, 20)
    body = Body(from_s=1, speed_x=speed, speed_y=-speed)
    d.thing("ball", "ball", 320, 600, colour=ball, width=80, body=body, layer=2)
    d.beat(1, say="Catch.", cues=["whoosh"])
    return d.scene(world=World(floor=820))


def _pour(
    d: Director, source: str, into: str, to: Fraction, *, colour: Colour, left: Fraction, also: tuple[Act, ...] = ()
) -> None:
    """Fill a vessel from one that hangs above it, and note the sound."""
    way = d.plan_pour(source, into, colour)
    home_x, home_y = d.where(source)
    d.beat(1, moves(source, way.x, way.y, arc=30))
    d.beat(Fraction(1, 3), turns(source, TIPPED))
    d.beat(
        2,
        fills(into, to),
        fills(source, left),
        lambda a, b: [Appear(thing=way.stream, at_s=a), Vanish(thing=way.stream, at_s=b)],
        *also,
        cues=[("pour", 200)],
    )
    d.beat(Fraction(1, 3), turns(source, 0))
    d.beat(1, moves(source, int(home_x), int(home_y), arc=30))


def _levels(seed: int, length_s: Fraction) -> Scene:
    d = Director("levels", "Three glasses, three levels", tags=("pour", "quantity"), seed=seed, length_s=length_s)
    d.place("studio")
    drink = d.colour()
    d.stand("table", "table", 700, 860, colour="brown", material="wood", width=1100, height=210)
    shares = d.draw.sample([Fraction(1, 5), Fraction(2, 5), Fraction(3, 5), Fraction(4, 5), Fraction(1)], 3)
    for n in range(3):
        d.stand(f"glass-{n + 1}", "glass", 360 + 260 * n, 656, filling=drink, height=190, layer=2)
    d.stand(
        "jug", "jug", 1120, 656, colour=d.colour(but=(drink,)), fill=Fraction(1), filling=drink, height=200, layer=3
    )
    d.beat(Fraction(1, 2), say="Every glass gets another amount.")
    left = Fraction(1)
    for n, share in enumerate(shares):
        left -= Fraction(3, 10)
        _pour(d, "jug", f"glass-{n + 1}", share, colour=drink, left=left)
    d.beat(2, say="Which one is the fullest?", cues=[("ding", 880)])
    return d.scene()


MIXED: dict[frozenset[Colour], Colour] = {
    frozenset({"red", "yellow"}): "orange",
    frozenset({"blue", "yellow"}): "green",
    frozenset({"red", "blue"}): "purple",
    frozenset({"red", "white"}): "pink",
}


def _mixing(seed: int, length_s: Fraction) -> Scene:
    d = Director("mixing", "Two colours make a third", tags=("pour", "colour", "cause"), seed=seed, length_s=length_s)
    d.place("laboratory", colour="cyan")
    pair = d.draw.choice(sorted(MIXED, key=sorted))
    one, other = d.draw.sample(sorted(pair), 2)
    d.stand("table", "table", 800, 880, colour="grey", width=1200, height=210)
    d.stand("beaker", "beaker", 700, 676, filling=one, height=210, layer=2)
    d.stand("first", "flask", 1080, 676, fill=Fraction(4, 5), filling=one, layer=3)
    d.stand("second", "flask", 1280, 676, fill=Fraction(4, 5), filling=other, layer=3)
    d.film()
    d.beat(1, say=f"First comes {one}.")
    _pour(d, "first", "beaker", Fraction(2, 5), colour=one, left=Fraction(1, 10))
    d.film("medium", "beaker")
    d.beat(Fraction(1, 2), say=f"Then comes {other}.")
    _pour(
        d,
        "second",
        "beaker",
        Fraction(4, 5),
        colour=other,
        left=Fraction(1, 10),
        also=(recolours("beaker", MIXED[pair], "filling"),),
    )
    d.film()
    d.beat(2, say=f"Together they are {MIXED[pair]}.", cues=[("ding", 880)])
    return d.scene()


def _pour_back(seed: int, length_s: Fraction) -> Scene:
    """Water is poured from a large vessel into a small one and back, so that amounts have to be followed."""
    d = Director("pour-back", "There and back", tags=("pour", "quantity", "order"), seed=seed, length_s=length_s)
    d.place("studio")
    drink, jug = d.colours(2)
    d.stand("table", "table", 800, 860, colour="brown", material="wood", width=1000, height=210)
    d.stand("glass", "glass", 560, 656, filling=drink, height=200, layer=2)
    d.stand("jug", "jug", 960, 656, colour=jug, fill=Fraction(9, 10), filling=drink, height=210, layer=3)
    times = d.draw.randint(1, 2)
    d.beat(Fraction(1, 2), say="Follow the water.")
    _pour(d, "jug", "glass", Fraction(9, 10), colour=drink, left=Fraction(1, 10))
    if times == 2:
        d.beat(
            1,
            sooner(fills("glass", Fraction(3, 10))),
            later(fills("jug", Fraction(7, 10))),
            say="Some of it goes back.",
            cues=["whoosh"],
        )
    d.beat(1, say="How full is the glass?", cues=[("ding", 880)])
    return d.scene()


SCENES = {
    "bounces": (_bounces, 8),
    "billiards": (_billiards, 8),
    "chain": (_chain, 8),
    "crossing": (_crossing, 6),
    "throw": (_throw, 6),
    "levels": (_levels, 20),
    "mixing": (_mixing, 16),
    "pour-back": (_pour_back, 14),
}
