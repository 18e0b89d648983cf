"""The git host: clones, merges, issues and members work and stay; released tasks find what they read on its pages."""

import json
import re
import subprocess
from html import unescape
from pathlib import Path

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from site_visitor import SiteVisitor
from web_fixtures import live

pytest.importorskip("uvicorn", reason="the sites need an extra: pip install 'cutscore[web]'")

from cutscore.benchmarks.videowebarena.environment.helpers import LiveHelpers
from cutscore.benchmarks.videowebarena.environment.login import log_in
from cutscore.benchmarks.videowebarena.websites.git_host.merging import merge_lines, merge_trees
from cutscore.benchmarks.videowebarena.websites.git_host.seeding import ACCOUNT, PASSWORD
from cutscore.benchmarks.videowebarena.websites.git_host.site import SITE
from cutscore.benchmarks.videowebarena.websites.serving import ServedSites
from cutscore.benchmarks.videowebarena.websites.state import Templates, connect
from cutscore.environments.browser.guard import AddressGuard
from cutscore.environments.browser.opening import open_session
from cutscore.environments.browser.session import BrowserSession, PageFault, SessionOptions
from cutscore.environments.browser.settle import settle

SPACE = "/byteblaze/gimmiethat.space"
DOTFILES = "/byteblaze/dotfiles"
PRIVATE = "/byteblaze/solarized-prism-theme"


class Visitor(SiteVisitor):
    host = "git.localhost"
    login_page = "/users/sign_in"

    def log_in(self, password: str = PASSWORD) -> "Visitor":
        self.post("/users/sign_in", {"login": ACCOUNT, "password": password})
        return self


@pytest.fixture
def visitor(served: ServedSites) -> Visitor:
    served.reset()
    return Visitor(served.port).log_in()


def words(page: httpx.Response) -> str:
    return unescape(" ".join(re.sub(r"<[^>]+>", " ", page.text).split()))


def titles(page: httpx.Response) -> list[str]:
    return [unescape(each) for each in re.findall(r'<li class="issue card">\s*<h2><a[^>]*>([^<]*)', page.text)]


def git(served: ServedSites, folder: Path, *arguments: str, login: str = "") -> subprocess.CompletedProcess[str]:
    told = {"GIT_TERMINAL_PROMPT": "0", "GIT_CONFIG_NOSYSTEM": "1", "HOME": str(folder), "PATH": "/usr/bin:/bin"}
    command = ["git", "-c", f"http.extraHeader=Host: git.localhost:{served.port}", *arguments]
    where = f"http://{login}127.0.0.1:{served.port}"
    written = [each.replace("SITE", where) for each in command]
    return subprocess.run(written, cwd=folder, env=told, capture_output=True, text=True, timeout=60, check=False)


def test_equal_seeds_give_equal_rows(tmp_path: Path) -> None:
    made = []
    for seed, name in ((1, "a"), (1, "b"), (2, "c")):
        folder = Templates(tmp_path / name, seed).of(SITE.database)
        db = connect(folder / "git.sqlite")
        made.append("\n".join(db.iterdump()))
        db.close()
    assert made[0] == made[1]
    assert made[0] != made[2]


def test_a_repository_is_cloned_with_all_that_its_pages_tell(served: ServedSites, tmp_path: Path) -> None:
    served.reset()  # nobody has visited it since
    done = git(served, tmp_path, "clone", "-q", f"SITE{DOTFILES}.git", "mine")
    assert done.returncode == 0, done.stderr
    assert git(served, tmp_path / "mine", "fsck").returncode == 0
    assert git(served, tmp_path / "mine", "branch", "-r").stdout.split()[-1] == "origin/main"
    log = git(served, tmp_path / "mine", "log", "--format=%an <%ae> %s").stdout.splitlines()
    assert log[-1] == "Byte Blaze <byteblaze@example.org> Initial commit"
    assert f"{len(log)} commits" in words(Visitor(served.port).get(DOTFILES))
    raw = Visitor(served.port).get(f"{DOTFILES}/-/raw/main/zshrc").content
    assert (tmp_path / "mine/zshrc").read_bytes() == raw


def test_a_private_repository_is_cloned_by_its_owner_alone(served: ServedSites, tmp_path: Path) -> None:
    assert git(served, tmp_path, "clone", f"SITE{PRIVATE}.git").returncode == 128
    assert git(served, tmp_path, "clone", f"SITE{PRIVATE}.git", login=f"{ACCOUNT}:wrong@").returncode == 128
    assert git(served, tmp_path, "clone", f"SITE{PRIVATE}.git", login=f"{ACCOUNT}:{PASSWORD}@").returncode == 0
    stranger = Visitor(served.port).log_in(password="wrong")
    assert [stranger.get(PRIVATE + more).status_code for more in ("", "/-/raw/main/README.md")] == [404, 404]
    assert "solarized" not in stranger.get("/explore").text


def test_nothing_is_pushed(visitor: Visitor, served: ServedSites, tmp_path: Path) -> None:
    git(served, tmp_path, "clone", "-q", f"SITE{DOTFILES}.git", "mine")
    assert git(served, tmp_path / "mine", "push", "origin", "main:other").returncode != 0


def test_a_merge_request_is_merged_into_its_branch(visitor: Visitor, served: ServedSites, tmp_path: Path) -> None:
    request = f"{SPACE}/-/merge_requests/2"
    assert "+europa.jpg" in words(visitor.get(f"{request}/diffs"))
    assert "Add the moons of Jupiter" in words(visitor.get(f"{request}/commits"))
    visitor.post(f"{request}/merge")
    assert "Merged into main by commit" in words(visitor.get(request))
    assert visitor.get(f"{SPACE}/-/raw/main/pictures.txt").text.split()[-2:] == ["ganymede.jpg", "callisto.jpg"]
    assert "+europa.jpg" in words(visitor.get(f"{request}/diffs"))
    git(served, tmp_path, "clone", "-q", f"SITE{SPACE}.git", "mine")
    newest = git(served, tmp_path / "mine", "log", "-1", "--format=%P|%s").stdout
    assert re.fullmatch(r"\w{40} \w{40}\|Merge branch 'jupiter-moons' into 'main'\n", newest)
    assert visitor.post(f"{request}/merge").status_code == visitor.post(f"{request}/close").status_code == 400


def test_a_conflict_is_told_and_nothing_is_merged(visitor: Visitor) -> None:
    request = f"{SPACE}/-/merge_requests/1"
    before = visitor.get(f"{SPACE}/-/raw/main/style.css").text
    assert "both sides changed style.css" in words(visitor.get(request))
    assert visitor.post(f"{request}/merge").status_code == 409
    assert visitor.get(f"{SPACE}/-/raw/main/style.css").text == before


@given(st.lists(st.sampled_from("abc")), st.lists(st.sampled_from("abc")))
def test_a_merge_with_one_side_unchanged_is_the_other(base: list[str], changed: list[str]) -> None:
    assert merge_lines(base, changed, base) == merge_lines(base, base, changed) == changed
    assert merge_lines(base, changed, changed) == changed


def test_trees_are_merged_file_by_file() -> None:
    base = {"same": "1", "ours": "1", "theirs": "1", "gone": "1", "torn": "1", "both": "long"}
    texts = {"1": b"one", "2": b"two", "3": b"three", "long": b"a\nb\nc\n", "top": b"A\nb\nc\n", "end": b"a\nb\nC\n"}
    ours = {**base, "ours": "2", "torn": "2", "both": "top"}
    theirs = {**base, "theirs": "2", "torn": "3", "both": "end", "new": "3"}
    del theirs["gone"]
    merged = merge_trees(base, ours, theirs, texts.__getitem__)
    assert merged.changes == {"theirs": b"two", "gone": None, "both": b"A\nb\nC\n", "new": b"three"}
    assert merged.conflicts == ["torn"]


def test_a_merge_request_is_asked_for(visitor: Visitor) -> None:
    fields = {
        "title": "Dialogs",
        "source_branch": "dialog-component",
        "target_branch": "dialog",
        "reviewers": "@primer",
    }
    made = visitor.post("/primer/design/-/merge_requests", fields).headers["location"]
    assert made == "/primer/design/-/merge_requests/2"
    assert "dialog-component into dialog" in words(visitor.get(made))
    same = visitor.post("/primer/design/-/merge_requests", {**fields, "target_branch": "dialog-component"})
    assert "There is nothing to merge" in words(same)
    assert visitor.post("/vinta/awesome-python/-/merge_requests", fields).status_code == 403


def test_an_issue_is_opened_changed_answered_and_closed(visitor: Visitor) -> None:
    fields = {"title": "New card", "labels": ["new card", "documentation"], "assignees": "@vinta, byteblaze"}
    issue = visitor.post("/byteblaze/empathy-prompts/-/issues", {**fields, "due_date": "2030-01-16"}).headers[
        "location"
    ]
    told_first = words(visitor.get(issue))
    for told in (
        "Assignees Byte Blaze @byteblaze Vinta Chen @vinta",
        "documentation new card",
        "Due date Jan 16, 2030",
    ):
        assert told in told_first
    visitor.post(issue, {"title": "Newer card", "assignees": ""})
    visitor.post(f"{issue}/notes", {"note": "Done **well**."})
    visitor.post(f"{issue}/close")
    page = visitor.get(issue)
    assert "<strong>well</strong>" in page.text
    assert "Assignees None Labels None" in words(page)
    listed = titles(visitor.get("/byteblaze/empathy-prompts/-/issues?state=closed"))
    assert listed == ["Newer card"]


@pytest.mark.parametrize(
    "fields",
    [
        {"title": " "},
        {"title": "x", "due_date": "soon"},
        {"title": "x", "assignees": "@nobody-here"},
        {"title": "x" * 300},
    ],
)
def test_an_issue_that_makes_no_sense_is_refused(visitor: Visitor, fields: dict[str, str]) -> None:
    assert visitor.post(f"{DOTFILES}/-/issues", fields).status_code == 400
    assert len(titles(visitor.get(f"{DOTFILES}/-/issues?state=all"))) == 3


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("label_name[]=idea", ["Keep the history of the shell for longer"]),
        ("label_name[]=bug&state=closed", ["Colours are unreadable in daylight"]),
        ("label_name[]=None", []),
        ("assignee_username=byteblaze", ["Prompt shows the wrong time zone"]),
        ("author_username=BYTEBLAZE", ["Keep the history of the shell for longer"]),
        ("search=utc", ["Prompt shows the wrong time zone"]),
        ("milestone_title=New+laptop&sort=due_date&state=all", ["Prompt shows the wrong time zone"]),
        ("sort=title_asc", ["Keep the history of the shell for longer", "Prompt shows the wrong time zone"]),
        ("search=%25' OR 1=1 --", []),
    ],
)
def test_lists_show_what_their_address_asks_for(visitor: Visitor, query: str, expected: list[str]) -> None:
    page = visitor.get(f"{DOTFILES}/-/issues/?{query}")
    assert titles(visitor.get(page.headers["location"]) if page.is_redirect else page) == expected


def test_a_filter_form_leads_to_the_address_of_the_published_site(visitor: Visitor) -> None:
    sent = f"{DOTFILES}/-/issues/?search=&label_name%5B%5D=help+wanted&sort=&assignee_username="
    assert visitor.get(sent).headers["location"] == f"{DOTFILES}/-/issues/?label_name%5B%5D=help%20wanted"
    oldest = re.search(r'href="([^"]*created_asc[^"]*)"', visitor.get(f"{DOTFILES}/-/issues").text)
    assert oldest
    assert unescape(oldest[1]) == f"{DOTFILES}/-/issues/?sort=created_asc&state=opened"


def test_paging_shows_every_issue_once(visitor: Visitor) -> None:
    found = [titles(visitor.get(f"/a11yproject/a11yproject.com/-/issues/?state=all&page={page}")) for page in (1, 2)]
    assert [len(each) for each in found] == [20, 13]
    assert len({*found[0], *found[1]}) == 33


def test_dashboards_and_to_dos_tell_what_waits(visitor: Visitor) -> None:
    assert visitor.get("/dashboard/issues").headers["location"] == "/dashboard/issues?assignee_username=byteblaze"
    assert len(titles(visitor.get("/dashboard/merge_requests?reviewer_username=byteblaze"))) == 8
    count = visitor.get("/dashboard/todos").text.count("Mark as done")
    todo = re.search(r'name="todo" value="(\d+)"', visitor.get("/dashboard/todos").text)
    assert todo
    visitor.post("/dashboard/todos/done", {"todo": todo[1]})
    assert visitor.get("/dashboard/todos").text.count("Mark as done") == count - 1


def test_members_are_invited_changed_and_removed(visitor: Visitor) -> None:
    address = f"{DOTFILES}/-/project_members"
    roles = []
    for change in ({"role": "Guest"}, {"role": "Maintainer"}, {"remove": "1"}):
        visitor.post(address, {"accounts": "koush, @vinta", **change})
        roles.append(re.findall(r"@(?:koush|vinta)</span></td>\s*<td[^>]*><span>(\w+)<", visitor.get(address).text))
    assert roles == [["Guest", "Guest"], ["Maintainer", "Maintainer"], []]
    refused = (
        {"accounts": ACCOUNT, "role": "Guest"},
        {"accounts": "vinta", "role": "Owner"},
        {"accounts": "", "role": "Guest"},
    )
    assert [visitor.post(address, each).status_code for each in refused] == [400] * 3
    assert visitor.post("/primer/design/-/project_members", {"accounts": "vinta", "role": "Guest"}).status_code == 403


def test_a_group_has_members_and_projects(visitor: Visitor) -> None:
    assert visitor.post("/groups", {"name": "n lab", "visibility": "private"}).headers["location"] == "/n-lab"
    visitor.post("/groups/n-lab/-/group_members", {"accounts": "koush", "role": "Developer"})
    visitor.post("/projects", {"name": "tools", "namespace": "n-lab", "template": "blank"})
    assert "@koush" in visitor.get("/n-lab/tools/-/project_members").text
    assert (
        visitor.post("/groups", {"name": "primer"}).status_code
        == visitor.post("/groups", {"name": "explore"}).status_code
        == 400
    )
    visitor.post("/users/sign_out")
    assert visitor.get("/n-lab").status_code == 404


def test_projects_are_made_forked_starred_and_described(visitor: Visitor) -> None:
    fields = {"name": "web agent", "visibility": "internal", "template": "express"}
    assert visitor.post("/projects", fields).headers["location"] == "/byteblaze/web-agent"
    assert "Initialized from 'NodeJS Express' project template" in words(visitor.get("/byteblaze/web-agent/-/commits"))
    assert visitor.post("/projects", fields).status_code == 400
    assert visitor.post("/projects", {**fields, "name": "../up"}).status_code == 400
    visitor.post("/vinta/awesome-python/-/forks", {"name": "awesome-python"})
    visitor.post("/byteblaze/awesome-python/edit", {"description": "Mine", "visibility": "private"})
    page = visitor.get("/byteblaze/awesome-python")
    assert "Forked from vinta/awesome-python Mine" in words(page)
    assert 'title="Private: only members can see it."' in page.text
    commits = [re.findall(r"(\d+) commits", words(visitor.get(f"/{who}/awesome-python"))) for who in ("vinta", ACCOUNT)]
    assert commits == [["16"]] * 2
    starred = []
    for _ in range(2):
        visitor.post("/vinta/awesome-python/toggle_star")
        starred.append("awesome-python" in visitor.get("/users/byteblaze/starred").text)
    assert starred == [True, False]


def test_files_are_edited_and_added_by_commits(visitor: Visitor) -> None:
    visitor.post(f"{DOTFILES}/-/edit/main/zshrc", {"content": "TZ=Europe/Lisbon\n", "message": "Move to Lisbon"})
    assert visitor.get(f"{DOTFILES}/-/raw/main/zshrc").text == "TZ=Europe/Lisbon\n"
    newest = re.search(r"/-/commit/(\w{40})", visitor.get(f"{DOTFILES}/-/commits/main?author=Byte%20Blaze").text)
    assert newest
    change = words(visitor.get(f"{DOTFILES}/-/commit/{newest[1][:10]}"))
    assert "Move to Lisbon" in change
    assert "-TZ=UTC" in change
    visitor.post(f"{DOTFILES}/-/new/main", {"file_name": "fonts/list.txt", "content": "Inter"})
    assert "list.txt" in words(visitor.get(f"{DOTFILES}/-/tree/main/fonts"))
    for name in ("../x", "a//b", ".git/config", "zshrc", "zshrc/x", "fonts"):
        assert visitor.post(f"{DOTFILES}/-/new/main", {"file_name": name, "content": ""}).status_code == 400
    assert visitor.post("/vinta/awesome-python/-/edit/main/README.md", {"content": ""}).status_code == 403


def test_an_empty_repository_takes_its_first_file(visitor: Visitor) -> None:
    visitor.post("/projects", {"name": "empty", "template": "blank"})
    pages = ("", "/-/commits", "/-/branches", "/-/graphs/main", "/-/merge_requests/new", "/-/new/main")
    assert [visitor.get(f"/byteblaze/empty{page}").status_code for page in pages] == [200] * len(pages)
    visitor.post("/byteblaze/empty/-/new/main", {"file_name": "a.txt", "content": "one"})
    assert visitor.get("/byteblaze/empty/-/raw/main/a.txt").text == "one"


def test_labels_milestones_and_profiles_are_kept(visitor: Visitor) -> None:
    visitor.post(f"{DOTFILES}/-/labels", {"name": "later", "colour": "#123456"})
    assert visitor.post(f"{DOTFILES}/-/labels", {"name": "evil", "colour": "red;x:y"}).status_code == 400
    assert "later 0 open" in words(visitor.get(f"{DOTFILES}/-/labels"))
    dates = {"start_date": "2044-03-15", "due_date": "2044-03-30"}
    made = visitor.post(f"{DOTFILES}/-/milestones", {"title": "Merge all", **dates}).headers["location"]
    assert "Start date Mar 15, 2044 Due date Mar 30, 2044" in words(visitor.get(made))
    backwards = {"title": "x", "start_date": "2044-03-30", "due_date": "2044-03-15"}
    assert visitor.post(f"{DOTFILES}/-/milestones", backwards).status_code == 400
    visitor.post("/-/profile", {"full_name": "B. Blaze", "status": "Busy", "website": "https://egg.example.org"})
    page = visitor.get("/byteblaze").text
    assert '<div class="cover-status"><span>Busy</span></div>' in page
    assert ">egg.example.org</a>" in page
    visitor.post("/users/vinta/follow")
    assert "@vinta" in visitor.get("/users/byteblaze/following").text


HOSTILE = [
    "<script>alert(1)</script>",
    "'; DROP TABLE issuable; --",
    '"><img src=x onerror=1>',
    "[x](javascript:alert(1))",
]


@pytest.mark.parametrize("hostile", HOSTILE)
def test_hostile_words_stay_words(visitor: Visitor, hostile: str) -> None:
    issue = visitor.post(f"{DOTFILES}/-/issues", {"title": hostile, "description": hostile}).headers["location"]
    visitor.post(f"{issue}/notes", {"note": hostile})
    visitor.post(f"{DOTFILES}/-/edit/main/README.md", {"content": hostile, "message": hostile})
    visitor.post("/-/profile", {"full_name": hostile, "website": hostile, "bio": hostile})
    for address in (issue, f"{DOTFILES}/-/issues", DOTFILES, f"{DOTFILES}/-/commits/main", "/byteblaze"):
        page = visitor.get(address)
        assert page.status_code == 200
        assert "<script>" not in page.text
        assert "<img" not in page.text
        assert 'href="javascript' not in page.text
    raw = visitor.get(f"{DOTFILES}/-/raw/main/README.md")
    assert (raw.text, raw.headers["content-type"]) == (hostile, "text/plain; charset=utf-8")


def test_what_cannot_be_taken_is_refused(visitor: Visitor) -> None:
    assert visitor.post(f"{DOTFILES}/-/issues", {"title": "x", "description": "x" * 10_000_000}).status_code == 413
    assert visitor.client.post(f"{DOTFILES}/-/issues", data={"title": "x"}).status_code == 403
    visitor.post("/users/sign_out")
    assert "/users/sign_in" in visitor.post(f"{DOTFILES}/-/issues", {"title": "x"}).headers["location"]


@pytest.mark.parametrize(
    "path",
    ["/byteblaze/nope", "/nobody", f"{DOTFILES}/-/issues/99999999999999999999", f"{DOTFILES}/-/blob/main/nope",
     f"{DOTFILES}/-/tree/nope", f"{DOTFILES}/-/commit/0000000000", f"{DOTFILES}/-/milestones/9", "/users/vinta/nope"],
)  # fmt: skip
def test_what_is_missing_has_a_page_that_says_so(visitor: Visitor, path: str) -> None:
    page = visitor.get(path)
    assert page.status_code == 404
    assert "404" in words(page)
    assert "does not exist." in page.text


def read_uses(folder: Path) -> list[tuple[str, str]]:
    """Return all pages of the git host that released tasks read or lead to, each with what they look for on it."""
    uses: list[tuple[str, str]] = []
    for file in ("videowa/test_gitlab", "wa/test_webarena"):
        for task in json.loads((folder / f"{file}.raw.json").read_text(encoding="utf-8")):
            if "gitlab" not in task["sites"]:
                continue
            section = task["eval"]
            uses += [(each["url"], each["locator"]) for each in section.get("program_html") or []]
            uses += [(url, "") for url in (section.get("reference_url") or "").split(" |OR| ") if url]
    return [(url, look) for url, look in uses if not url.startswith("__REDDIT__") and "submission" not in look]


def like(url: str, look: str) -> str:
    """Return the address of ours that shows the kind of page which a released address shows."""
    if url == "last":  # where an agent has just written something
        if "start_date" in look or "due_date" in look or "content-body" in look:
            return f"{DOTFILES}/-/milestones/1"
        is_request = "reviewer" in look or "monospace" in look
        return f"{SPACE}/-/merge_requests/1" if is_request else f"{DOTFILES}/-/issues/1"
    path = url.removeprefix("__GITLAB__")
    kinds = {
        r"/groups/[\w-]+/-/group_members": "/groups/lab/-/group_members",
        r"/[\w-]+/[\w.-]+/-/merge_requests/\d+": f"{SPACE}/-/merge_requests/1",
        r"/[\w-]+/[\w.-]+/-/issues/\d+": f"{DOTFILES}/-/issues/1",
        r"/[\w-]+/[\w.-]+/-/(blob|raw)/(main|master)/.*": rf"{DOTFILES}/-/\1/main/README.md",
        r"/(dashboard|users|-)/.*|/explore": r"\g<0>",
        r"/[\w-]+/[\w.-]+(/-/.*)?": rf"{DOTFILES}\1",
        r"/[\w-]+": "/byteblaze",
    }
    return next((re.sub(shape, ours, path) for shape, ours in kinds.items() if re.fullmatch(shape, path)), path or "/")


async def resolves(session: BrowserSession, helpers: LiveHelpers, address: str, look: str) -> bool:
    status = await session.open(address)
    await settle(session)
    try:
        if look.startswith("func:"):
            return bool((await helpers.call(look.removeprefix("func:"), session)).value)
        return bool(await session.evaluate(look)) if look else status == 200
    except PageFault:
        return False


@pytest.mark.real
def test_released_locators_find_what_they_look_for(
    released: Path, chromium: str, visitor: Visitor, served: ServedSites, tmp_path: Path
) -> None:
    visitor.post("/groups", {"name": "lab", "visibility": "public"})
    invited = ("abisubramanya27", "yjlou", "lahwaacz", "koush", "vinta", "a11yproject")
    visitor.post(f"{DOTFILES}/-/project_members", {"accounts": ", ".join(invited), "role": "Guest"})
    sites = served.addresses
    home = sites.sites["gitlab"].address
    guard = AddressGuard.of([home])
    session = live(open_session(SessionOptions(guard=guard, folder=tmp_path)))
    try:
        live(log_in(session, sites, "gitlab", ACCOUNT))
        uses = [(like(url, look), look) for url, look in read_uses(released)]
        helpers = LiveHelpers(sites, guard)
        found = {use: live(resolves(session, helpers, home + use[0], use[1])) for use in sorted(set(uses))}
    finally:
        live(session.close())
    # A page about security, on which one tutorial happens to end.
    assert sorted({use for use in uses if not found[use]}) == [(f"{DOTFILES}/-/security/configuration", "")]
    assert len(uses) > 300
    assert sum(found[use] for use in uses) / len(uses) >= 0.95
