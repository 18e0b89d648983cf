"""Procedures of first aid and safety: what is commonly advised for small accidents, as far as a stage can show it."""

from fractions import Fraction

from cutscore.stage.library.acts import appears, counts, fills, grows, later, snapped, sooner, vanishes
from cutscore.stage.library.procedures import TOP, Procedure
from cutscore.stage.scene import Scene
from cutscore.stage.setting import Backdrop
from cutscore.stage.things import Appear, Change, Move, Vanish

_SPOUT = 77  # units from the middle of a sink to where its water falls
_FINGERS = 520  # how high the tips of the fingers are
_WOUND = 178  # how far below them the wound is


def _first_aid(name: str, title: str, seed: int, length_s: Fraction, backdrop: Backdrop) -> Procedure:
    return Procedure(name, title, domain="first-aid", backdrop=backdrop, seed=seed, length_s=length_s)


def _arm_below_a_tap(p: Procedure, place: float, *, plaster: str = "white") -> None:
    """Put a sink on the counter and an arm right below its spout, with a wound on it."""
    x = p.x(place) + _SPOUT
    p.put("tap", "sink", place, colour=p.set.colour(), material="shiny", layer=1)
    look = p.draw.randrange(4)
    sleeve = p.set.colour(but=(plaster,))
    p.set.thing("arm", "arm", x, _FINGERS + 220, colour=sleeve, count=0, filling=plaster, layer=2, look=look)
    p.set.thing("wound", "wound", x, _FINGERS + _WOUND, colour="red", layer=3)
    p.set.thing("water", "stream", x, 574, colour="cyan", width=26, height=280, seen=False, layer=4)


def _runs(a: Fraction, b: Fraction) -> list[Change]:
    """Let the water run from soon after the beginning until the end."""
    quick = min(Fraction(1, 4), (b - a) / 4)
    return [Appear(thing="water", at_s=a + quick, for_s=quick), Vanish(thing="water", at_s=b - quick, for_s=quick)]


def _call(p: Procedure, text: str, *, why: str) -> None:
    """Add a step in which the actor goes to the telephone and calls."""
    x, _ = p.set.where("telephone")

    def act(a: Fraction, b: Fraction) -> list[Change]:
        there = snapped(a + min((b - a) / 3, Fraction(2)))
        goes = Move(thing="actor", at_s=a, for_s=there - a, x=x, y=560)
        return [goes, *fills("telephone", 1)(there, snapped((there + b) / 2))]

    p.wait("call", text, "telephone", act, why=why, tool="telephone")


def treat_cut(seed: int, length_s: Fraction) -> Scene:
    p = _first_aid("treat-cut", "How to treat a small cut", seed, length_s, "room")
    plasters, tint = p.draw.randint(2, 4), p.set.colour(but=("red",))
    _arm_below_a_tap(p, 0, plaster=tint)
    p.put("box", "first-aid-box", 0.62, colour=p.set.colour(but=("green", tint)), layer=1)
    p.put("strips", "plasters", 0.42, colour=tint, count=plasters, seen=False, width=130, layer=5)
    p.put("cloth", "cloth", -0.4, colour=p.set.colour(), material="cloth", layer=5)
    p.put("bin", "bin", -0.82, colour="grey", layer=1, width=150)
    p.put("wrapper", "wrapper", 0.28, colour="white", seen=False, layer=5)
    p.wait(
        "open",
        "Open the first-aid box",
        "box",
        sooner(fills("box", 1)),
        appears("strips"),
        why="all that is needed is in it",
    )
    p.wait(
        "rinse",
        "Rinse the cut under the tap",
        "arm",
        _runs,
        grows("wound", Fraction(2, 3)),
        why="water takes the dirt away",
        tool="tap",
        share=1.2,
    )
    p.use(
        "dab",
        "Dab it dry with the cloth",
        "cloth",
        "arm",
        "wipe",
        why="plasters do not stick to wet skin",
        above=-_WOUND + 60,
    )
    p.carry(
        "stick",
        f"Put {plasters} plasters on the cut",
        "strips",
        "arm",
        sooner(vanishes("strips"), Fraction(3, 4)),
        sooner(vanishes("wound"), Fraction(3, 4)),
        counts("arm", plasters),
        appears("wrapper"),
        why="they keep dirt out",
        and_on=("wrapper",),
        link="on",
        above=-_WOUND,
    )
    p.carry(
        "tidy",
        "Throw the wrapper into the bin",
        "wrapper",
        "bin",
        vanishes("wrapper"),
        why="nobody else should touch it",
        above=10,
    )
    p.wait("close", "Close the first-aid box", "box", sooner(fills("box", 0)), why="it stays clean for the next time")
    return p.scene("The cut can heal.")


def cool_burn(seed: int, length_s: Fraction) -> Scene:
    p = _first_aid("cool-burn", "How to cool a burn", seed, length_s, "kitchen")
    minutes = p.draw.choice((10, 15, 20))
    _arm_below_a_tap(p, 0.1)
    x = p.x(0.1) + _SPOUT
    p.set.thing("ring", "ring", x + 10, _FINGERS + 40, colour="yellow", material="metal", width=32, layer=5)
    p.put("plate", "plate", -0.45, colour=p.set.colour(), layer=1, width=170)
    p.put("cloth", "cloth", 0.6, colour=p.set.colour(), material="cloth", layer=5)
    p.put("telephone", "telephone", -0.85, colour=p.set.colour(), layer=2)
    p.carry(
        "bare",
        "Lay the ring on the plate",
        "ring",
        "plate",
        why="the hand may swell",
        link="on",
        above=4,
    )
    p.wait("run", "Turn on the tap", "tap", sooner(appears("water")), why="running water takes the heat away")
    p.wait(
        "cool",
        f"Hold the arm under the tap for {minutes} minutes",
        "arm",
        grows("wound", Fraction(1, 2)),
        why="the skin stays hot for a long time",
        tool="tap",
        share=1.4,
    )
    p.wait("stop", "Turn off the tap", "tap", sooner(vanishes("water")), why="the burn is cool now")
    p.carry(
        "cover",
        "Lay the cloth over the burn",
        "cloth",
        "arm",
        why="it keeps germs away",
        link="on",
        above=-_WOUND,
    )
    _call(p, "Call the doctor", why="somebody should look at the burn")
    return p.scene("Help is on its way.")


def small_fire(seed: int, length_s: Fraction) -> Scene:
    p = _first_aid("small-fire", "How to put out a small fire", seed, length_s, "workshop")
    p.side = 1  # the hose points to the left
    bursts, place = p.draw.randint(3, 6), -p.draw.choice((0.2, 0.3, 0.4))
    x = p.x(place)
    p.put("bin", "bin", place, colour=p.set.colour(but=("orange", "red")), layer=2, width=170)
    p.set.stand("fire", "flames", x, TOP - 128, colour="orange", layer=1, width=150)
    p.set.stand("foam", "foam", x, TOP - 100, colour="white", count=1, seen=False, layer=3, width=210)
    p.set.stand("smoke", "steam", x, TOP - 150, seen=False, layer=4, width=130)
    p.put("alarm", "alarm", 0.84, colour="red", layer=1)
    p.put("extinguisher", "extinguisher", 0.55, colour=p.draw.choice(("red", "red", "blue", "green")), layer=5)
    p.set.thing("pin", "pin", p.x(0.55) + 36, TOP - 206, colour="yellow", layer=6, width=44)
    p.put("tray", "tray", 0.2, colour="grey", material="metal", layer=1, width=180)
    p.put("telephone", "telephone", -0.86, colour=p.set.colour(), layer=2)
    p.wait("warn", "Press the alarm", "alarm", sooner(fills("alarm", 1)), why="everybody has to leave in time")
    p.carry(
        "unlock",
        "Pull the pin and put it on the tray",
        "pin",
        "tray",
        why="the pin locks the extinguisher",
        and_on=("extinguisher",),
        link="on",
        above=6,
    )
    p.use(
        "aim",
        "Aim the extinguisher at the foot of the fire",
        "extinguisher",
        "bin",
        "hold",
        why="the flames feed there",
        above=30,
        beside=190,
    )
    p.use(
        "spray",
        f"Spray {bursts} bursts of foam on it",
        "extinguisher",
        "bin",
        "wipe",
        sooner(appears("foam"), Fraction(1, 3)),
        counts("foam", bursts),
        vanishes("fire"),
        later(appears("smoke")),
        why="foam keeps the air away",
        and_on=("fire",),
        above=30,
        beside=170,
        share=1.2,
    )
    p.wait("watch", "Wait until the smoke is gone", "bin", vanishes("smoke"), why="embers can flare up again")
    _call(p, "Call the fire brigade", why="they check that it is really out")
    return p.scene("The fire is out.")


SCENES = {
    "treat-cut": (treat_cut, 30),
    "cool-burn": (cool_burn, 30),
    "small-fire": (small_fire, 32),
}
