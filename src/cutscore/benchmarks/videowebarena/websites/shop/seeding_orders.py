"""Customers and a year of their orders; the account of tasks has a fifth of them."""

import json
from datetime import datetime, timedelta
from sqlite3 import Row

from cutscore.benchmarks.videowebarena.websites.shop.rows import insert
from cutscore.benchmarks.videowebarena.websites.state import START
from cutscore.benchmarks.videowebarena.websites.website import SeedContext

ORDERS, OWN_ORDERS, DAYS = 190, 38, 365
SHIPPING_CENTS = 500  # for each item
ADDRESS_FIELDS = ("first_name", "last_name", "street", "city", "region", "postcode", "country", "telephone")
SHIPPING, PAYMENT = "Flat Rate - Fixed", "Check / Money order"
_FIRST = ("Ava", "Bruno", "Clara", "Daniel", "Elif", "Farid", "Grace", "Hugo", "Ines", "Jonas", "Kira", "Liam", "Maya")
_LAST = ("Adler", "Brooks", "Costa", "Dietz", "Evans", "Fischer", "Nguyen", "Okafor", "Park", "Rossi", "Silva", "Weber")
_CITIES = (  # city, region, postcode
    ("San Mateo", "California", "94401"),
    ("Portland", "Oregon", "97205"),
    ("Austin", "Texas", "78701"),
    ("Boston", "Massachusetts", "02108"),
    ("Denver", "Colorado", "80202"),
    ("Pittsburgh", "Pennsylvania", "15213"),
)
_STREETS = ("Maple Street", "Hill Road", "Lake Avenue", "Station Square", "Orchard Lane", "Mill Street")
_CUSTOMERS = 44
_STATES = ("complete",) * 8 + ("canceled", "closed")
_OPEN_ORDERS, _OPEN_STATES = 16, ("pending", "pending", "processing", "complete", "holded")  # the latest ones


def fill_customers(seeding: SeedContext, account: str, password: str) -> None:
    """Fill customers, each with an address; the account of tasks has two."""
    draw = seeding.draw
    names = [("Emma", "Lopez")]
    while len(names) <= _CUSTOMERS:
        name = (draw.choice(_FIRST), draw.choice(_LAST))
        if name not in names:
            names.append(name)
    for number, (first, last) in enumerate(names, start=1):
        own = number == 1
        email = account if own else f"{first}.{last}@example.org".lower()
        created = START - timedelta(days=420 if own else draw.randrange(1, 400), minutes=draw.randrange(1440))
        group = "General" if own else draw.choice(("General", "General", "Wholesale", "Retailer"))
        insert(
            seeding.db,
            "customer",
            email=email,
            first_name=first,
            last_name=last,
            password=password if own else "",
            customer_group=group,
            created=created.isoformat(),
        )
        kept = [_add_address(seeding, number, first, last, fixed=own) for _ in range(2 if own else 1)]
        seeding.db.execute("UPDATE customer SET billing = ?, shipping = ? WHERE id = ?", (kept[0], kept[0], number))


def fill_orders(seeding: SeedContext, account: str) -> None:
    """Fill a year of orders, numbered by their time."""
    draw = seeding.draw
    emma = seeding.db.execute("SELECT * FROM customer WHERE email = ?", (account,)).fetchone()
    others = seeding.db.execute("SELECT * FROM customer WHERE email != ? ORDER BY id", (account,)).fetchall()
    goods = seeding.db.execute("SELECT * FROM product WHERE parent IS NULL ORDER BY id").fetchall()
    step = timedelta(days=DAYS) / ORDERS
    own = set(range(3, ORDERS, ORDERS // OWN_ORDERS))
    for number in range(ORDERS):
        buyer = emma if number in own else draw.choice(others)
        created = START - timedelta(days=DAYS) + step * number + timedelta(minutes=draw.randrange(1440))
        created = min(created, START - timedelta(hours=ORDERS - number)).replace(second=0, microsecond=0)
        status = draw.choice(_STATES if number < ORDERS - _OPEN_ORDERS else _OPEN_STATES)
        baskets = draw.sample(goods, draw.choice((1, 1, 2, 2, 3, 4)))
        _add_order(seeding, buyer, baskets, created=created, status=status)


def _add_order(seeding: SeedContext, buyer: Row, baskets: list[Row], *, created: datetime, status: str) -> None:
    bought = [(each, seeding.draw.choice((1, 1, 1, 2, 3)), *_choose_options(seeding, each["id"])) for each in baskets]
    subtotal = sum((each["price"] + extra) * quantity for each, quantity, _, extra in bought)
    shipping = SHIPPING_CENTS * sum(quantity for _, quantity, _, _ in bought)
    kept = dict(seeding.db.execute("SELECT * FROM address WHERE id = ?", (buyer["billing"],)).fetchone())
    address = json.dumps({name: kept[name] for name in ADDRESS_FIELDS})
    order = insert(
        seeding.db,
        "purchase",
        customer=buyer["id"],
        email=buyer["email"],
        customer_name=f"{buyer['first_name']} {buyer['last_name']}",
        status=status,
        created=created.isoformat(),
        shipping_method=SHIPPING,
        payment_method=PAYMENT,
        subtotal=subtotal,
        shipping=shipping,
        total=subtotal + shipping,
        billing_address=address,
        shipping_address=address,
    )
    done = status in ("complete", "closed")
    for each, quantity, options, extra in bought:
        insert(
            seeding.db,
            "purchase_item",
            purchase=order,
            product=each["id"],
            sku=each["sku"],
            name=each["name"],
            price=each["price"] + extra,
            quantity=quantity,
            options=json.dumps(options),
            shipped=quantity if done else 0,
            invoiced=quantity if done or status == "processing" else 0,
            refunded=quantity if status == "closed" else 0,
        )


def _choose_options(seeding: SeedContext, product: int) -> tuple[dict[str, str], int]:
    """Return options of a product drawn by chance, and what they cost more."""
    rows = seeding.db.execute(
        "SELECT option.name, value, extra_price FROM option_value JOIN option ON option.id = option WHERE product = ?"
        " ORDER BY option.position, option_value.position",
        (product,),
    ).fetchall()
    chosen: dict[str, str] = {}
    extra = 0
    for name in dict.fromkeys(row["name"] for row in rows):
        value = seeding.draw.choice([row for row in rows if row["name"] == name])
        chosen[name] = value["value"]
        extra += value["extra_price"]
    return chosen, extra


def _add_address(seeding: SeedContext, customer: int, first: str, last: str, *, fixed: bool) -> int:
    draw = seeding.draw
    city, region, postcode = _CITIES[0] if fixed else draw.choice(_CITIES)
    street = f"{draw.randrange(1, 900)} {draw.choice(_STREETS)}"
    return insert(
        seeding.db,
        "address",
        customer=customer,
        first_name=first,
        last_name=last,
        street=street,
        city=city,
        region=region,
        postcode=postcode,
        country="United States",
        telephone=f"555{draw.randrange(1_000_000, 9_999_999)}",
    )
