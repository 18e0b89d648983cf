"""Procedures of the laboratory."""

from fractions import Fraction

from cutscore.stage.library.acts import appears, counts, fills, grows, recolours, vanishes
from cutscore.stage.library.procedures import TOP, Procedure
from cutscore.stage.scene import Scene


def _laboratory(name: str, title: str, seed: int, length_s: Fraction) -> Procedure:
    return Procedure(name, title, domain="laboratory", backdrop="laboratory", seed=seed, length_s=length_s)


def _indicator(seed: int, length_s: Fraction) -> Scene:
    p = _laboratory("indicator", "How to test a liquid with an indicator", seed, length_s)
    before, after = p.set.colours(2)
    drops = p.draw.randint(2, 6)
    p.put("flask", "flask", 0.5, fill=0.9, filling="cyan", layer=3)
    p.put("beaker", "beaker", 0, filling="cyan", layer=2)
    p.put("pipette", "pipette", -0.75, colour=before, layer=4, height=160)
    p.put("bottle", "bottle", -0.5, colour=before, fill=0.8, filling=before, layer=1)
    p.put("rod", "rod", 0.8, colour="grey", layer=4, height=150)
    p.step("pour", "Pour the sample into the beaker", why="a small part is enough")
    p.pour("flask", "beaker", 0.5, left=0.4, colour="cyan")
    p.step("draw", "Draw the indicator up with the pipette", why="it comes in drops")
    p.use("pipette", "bottle", "hold", fills("bottle", 0.5), above=60)
    p.step("drip", f"Let {drops} drops fall into the beaker", why="the indicator dissolves")
    p.use("pipette", "beaker", "hold", recolours("beaker", before, "filling"), above=80)
    p.step("stir", "Stir it with the rod", why="the colour shows what is in it")
    p.use("rod", "beaker", "stir", recolours("beaker", after, "filling"), above=30)
    return p.scene(f"It has turned {after}.")


def _density(seed: int, length_s: Fraction) -> Scene:
    p = _laboratory("density", "How to find out whether a stone sinks", seed, length_s)
    p.put("balance", "balance", -0.5, colour="yellow", material="metal", fill=0.5, layer=1)
    p.put("stone", "stone", -0.95, colour=p.draw.choice(("grey", "brown", "black")), layer=3, width=70)
    p.put("beaker", "beaker", 0.2, filling="blue", layer=2, height=190)
    p.put("jug", "jug", 0.6, colour=p.set.colour(), fill=0.9, filling="blue", layer=3)
    p.put("thermometer", "thermometer", 0.9, colour="red", fill=0.2, layer=4, height=160)
    p.step("weigh", "Put the stone on the balance", why="its weight is needed")
    p.carry("stone", "balance", fills("balance", 1), link="on", above=-90, beside=-80)
    p.step("pour", "Fill the beaker with water", why="the stone must be covered")
    p.pour("jug", "beaker", 0.6, left=0.2, colour="blue")
    p.step("measure", "Measure how warm the water is", why="warm water is lighter")
    p.use("thermometer", "beaker", "hold", fills("thermometer", 0.5), above=-10)
    p.step("drop", "Drop the stone into the beaker", why="what sinks pushes the water up")
    p.carry("stone", "beaker", fills("beaker", 0.8), fills("balance", 0.5), above=-140)
    return p.scene("It sinks, and the water has risen.")


def _crystals(seed: int, length_s: Fraction) -> Scene:
    p = _laboratory("crystals", "How to grow crystals", seed, length_s)
    salt, count = p.set.colour(), p.draw.randint(3, 7)
    p.put("burner", "burner", -0.1, colour="grey", layer=1, height=110)
    p.set.stand("pot", "flask", p.x(-0.1), TOP - 96, fill=0.5, filling="cyan", layer=2)
    p.put("salt", "bottle", -0.6, colour=salt, fill=0.8, filling=salt, layer=3, text="salt")
    p.put("rod", "rod", -0.85, colour="grey", layer=4, height=160)
    p.put("tray", "tray", 0.5, colour="grey", material="metal", filling=salt, layer=1)
    p.set.stand("grown", "crystals", p.x(0.5), 686, colour=salt, count=1, seen=False, width=180, layer=3)
    p.step("heat", "Light the burner and heat the water", why="hot water dissolves more")
    p.wait("pot", lambda a, b: fills("burner", 1)(a, min(b, a + 1)), tool="burner")
    p.step("pour", "Pour the salt into the water", why="it will become the crystals")
    p.pour("salt", "pot", 0.7, recolours("pot", salt, "filling"), left=Fraction(1, 3), colour=salt)
    p.step("stir", "Stir until it is dissolved", why="grains would not grow")
    p.use("rod", "pot", "stir", above=50)
    p.step("empty", "Pour the liquid into the tray", why="it cools faster when it is flat")
    p.pour("pot", "tray", 0.8, appears("grown"), left=0.1, colour=salt)
    p.step("grow", f"Wait until {count} crystals have grown", why="cold water holds less salt")
    p.wait("grown", counts("grown", count))
    return p.scene("The crystals shine.")


def _dilution(seed: int, length_s: Fraction) -> Scene:
    p = _laboratory("dilution", "How to dilute a dye", seed, length_s)
    dye, count = p.set.colour(but=("cyan",)), 3
    p.put("rack", "rack", 0.1, colour="grey", layer=3)
    for n in range(count):
        p.set.stand(
            f"tube-{n + 1}",
            "tube",
            p.x(0.1) - 90 + 90 * n,
            TOP - 14,
            fill=1 if n == 0 else Fraction(1, 2),
            filling=dye if n == 0 else "white",
            layer=2,
        )
    p.put("pipette", "pipette", 0.7, colour=p.set.colour(), layer=5, height=170)
    p.put("rod", "rod", -0.6, colour="grey", layer=5, height=150)
    for n in range(1, count):
        source, target = f"tube-{n}", f"tube-{n + 1}"
        p.step("draw", f"Draw liquid from tube {n}", why="it carries the dye")
        p.use("pipette", source, "hold", fills(source, 0.5), above=60)
        p.step("add", f"Add it to tube {n + 1}", why="the dye gets thinner")
        p.use(
            "pipette",
            target,
            "hold",
            fills(target, 0.8),
            recolours(target, dye if n == 1 else "pink", "filling"),
            above=60,
        )
    p.step("stir", "Stir the last tube with the rod", why="so that it is even")
    p.use("rod", f"tube-{count}", "stir", above=70)
    return p.scene("Each tube is paler than the one before.")


def _electromagnet(seed: int, length_s: Fraction) -> Scene:
    p = _laboratory("electromagnet", "How to make a magnet with a battery", seed, length_s)
    nails = p.draw.randint(2, 5)
    p.put("battery", "battery", -0.6, colour=p.set.colour(), text="9V", layer=2, height=120)
    p.put("coil", "coil", 0, colour="orange", material="metal", layer=3)
    p.put("nails", "nails", 0.55, colour="grey", count=nails, layer=3, width=150)
    p.put("bulb", "bulb", -0.9, colour="grey", layer=1, height=100)
    p.put("tray", "tray", 0.85, colour=p.set.colour(), layer=1)
    p.step("connect", "Connect the battery to the coil", why="current makes it magnetic")
    p.carry("battery", "coil", link="on", above=-30, beside=-160)
    p.step("check", "The lamp shows that current flows", why="no current, no magnet")
    p.wait("bulb", recolours("bulb", "yellow"), tool="battery")
    p.step("attract", f"Hold the {nails} nails to the coil", why="the magnet holds them")
    p.carry("nails", "coil", link="on", above=-76)
    p.step("release", "Take the current away: the nails fall", why="without current it is no magnet")
    p.wait("nails", recolours("bulb", "grey"), tool="battery")
    p.step("collect", "Collect the nails in the tray", why="to use them again")
    p.carry("nails", "tray", above=10)
    return p.scene("Current makes the magnet.")


def _microscope(seed: int, length_s: Fraction) -> Scene:
    p = _laboratory("microscope", "How to look at a leaf through a microscope", seed, length_s)
    p.put("microscope", "microscope", 0.1, colour=p.set.colour(), layer=1, height=260)
    p.put("leaf", "bush", -0.7, colour="green", layer=3, width=90)
    p.put("slide", "card", -0.4, colour="white", layer=2, width=110, height=26)
    p.put("pipette", "pipette", 0.6, colour="blue", layer=4, height=160)
    p.put("lamp", "lamp", 0.9, colour=p.set.colour(), layer=1, height=200)
    p.set.thing("glow", "sun", p.x(0.9), 580, colour="yellow", seen=False, layer=0, width=200)
    p.step("lay", "Lay the leaf on the slide", why="the slide carries it")
    p.carry("leaf", "slide", grows("leaf", 0.5), link="on", above=10)
    p.step("wet", "Put a drop of water on it", why="water makes it clear")
    p.use("pipette", "slide", "hold", and_on=("leaf",), above=80)
    p.step("place", "Put the slide under the microscope", why="there it can be seen")
    p.carry("slide", "microscope", link="on", above=-186, beside=-10)
    p.step("light", "Switch on the lamp", why="the leaf must be lit")
    p.wait("lamp", appears("glow"), tool="lamp")
    p.step("look", "Look at the cells", why="they are too small for the eye")
    p.wait("microscope", vanishes("leaf"))
    return p.scene("A leaf is made of cells.")


SCENES = {
    "indicator": (_indicator, 22),
    "density": (_density, 24),
    "crystals": (_crystals, 28),
    "dilution": (_dilution, 30),
    "electromagnet": (_electromagnet, 26),
    "microscope": (_microscope, 26),
}
