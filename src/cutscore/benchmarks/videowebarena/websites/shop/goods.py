"""What the shop sells: categories, and for each kind of thing its price, colours, material and options."""

from dataclasses import dataclass
from typing import get_args

from cutscore.stage.palette import Colour

COLOURS: tuple[Colour, ...] = get_args(Colour)
BRANDS = (
    "Halden",
    "Northlight",
    "Oakfield",
    "Brightwell",
    "Marlow",
    "Tessera",
    "Windham",
    "Juniper",
    "Calder",
    "Petrel",
)
MADE_OF: dict[str, tuple[str, ...]] = {
    "matte": ("Ceramic", "Plastic", "Stoneware"),
    "shiny": ("Enamel", "Porcelain", "Acrylic"),
    "glass": ("Glass", "Crystal Glass"),
    "wood": ("Beech Wood", "Oak Wood", "Bamboo"),
    "metal": ("Stainless Steel", "Aluminium", "Brass"),
    "cloth": ("Cotton", "Wool", "Linen"),
}
FOOD = "Food"
SIZES, CAPACITIES = ("S", "M", "L", "XL"), ("Small", "Medium", "Large")


@dataclass(frozen=True)
class Good:
    """One kind of thing that is sold, by several brands and in several colours.

    Args:
        noun: As the name of a product ends.
        picture: Kind of figure.
        cents: Lowest and highest price.
        colours: One product each.
        material: A material of the stage, or in words what else it is.
        options: What a buyer chooses, by name; the last value costs more.
        variants: The choice is among products of their own, each with a stock (configurable).
    """

    noun: str
    picture: str
    cents: tuple[int, int]
    colours: tuple[Colour, ...]
    material: str = "matte"
    options: tuple[tuple[str, tuple[str, ...]], ...] = ()
    variants: bool = False


_BRIGHT: tuple[Colour, ...] = ("red", "blue", "green", "yellow", "purple")
_CALM: tuple[Colour, ...] = ("white", "grey", "black", "brown", "blue")
_LIVELY: tuple[Colour, ...] = ("orange", "cyan", "pink", "red", "green")
_GIFT_WRAP = ("Gift Wrap", ("None", "Paper", "Box"))
_PACK = ("Pack", ("Single", "Pack of 3", "Pack of 6"))
_SIZE, _CAPACITY = ("Size", SIZES), ("Capacity", CAPACITIES)

# Category → subcategory → goods. The order is that of the menu.
DEPARTMENTS: dict[str, dict[str, tuple[Good, ...]]] = {
    "Home & Kitchen": {
        "Cookware": (
            Good("Frying Pan", "pan", (1899, 5499), _BRIGHT, "metal", (_CAPACITY,)),
            Good("Stock Pot", "pot", (2499, 7999), _BRIGHT, "shiny", (_CAPACITY,)),
            Good("Whisk", "whisk", (499, 1499), _LIVELY, "metal"),
            Good("Soup Ladle", "ladle", (599, 1699), _CALM, "metal"),
        ),
        "Tableware": (
            Good("Coffee Mug", "cup", (699, 2199), _BRIGHT, "shiny", (_PACK,)),
            Good("Salad Bowl", "bowl", (899, 2899), _LIVELY, "matte"),
            Good("Water Jug", "jug", (1299, 3499), _CALM, "shiny"),
            Good("Wooden Spoon", "spoon", (299, 999), ("brown", "red", "yellow", "green"), "wood", (_PACK,)),
        ),
        "Lighting": (
            Good("Table Lamp", "lamp", (2199, 8999), _BRIGHT, "cloth"),
            Good("Camping Lantern", "lantern", (1499, 4999), _LIVELY, "metal"),
            Good("Light Bulb", "bulb", (399, 1299), ("yellow", "white", "orange", "blue"), "glass", (_PACK,)),
        ),
        "Furniture": (
            Good("Dining Chair", "chair", (4999, 18999), _CALM, "wood"),
            Good("Coffee Table", "table", (7999, 29999), _CALM, "wood"),
        ),
        "Storage": (
            Good("Laundry Basket", "basket", (1599, 4499), _LIVELY, "wood"),
            Good("Storage Crate", "crate", (1299, 3999), _BRIGHT, "wood", (_CAPACITY,)),
            Good("Treasure Chest", "chest", (2999, 9999), _CALM, "wood"),
        ),
    },
    "Grocery & Gourmet Food": {
        "Bakery": (
            Good("Sandwich Bread", "bread", (249, 699), ("brown", "yellow", "orange"), FOOD),
            Good("Birthday Cake", "cake", (1499, 4499), ("pink", "brown", "white", "yellow"), FOOD),
        ),
        "Dairy": (Good("Cheese Wedge", "cheese", (399, 1899), ("yellow", "orange", "white"), FOOD),),
        "Produce": (
            Good("Lemons", "lemon", (199, 799), ("yellow", "green"), FOOD, (_PACK,)),
            Good("Tomatoes", "tomato", (249, 899), ("red", "yellow", "orange"), FOOD, (_PACK,)),
        ),
        "Drinks": (Good("Lemonade Bottle", "bottle", (199, 899), _LIVELY, FOOD, (_PACK,)),),
    },
    "Tools & Home Improvement": {
        "Hand Tools": (
            Good("Claw Hammer", "hammer", (1199, 3999), _BRIGHT, "metal"),
            Good("Hand Saw", "saw", (1399, 3699), _LIVELY, "metal"),
            Good("Screwdriver", "screwdriver", (399, 1599), _BRIGHT, "metal", (_PACK,)),
        ),
        "Power Tools": (Good("Cordless Drill", "drill", (4999, 15999), _BRIGHT, "matte"),),
        "Safety": (
            Good("Fire Extinguisher", "extinguisher", (2999, 6999), ("red", "orange", "yellow"), "metal"),
            Good("First Aid Box", "first-aid-box", (1499, 4499), ("red", "green", "white", "orange"), "matte"),
        ),
        "Ladders": (Good("Step Ladder", "ladder", (3999, 12999), _CALM, "metal"),),
    },
    "Toys & Games": {
        "Toy Vehicles": (
            Good("Toy Car", "toy-car", (599, 2499), _BRIGHT, "matte", (_GIFT_WRAP,)),
            Good("Toy Sailing Boat", "boat", (999, 2999), _LIVELY, "wood", (_GIFT_WRAP,)),
        ),
        "Outdoor Play": (
            Good("Beach Ball", "ball", (399, 1499), _BRIGHT, "shiny"),
            Good("Kite", "kite", (899, 2999), _LIVELY, "cloth"),
        ),
        "Robots": (Good("Toy Robot", "robot", (1999, 6999), _BRIGHT, "metal", (_GIFT_WRAP,)),),
        "Plush Animals": (
            Good("Plush Dog", "dog", (999, 3499), ("brown", "grey", "white", "black"), "cloth", (_GIFT_WRAP,)),
            Good("Plush Cat", "cat", (999, 3499), ("orange", "grey", "white", "black"), "cloth", (_GIFT_WRAP,)),
            Good("Plush Bird", "bird", (799, 2499), ("yellow", "blue", "green", "red"), "cloth", (_GIFT_WRAP,)),
        ),
    },
    "Office Products": {
        "Books & Notebooks": (Good("Notebook", "book", (399, 1899), (*_BRIGHT, "black", "orange"), "cloth", (_PACK,)),),
        "Writing": (Good("Pencil", "pencil", (99, 799), (*_BRIGHT, "orange"), "wood", (_PACK,)),),
        "Envelopes": (Good("Gift Envelope", "letter", (199, 799), _LIVELY, "matte", (_PACK,)),),
    },
    "Electronics": {
        "Cell Phones": (
            Good("Smartphone", "phone", (14999, 89999), _CALM, "shiny", (("Storage", ("64 GB", "128 GB", "256 GB")),)),
        ),
        "Telephones": (Good("Desk Telephone", "telephone", (1999, 6999), ("red", "black", "white", "green"), "shiny"),),
        "Batteries": (Good("AA Battery", "battery", (399, 1999), _BRIGHT, "metal", (_PACK,)),),
    },
    "Clothing & Accessories": {
        "Hats": (Good("Felt Hat", "hat", (1999, 5999), (*_BRIGHT, "black"), "cloth", (_SIZE,), variants=True),),
        "Umbrellas": (Good("Umbrella", "umbrella", (1299, 4499), (*_BRIGHT, "black"), "cloth"),),
        "Gift Boxes": (Good("Gift Box", "gift", (299, 1299), _LIVELY, "matte", (_CAPACITY,)),),
    },
    "Patio & Garden": {
        "Plants": (
            Good("Potted Flower", "flower", (599, 2499), ("red", "pink", "yellow", "purple", "orange"), "Living Plant"),
            Good("Dwarf Tree", "tree", (2499, 7999), ("green", "orange", "pink"), "Living Plant"),
        ),
        "Garden Tools": (Good("Garden Bucket", "bucket", (699, 2199), _BRIGHT, "metal", (_CAPACITY,)),),
        "Lab & Brewing": (
            Good("Brewing Thermometer", "thermometer", (799, 2499), ("red", "blue", "green"), "glass"),
            Good("Measuring Beaker", "beaker", (499, 1799), ("blue", "green", "red"), "glass"),
        ),
    },
}
