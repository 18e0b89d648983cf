"""Logging in, registering, and what a customer tells of themselves."""

import re

from starlette.responses import Response

from cutscore.benchmarks.videowebarena.websites.accounts import enter, hash_password, leave, matches_password
from cutscore.benchmarks.videowebarena.websites.shop.layout import field, find_customer, owner, require_customer, show
from cutscore.benchmarks.videowebarena.websites.shop.order_pages import STATES, newest_orders
from cutscore.benchmarks.videowebarena.websites.shop.rows import insert
from cutscore.benchmarks.videowebarena.websites.visit import Visit

_ACCOUNT = "/customer/account/"
_SHORTEST_PASSWORD = 8
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")
_RECENT = 5


def show_login(visit: Visit) -> Response:
    """Show the form for logging in; whoever is in already goes on."""
    return (
        visit.redirect(_ACCOUNT)
        if find_customer(visit)
        else show(visit, "login.html", back=visit.query.get("back", ""))
    )


def log_in(visit: Visit) -> Response:
    """Let a customer in, and take a guest's cart along."""
    email = field(visit, "login[username]", "Email").lower()
    customer = visit.row("SELECT * FROM customer WHERE email = ?", email)
    if not matches_password(visit.form.get("login[password]", ""), email, customer["password"] if customer else ""):
        return visit.redirect(
            "/customer/account/login/", notice="The account sign-in was incorrect. Please wait and try again later."
        )
    _enter(visit, email)
    return visit.back(_ACCOUNT)


def log_out(visit: Visit) -> Response:
    """Log out."""
    leave(visit)
    return visit.redirect("/", notice="You are signed out.")


def show_registration(visit: Visit) -> Response:
    """Show the form for a new account."""
    return show(visit, "register.html")


def register(visit: Visit) -> Response:
    """Make an account and log it in."""
    email = _email(visit)
    if visit.row("SELECT 1 FROM customer WHERE email = ?", email):
        visit.refuse("There is already an account with this email address.")
    insert(
        visit.db,
        "customer",
        email=email,
        first_name=field(visit, "firstname", "First Name"),
        last_name=field(visit, "lastname", "Last Name"),
        password=hash_password(_new_password(visit), email),
        subscribed=int("is_subscribed" in visit.form),
        created=visit.now.isoformat(),
    )
    _enter(visit, email)
    return visit.redirect(_ACCOUNT, notice="Thank you for registering with One Stop Market.")


def show_account(visit: Visit) -> Response:
    """Show what is known of the customer, and the newest orders."""
    customer = require_customer(visit)
    addresses = {row["id"]: row for row in visit.rows("SELECT * FROM address WHERE customer = ?", customer["id"])}
    return show(
        visit,
        "account.html",
        billing=addresses.get(customer["billing"]),
        shipping=addresses.get(customer["shipping"]),
        orders=newest_orders(visit, customer, _RECENT),
        states=STATES,
    )


def show_account_form(visit: Visit) -> Response:
    """Show the form for name, e-mail and password."""
    require_customer(visit)
    return show(visit, "account_form.html")


def change_account(visit: Visit) -> Response:
    """Keep the name; e-mail and password only with the current password."""
    customer = require_customer(visit)
    first, last, email = field(visit, "firstname", "First Name"), field(visit, "lastname", "Last Name"), _email(visit)
    visit.db.execute("UPDATE customer SET first_name = ?, last_name = ? WHERE id = ?", (first, last, customer["id"]))
    if email != customer["email"] or visit.form.get("password"):
        current = visit.form.get("current_password", "")
        if not matches_password(current, customer["email"], customer["password"]):
            visit.refuse("The password does not match this account. Nothing was changed.")
        if email != customer["email"] and visit.row("SELECT 1 FROM customer WHERE email = ?", email):
            visit.refuse("There is already an account with this email address.")
        kept = hash_password(_new_password(visit) if visit.form.get("password") else current, email)
        visit.db.execute("UPDATE customer SET email = ?, password = ? WHERE id = ?", (email, kept, customer["id"]))
        _enter(visit, email)
    return visit.redirect(_ACCOUNT, notice="You saved the account information.")


def show_newsletter(visit: Visit) -> Response:
    """Show whether the customer gets the newsletter."""
    require_customer(visit)
    return show(visit, "newsletter.html")


def change_newsletter(visit: Visit) -> Response:
    """Subscribe to the newsletter, or end that."""
    customer = require_customer(visit)
    wanted = "is_subscribed" in visit.form
    visit.db.execute("UPDATE customer SET subscribed = ? WHERE id = ?", (wanted, customer["id"]))
    notice = "We have saved your subscription." if wanted else "We have removed your newsletter subscription."
    return visit.redirect(_ACCOUNT, notice=notice)


def subscribe(visit: Visit) -> Response:
    """Take the e-mail of the foot's form; a customer's account then has the newsletter."""
    visit.db.execute("UPDATE customer SET subscribed = 1 WHERE email = ?", (_email(visit),))
    return visit.back(notice="Thank you for your subscription.")


def _enter(visit: Visit, email: str) -> None:
    before = owner(visit)
    enter(visit, email)
    visit.db.execute("UPDATE cart_item SET owner = ? WHERE owner = ?", (email, before))


def _email(visit: Visit) -> str:
    written = field(visit, "email", "Email").lower()
    return written if _EMAIL.fullmatch(written) else visit.refuse("Please enter a valid email address.")


def _new_password(visit: Visit) -> str:
    written = visit.form.get("password", "")
    if len(written) < _SHORTEST_PASSWORD:
        visit.refuse(f"A password needs at least {_SHORTEST_PASSWORD} characters.")
    if written != visit.form.get("password_confirmation", ""):
        visit.refuse("Please enter the same password twice.")
    return written
