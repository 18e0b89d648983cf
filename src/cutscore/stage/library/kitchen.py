"""Procedures of the kitchen."""

from fractions import Fraction

from cutscore.stage.library.acts import appears, becomes, counts, fills, recolours, vanishes
from cutscore.stage.library.procedures import Procedure
from cutscore.stage.scene import Scene


def _kitchen(name: str, title: str, seed: int, length_s: Fraction) -> Procedure:
    return Procedure(name, title, domain="kitchen", backdrop="kitchen", seed=seed, length_s=length_s)


def pancakes(seed: int, length_s: Fraction) -> Scene:
    p = _kitchen("pancakes", "How to make pancakes", seed, length_s)
    eggs = p.draw.randint(2, 4)
    p.put("eggs", "eggs", -0.85, colour="white", count=eggs, width=200)
    p.put("jug", "jug", 0.78, colour=p.set.colour(), fill=Fraction(4, 5), filling="white", layer=3)
    p.put("bowl", "bowl", -0.38, colour=p.set.colour(), material="shiny", filling="yellow", layer=2)
    p.put("whisk", "whisk", 0.5, colour=p.set.colour(), layer=4, height=150)
    p.put("stove", "stove", 0.12, colour="grey", height=80)
    p.set.stand("pan", "pan", p.x(0.12) + 50, 622, colour="black", filling="orange", layer=2, width=250)
    p.carry(
        "crack",
        f"Crack {eggs} eggs into the bowl",
        "eggs",
        "bowl",
        vanishes("eggs"),
        fills("bowl", Fraction(1, 4)),
        why="the batter needs eggs to hold together",
    )
    p.pour(
        "Pour milk into the bowl",
        "jug",
        "bowl",
        Fraction(3, 4),
        why="the batter must be thin",
        left=Fraction(1, 5),
        colour="white",
    )
    p.use(
        "whisk",
        "Whisk the batter",
        "whisk",
        "bowl",
        "stir",
        recolours("bowl", "orange", "filling"),
        why="lumps would burn",
        above=60,
    )
    p.wait(
        "heat",
        "Turn on the stove and heat the pan",
        "stove",
        fills("stove", 1),
        why="a cold pan makes the batter stick",
    )
    p.pour(
        "Pour the batter into the pan",
        "bowl",
        "pan",
        Fraction(4, 5),
        why="the hot pan bakes it",
        colour="orange",
        verb="fill",
    )
    p.wait("bake", "Bake it until it is brown", "pan", recolours("pan", "brown", "filling"), why="heat sets the batter")
    return p.scene("The pancakes are ready.")


def salad(seed: int, length_s: Fraction) -> Scene:
    p = _kitchen("salad", "How to make a tomato salad", seed, length_s)
    slices, board = p.draw.randint(3, 6), -0.15
    p.put("board", "board", board, colour="brown", material="wood", layer=0)
    p.put("tomato", "tomato", 0.55, colour="red", material="shiny", layer=2)
    p.put("knife", "knife", 0.85, colour=p.set.colour(), layer=4)
    p.put("bowl", "bowl", -0.65, colour=p.set.colour(but=("red",)), layer=2, filling="red")
    p.put("oil", "bottle", 0.3, colour="green", fill=Fraction(9, 10), filling="yellow", layer=3, text="oil")
    p.set.stand("slices", "slices", p.x(board), 655, colour="red", count=slices, seen=False, width=200, layer=3)
    p.carry(
        "place",
        "Put the tomato on the board",
        "tomato",
        "board",
        why="the board saves the counter",
        link="on",
        above=34,
    )
    p.use(
        "cut",
        f"Cut it into {slices} slices with the knife",
        "knife",
        "board",
        "chop",
        vanishes("tomato"),
        appears("slices"),
        why="slices take up the oil",
        and_on=("tomato", "slices"),
        above=60,
    )
    p.carry(
        "add",
        "Put the slices into the bowl",
        "slices",
        "bowl",
        vanishes("slices"),
        fills("bowl", Fraction(1, 2)),
        why="there is room to mix",
        above=10,
    )
    p.pour(
        "Pour oil over it",
        "oil",
        "bowl",
        Fraction(4, 5),
        why="oil carries the taste",
        left=Fraction(1, 2),
        colour="yellow",
        verb="dress",
    )
    return p.scene("The salad is served.")


def lemonade(seed: int, length_s: Fraction) -> Scene:
    p = _kitchen("lemonade", "How to make lemonade", seed, length_s)
    cubes = p.draw.randint(2, 5)
    sweet = p.set.colour(but=("cyan", "blue", "green"))
    p.put("glass", "glass", 0, filling="cyan", layer=2, height=190)
    p.put("jug", "jug", 0.45, colour=p.set.colour(but=("cyan",)), fill=Fraction(9, 10), filling="cyan", layer=3)
    p.put("lemon", "lemon", -0.4, colour="yellow", layer=2)
    p.put("syrup", "bottle", 0.72, colour=sweet, fill=Fraction(4, 5), filling=sweet, layer=3)
    p.put("spoon", "spoon", -0.75, colour="grey", material="metal", layer=4)
    p.put("ice", "crystals", 0.92, colour="white", count=cubes, width=120, layer=2)
    p.pour(
        "Fill the glass half with water",
        "jug",
        "glass",
        Fraction(1, 2),
        why="water is most of it",
        left=Fraction(1, 3),
        colour="cyan",
    )
    p.pour(
        "Add some syrup",
        "syrup",
        "glass",
        Fraction(7, 10),
        recolours("glass", sweet, "filling"),
        why="it gets sweet",
        left=Fraction(1, 2),
        colour=sweet,
    )
    p.carry(
        "squeeze",
        "Squeeze the lemon over the glass",
        "lemon",
        "glass",
        fills("glass", Fraction(4, 5)),
        vanishes("lemon"),
        why="it gets sour",
        above=70,
    )
    p.carry(
        "cool",
        f"Drop in {cubes} cubes of ice",
        "ice",
        "glass",
        vanishes("ice"),
        fills("glass", Fraction(9, 10)),
        why="it is better cold",
        above=20,
    )
    p.use("stir", "Stir it with the spoon", "spoon", "glass", "stir", why="syrup sinks to the bottom", above=20)
    return p.scene("Cheers.")


def soup(seed: int, length_s: Fraction) -> Scene:
    p = _kitchen("soup", "How to cook carrot soup", seed, length_s)
    slices = p.draw.randint(4, 8)
    p.put("stove", "stove", 0.35, colour="grey", height=80)
    p.set.stand(
        "pot", "pot", p.x(0.35), 622, colour=p.set.colour(but=("orange",)), filling="cyan", layer=2, material="metal"
    )
    p.put("board", "board", -0.3, colour="brown", material="wood", layer=0)
    p.put("carrot", "carrot", -0.8, colour="orange", layer=2)
    p.put("knife", "knife", -0.02, colour=p.set.colour(), layer=4)
    p.put("jug", "jug", 0.82, colour=p.set.colour(), fill=Fraction(9, 10), filling="cyan", layer=3)
    p.put("ladle", "ladle", 0.97, colour="grey", material="metal", layer=4, height=160)
    p.set.stand("pieces", "slices", p.x(-0.3), 655, colour="orange", count=slices, seen=False, width=210, layer=3)
    p.set.stand("steam", "steam", p.x(0.35), 490, seen=False, layer=5)
    p.carry("place", "Lay the carrot on the board", "carrot", "board", why="it must not roll", link="on", above=20)
    p.use(
        "slice",
        f"Slice it into {slices} pieces",
        "knife",
        "board",
        "chop",
        vanishes("carrot"),
        appears("pieces"),
        why="small pieces cook sooner",
        and_on=("carrot", "pieces"),
        above=56,
    )
    p.pour(
        "Fill the pot with water",
        "jug",
        "pot",
        Fraction(4, 5),
        why="soup is mostly water",
        left=Fraction(1, 10),
        colour="cyan",
    )
    p.carry(
        "add",
        "Put the pieces into the pot",
        "pieces",
        "pot",
        vanishes("pieces"),
        recolours("pot", "orange", "filling"),
        why="they give the taste",
        above=10,
    )
    p.wait(
        "boil",
        "Turn on the stove until steam rises",
        "pot",
        appears("steam"),
        lambda a, b: fills("stove", 1)(a, min(b, a + 1)),
        why="heat softens the carrot",
        tool="stove",
    )
    p.use("stir", "Stir it with the ladle", "ladle", "pot", "stir", why="so that nothing burns", above=60)
    return p.scene("The soup is hot.")


def toast(seed: int, length_s: Fraction) -> Scene:
    p = _kitchen("toast", "How to make a cheese toast", seed, length_s)
    p.put("bread", "bread", -0.7, colour="brown", layer=1)
    p.put("knife", "knife", -0.35, colour=p.set.colour(), layer=4)
    p.put("plate", "plate", 0.1, colour=p.set.colour(), layer=0)
    p.put("cheese", "cheese", 0.5, colour="yellow", layer=2, width=100)
    p.put("stove", "stove", 0.85, colour="grey", height=80)
    p.set.stand("slice", "toast", p.x(-0.48), 706, colour="brown", seen=False, layer=3)
    p.use(
        "cut",
        "Cut a slice of bread with the knife",
        "knife",
        "bread",
        "saw",
        appears("slice"),
        why="a thin slice toasts evenly",
        and_on=("slice",),
        above=10,
    )
    p.carry("lay", "Lay the slice on the plate", "slice", "plate", why="it waits there", link="on", above=6)
    p.carry("top", "Put the cheese on the slice", "cheese", "plate", why="cheese melts over it", link="on", above=44)
    p.carry(
        "bake",
        "Put the plate on the stove",
        "plate",
        "stove",
        fills("stove", 1),
        why="it needs heat",
        link="on",
        above=8,
    )
    p.wait(
        "melt",
        "Wait until the cheese has melted",
        "cheese",
        becomes("cheese", "pancake"),
        why="heat melts the cheese",
        tool="stove",
    )
    return p.scene("The toast is done.")


def birthday_cake(seed: int, length_s: Fraction) -> Scene:
    p = _kitchen("birthday-cake", "How to decorate a birthday cake", seed, length_s)
    candles, icing = p.draw.randint(2, 6), p.set.colour()
    p.put("cake", "cake", 0, colour="brown", count=0, layer=2)
    p.put("bowl", "bowl", -0.55, colour=p.set.colour(but=(icing,)), fill=Fraction(4, 5), filling=icing, layer=1)
    p.put("brush", "brush", -0.85, colour=icing, layer=4, height=150)
    p.put("apples", "apples", 0.8, colour="red", count=p.draw.randint(1, 4), width=200, layer=1)
    p.put("burner", "burner", 0.48, colour=p.set.colour(), layer=3, height=120)
    p.use(
        "dip",
        "Dip the brush into the icing",
        "brush",
        "bowl",
        "hold",
        fills("bowl", Fraction(1, 2)),
        why="the brush needs icing",
        above=50,
    )
    p.use(
        "spread",
        "Spread the icing on the cake",
        "brush",
        "cake",
        "wipe",
        recolours("cake", icing),
        why="it makes the cake sweet",
        above=50,
    )
    p.wait("stick", f"Stick {candles} candles into it", "cake", counts("cake", candles), why="one for each year")
    p.use(
        "light",
        "Light the candles",
        "burner",
        "cake",
        "hold",
        lambda a, b: fills("burner", 1)(a, min(b, a + Fraction(1, 2))),
        why="so that they can be blown out",
        above=70,
    )
    return p.scene("Happy birthday.")


SCENES = {
    "pancakes": (pancakes, 30),
    "salad": (salad, 22),
    "lemonade": (lemonade, 26),
    "soup": (soup, 30),
    "toast": (toast, 24),
    "birthday-cake": (birthday_cake, 22),
}
