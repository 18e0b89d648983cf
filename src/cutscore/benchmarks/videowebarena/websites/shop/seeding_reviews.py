"""Reviews: stars, and words that go with them. A few wait for the back office."""

from datetime import timedelta

from cutscore.benchmarks.videowebarena.websites.state import START
from cutscore.benchmarks.videowebarena.websites.website import SeedContext

APPROVED, PENDING, REFUSED = 1, 2, 3
_MOST_PENDING = 9
_WORDS = {  # stars → titles, and what is said
    1: (
        ("Disappointed", "Broken on arrival", "Do not buy"),
        (
            "It arrived broken and nobody answered.",
            "The colour came off after a week.",
            "It is much smaller than it looks.",
        ),
    ),
    2: (
        ("Not for me", "Expected more"),
        ("It feels cheap for the price.", "It scratches easily.", "The box was damaged and a part was missing."),
    ),
    3: (
        ("It is fine", "Average"),
        ("It does what it should and no more.", "Good idea, but it could be sturdier.", "Delivery took two weeks."),
    ),
    4: (
        ("Good value", "Happy with it"),
        ("Solid and pretty, the colour is a little darker than in the picture.", "Easy to clean, would buy again."),
    ),
    5: (
        ("Love it", "Perfect", "Best I ever had"),
        ("Exactly as in the picture.", "My whole family uses it every day.", "A lovely gift, my sister was delighted."),
    ),
}


def fill_reviews(seeding: SeedContext) -> None:
    """Fill reviews of every product, the older ones first."""
    draw = seeding.draw
    writers = seeding.db.execute("SELECT id, first_name, last_name FROM customer WHERE id > 1 ORDER BY id").fetchall()
    products = [row["id"] for row in seeding.db.execute("SELECT id FROM product WHERE parent IS NULL ORDER BY id")]
    written = []
    for product in products:
        liked = draw.uniform(2.6, 4.9)
        for writer in draw.sample(writers, draw.choice((0, 1, 2, 3, 3, 4, 5, 6, 8, 13))):
            stars = min(5, max(1, round(draw.gauss(liked, 1.0))))
            created = START - timedelta(minutes=draw.randrange(3 * 1440, 700 * 1440))
            written.append((created.isoformat(), product, stars, writer))
    written.sort(key=lambda each: each[:3])
    for number, (time, product, stars, writer) in enumerate(written):
        late = number >= len(written) - _MOST_PENDING
        status = PENDING if late else REFUSED if draw.random() < 0.01 else APPROVED
        titles, details = _WORDS[stars]
        nickname = f"{writer['first_name']} {writer['last_name'][0]}." if draw.random() < 0.5 else writer["first_name"]
        seeding.db.execute(
            "INSERT INTO review (product, nickname, title, detail, stars, status, customer, created)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (product, nickname, draw.choice(titles), draw.choice(details), stars, status, writer["id"], time),
        )
