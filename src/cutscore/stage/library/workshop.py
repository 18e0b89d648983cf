"""Procedures of the workshop."""

from fractions import Fraction

from cutscore.stage.library.acts import appears, counts, fills, later, recolours, vanishes
from cutscore.stage.library.procedures import TOP, Procedure
from cutscore.stage.scene import Scene


def _workshop(name: str, title: str, seed: int, length_s: Fraction) -> Procedure:
    return Procedure(name, title, domain="workshop", backdrop="workshop", seed=seed, length_s=length_s)


def birdhouse(seed: int, length_s: Fraction) -> Scene:
    p = _workshop("birdhouse", "How to build a birdhouse", seed, length_s)
    paint, boards = p.set.colour(but=("orange",)), p.draw.randint(2, 4)
    p.put("plank", "plank", -0.5, colour="brown", material="wood", layer=1)
    p.put("saw", "saw", 0.55, colour=p.set.colour(), layer=4)
    p.put("hammer", "hammer", 0.3, colour=p.set.colour(), layer=4, height=130)
    p.put("bucket", "bucket", 0.82, colour="grey", material="metal", fill=Fraction(9, 10), filling=paint, layer=2)
    p.put("brush", "brush", 0.97, colour=paint, layer=4, height=140)
    p.put("house", "birdhouse", 0.02, colour="brown", material="wood", count=1, seen=False, layer=2)
    p.use(
        "saw",
        f"Saw the plank into {boards} boards",
        "saw",
        "plank",
        "saw",
        counts("plank", boards),
        why="walls and roof need boards",
        above=20,
    )
    p.use(
        "nail",
        "Nail the boards together with the hammer",
        "hammer",
        "plank",
        "hammer",
        vanishes("plank"),
        appears("house"),
        why="nails hold the walls",
        and_on=("house",),
        above=70,
    )
    p.use(
        "roof",
        "Nail the roof on top",
        "hammer",
        "house",
        "hammer",
        counts("house", 2),
        why="it keeps the rain out",
        above=60,
    )
    p.wait("drill", "Cut a round door and add a perch", "house", counts("house", 3), why="the bird needs a door")
    p.use(
        "dip",
        "Dip the brush into the paint",
        "brush",
        "bucket",
        "hold",
        fills("bucket", Fraction(3, 5)),
        why="a dry brush paints nothing",
        above=50,
    )
    p.use(
        "paint",
        "Paint the birdhouse",
        "brush",
        "house",
        "wipe",
        recolours("house", paint),
        why="paint protects the wood",
        above=-60,
    )
    return p.scene("A bird can move in.")


def store(seed: int, length_s: Fraction) -> Scene:
    p = _workshop("shelf", "How to put up a shelf", seed, length_s)
    books = p.set.colours(3)
    p.put("ruler", "ruler", -0.7, colour="yellow", layer=3)
    p.put("pencil", "pencil", -0.35, colour=p.set.colour(), layer=4)
    p.put("drill", "drill", 0.3, colour=p.set.colour(), layer=4, width=160)
    p.put("screwdriver", "screwdriver", 0.6, colour=p.set.colour(), layer=4, height=150)
    p.put("board", "shelf", 0.9, colour="brown", material="wood", layer=1, width=260)
    wall = (p.x(-0.05), 430)
    p.set.thing("mark", "wall", wall[0], wall[1], colour="black", width=300, height=6, seen=False, layer=-20)
    p.set.thing("holes", "dust", wall[0], wall[1] + 12, colour="black", width=160, height=20, seen=False, layer=-20)
    for n, colour in enumerate(books):
        p.put(f"book-{n + 1}", "book", 0.62 + 0.05 * n, colour=colour, layer=-8, height=110)
    p.use("measure", "Measure the wall with the ruler", "ruler", "mark", "hold", why="the shelf must fit", above=0)
    p.use(
        "mark",
        "Draw a line with the pencil",
        "pencil",
        "mark",
        "wipe",
        appears("mark"),
        why="the line keeps it level",
        above=0,
    )
    p.use(
        "drill",
        "Drill holes along the line",
        "drill",
        "mark",
        "hold",
        appears("holes"),
        why="screws need holes",
        and_on=("holes",),
        above=-10,
    )
    p.carry("lift", "Lift the board to the line", "board", "mark", why="it hides the holes", link="on", above=-10)
    p.use(
        "screw",
        "Screw it to the wall with the screwdriver",
        "screwdriver",
        "mark",
        "turn",
        vanishes("mark"),
        why="screws carry the weight",
        and_on=("board",),
        above=60,
    )
    p.carry("load", "Put a book on the shelf", "book-1", "mark", why="that is what it is for", link="on", above=62)
    return p.scene("The shelf is up.")


def chair(seed: int, length_s: Fraction) -> Scene:
    p = _workshop("chair", "How to repaint a chair", seed, length_s)
    old, new = p.set.colours(2)
    p.put("chair", "chair", 0, colour=old, layer=2, height=260)
    p.put("sandpaper", "sandpaper", -0.5, colour="brown", layer=4)
    p.put("bucket", "bucket", 0.55, colour="grey", material="metal", fill=Fraction(9, 10), filling=new, layer=1)
    p.put("brush", "brush", 0.8, colour=new, layer=4, height=150)
    p.set.stand("dust", "dust", p.x(0), TOP + 6, colour=old, seen=False, layer=5)
    p.put("rag", "blanket", -0.8, colour=p.set.colour(), layer=3, width=150, height=40)
    p.use(
        "sand",
        "Sand the chair with the sandpaper",
        "sandpaper",
        "chair",
        "wipe",
        appears("dust"),
        later(recolours("chair", "brown")),
        why="paint holds on rough wood",
        above=-100,
    )
    p.use(
        "wipe",
        "Wipe the dust away with the rag",
        "rag",
        "dust",
        "wipe",
        vanishes("dust"),
        why="dust would show in the paint",
        and_on=("chair",),
        above=0,
    )
    p.use(
        "dip",
        "Dip the brush into the bucket",
        "brush",
        "bucket",
        "hold",
        fills("bucket", Fraction(1, 2)),
        why="the brush takes the paint up",
        above=50,
    )
    p.use(
        "paint",
        "Paint the chair",
        "brush",
        "chair",
        "wipe",
        recolours("chair", new),
        why="a fresh colour protects it",
        above=-80,
    )
    p.wait("dry", "Let the paint dry", "chair", why="wet paint sticks to clothes")
    return p.scene("It looks like new.")


def toy_car(seed: int, length_s: Fraction) -> Scene:
    p = _workshop("toy-car", "How to build a toy car", seed, length_s)
    paint = p.set.colour()
    p.put("car", "toy-car", 0, colour="brown", material="wood", count=0, layer=2)
    p.put("wheel-1", "wheel", -0.55, colour="grey", layer=3, width=66)
    p.put("wheel-2", "wheel", -0.7, colour="grey", layer=3, width=66)
    p.put("screwdriver", "screwdriver", 0.45, colour=p.set.colour(), layer=4, height=150)
    p.put("bucket", "bucket", 0.68, colour="grey", fill=Fraction(4, 5), filling=paint, layer=1)
    p.put("brush", "brush", 0.88, colour=paint, layer=4, height=140)
    p.carry(
        "bring",
        "Hold the first wheel to the car",
        "wheel-1",
        "car",
        why="a car rolls on wheels",
        link="on",
        above=-94,
        beside=-70,
    )
    p.carry(
        "match",
        "Hold the second wheel to the car",
        "wheel-2",
        "car",
        why="one wheel is not enough",
        link="on",
        above=-94,
        beside=66,
    )
    p.use(
        "screw",
        "Fasten the wheels with the screwdriver",
        "screwdriver",
        "car",
        "turn",
        vanishes("wheel-1"),
        vanishes("wheel-2"),
        counts("car", 1),
        why="loose wheels fall off",
        above=-30,
    )
    p.use(
        "dip",
        "Dip the brush into the paint",
        "brush",
        "bucket",
        "hold",
        fills("bucket", Fraction(1, 2)),
        why="the brush needs paint",
        above=50,
    )
    p.use(
        "paint",
        "Paint the car",
        "brush",
        "car",
        "wipe",
        recolours("car", paint),
        why="everybody likes a bright car",
        above=-10,
    )
    return p.scene("Off it goes.")


def lamp(seed: int, length_s: Fraction) -> Scene:
    p = _workshop("lamp", "How to repair a lamp", seed, length_s)
    p.put("lamp", "lamp", 0, colour=p.set.colour(but=("yellow",)), layer=2)
    p.put("old-bulb", "bulb", 0.18, colour="grey", layer=1, height=100)
    p.put("bulb", "bulb", -0.55, colour="yellow", material="shiny", layer=3, height=100)
    p.put("screwdriver", "screwdriver", 0.55, colour=p.set.colour(), layer=4, height=150)
    p.put("crate", "crate", 0.85, colour="brown", material="wood", layer=1, text="old")
    p.put("battery", "battery", -0.8, colour=p.set.colour(), layer=2, text="9V", height=120)
    p.set.thing("glow", "sun", p.x(0), 470, colour="yellow", seen=False, layer=1, width=240)
    p.use(
        "open",
        "Open the lamp with the screwdriver",
        "screwdriver",
        "lamp",
        "turn",
        why="the bulb sits inside",
        above=10,
    )
    p.carry(
        "remove",
        "Put the old bulb into the crate",
        "old-bulb",
        "crate",
        vanishes("old-bulb"),
        why="it is burnt out",
        above=20,
    )
    p.carry("insert", "Put the new bulb into the lamp", "bulb", "lamp", vanishes("bulb"), why="it can shine", above=-60)
    p.carry(
        "connect",
        "Connect the battery to the lamp",
        "battery",
        "lamp",
        why="light needs power",
        link="on",
        above=-190,
        beside=-110,
    )
    p.wait("switch", "Switch it on", "lamp", appears("glow"), why="to see that it works", tool="battery")
    return p.scene("There is light.")


SCENES = {
    "birdhouse": (birdhouse, 32),
    "shelf": (store, 32),
    "chair": (chair, 26),
    "toy-car": (toy_car, 26),
    "lamp": (lamp, 26),
}
