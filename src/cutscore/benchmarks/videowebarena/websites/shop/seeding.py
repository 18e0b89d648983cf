"""Fill the shop: catalogue, customers, orders, reviews and the pages of its own words, all drawn from the seed."""

from cutscore.benchmarks.videowebarena.websites.accounts import hash_password
from cutscore.benchmarks.videowebarena.websites.shop.seeding_catalogue import fill_catalogue
from cutscore.benchmarks.videowebarena.websites.shop.seeding_orders import fill_customers, fill_orders
from cutscore.benchmarks.videowebarena.websites.shop.seeding_reviews import fill_reviews
from cutscore.benchmarks.videowebarena.websites.state import START
from cutscore.benchmarks.videowebarena.websites.website import SeedContext

CUSTOMER, CUSTOMER_PASSWORD = "emma.lopez@gmail.com", "emma-shops-here-1"
ADMINISTRATOR, ADMINISTRATOR_PASSWORD = "admin", "admin-keeps-shop-1"

_PAGES = {
    "About Us": (
        "about-us",
        "One Stop Market has sold useful things since 1998. We answer every question within a day.",
    ),
    "Customer Service": (
        "customer-service",
        "Orders leave our warehouse within two working days. You may send anything back within 30 days.\n\n"
        "Shipping costs 5 dollars per item. An order can be tracked from My Orders.",
    ),
    "Privacy and Cookie Policy": (
        "privacy-policy-cookie-restriction-mode",
        "We keep your name, your addresses and your orders, and give them to nobody.\n\n"
        "One cookie remembers who you are while you shop.",
    ),
}
_RULES = (  # name, active, coupon, action, amount
    ("Welcome: 10 % off", 1, "WELCOME10", "by_percent", "10"),
    ("Spring: 5 dollars off", 1, "SPRING5", "cart_fixed", "5"),
    ("Last winter: 20 % off", 0, "WINTER20", "by_percent", "20"),
)
GROUPS = ("NOT LOGGED IN", "General", "Wholesale", "Retailer")
_SEARCHES = (
    ("mug", 214),
    ("toy robot", 187),
    ("umbrella", 121),
    ("lamp", 98),
    ("red hat", 64),
    ("sofa", 41),
    ("kite", 23),
)


def fill(seeding: SeedContext) -> None:
    """Fill all tables."""
    fill_catalogue(seeding)
    fill_customers(seeding, CUSTOMER, hash_password(CUSTOMER_PASSWORD, CUSTOMER))
    fill_orders(seeding, CUSTOMER)
    fill_reviews(seeding)
    _fill_own_words(seeding)


def _fill_own_words(seeding: SeedContext) -> None:
    kept = hash_password(ADMINISTRATOR_PASSWORD, ADMINISTRATOR)
    seeding.db.execute("INSERT INTO administrator VALUES (?, ?)", (ADMINISTRATOR, kept))
    for title, (path, content) in _PAGES.items():
        seeding.db.execute("INSERT INTO content_page (title, path, content) VALUES (?, ?, ?)", (title, path, content))
    for name, active, coupon, action, amount in _RULES:
        seeding.db.execute(
            "INSERT INTO price_rule (name, active, websites, customer_groups, coupon, action, amount, created)"
            " VALUES (?, ?, 'Main Website', ?, ?, ?, ?, ?)",
            (name, active, ", ".join(GROUPS), coupon, action, amount, START.isoformat()),
        )
    for text, uses in _SEARCHES:
        match = " AND ".join(["name LIKE ?"] * len(text.split()))
        words = [f"%{word}%" for word in text.split()]
        counted = f"SELECT COUNT(*) FROM product WHERE parent IS NULL AND {match}"  # noqa: S608 (no value in it)
        (results,) = seeding.db.execute(counted, words).fetchone()
        seeding.db.execute("INSERT INTO search_term VALUES (?, ?, ?)", (text, uses, results))
