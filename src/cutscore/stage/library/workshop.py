"""Procedures of the workshop."""

from fractions import Fraction

from cutscore.stage.library.acts import appears, counts, fills, later, recolours, vanishes
from cutscore.stage.library.procedures import TOP, Procedure
from cutscore.stage.scene import Scene


def _workshop(name: str, title: str, seed: int, length_s: Fraction) -> Procedure:
    return Procedure(name, title, domain="workshop", backdrop="workshop", seed=seed, length_s=length_s)


def _birdhouse(seed: int, length_s: Fraction) -> Scene:
    p = _workshop("birdhouse", "How to build a birdhouse", seed, length_s)
    paint, boards = p.set.colour(but=("orange",)), p.draw.randint(2, 4)
    p.put("plank", "plank", -0.5, colour="brown", material="wood", layer=1)
    p.put("saw", "saw", 0.55, colour=p.set.colour(), layer=4)
    p.put("hammer", "hammer", 0.3, colour=p.set.colour(), layer=4, height=130)
    p.put("bucket", "bucket", 0.82, colour="grey", material="metal", fill=0.9, filling=paint, layer=2)
    p.put("brush", "brush", 0.97, colour=paint, layer=4, height=140)
    p.put("house", "birdhouse", 0.02, colour="brown", material="wood", count=1, seen=False, layer=2)
    p.step("saw", f"Saw the plank into {boards} boards", why="walls and roof need boards")
    p.use("saw", "plank", "saw", counts("plank", boards), above=20)
    p.step("nail", "Nail the boards together with the hammer", why="nails hold the walls")
    p.use("hammer", "plank", "hammer", vanishes("plank"), appears("house"), and_on=("house",), above=70)
    p.step("roof", "Nail the roof on top", why="it keeps the rain out")
    p.use("hammer", "house", "hammer", counts("house", 2), above=60)
    p.step("drill", "Cut a round door and add a perch", why="the bird needs a door")
    p.wait("house", counts("house", 3))
    p.step("dip", "Dip the brush into the paint", why="a dry brush paints nothing")
    p.use("brush", "bucket", "hold", fills("bucket", 0.6), above=50)
    p.step("paint", "Paint the birdhouse", why="paint protects the wood")
    p.use("brush", "house", "wipe", recolours("house", paint), above=-60)
    return p.scene("A bird can move in.")


def _shelf(seed: int, length_s: Fraction) -> Scene:
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
    p.step("measure", "Measure the wall with the ruler", why="the shelf must fit")
    p.use("ruler", "mark", "hold", above=0)
    p.step("mark", "Draw a line with the pencil", why="the line keeps it level")
    p.use("pencil", "mark", "wipe", appears("mark"), above=0)
    p.step("drill", "Drill holes along the line", why="screws need holes")
    p.use("drill", "mark", "hold", appears("holes"), and_on=("holes",), above=-10)
    p.step("lift", "Lift the board to the line", why="it hides the holes")
    p.carry("board", "mark", link="on", above=-10)
    p.step("screw", "Screw it to the wall with the screwdriver", why="screws carry the weight")
    p.use("screwdriver", "mark", "turn", vanishes("mark"), and_on=("board",), above=60)
    p.step("load", "Put a book on the shelf", why="that is what it is for")
    p.carry("book-1", "mark", link="on", above=62)
    return p.scene("The shelf is up.")


def _chair(seed: int, length_s: Fraction) -> Scene:
    p = _workshop("chair", "How to repaint a chair", seed, length_s)
    old, new = p.set.colours(2)
    p.put("chair", "chair", 0, colour=old, layer=2, height=260)
    p.put("sandpaper", "sandpaper", -0.5, colour="brown", layer=4)
    p.put("bucket", "bucket", 0.55, colour="grey", material="metal", fill=0.9, filling=new, layer=1)
    p.put("brush", "brush", 0.8, colour=new, layer=4, height=150)
    p.set.stand("dust", "dust", p.x(0), TOP + 6, colour=old, seen=False, layer=5)
    p.put("rag", "blanket", -0.8, colour=p.set.colour(), layer=3, width=150, height=40)
    p.step("sand", "Sand the chair with the sandpaper", why="paint holds on rough wood")
    p.use("sandpaper", "chair", "wipe", appears("dust"), later(recolours("chair", "brown")), above=-100)
    p.step("wipe", "Wipe the dust away with the rag", why="dust would show in the paint")
    p.use("rag", "dust", "wipe", vanishes("dust"), and_on=("chair",), above=0)
    p.step("dip", "Dip the brush into the bucket", why="the brush takes the paint up")
    p.use("brush", "bucket", "hold", fills("bucket", 0.5), above=50)
    p.step("paint", "Paint the chair", why="a fresh colour protects it")
    p.use("brush", "chair", "wipe", recolours("chair", new), above=-80)
    p.step("dry", "Let the paint dry", why="wet paint sticks to clothes")
    p.wait("chair")
    return p.scene("It looks like new.")


def _toy_car(seed: int, length_s: Fraction) -> Scene:
    p = _workshop("toy-car", "How to build a toy car", seed, length_s)
    paint = p.set.colour()
    p.put("car", "toy-car", 0, colour="brown", material="wood", count=0, layer=2)
    p.put("wheel-1", "wheel", -0.55, colour="grey", layer=3, width=66)
    p.put("wheel-2", "wheel", -0.7, colour="grey", layer=3, width=66)
    p.put("screwdriver", "screwdriver", 0.45, colour=p.set.colour(), layer=4, height=150)
    p.put("bucket", "bucket", 0.68, colour="grey", fill=0.8, filling=paint, layer=1)
    p.put("brush", "brush", 0.88, colour=paint, layer=4, height=140)
    p.step("bring", "Hold the first wheel to the car", why="a car rolls on wheels")
    p.carry("wheel-1", "car", link="on", above=-94, beside=-70)
    p.step("match", "Hold the second wheel to the car", why="one wheel is not enough")
    p.carry("wheel-2", "car", link="on", above=-94, beside=66)
    p.step("screw", "Fasten the wheels with the screwdriver", why="loose wheels fall off")
    p.use("screwdriver", "car", "turn", vanishes("wheel-1"), vanishes("wheel-2"), counts("car", 1), above=-30)
    p.step("dip", "Dip the brush into the paint", why="the brush needs paint")
    p.use("brush", "bucket", "hold", fills("bucket", 0.5), above=50)
    p.step("paint", "Paint the car", why="everybody likes a bright car")
    p.use("brush", "car", "wipe", recolours("car", paint), above=-10)
    return p.scene("Off it goes.")


def _lamp(seed: int, length_s: Fraction) -> Scene:
    p = _workshop("lamp", "How to repair a lamp", seed, length_s)
    p.put("lamp", "lamp", 0, colour=p.set.colour(but=("yellow",)), layer=2)
    p.put("old-bulb", "bulb", 0.18, colour="grey", layer=1, height=100)
    p.put("bulb", "bulb", -0.55, colour="yellow", material="shiny", layer=3, height=100)
    p.put("screwdriver", "screwdriver", 0.55, colour=p.set.colour(), layer=4, height=150)
    p.put("crate", "crate", 0.85, colour="brown", material="wood", layer=1, text="old")
    p.put("battery", "battery", -0.8, colour=p.set.colour(), layer=2, text="9V", height=120)
    p.set.thing("glow", "sun", p.x(0), 470, colour="yellow", seen=False, layer=1, width=240)
    p.step("open", "Open the lamp with the screwdriver", why="the bulb sits inside")
    p.use("screwdriver", "lamp", "turn", above=10)
    p.step("remove", "Put the old bulb into the crate", why="it is burnt out")
    p.carry("old-bulb", "crate", vanishes("old-bulb"), above=20)
    p.step("insert", "Put the new bulb into the lamp", why="it can shine")
    p.carry("bulb", "lamp", vanishes("bulb"), above=-60)
    p.step("connect", "Connect the battery to the lamp", why="light needs power")
    p.carry("battery", "lamp", link="on", above=-190, beside=-110)
    p.step("switch", "Switch it on", why="to see that it works")
    p.wait("lamp", appears("glow"), tool="battery")
    return p.scene("There is light.")


SCENES = {
    "birdhouse": (_birdhouse, 32),
    "shelf": (_shelf, 32),
    "chair": (_chair, 26),
    "toy-car": (_toy_car, 26),
    "lamp": (_lamp, 26),
}
