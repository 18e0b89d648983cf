"""What programs ask the shop for: a token, orders, and the reviews of a product."""

import hashlib
import hmac
import json
from pathlib import Path
from sqlite3 import Row
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from cutscore.benchmarks.videowebarena.websites.shop.seeding import ADMINISTRATOR, ADMINISTRATOR_PASSWORD
from cutscore.benchmarks.videowebarena.websites.visit import Visit

TOKEN = hashlib.sha256(f"{ADMINISTRATOR} {ADMINISTRATOR_PASSWORD}".encode()).hexdigest()[:32]
_FIELDS = {"customer_email": "email", "status": "status", "increment_id": "id", "customer_id": "customer"}
_MOST = 100
_FILTER = "searchCriteria[filter_groups][{0}][filters][0]"


def token_application(home: Path) -> Starlette:
    """Return what gives the administrator's programs a token; it keeps nothing in the shop's folder."""
    return Starlette(routes=[Route("/admin/token", _give_token, methods=["POST"])])


async def _give_token(request: Request) -> Response:
    try:
        told = json.loads(await request.body())
    except ValueError:
        told = None
    wanted = {"username": ADMINISTRATOR, "password": ADMINISTRATOR_PASSWORD}
    if told != wanted:
        return JSONResponse({"message": "The account sign-in was incorrect."}, 401)
    return JSONResponse(TOKEN)


def list_orders(visit: Visit) -> Response:
    """Return orders by `searchCriteria`: equal fields, sorted by time, so many of them."""
    if not _is_allowed(visit):
        return _refuse(visit)
    where, values = ["1"], []
    for number in range(len(_FIELDS)):
        name = visit.query.get(_FILTER.format(number) + "[field]", "")
        if name in _FIELDS:
            where.append(f"{_FIELDS[name]} = ?")
            values.append(visit.query.get(_FILTER.format(number) + "[value]", ""))
    turn = "DESC" if visit.query.get("searchCriteria[sortOrders][0][direction]", "").upper() == "DESC" else "ASC"
    chosen = f"FROM purchase WHERE {' AND '.join(where)}"
    orders = visit.rows(
        f"SELECT * {chosen} ORDER BY created {turn}, id {turn} LIMIT ?",
        *values,
        visit.number("searchCriteria[pageSize]", _MOST, most=_MOST),
    )
    total = visit.count(f"SELECT COUNT(*) {chosen}", *values)
    return visit.json({"items": [_order(visit, order) for order in orders], "total_count": total})


def list_reviews(visit: Visit) -> Response:
    """Return the reviews of a product, the oldest first, those that wait for approval with them."""
    if not _is_allowed(visit):
        return _refuse(visit)
    reviews = visit.rows(
        "SELECT review.* FROM review JOIN product ON product.id = product WHERE sku = ? ORDER BY review.id",
        visit.path["sku"],
    )
    return visit.json([_review(review) for review in reviews])


def _order(visit: Visit, order: Row) -> dict[str, Any]:
    items = visit.rows("SELECT * FROM purchase_item WHERE purchase = ? ORDER BY id", order["id"])
    return {
        "entity_id": order["id"],
        "increment_id": f"{order['id']:09}",
        "customer_email": order["email"],
        "status": order["status"],
        "created_at": order["created"],
        "grand_total": order["total"] / 100,
        "items": [{"sku": item["sku"], "name": item["name"], "qty_ordered": item["quantity"]} for item in items],
    }


def _review(review: Row) -> dict[str, Any]:
    rating = {"rating_name": "Rating", "value": review["stars"], "percent": review["stars"] * 20}
    return {
        "id": review["id"],
        "title": review["title"],
        "detail": review["detail"],
        "nickname": review["nickname"],
        "ratings": [rating],
        "created_at": review["created"],
    }


def _is_allowed(visit: Visit) -> bool:
    told = visit.request.headers.get("authorization", "")
    return hmac.compare_digest(told.encode(), f"Bearer {TOKEN}".encode())


def _refuse(visit: Visit) -> Response:
    return visit.json({"message": "The consumer isn't authorized to access this resource."}, status=401)
