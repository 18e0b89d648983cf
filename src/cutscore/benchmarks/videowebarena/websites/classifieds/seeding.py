"""Fills the classifieds: members, listings with drawn photos, comments, messages.

Neither titles nor texts tell the colour or the number of what is sold: who wants to know it looks at the photo.
"""

from datetime import timedelta
from random import Random
from sqlite3 import Connection

from cutscore.benchmarks.videowebarena.websites.accounts import hash_password
from cutscore.benchmarks.videowebarena.websites.classifieds.goods import (
    CATEGORIES,
    OWN_LISTINGS,
    REGIONS,
    SELLERS,
    Offer,
    SoldThing,
)
from cutscore.benchmarks.videowebarena.websites.classifieds.photos import photo_name
from cutscore.benchmarks.videowebarena.websites.classifieds.reset import keep_start
from cutscore.benchmarks.videowebarena.websites.pictures import DrawnPicture
from cutscore.benchmarks.videowebarena.websites.state import START
from cutscore.benchmarks.videowebarena.websites.website import SeedContext
from cutscore.stage.palette import COLOURS, Colour

ACCOUNT, PASSWORD, NAME = "blake.sullivan@gmail.com", "Password.123", "Blake Sullivan"
LISTINGS = 180  # of others
COMMENTS = 70
HOURS_APART = 5
WITHOUT_PHOTO = 0.1  # share of listings
WITH_SECOND_PHOTO = 0.2
_CITIES = [city for cities in REGIONS.values() for city in cities]
_CONDITIONS = (
    *("hardly used", "like new", "well kept", "one owner", "from our attic", "moving sale", "vintage", "a bargain"),
)
_REASONS = (
    "We are moving and it has to go.",
    "It is too good to stand around.",
    "A gift that was never needed.",
    "I bought a larger one.",
    "It was in the family for years.",
    "My children have outgrown it.",
)
_TERMS = (
    "Pick-up only, cash please.",
    "I can bring it within the city.",
    "First come, first served.",
    "Shipping is possible.",
    "Ask me anything before you come.",
)
_COMMENTS = (
    ("Good seller", "Friendly and on time, everything as described.", 5),
    ("Still there?", "Is this still available this weekend?", 4),
    ("A bit much", "I saw one for less last week.", 2),
    ("Nice one", "My neighbour has the same and is happy with it.", 4),
    ("Question", "Could you measure it for me?", 3),
    ("Thanks", "Bought one of these from the same seller before.", 5),
    ("Hm", "The photo looks better than the real thing.", 1),
)
_MESSAGES = (
    "Is the price firm?",
    "I could come by on Saturday morning. Would that suit you?",
    "Hello, my sister and I would like to have a look at it.",
)


def fill(seeding: SeedContext) -> None:
    """Fill the tables; equal seeds give equal rows."""
    db, draw = seeding.db, seeding.draw
    _add_places_and_categories(db)
    _add_members(db, draw)
    _add_listings(db, draw, _draw_offers(draw))
    _add_comments(db, draw)
    _add_messages(db)
    keep_start(db, seeding.folder)


def _add_places_and_categories(db: Connection) -> None:
    for number, (region, cities) in enumerate(REGIONS.items(), 1):
        db.execute("INSERT INTO region VALUES (?, ?)", (number, region))
        db.executemany("INSERT INTO city VALUES (?, ?)", [(city, number) for city in cities])
    for heading, names in CATEGORIES.items():
        parent = db.execute("INSERT INTO category (name) VALUES (?)", (heading,)).lastrowid
        db.executemany("INSERT INTO category (name, parent) VALUES (?, ?)", [(name, parent) for name in names])


def _add_members(db: Connection, draw: Random) -> None:
    add = "INSERT INTO member (email, name, password, about, joined) VALUES (?, ?, ?, ?, ?)"
    joined, password = START - timedelta(days=400), hash_password(PASSWORD, ACCOUNT)
    db.execute(add, (ACCOUNT, NAME, password, "I sell what I no longer need.", joined.isoformat()))
    for name in SELLERS:
        joined = START - timedelta(days=draw.randint(60, 900))
        email = f"{name.lower().replace(' ', draw.choice('._'))}{draw.randint(11, 99)}@example.org"
        db.execute(add, (email, name, "", f"Selling from {draw.choice(_CITIES)}.", joined.isoformat()))


def _draw_offers(draw: Random) -> list[Offer]:
    """Return what everybody sells, the oldest first."""
    things = [(category, thing) for names in CATEGORIES.values() for category, own in names.items() for thing in own]
    chosen = [things[number % len(things)] for number in range(LISTINGS)]
    draw.shuffle(chosen)
    made: list[Offer] = []
    for category, thing in chosen:
        while (title := f"{draw.choice(thing.names)}, {draw.choice(_CONDITIONS)}") in {each.title for each in made}:
            pass
        made.append(_draw_offer(draw, category, thing, title))
    for number, own in enumerate(OWN_LISTINGS, 1):
        made.insert(number * len(made) // (len(OWN_LISTINGS) + 1), own)
    return made


def _draw_offer(draw: Random, category: str, thing: SoldThing, title: str) -> Offer:
    dollars = _round_price(draw.randint(thing.low, thing.high))
    words = (draw.choice(_REASONS), f"I would like ${dollars} for it.", draw.choice(_TERMS))
    photos = [] if draw.random() < WITHOUT_PHOTO else [_draw_photo(draw, thing)]
    if photos and draw.random() < WITH_SECOND_PHOTO:
        photos.append(photos[0].model_copy(update={"ground": _draw_ground(draw, photos[0].colour, photos[0].ground)}))
    city, seller = draw.choice(_CITIES), draw.randint(2, len(SELLERS) + 1)
    return Offer(category, title, " ".join(words), dollars * 100, city, tuple(photos), seller)


def _draw_photo(draw: Random, thing: SoldThing) -> DrawnPicture:
    colour = draw.choice(COLOURS)
    count = draw.choice((1, thing.most))
    return DrawnPicture(kind=thing.kind, colour=colour, ground=_draw_ground(draw, colour), count=count)


def _draw_ground(draw: Random, *taken: Colour) -> Colour:
    return draw.choice([each for each in COLOURS if each not in (*taken, "black")])


def _round_price(dollars: int) -> int:
    """Return a price as people write it: two figures and zeros.

    >>> _round_price(1234), _round_price(57)
    (1200, 57)
    """
    step = int(10 ** max(0, len(str(dollars)) - 2))
    return dollars // step * step


def _add_listings(db: Connection, draw: Random, offers: list[Offer]) -> None:
    numbers = {row["name"]: row["id"] for row in db.execute("SELECT id, name FROM category WHERE parent IS NOT NULL")}
    for number, offer in enumerate(offers, 1):
        minutes = draw.randint(0, HOURS_APART * 60 - 1)
        published = START - timedelta(hours=HOURS_APART * (len(offers) - number + 1), minutes=-minutes)
        db.execute(
            "INSERT INTO listing VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (
                *(number, offer.seller, numbers[offer.category], offer.title, offer.description),
                *(offer.price_cents, offer.city, published.isoformat()),
            ),
        )
        for place, photo in enumerate(offer.photos, 1):
            name = photo_name(number, place, "image/png")
            row = (number, name, "image/png", photo.model_dump_json())
            db.execute("INSERT INTO photo (listing, name, media_type, picture) VALUES (?, ?, ?, ?)", row)


def _add_comments(db: Connection, draw: Random) -> None:
    for number in range(COMMENTS):
        title, body, stars = draw.choice(_COMMENTS)
        row = (draw.randint(1, LISTINGS), draw.randint(2, len(SELLERS) + 1), title, stars, body)
        written = START - timedelta(minutes=COMMENTS - number)
        add = "INSERT INTO comment (listing, author, title, stars, body, written) VALUES (?, ?, ?, ?, ?, ?)"
        db.execute(add, (*row, written.isoformat()))


def _add_messages(db: Connection) -> None:
    own = db.execute("SELECT id FROM listing WHERE seller = 1 ORDER BY id").fetchall()
    for number, body in enumerate(_MESSAGES):
        sent = START - timedelta(days=len(_MESSAGES) - number)
        add = "INSERT INTO message (listing, sender, receiver, body, sent) VALUES (?, ?, 1, ?, ?)"
        db.execute(add, (own[number]["id"], number + 2, body, sent.isoformat()))
