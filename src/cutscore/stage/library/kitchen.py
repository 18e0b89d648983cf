"""Procedures of the kitchen."""

from fractions import Fraction

from cutscore.stage.library.acts import appears, becomes, counts, fills, recolours, vanishes
from cutscore.stage.library.procedures import Procedure
from cutscore.stage.scene import Scene


def _kitchen(name: str, title: str, seed: int, length_s: Fraction) -> Procedure:
    return Procedure(name, title, domain="kitchen", backdrop="kitchen", seed=seed, length_s=length_s)


def _pancakes(seed: int, length_s: Fraction) -> Scene:
    p = _kitchen("pancakes", "How to make pancakes", seed, length_s)
    eggs = p.draw.randint(2, 4)
    p.put("eggs", "eggs", -0.85, colour="white", count=eggs, width=200)
    p.put("jug", "jug", 0.78, colour=p.set.colour(), fill=0.8, filling="white", layer=3)
    p.put("bowl", "bowl", -0.38, colour=p.set.colour(), material="shiny", filling="yellow", layer=2)
    p.put("whisk", "whisk", 0.5, colour=p.set.colour(), layer=4, height=150)
    p.put("stove", "stove", 0.12, colour="grey", height=80)
    p.set.stand("pan", "pan", p.x(0.12) + 50, 622, colour="black", filling="orange", layer=2, width=250)
    p.step("crack", f"Crack {eggs} eggs into the bowl", why="the batter needs eggs to hold together")
    p.carry("eggs", "bowl", vanishes("eggs"), fills("bowl", 0.25))
    p.step("pour", "Pour milk into the bowl", why="the batter must be thin")
    p.pour("jug", "bowl", 0.75, left=0.2, colour="white")
    p.step("whisk", "Whisk the batter", why="lumps would burn")
    p.use("whisk", "bowl", "stir", recolours("bowl", "orange", "filling"), above=60)
    p.step("heat", "Turn on the stove and heat the pan", why="a cold pan makes the batter stick")
    p.wait("stove", fills("stove", 1))
    p.step("fill", "Pour the batter into the pan", why="the hot pan bakes it")
    p.pour("bowl", "pan", 0.8, colour="orange")
    p.step("bake", "Bake it until it is brown", why="heat sets the batter")
    p.wait("pan", recolours("pan", "brown", "filling"))
    return p.scene("The pancakes are ready.")


def _salad(seed: int, length_s: Fraction) -> Scene:
    p = _kitchen("salad", "How to make a tomato salad", seed, length_s)
    slices, board = p.draw.randint(3, 6), -0.15
    p.put("board", "board", board, colour="brown", material="wood", layer=0)
    p.put("tomato", "tomato", 0.55, colour="red", material="shiny", layer=2)
    p.put("knife", "knife", 0.85, colour=p.set.colour(), layer=4)
    p.put("bowl", "bowl", -0.65, colour=p.set.colour(but=("red",)), layer=2, filling="red")
    p.put("oil", "bottle", 0.3, colour="green", fill=0.9, filling="yellow", layer=3, text="oil")
    p.set.stand("slices", "slices", p.x(board), 655, colour="red", count=slices, seen=False, width=200, layer=3)
    p.step("place", "Put the tomato on the board", why="the board saves the counter")
    p.carry("tomato", "board", link="on", above=34)
    p.step("cut", f"Cut it into {slices} slices with the knife", why="slices take up the oil")
    p.use("knife", "board", "chop", vanishes("tomato"), appears("slices"), and_on=("tomato", "slices"), above=60)
    p.step("add", "Put the slices into the bowl", why="there is room to mix")
    p.carry("slices", "bowl", vanishes("slices"), fills("bowl", 0.5), above=10)
    p.step("dress", "Pour oil over it", why="oil carries the taste")
    p.pour("oil", "bowl", 0.8, left=0.5, colour="yellow")
    return p.scene("The salad is served.")


def _lemonade(seed: int, length_s: Fraction) -> Scene:
    p = _kitchen("lemonade", "How to make lemonade", seed, length_s)
    cubes = p.draw.randint(2, 5)
    sweet = p.set.colour(but=("cyan", "blue", "green"))
    p.put("glass", "glass", 0, filling="cyan", layer=2, height=190)
    p.put("jug", "jug", 0.45, colour=p.set.colour(but=("cyan",)), fill=0.9, filling="cyan", layer=3)
    p.put("lemon", "lemon", -0.4, colour="yellow", layer=2)
    p.put("syrup", "bottle", 0.72, colour=sweet, fill=0.8, filling=sweet, layer=3)
    p.put("spoon", "spoon", -0.75, colour="grey", material="metal", layer=4)
    p.put("ice", "crystals", 0.92, colour="white", count=cubes, width=120, layer=2)
    p.step("pour", "Fill the glass half with water", why="water is most of it")
    p.pour("jug", "glass", 0.5, left=Fraction(1, 3), colour="cyan")
    p.step("pour", "Add some syrup", why="it gets sweet")
    p.pour("syrup", "glass", 0.7, recolours("glass", sweet, "filling"), left=0.5, colour=sweet)
    p.step("squeeze", "Squeeze the lemon over the glass", why="it gets sour")
    p.carry("lemon", "glass", fills("glass", 0.8), vanishes("lemon"), above=70)
    p.step("cool", f"Drop in {cubes} cubes of ice", why="it is better cold")
    p.carry("ice", "glass", vanishes("ice"), fills("glass", 0.9), above=20)
    p.step("stir", "Stir it with the spoon", why="syrup sinks to the bottom")
    p.use("spoon", "glass", "stir", above=20)
    return p.scene("Cheers.")


def _soup(seed: int, length_s: Fraction) -> Scene:
    p = _kitchen("soup", "How to cook carrot soup", seed, length_s)
    slices = p.draw.randint(4, 8)
    p.put("stove", "stove", 0.35, colour="grey", height=80)
    p.set.stand(
        "pot", "pot", p.x(0.35), 622, colour=p.set.colour(but=("orange",)), filling="cyan", layer=2, material="metal"
    )
    p.put("board", "board", -0.3, colour="brown", material="wood", layer=0)
    p.put("carrot", "carrot", -0.8, colour="orange", layer=2)
    p.put("knife", "knife", -0.02, colour=p.set.colour(), layer=4)
    p.put("jug", "jug", 0.82, colour=p.set.colour(), fill=0.9, filling="cyan", layer=3)
    p.put("ladle", "ladle", 0.97, colour="grey", material="metal", layer=4, height=160)
    p.set.stand("pieces", "slices", p.x(-0.3), 655, colour="orange", count=slices, seen=False, width=210, layer=3)
    p.set.stand("steam", "steam", p.x(0.35), 490, seen=False, layer=5)
    p.step("place", "Lay the carrot on the board", why="it must not roll")
    p.carry("carrot", "board", link="on", above=20)
    p.step("slice", f"Slice it into {slices} pieces", why="small pieces cook sooner")
    p.use("knife", "board", "chop", vanishes("carrot"), appears("pieces"), and_on=("carrot", "pieces"), above=56)
    p.step("pour", "Fill the pot with water", why="soup is mostly water")
    p.pour("jug", "pot", 0.8, left=0.1, colour="cyan")
    p.step("add", "Put the pieces into the pot", why="they give the taste")
    p.carry("pieces", "pot", vanishes("pieces"), recolours("pot", "orange", "filling"), above=10)
    p.step("boil", "Turn on the stove until steam rises", why="heat softens the carrot")
    p.wait("pot", appears("steam"), lambda a, b: fills("stove", 1)(a, min(b, a + 1)), tool="stove")
    p.step("stir", "Stir it with the ladle", why="so that nothing burns")
    p.use("ladle", "pot", "stir", above=60)
    return p.scene("The soup is hot.")


def _toast(seed: int, length_s: Fraction) -> Scene:
    p = _kitchen("toast", "How to make a cheese toast", seed, length_s)
    p.put("bread", "bread", -0.7, colour="brown", layer=1)
    p.put("knife", "knife", -0.35, colour=p.set.colour(), layer=4)
    p.put("plate", "plate", 0.1, colour=p.set.colour(), layer=0)
    p.put("cheese", "cheese", 0.5, colour="yellow", layer=2, width=100)
    p.put("stove", "stove", 0.85, colour="grey", height=80)
    p.set.stand("slice", "toast", p.x(-0.48), 706, colour="brown", seen=False, layer=3)
    p.step("cut", "Cut a slice of bread with the knife", why="a thin slice toasts evenly")
    p.use("knife", "bread", "saw", appears("slice"), and_on=("slice",), above=10)
    p.step("lay", "Lay the slice on the plate", why="it waits there")
    p.carry("slice", "plate", link="on", above=6)
    p.step("top", "Put the cheese on the slice", why="cheese melts over it")
    p.carry("cheese", "plate", link="on", above=44)
    p.step("bake", "Put the plate on the stove", why="it needs heat")
    p.carry("plate", "stove", fills("stove", 1), link="on", above=8)
    p.step("melt", "Wait until the cheese has melted", why="heat melts the cheese")
    p.wait("cheese", becomes("cheese", "pancake"), tool="stove")
    return p.scene("The toast is done.")


def _birthday_cake(seed: int, length_s: Fraction) -> Scene:
    p = _kitchen("birthday-cake", "How to decorate a birthday cake", seed, length_s)
    candles, icing = p.draw.randint(2, 6), p.set.colour()
    p.put("cake", "cake", 0, colour="brown", count=0, layer=2)
    p.put("bowl", "bowl", -0.55, colour=p.set.colour(but=(icing,)), fill=0.8, filling=icing, layer=1)
    p.put("brush", "brush", -0.85, colour=icing, layer=4, height=150)
    p.put("apples", "apples", 0.8, colour="red", count=p.draw.randint(1, 4), width=200, layer=1)
    p.put("burner", "burner", 0.48, colour=p.set.colour(), layer=3, height=120)
    p.step("dip", "Dip the brush into the icing", why="the brush needs icing")
    p.use("brush", "bowl", "hold", fills("bowl", 0.5), above=50)
    p.step("spread", "Spread the icing on the cake", why="it makes the cake sweet")
    p.use("brush", "cake", "wipe", recolours("cake", icing), above=50)
    p.step("stick", f"Stick {candles} candles into it", why="one for each year")
    p.wait("cake", counts("cake", candles))
    p.step("light", "Light the candles", why="so that they can be blown out")
    p.use("burner", "cake", "hold", lambda a, b: fills("burner", 1)(a, min(b, a + Fraction(1, 2))), above=70)
    return p.scene("Happy birthday.")


SCENES = {
    "pancakes": (_pancakes, 30),
    "salad": (_salad, 22),
    "lemonade": (_lemonade, 26),
    "soup": (_soup, 30),
    "toast": (_toast, 24),
    "birthday-cake": (_birthday_cake, 22),
}
