"""Every form of every site, found by walking from its first page: hostile input stays words, and nothing breaks."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

import httpx
import pytest
from site_visitor import SiteVisitor
from starlette.routing import compile_path

pytest.importorskip("uvicorn", reason="the sites need an extra: pip install 'cutscore[web]'")

from cutscore.benchmarks.videowebarena.environment.login import PATHS
from cutscore.benchmarks.videowebarena.websites.catalogue import websites
from cutscore.benchmarks.videowebarena.websites.serving import ServedSites
from cutscore.benchmarks.videowebarena.websites.visit import TOKEN_FIELD
from cutscore.benchmarks.videowebarena.websites.website import Website

pytestmark = pytest.mark.real

HOSTILE = "\"'><script>alert(1)</script><img src=x onerror=alert(1)>'); DROP TABLE account; DROP TABLE post; --"
LONG, TOO_LARGE = "x" * 10_000_000, 413
PATIENCE_S = 60
ADDRESS = "javascript:alert(1)"
MOST_PAGES, PER_ADDRESS = 150, 4  # of a walk; pages that one address of the site answers
SITES = ("reddit", "classifieds", "shopping", "shopping_admin", "gitlab", "map")
# Forms that no walk meets: something of one's own has to be there first. Tests of the sites send them.
NOT_REACHED = {
    "shopping": {"/checkout/payment/"},
    "reddit": {
        *("/f/{forum}/edit", "/user/{name}/unblock_user"),
        *(f"/f/{{forum}}/{{post:int}}/{{slug}}/comment/{{comment:int}}/{what}" for what in ("edit", "delete")),
    },
    "gitlab": {
        *("/groups/{name}/-/group_members", "/users/{name}/follow"),
        *(f"/{{namespace}}/{{project}}/-/{what}/{{number:int}}/reopen" for what in ("issues", "merge_requests")),
    },
}
# Pages to begin with, beside the first: of pages of which a site has many, one that has it all.
STARTS = {
    "shopping": ("/petrel-green-toy-robot.html", "/wishlist/", "/catalog/product_compare/", "/checkout/cart/"),
    "reddit": ("/f/aww/50101", "/user/MarvelsGrantMan136/block_list"),
    "gitlab": (
        *(f"/byteblaze/empathy-prompts/-/{page}" for page in ("issues/new", "merge_requests/new", "milestones/new")),
        *(f"/byteblaze/empathy-prompts/-/{page}" for page in ("edit/main/README.md", "new/main/", "issues/3")),
        *("/byteblaze/gimmiethat.space/-/merge_requests/1", "/groups/primer/-/group_members", "/vinta"),
    ),
}
FormShape = tuple[str, str, tuple[str, ...]]
WORDY = ("text", "search", "email", "tel", "number", "password", "date", "url", "textarea", "hidden", "")


@dataclass
class FoundForm:
    """A form of a page: fields by name, with their kind and what stands in them."""

    page: str
    action: str
    method: str
    fields: dict[str, tuple[str, str]] = field(default_factory=dict)

    def shape(self, site: Website) -> FormShape:
        """What tells it from others of its kind: the address that takes it, and its fields."""
        steps = [f"{name}={self.fields[name][1]}" for name in ("page", "action") if name in self.fields]
        return self.method, " ".join([address_of(site, self.action), *steps]), tuple(sorted(self.fields))

    def filled(self, words: str, *, everything: bool) -> dict[str, str]:
        """Return what is sent: hostile in fields for words, or in all of them; the token stays."""
        keep = (TOKEN_FIELD,) if everything else (TOKEN_FIELD, *self._hidden)
        return {
            name: value if name in keep or not (everything or kind in WORDY) else words
            for name, (kind, value) in self.fields.items()
            if kind != "file"
        }

    @property
    def _hidden(self) -> tuple[str, ...]:
        return tuple(name for name, (kind, _) in self.fields.items() if kind == "hidden")


class PageReader(HTMLParser):
    """Links and forms of a page, and what of it would run."""

    def __init__(self, page: httpx.Response) -> None:
        super().__init__()
        self.at = str(page.url)
        self.links: list[str] = []
        self.forms: list[FoundForm] = []
        self.running: list[str] = []
        self.other: list[FoundForm] = []  # forms whose buttons send them elsewhere
        self._select, self._in_script = "", False
        if "html" in page.headers.get("content-type", ""):
            self.feed(page.text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self._in_script = tag == "script"
        self.running += [f"{tag} {name}" for name in given if name.startswith("on")]
        target = given.get("href", given.get("action", "")).strip().lower()
        self.running += [f"{tag} {target}"] if target.startswith("javascript:") else []
        if tag == "a" and "href" in given:
            self.links.append(urljoin(self.at, given["href"]))
        if tag == "form":
            action = urljoin(self.at, given.get("action", ""))
            self.forms.append(FoundForm(self.at, action, given.get("method", "get").lower()))
        if self.forms and "name" in given:
            self._take_field(tag, given)
        if self.forms and "formaction" in given:
            self.other.append(replace(self.forms[-1], action=urljoin(self.at, given["formaction"])))
        if tag == "option" and self._select and self.forms:
            kind, value = self.forms[-1].fields[self._select]
            self.forms[-1].fields[self._select] = kind, value or given.get("value", "")

    def handle_endtag(self, tag: str) -> None:
        self._in_script = self._in_script and tag != "script"

    def handle_data(self, data: str) -> None:
        if self._in_script and data.strip():
            self.running.append(f"script {data[:60]}")

    def _take_field(self, tag: str, given: dict[str, str]) -> None:
        if tag in ("input", "textarea", "select", "button"):
            kind = given.get("type", "") if tag == "input" else "button" if tag == "button" else tag
            self.forms[-1].fields.setdefault(given["name"], (kind, given.get("value", "")))
        self._select = given["name"] if tag == "select" else "" if tag in ("input", "textarea") else self._select


def address_of(site: Website, address: str) -> str:
    """Return which address of a site answers, as the site writes it, and the page that its query names."""
    parts = urlsplit(address)
    known = (each.path for each in site.addresses if compile_path(each.path)[0].match(parts.path))
    named = re.findall(r"(?:^|&)((?:page|action)=[a-z_]+)", parts.query)
    return "?".join([next(known, parts.path), *named])


class Walker(SiteVisitor):
    """Somebody who is logged in and goes wherever a link leads on the site."""

    def __init__(self, served: ServedSites, site: Website, *, known: bool = True) -> None:
        self.host = site.host  # type: ignore[misc]
        super().__init__(served.port)
        self.client.timeout = httpx.Timeout(PATIENCE_S)
        self.site = site
        if site.account and known:
            self._log_in()

    def _log_in(self) -> None:
        path = f"{self.site.base_path}{PATHS.get(self.site.name, '/login') or '/'}"
        login = next(form for form in PageReader(self.open(path)).forms if "password" in str(form.fields))
        sent = login.filled("", everything=False)
        names = [name for name, (kind, _) in login.fields.items() if kind in ("text", "email", "")]
        secret = next(name for name, (kind, _) in login.fields.items() if kind == "password")
        self.send(login, {**sent, names[-1]: self.site.account, secret: self.site.password})

    def open(self, address: str) -> httpx.Response:
        return self.client.get(address, follow_redirects=True)

    def send(self, form: FoundForm, fields: dict[str, str], files: dict[str, bytes] | None = None) -> httpx.Response:
        sent = {name: (f"{name}.png", content, "image/png") for name, content in (files or {}).items()}
        if form.method == "post":
            return self.client.post(form.action, data=fields, files=sent or None, follow_redirects=True)
        return self.client.get(form.action, params=fields, follow_redirects=True)

    def _is_own(self, address: str) -> bool:
        """Whether it is on this site, which we reach by the address of its machine."""
        return urlsplit(address).hostname == str(self.client.base_url.host)

    def forms(self, pages: Iterable[str] = ()) -> dict[FormShape, FoundForm]:
        """Walk from the first page, and return one form of every shape."""
        starts = dict.fromkeys((f"{self.site.base_path}/", *STARTS.get(self.site.name, ()), *pages))
        waiting, seen = [urljoin(str(self.client.base_url), each) for each in starts], set[str]()
        counts: dict[str, int] = {}
        found: dict[FormShape, FoundForm] = {}
        while waiting and len(seen) < MOST_PAGES:
            seen.add(address := waiting.pop(0))
            read = PageReader(self.open(address))
            found |= {
                each.shape(self.site): each for each in (*read.forms, *read.other) if self._is_own(each.action)
            } | found
            for link in dict.fromkeys(read.links):
                if self._is_own(link) and link not in seen and link not in waiting and "logout" not in link:
                    kind = address_of(self.site, link)
                    counts[kind] = counts.get(kind, 0) + 1
                    waiting += [link] if counts[kind] <= PER_ADDRESS else []
        return found


def find_forms(served: ServedSites, site: Website) -> dict[FormShape, FoundForm]:
    """Return the forms that a stranger sees, a member, and a member who has sent all of these once."""
    served.reset()
    strange, member = Walker(served, site, known=False).forms(), Walker(served, site)
    found = member.forms()
    for form in found.values():
        if "password" not in str(form.fields):
            member.send(form, form.filled("1", everything=False))
    return {**strange, **member.forms(form.page for form in found.values()), **found}


def faults_of(page: httpx.Response, what: str) -> Iterator[str]:
    """Tell what of an answer is not inert."""
    if page.status_code >= 500:
        yield f"{what}: status {page.status_code}"
    yield from (f"{what}: {each}" for each in PageReader(page).running)


@pytest.mark.parametrize("name", SITES)
def test_hostile_input_stays_words_in_every_form(served: ServedSites, name: str) -> None:
    site = websites()[name]
    forms = find_forms(served, site)
    reached = {address.split()[0].split("?")[0] for _, address, _ in forms}
    assert {each.path for each in site.addresses if each.post and each.checked} - reached == NOT_REACHED.get(
        name, set()
    )
    assert [fault for form in forms.values() for fault in attack(served, site, form)] == []


def attack(served: ServedSites, site: Website, form: FoundForm) -> Iterator[str]:
    """Send a form in every hostile way; tell what is not inert afterwards, or was taken and should not be."""
    served.reset()
    walker, what = Walker(served, site), str(form.shape(site))
    for words, everything in ((HOSTILE, False), (HOSTILE, True), (ADDRESS, False)):
        yield from faults_of(walker.send(form, form.filled(words, everything=everything)), what)
    yield from (
        fault for at in (form.page, f"{site.base_path}/") for fault in faults_of(walker.open(at), f"{what} {at}")
    )
    wordy = [name for name, (kind, _) in form.fields.items() if kind in WORDY and name != TOKEN_FIELD]
    if form.method == "post" and wordy:
        answer = walker.send(form, {**form.filled("x", everything=False), wordy[-1]: LONG})
        yield from [f"{what}: 10 MB give {answer.status_code}"] if answer.status_code != TOO_LARGE else []
    for name in [name for name, (kind, _) in form.fields.items() if kind == "file"]:
        answer = walker.send(form, form.filled("a", everything=False), {name: HOSTILE.encode()})
        yield from [f"{what}: a file without a picture gives {answer.status_code}"] if answer.is_success else []


def test_what_would_run_is_found() -> None:
    def found(text: str) -> list[str]:
        request = httpx.Request("GET", "http://forum.localhost/")
        return PageReader(httpx.Response(200, html=text, request=request)).running

    assert found("<script>alert(1)</script>") == ["script alert(1)"]
    assert found("<img src=x onerror=alert(1)>") == ["img onerror"]
    assert found("<a href='javascript:alert(1)'>x</a>") == ["a javascript:alert(1)"]
    assert found("&lt;script&gt;alert(1)<script src=/ours.js></script>") == []
