"""Pages of the shop's own words, and the contact form."""

from starlette.responses import Response

from cutscore.benchmarks.videowebarena.websites.shop.layout import field, optional_field, show
from cutscore.benchmarks.videowebarena.websites.shop.rows import insert
from cutscore.benchmarks.videowebarena.websites.visit import Visit


def show_content(visit: Visit) -> Response:
    """Show a page that the back office wrote."""
    found = visit.row("SELECT * FROM content_page WHERE active AND path = ?", visit.path["path"].strip("/"))
    return show(visit, "content.html", content=found or visit.missing("page"))


def show_contact(visit: Visit) -> Response:
    """Show the contact form."""
    return show(visit, "contact.html")


def take_message(visit: Visit) -> Response:
    """Keep what somebody writes to the shop."""
    insert(
        visit.db,
        "message",
        name=field(visit, "name", "Name"),
        email=field(visit, "email", "Email"),
        phone=optional_field(visit, "telephone", "Phone Number"),
        text=field(visit, "comment", "What’s on your mind?", most=10_000),
        created=visit.now.isoformat(),
    )
    notice = "Thanks for contacting us with your comments and questions. We'll respond to you very soon."
    return visit.redirect("/contact/", notice=notice)
