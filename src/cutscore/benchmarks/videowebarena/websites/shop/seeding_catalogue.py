"""The catalogue: every good by several brands, with a picture that shows what its words say."""

import re
import string
from datetime import timedelta

from cutscore.benchmarks.videowebarena.websites.pictures import DrawnPicture
from cutscore.benchmarks.videowebarena.websites.shop.goods import BRANDS, COLOURS, DEPARTMENTS, MADE_OF, Good
from cutscore.benchmarks.videowebarena.websites.shop.rows import insert
from cutscore.benchmarks.videowebarena.websites.state import START
from cutscore.benchmarks.videowebarena.websites.website import SeedContext
from cutscore.stage.palette import Colour

_STEP = 0.25  # of the base price, for each further value of an option
_PACK_STEP = 1.5
_SOLD_OUT, _ON_SALE = 0.04, 0.12  # share of products
_COUNTRIES = ("Portugal", "Denmark", "Japan", "Canada", "Italy", "Vietnam")
_SELLING = ("Well made and built to last.", "A favourite of our customers.", "Simple, sturdy and easy to clean.")


def fill_catalogue(seeding: SeedContext) -> None:
    """Fill categories and products."""
    for position, (department, shelves) in enumerate(DEPARTMENTS.items()):
        above = _add_category(seeding, None, department, url_key(department), position)
        for place, (shelf, goods) in enumerate(shelves.items()):
            own = _add_category(seeding, above, shelf, f"{url_key(department)}/{url_key(shelf)}", place)
            for good in goods:
                for colour in good.colours:
                    product = _add_product(seeding, good, colour)
                    seeding.db.executemany(
                        "INSERT INTO product_category VALUES (?, ?)", [(product, above), (product, own)]
                    )


def url_key(name: str) -> str:
    """Return a name as addresses have it.

    >>> url_key("Home & Kitchen")
    'home-kitchen'
    """
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def _add_category(seeding: SeedContext, parent: int | None, name: str, path: str, position: int) -> int:
    return insert(seeding.db, "category", parent=parent, name=name, path=f"{path}.html", position=position)


def _add_product(seeding: SeedContext, good: Good, colour: Colour) -> int:
    draw = seeding.draw
    brand, material = draw.choice(BRANDS), draw.choice(MADE_OF.get(good.material, (good.material,)))
    name, noun = f"{brand} {colour.title()} {good.noun}", good.noun.lower()
    low, high = good.cents
    price = draw.randrange(low // 50, high // 50) * 50 + 49
    quantity = 0 if draw.random() < _SOLD_OUT else draw.randrange(1, 120)
    about = {
        "price": price,
        "colour": colour.title(),
        "short_description": f"A {colour} {noun} by {brand}.",
        "description": f"{draw.choice(_SELLING)} This {noun} by {brand} is {colour} and made of {material.lower()}.",
        "picture": _picture(seeding, good, colour, brand).model_dump_json(),
        "created": (START - timedelta(days=draw.randrange(400, 900))).isoformat(),
    }
    sku = "B0" + "".join(draw.choices(string.ascii_uppercase + string.digits, k=8))
    stock = {"quantity": quantity, "in_stock": int(quantity > 0), "on_sale": int(draw.random() < _ON_SALE)}
    product = insert(seeding.db, "product", sku=sku, name=name, path=f"{url_key(name)}.html", **stock, **about)
    _add_attributes(seeding, product, {"Brand Name": brand, "Color": colour.title(), "Material": material})
    _add_options(seeding, product, good, price)
    for size in good.options[0][1] if good.variants else ():
        own, left = f"{name}-{size}", draw.randrange(0, 90)
        stock = {"quantity": left, "in_stock": int(left > 0), "parent": product}
        insert(
            seeding.db,
            "product",
            sku=f"{sku}-{size}",
            size=size,
            name=own,
            path=f"{url_key(own)}.html",
            **stock,
            **about,
        )
    return product


def _picture(seeding: SeedContext, good: Good, colour: Colour, brand: str) -> DrawnPicture:
    ground = seeding.draw.choice([each for each in COLOURS if each not in (colour, "black", "brown")])
    material = good.material if good.material in MADE_OF else "matte"
    return DrawnPicture.model_validate(
        {"kind": good.picture, "colour": colour, "ground": ground, "material": material, "text": brand.upper()}
    )


def _add_attributes(seeding: SeedContext, product: int, known: dict[str, str]) -> None:
    draw, brand = seeding.draw, known["Brand Name"]
    sides = " x ".join(f"{draw.randrange(4, 60) / 2:g}" for _ in range(3))
    rows = known | {
        "Package Dimensions": f"{sides} inches",
        "Item Weight": f"{draw.randrange(2, 90) / 10:g} pounds",
        "Item model number": f"{brand[:2].upper()}-{draw.randrange(1000, 9999)}",
        "Manufacturer": f"{brand} Works",
        "Country of Origin": draw.choice(_COUNTRIES),
    }
    for position, (name, value) in enumerate(rows.items()):
        insert(seeding.db, "attribute", product=product, position=position, name=name, value=value)


def _add_options(seeding: SeedContext, product: int, good: Good, price: int) -> None:
    for position, (name, values) in enumerate(good.options):
        option = insert(seeding.db, "option", product=product, position=position, name=name)
        for place, value in enumerate(values):
            step = {"Pack": _PACK_STEP, "Size": 0.0}.get(name, _STEP)
            extra = round(price * step * place / 50) * 50
            insert(seeding.db, "option_value", option=option, position=place, value=value, extra_price=extra)
