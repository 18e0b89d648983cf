"""Procedures of first aid and safety: what is commonly advised for small accidents, as far as a stage can show it."""

from fractions import Fraction

from cutscore.stage.library.acts import appears, counts, fills, grows, later, snap, sooner, vanishes
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
        there = snap(a + min((b - a) / 3, Fraction(2)))
        goes = Move(thing="actor", at_s=a, for_s=there - a, x=x, y=560)
        return [goes, *fills("telephone", 1)(there, snap((there + b) / 2))]

    p.step("call", text, why=why)
    p.wait("telephone", act, tool="telephone")


def _treat_cut(seed: int, length_s: Fraction) -> Scene:
    p = _first_aid("treat-cut", "How to treat a small cut", seed, length_s, "room")
    plasters, tint = p.draw.randint(2, 4), p.set.colour(but=("red",))
    _arm_below_a_tap(p, 0, plaster=tint)
    p.put("box", "first-aid-box", 0.62, colour=p.set.colour(but=("green", tint)), layer=1)
    p.put("strips", "plasters", 0.42, colour=tint, count=plasters, seen=False, width=130, layer=5)
    p.put("cloth", "cloth", -0.4, colour=p.set.colour(), material="cloth", layer=5)
    p.put("bin", "bin", -0.82, colour="grey", layer=1, width=150)
    p.put("wrapper", "wrapper", 0.28, colour="white", seen=False, layer=5)
    p.step("open", "Open the first-aid box", why="all that is needed is in it")
    p.wait("box", sooner(fills("box", 1)), appears("strips"))
    p.step("rinse", "Rinse the cut under the tap", why="water takes the dirt away")
    p.wait("arm", _runs, grows("wound", Fraction(2, 3)), tool="tap", share=1.2)
    p.step("dab", "Dab it dry with the cloth", why="plasters do not stick to wet skin")
    p.use("cloth", "arm", "wipe", above=-_WOUND + 60)
    p.step("stick", f"Put {plasters} plasters on the cut", why="they keep dirt out")
    p.carry(
        "strips",
        "arm",
        sooner(vanishes("strips"), Fraction(3, 4)),
        sooner(vanishes("wound"), Fraction(3, 4)),
        counts("arm", plasters),
        appears("wrapper"),
        and_on=("wrapper",),
        link="on",
        above=-_WOUND,
    )
    p.step("tidy", "Throw the wrapper into the bin", why="nobody else should touch it")
    p.carry("wrapper", "bin", vanishes("wrapper"), above=10)
    p.step("close", "Close the first-aid box", why="it stays clean for the next time")
    p.wait("box", sooner(fills("box", 0)))
    return p.scene("The cut can heal.")


def _cool_burn(seed: int, length_s: Fraction) -> Scene:
    p = _first_aid("cool-burn", "How to cool a burn", seed, length_s, "kitchen")
    minutes = p.draw.choice((10, 15, 20))
    _arm_below_a_tap(p, 0.1)
    x = p.x(0.1) + _SPOUT
    p.set.thing("ring", "ring", x + 10, _FINGERS + 40, colour="yellow", material="metal", width=32, layer=5)
    p.put("plate", "plate", -0.45, colour=p.set.colour(), layer=1, width=170)
    p.put("cloth", "cloth", 0.6, colour=p.set.colour(), material="cloth", layer=5)
    p.put("telephone", "telephone", -0.85, colour=p.set.colour(), layer=2)
    p.step("bare", "Lay the ring on the plate", why="the hand may swell")
    p.carry("ring", "plate", link="on", above=4)
    p.step("run", "Turn on the tap", why="running water takes the heat away")
    p.wait("tap", sooner(appears("water")))
    p.step("cool", f"Hold the arm under the tap for {minutes} minutes", why="the skin stays hot for a long time")
    p.wait("arm", grows("wound", 0.5), tool="tap", share=1.4)
    p.step("stop", "Turn off the tap", why="the burn is cool now")
    p.wait("tap", sooner(vanishes("water")))
    p.step("cover", "Lay the cloth over the burn", why="it keeps germs away")
    p.carry("cloth", "arm", link="on", above=-_WOUND)
    _call(p, "Call the doctor", why="somebody should look at the burn")
    return p.scene("Help is on its way.")


def _small_fire(seed: int, length_s: Fraction) -> Scene:
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
    p.step("warn", "Press the alarm", why="everybody has to leave in time")
    p.wait("alarm", sooner(fills("alarm", 1)))
    p.step("unlock", "Pull the pin and put it on the tray", why="the pin locks the extinguisher")
    p.carry("pin", "tray", and_on=("extinguisher",), link="on", above=6)
    p.step("aim", "Aim the extinguisher at the foot of the fire", why="the flames feed there")
    p.use("extinguisher", "bin", "hold", above=30, beside=190)
    p.step("spray", f"Spray {bursts} bursts of foam on it", why="foam keeps the air away")
    p.use(
        "extinguisher",
        "bin",
        "wipe",
        sooner(appears("foam"), Fraction(1, 3)),
        counts("foam", bursts),
        vanishes("fire"),
        later(appears("smoke")),
        and_on=("fire",),
        above=30,
        beside=170,
        share=1.2,
    )
    p.step("watch", "Wait until the smoke is gone", why="embers can flare up again")
    p.wait("bin", vanishes("smoke"))
    _call(p, "Call the fire brigade", why="they check that it is really out")
    return p.scene("The fire is out.")


SCENES = {"treat-cut": (_treat_cut, 30), "cool-burn": (_cool_burn, 30), "small-fire": (_small_fire, 32)}
