"""Members: logging in and out, registering, one's own listings, messages and profile, and the profiles of others."""

import re

from starlette.responses import Response

from cutscore.benchmarks.videowebarena.websites.accounts import enter, hash_password, leave, matches_password
from cutscore.benchmarks.videowebarena.websites.classifieds.listings import (
    MOST_TEXT,
    MOST_TITLE,
    item_address,
    read_member,
    read_text,
    show_cards,
    write_day,
)
from cutscore.benchmarks.videowebarena.websites.visit import Visit

FEWEST_PASSWORD, MOST_PASSWORD = 8, 200
_EMAIL = re.compile(r"[^@\s]{1,100}@[^@\s]{1,100}\.[^@\s.]{1,30}")


def show_login(visit: Visit) -> Response:
    """Show the login form."""
    return visit.page("login.html", back=visit.query.get("back", ""), email="", fault="")


def log_in(visit: Visit) -> Response:
    """Log somebody in and bring them back to where they came from."""
    email, password = visit.form.get("email", "").strip().lower(), visit.form.get("password", "")
    member = visit.row("SELECT * FROM member WHERE email = ?", email)
    if member is None or not matches_password(password[:MOST_PASSWORD], email, member["password"]):
        fault = "The e-mail address or the password is not right."
        return visit.page("login.html", status=403, back=visit.form.get("back", ""), email=email[:200], fault=fault)
    enter(visit, email)
    return visit.back(notice=f"Welcome, {member['name']}.")


def log_out(visit: Visit) -> Response:
    """Log out."""
    leave(visit)
    return visit.redirect("/", notice="You are logged out.")


def show_register(visit: Visit) -> Response:
    """Show the form for a new account."""
    return visit.page("register.html", fewest=FEWEST_PASSWORD)


def register(visit: Visit) -> Response:
    """Make an account and log it in."""
    name, email = read_text(visit, "name", MOST_TITLE), read_text(visit, "email", MOST_TITLE).lower()
    password = visit.form.get("password", "")
    if not _EMAIL.fullmatch(email):
        visit.refuse("Please give an e-mail address.")
    if not FEWEST_PASSWORD <= len(password) <= MOST_PASSWORD or password != visit.form.get("password2"):
        visit.refuse(f"Please give a password of at least {FEWEST_PASSWORD} characters, twice the same.")
    if visit.row("SELECT 1 FROM member WHERE email = ?", email):
        visit.refuse("There is an account with this e-mail address.")
    row = (email, name, hash_password(password, email), visit.now.isoformat())
    visit.db.execute("INSERT INTO member (email, name, password, joined) VALUES (?, ?, ?, ?)", row)
    enter(visit, email)
    return visit.redirect("/index.php?page=user&action=items", notice=f"Welcome, {name}.")


def show_own_listings(visit: Visit) -> Response:
    """Show one's own listings, the newest first."""
    member = read_member(visit)
    which = "WHERE seller = ? ORDER BY published DESC, id DESC"
    return visit.page("user_items.html", listings=show_cards(visit, which, member["id"]))


def show_messages(visit: Visit) -> Response:
    """Show what one was sent and what one sent, the newest first."""
    member = read_member(visit)
    messages = visit.rows(
        "SELECT message.*, listing.title, sender.name AS sender_name, receiver.name AS receiver_name FROM message"
        " JOIN listing ON listing.id = message.listing JOIN member AS sender ON sender.id = message.sender"
        " JOIN member AS receiver ON receiver.id = message.receiver"
        " WHERE ? IN (message.sender, message.receiver) ORDER BY message.sent DESC, message.id DESC",
        member["id"],
    )
    shown = [{**each, "day": write_day(each["sent"]), "address": item_address(each["listing"])} for each in messages]
    return visit.page("user_messages.html", messages=shown, member=member)


def show_profile(visit: Visit) -> Response:
    """Show the form for one's own profile."""
    return visit.page("user_profile.html", member=read_member(visit))


def change_profile(visit: Visit) -> Response:
    """Keep what was changed of one's own profile."""
    member = read_member(visit)
    name, about = read_text(visit, "name", MOST_TITLE), visit.form.get("about", "").strip()[:MOST_TEXT]
    visit.db.execute("UPDATE member SET name = ?, about = ? WHERE id = ?", (name, about, member["id"]))
    return visit.redirect("/index.php?page=user&action=profile", notice="Your profile has been updated.")


def show_member(visit: Visit) -> Response:
    """Show the profile of a seller, with what they sell."""
    member = visit.row("SELECT * FROM member WHERE id = ?", visit.number("id", 0)) or visit.missing("member")
    listings = show_cards(visit, "WHERE seller = ? ORDER BY published DESC, id DESC", member["id"])
    return visit.page("pub_profile.html", member=member, joined=write_day(member["joined"]), listings=listings)
