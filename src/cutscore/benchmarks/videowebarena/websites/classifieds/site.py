"""The classifieds: one address, whose query says which page is meant, as on the published site."""

from collections.abc import Mapping
from pathlib import Path

from starlette.responses import Response

from cutscore.benchmarks.videowebarena.websites.classifieds import listings, members, publishing
from cutscore.benchmarks.videowebarena.websites.classifieds.photos import show_photo
from cutscore.benchmarks.videowebarena.websites.classifieds.reset import reset
from cutscore.benchmarks.videowebarena.websites.classifieds.search import show_search
from cutscore.benchmarks.videowebarena.websites.classifieds.seeding import ACCOUNT, PASSWORD, fill
from cutscore.benchmarks.videowebarena.websites.visit import Visit, check_form
from cutscore.benchmarks.videowebarena.websites.website import Database, Handler, Website, call, page

HERE = Path(__file__).parent
PATH = "/index.php"
# By `page` and `action` of the query.
PAGES: Mapping[tuple[str, str], Handler] = {
    ("", ""): listings.show_main,
    ("main", ""): listings.show_main,
    ("search", ""): show_search,
    ("item", ""): listings.show_listing,
    ("item", "item_add"): publishing.show_new,
    ("item", "item_edit"): publishing.show_edit,
    ("login", ""): members.show_login,
    ("register", "register"): members.show_register,
    ("user", "items"): members.show_own_listings,
    ("user", "dashboard"): members.show_own_listings,
    ("user", "messages"): members.show_messages,
    ("user", "profile"): members.show_profile,
    ("user", "pub_profile"): members.show_member,
}
FORMS: Mapping[tuple[str, str], Handler] = {
    ("item", "item_add_post"): publishing.publish,
    ("item", "item_edit_post"): publishing.change,
    ("item", "item_delete"): publishing.delete,
    ("item", "add_comment"): listings.add_comment,
    ("item", "delete_comment"): listings.delete_comment,
    ("item", "contact_post"): listings.contact_seller,
    ("login", "login_post"): members.log_in,
    ("login", "logout"): members.log_out,
    ("register", "register_post"): members.register,
    ("user", "profile_post"): members.change_profile,
}


def show(visit: Visit) -> Response:
    """Show the page that the query names."""
    return (PAGES.get(_asked(visit)) or visit.missing("page"))(visit)


def take(visit: Visit) -> Response:
    """Take the form that the query names; a program that resets has no page's token, but one of its own."""
    if _asked(visit) == ("reset", ""):
        return reset(visit)
    check_form(visit.session, visit.form)
    return (FORMS.get(_asked(visit)) or visit.missing("page"))(visit)


def _asked(visit: Visit) -> tuple[str, str]:
    return visit.query.get("page", ""), visit.query.get("action", "")


SITE = Website(
    name="classifieds",
    title="Classifieds",
    host="classifieds.localhost",
    folder=HERE,
    database=Database("classifieds", HERE / "schema.sql", fill),
    addresses=(
        page("/", show),
        page(PATH, show),
        call(PATH, take),
        page("/oc-content/uploads/{listing}/{name}", show_photo),
    ),
    account=ACCOUNT,
    password=PASSWORD,
    login_path=f"{PATH}?page=login",
)
