"""What is sold: categories, the things in each, what they cost, and where and by whom."""

from dataclasses import dataclass

from cutscore.benchmarks.videowebarena.websites.pictures import DrawnPicture


@dataclass(frozen=True)
class SoldThing:
    """A thing that somebody sells.

    Args:
        kind: As it is drawn.
        names: As people call it.
        low, high: What it costs, in dollars.
        most: How many are sold together.
    """

    kind: str
    names: tuple[str, ...]
    low: int
    high: int
    most: int = 1


CATEGORIES: dict[str, dict[str, tuple[SoldThing, ...]]] = {
    "For the home": {
        "Furniture": (
            SoldThing("chair", ("Kitchen chair", "Dining chair", "School chair"), 15, 90, 3),
            SoldThing("table", ("Coffee table", "Work table", "Dining table"), 40, 260),
            SoldThing("shelf", ("Wall shelf", "Book shelf"), 10, 60, 2),
            SoldThing("chest", ("Blanket chest", "Old sea chest"), 60, 240),
        ),
        "Kitchenware": (
            SoldThing("cup", ("Coffee mug", "Tea cup", "Camping mug"), 2, 18, 4),
            SoldThing("pot", ("Stock pot", "Soup pot"), 12, 65, 2),
            SoldThing("jug", ("Milk jug", "Water jug"), 6, 35, 3),
            SoldThing("bowl", ("Salad bowl", "Mixing bowl"), 4, 28, 3),
        ),
        "Lighting": (
            SoldThing("lamp", ("Desk lamp", "Bedside lamp", "Reading lamp"), 10, 75, 2),
            SoldThing("lantern", ("Camping lantern", "Garden lantern"), 12, 48, 2),
        ),
        "Garden": (
            SoldThing("bench", ("Garden bench", "Park bench"), 55, 220),
            SoldThing("bucket", ("Garden bucket", "Ash bucket"), 5, 25, 3),
            SoldThing("basket", ("Harvest basket", "Picnic basket"), 8, 40, 2),
            SoldThing("ladder", ("Orchard ladder", "House ladder"), 30, 140),
        ),
    },
    "On the road": {
        "Cars": (
            SoldThing("car", ("Family car", "Small car", "City car", "First car"), 1200, 18000),
            SoldThing("wheel", ("Winter wheels", "Spare wheel"), 25, 180, 4),
        ),
        "Boats": (SoldThing("boat", ("Sailing boat", "Dinghy", "Lake boat"), 700, 9500),),
    },
    "Leisure": {
        "Books": (SoldThing("book", ("Cook book", "Bird guide", "Atlas", "Crime novels"), 2, 30, 4),),
        "Toys": (
            SoldThing("toy-car", ("Toy car", "Model car"), 3, 25, 4),
            SoldThing("robot", ("Toy robot", "Wind-up robot"), 8, 60, 2),
            SoldThing("kite", ("Kite", "Stunt kite"), 6, 45, 2),
            SoldThing("ball", ("Beach ball", "Play ball"), 2, 16, 3),
        ),
        "Collectibles": (
            SoldThing("dog", ("Porcelain dog", "Toy dog"), 9, 70, 2),
            SoldThing("cat", ("Porcelain cat", "Wooden cat"), 9, 70, 3),
        ),
    },
    "Clothing": {
        "Hats": (SoldThing("hat", ("Felt hat", "Sun hat", "Bowler hat"), 6, 55, 2),),
        "Umbrellas": (SoldThing("umbrella", ("Umbrella", "Beach umbrella"), 5, 35, 2),),
    },
    "Electronics": {
        "Phones": (
            SoldThing("phone", ("Smartphone", "Second phone"), 60, 480),
            SoldThing("telephone", ("Rotary telephone", "Office telephone"), 15, 110, 2),
        ),
        "Science": (SoldThing("microscope", ("School microscope", "Microscope"), 40, 350),),
    },
    "Tools": {
        "Hand tools": (
            SoldThing("hammer", ("Claw hammer", "Hammer"), 5, 32, 2),
            SoldThing("saw", ("Hand saw", "Tree saw"), 8, 42),
            SoldThing("screwdriver", ("Screwdriver", "Screwdriver set"), 3, 24, 4),
        ),
        "Power tools": (SoldThing("drill", ("Cordless drill", "Power drill"), 20, 160),),
    },
}

REGIONS: dict[str, tuple[str, ...]] = {
    "Maryland": ("Annapolis", "Baltimore", "Frederick"),
    "New York": ("Albany", "Buffalo", "Ithaca"),
    "Ohio": ("Columbus", "Dayton", "Toledo"),
    "Pennsylvania": ("Erie", "Pittsburgh", "Scranton"),
    "Virginia": ("Norfolk", "Richmond", "Roanoke"),
}

SELLERS = (
    *("Ada Moreau", "Ben Okafor", "Carla Jensen", "Dmitri Vale", "Elena Brandt", "Farid Haddad", "Grace Lindqvist"),
    *("Hugo Castell", "Ines Duarte", "Jonas Weber", "Keiko Mori", "Liam Doyle", "Mira Novak", "Nils Aune"),
    *("Olga Petrenko", "Pablo Serra", "Quinn Harper", "Rosa Bianchi", "Sami Laine", "Tara Singh"),
)


@dataclass(frozen=True)
class Offer:
    """A listing before it is written.

    Args:
        seller: Number of a member; the first has the account of the tasks.
    """

    category: str
    title: str
    description: str
    price_cents: int
    city: str
    photos: tuple[DrawnPicture, ...]
    seller: int = 1


# What the account of the tasks sells, whatever the seed is.
OWN_LISTINGS = (
    Offer(
        "Cars",
        "Family car with low mileage",
        "One owner, garage kept, new tyres last fall. I am asking $8400. No trades, please.",
        840_000,
        "Pittsburgh",
        (DrawnPicture(kind="car", colour="white", ground="green"),),
    ),
    Offer(
        "Furniture",
        "Two chairs from the dining room",
        "Solid and steady, the seats were redone. $65 for the pair. Pick-up only.",
        6_500,
        "Pittsburgh",
        (DrawnPicture(kind="chair", colour="black", ground="yellow", count=2),),
    ),
    Offer(
        "Kitchenware",
        "Water jug, hand made",
        "A gift that we never used. $22, and I can mail it for a little more.",
        2_200,
        "Erie",
        (DrawnPicture(kind="jug", colour="blue", ground="white"),),
    ),
    Offer(
        "Toys",
        "Robot that walks",
        "It needs two batteries and some patience. $35.",
        3_500,
        "Pittsburgh",
        (DrawnPicture(kind="robot", colour="orange", ground="cyan"),),
    ),
    Offer(
        "Boats",
        "Sailing boat, ready for spring",
        "Fifteen feet, with trailer and cover. $2900, or make me an offer.",
        290_000,
        "Erie",
        (DrawnPicture(kind="boat", colour="red", ground="blue"),),
    ),
    Offer(
        "Lighting",
        "Lamp for a desk",
        "Works well, bulb included. $18.",
        1_800,
        "Pittsburgh",
        (DrawnPicture(kind="lamp", colour="purple", ground="grey"),),
    ),
)
