"""Procedures of the laboratory."""

from fractions import Fraction

from cutscore.stage.library.acts import appears, counts, fills, grows, recolours, vanishes
from cutscore.stage.library.procedures import TOP, Procedure
from cutscore.stage.scene import Scene


def _laboratory(name: str, title: str, seed: int, length_s: Fraction) -> Procedure:
    return Procedure(name, title, domain="laboratory", backdrop="laboratory", seed=seed, length_s=length_s)


def indicator(seed: int, length_s: Fraction) -> Scene:
    p = _laboratory("indicator", "How to test a liquid with an indicator", seed, length_s)
    before, after = p.set.colours(2)
    drops = p.draw.randint(2, 6)
    p.put("flask", "flask", 0.5, fill=Fraction(9, 10), filling="cyan", layer=3)
    p.put("beaker", "beaker", 0, filling="cyan", layer=2)
    p.put("pipette", "pipette", -0.75, colour=before, layer=4, height=160)
    p.put("bottle", "bottle", -0.5, colour=before, fill=Fraction(4, 5), filling=before, layer=1)
    p.put("rod", "rod", 0.8, colour="grey", layer=4, height=150)
    p.pour(
        "Pour the sample into the beaker",
        "flask",
        "beaker",
        Fraction(1, 2),
        why="a small part is enough",
        left=Fraction(2, 5),
        colour="cyan",
    )
    p.use(
        "draw",
        "Draw the indicator up with the pipette",
        "pipette",
        "bottle",
        "hold",
        fills("bottle", Fraction(1, 2)),
        why="it comes in drops",
        above=60,
    )
    p.use(
        "drip",
        f"Let {drops} drops fall into the beaker",
        "pipette",
        "beaker",
        "hold",
        recolours("beaker", before, "filling"),
        why="the indicator dissolves",
        above=80,
    )
    p.use(
        "stir",
        "Stir it with the rod",
        "rod",
        "beaker",
        "stir",
        recolours("beaker", after, "filling"),
        why="the colour shows what is in it",
        above=30,
    )
    return p.scene(f"It has turned {after}.")


def density(seed: int, length_s: Fraction) -> Scene:
    p = _laboratory("density", "How to find out whether a stone sinks", seed, length_s)
    p.put("balance", "balance", -0.5, colour="yellow", material="metal", fill=Fraction(1, 2), layer=1)
    p.put("stone", "stone", -0.95, colour=p.draw.choice(("grey", "brown", "black")), layer=3, width=70)
    p.put("beaker", "beaker", 0.2, filling="blue", layer=2, height=190)
    p.put("jug", "jug", 0.6, colour=p.set.colour(), fill=Fraction(9, 10), filling="blue", layer=3)
    p.put("thermometer", "thermometer", 0.9, colour="red", fill=Fraction(1, 5), layer=4, height=160)
    p.carry(
        "weigh",
        "Put the stone on the balance",
        "stone",
        "balance",
        fills("balance", 1),
        why="its weight is needed",
        link="on",
        above=-90,
        beside=-80,
    )
    p.pour(
        "Fill the beaker with water",
        "jug",
        "beaker",
        Fraction(3, 5),
        why="the stone must be covered",
        left=Fraction(1, 5),
        colour="blue",
    )
    p.use(
        "measure",
        "Measure how warm the water is",
        "thermometer",
        "beaker",
        "hold",
        fills("thermometer", Fraction(1, 2)),
        why="warm water is lighter",
        above=-10,
    )
    p.carry(
        "drop",
        "Drop the stone into the beaker",
        "stone",
        "beaker",
        fills("beaker", Fraction(4, 5)),
        fills("balance", Fraction(1, 2)),
        why="what sinks pushes the water up",
        above=-140,
    )
    return p.scene("It sinks, and the water has risen.")


def crystals(seed: int, length_s: Fraction) -> Scene:
    p = _laboratory("crystals", "How to grow crystals", seed, length_s)
    salt, count = p.set.colour(), p.draw.randint(3, 7)
    p.put("burner", "burner", -0.1, colour="grey", layer=1, height=110)
    p.set.stand("pot", "flask", p.x(-0.1), TOP - 96, fill=Fraction(1, 2), filling="cyan", layer=2)
    p.put("salt", "bottle", -0.6, colour=salt, fill=Fraction(4, 5), filling=salt, layer=3, text="salt")
    p.put("rod", "rod", -0.85, colour="grey", layer=4, height=160)
    p.put("tray", "tray", 0.5, colour="grey", material="metal", filling=salt, layer=1)
    p.set.stand("grown", "crystals", p.x(0.5), 686, colour=salt, count=1, seen=False, width=180, layer=3)
    p.wait(
        "heat",
        "Light the burner and heat the water",
        "pot",
        lambda a, b: fills("burner", 1)(a, min(b, a + 1)),
        why="hot water dissolves more",
        tool="burner",
    )
    p.pour(
        "Pour the salt into the water",
        "salt",
        "pot",
        Fraction(7, 10),
        recolours("pot", salt, "filling"),
        why="it will become the crystals",
        left=Fraction(1, 3),
        colour=salt,
    )
    p.use("stir", "Stir until it is dissolved", "rod", "pot", "stir", why="grains would not grow", above=50)
    p.pour(
        "Pour the liquid into the tray",
        "pot",
        "tray",
        Fraction(4, 5),
        appears("grown"),
        why="it cools faster when it is flat",
        left=Fraction(1, 10),
        colour=salt,
        verb="empty",
    )
    p.wait(
        "grow",
        f"Wait until {count} crystals have grown",
        "grown",
        counts("grown", count),
        why="cold water holds less salt",
    )
    return p.scene("The crystals shine.")


def dilution(seed: int, length_s: Fraction) -> Scene:
    p = _laboratory("dilution", "How to dilute a dye", seed, length_s)
    dye, count = p.set.colour(but=("cyan",)), 3
    p.put("rack", "rack", 0.1, colour="grey", layer=3)
    for n in range(count):
        p.set.stand(
            f"tube-{n + 1}",
            "tube",
            p.x(0.1) - 90 + 90 * n,
            TOP - 14,
            fill=Fraction(1) if n == 0 else Fraction(1, 2),
            filling=dye if n == 0 else "white",
            layer=2,
        )
    p.put("pipette", "pipette", 0.7, colour=p.set.colour(), layer=5, height=170)
    p.put("rod", "rod", -0.6, colour="grey", layer=5, height=150)
    for n in range(1, count):
        source, target = f"tube-{n}", f"tube-{n + 1}"
        p.use(
            "draw",
            f"Draw liquid from tube {n}",
            "pipette",
            source,
            "hold",
            fills(source, Fraction(1, 2)),
            why="it carries the dye",
            above=60,
        )
        p.use(
            "add",
            f"Add it to tube {n + 1}",
            "pipette",
            target,
            "hold",
            fills(target, Fraction(4, 5)),
            recolours(target, dye if n == 1 else "pink", "filling"),
            why="the dye gets thinner",
            above=60,
        )
    p.use("stir", "Stir the last tube with the rod", "rod", f"tube-{count}", "stir", why="so that it is even", above=70)
    return p.scene("Each tube is paler than the one before.")


def electromagnet(seed: int, length_s: Fraction) -> Scene:
    p = _laboratory("electromagnet", "How to make a magnet with a battery", seed, length_s)
    nails = p.draw.randint(2, 5)
    p.put("battery", "battery", -0.6, colour=p.set.colour(), text="9V", layer=2, height=120)
    p.put("coil", "coil", 0, colour="orange", material="metal", layer=3)
    p.put("nails", "nails", 0.55, colour="grey", count=nails, layer=3, width=150)
    p.put("bulb", "bulb", -0.9, colour="grey", layer=1, height=100)
    p.put("tray", "tray", 0.85, colour=p.set.colour(), layer=1)
    p.carry(
        "connect",
        "Connect the battery to the coil",
        "battery",
        "coil",
        why="current makes it magnetic",
        link="on",
        above=-30,
        beside=-160,
    )
    p.wait(
        "check",
        "The lamp shows that current flows",
        "bulb",
        recolours("bulb", "yellow"),
        why="no current, no magnet",
        tool="battery",
    )
    p.carry(
        "attract",
        f"Hold the {nails} nails to the coil",
        "nails",
        "coil",
        why="the magnet holds them",
        link="on",
        above=-76,
    )
    p.wait(
        "release",
        "Take the current away: the nails fall",
        "nails",
        recolours("bulb", "grey"),
        why="without current it is no magnet",
        tool="battery",
    )
    p.carry("collect", "Collect the nails in the tray", "nails", "tray", why="to use them again", above=10)
    return p.scene("Current makes the magnet.")


def microscope(seed: int, length_s: Fraction) -> Scene:
    p = _laboratory("microscope", "How to look at a leaf through a microscope", seed, length_s)
    p.put("microscope", "microscope", 0.1, colour=p.set.colour(), layer=1, height=260)
    p.put("leaf", "bush", -0.7, colour="green", layer=3, width=90)
    p.put("slide", "card", -0.4, colour="white", layer=2, width=110, height=26)
    p.put("pipette", "pipette", 0.6, colour="blue", layer=4, height=160)
    p.put("lamp", "lamp", 0.9, colour=p.set.colour(), layer=1, height=200)
    p.set.thing("glow", "sun", p.x(0.9), 580, colour="yellow", seen=False, layer=0, width=200)
    p.carry(
        "lay",
        "Lay the leaf on the slide",
        "leaf",
        "slide",
        grows("leaf", Fraction(1, 2)),
        why="the slide carries it",
        link="on",
        above=10,
    )
    p.use(
        "wet",
        "Put a drop of water on it",
        "pipette",
        "slide",
        "hold",
        why="water makes it clear",
        and_on=("leaf",),
        above=80,
    )
    p.carry(
        "place",
        "Put the slide under the microscope",
        "slide",
        "microscope",
        why="there it can be seen",
        link="on",
        above=-186,
        beside=-10,
    )
    p.wait("light", "Switch on the lamp", "lamp", appears("glow"), why="the leaf must be lit", tool="lamp")
    p.wait("look", "Look at the cells", "microscope", vanishes("leaf"), why="they are too small for the eye")
    return p.scene("A leaf is made of cells.")


SCENES = {
    "indicator": (indicator, 22),
    "density": (density, 24),
    "crystals": (crystals, 28),
    "dilution": (dilution, 30),
    "electromagnet": (electromagnet, 26),
    "microscope": (microscope, 26),
}
