"""The site in a real Chromium: from disk and over HTTP, by mouse and by keyboard, light and dark."""

import re
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable
from cutscore.core.ending import Ending
from cutscore.core.finding import Finding
from cutscore.core.table import Column

pytestmark = pytest.mark.real

FINDING = 'a[aria-label="Show bars.mp4 at 00:02.000–00:04.000"]'
SEEN = 'a[aria-label="Show bars.mp4 at 00:03.500"]'
# Red channel and blue channel in the middle of what the player shows.
MIDDLE = """video => {
  const canvas = document.createElement("canvas");
  canvas.width = 160; canvas.height = 90;
  const pen = canvas.getContext("2d");
  pen.drawImage(video, 0, 0, 160, 90);
  const [red, , blue] = pen.getImageData(80, 45, 1, 1).data;
  return [red, blue];
}"""


class Quiet(SimpleHTTPRequestHandler):
    """The plainest web server that people use; it cannot send a part of a file."""

    def log_message(self, *_: object) -> None:
        pass


class Ranged(Quiet):
    """A web server that can."""

    def send_head(self) -> Any:
        wanted = self.headers.get("Range", "")
        path = Path(self.translate_path(self.path))
        if not wanted.startswith("bytes=") or not path.is_file():
            return super().send_head()
        start, _, end = wanted.removeprefix("bytes=").partition("-")
        total = path.stat().st_size
        first, last = int(start), min(int(end or total - 1), total - 1)
        self.send_response(206)
        self.send_header("Content-Type", self.guess_type(str(path)))
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("Content-Range", f"bytes {first}-{last}/{total}")
        self.send_header("Content-Length", str(last - first + 1))
        self.end_headers()
        self.wfile.write(path.read_bytes()[first : last + 1])
        return None


@pytest.fixture(params=["disk", "plain server", "server with ranges"])
def root(request, build) -> Iterator[str]:
    """Build the site and give the address of its folder, served in one of three ways."""
    site = build().parent
    if request.param == "disk":
        yield site.as_uri()
        return
    handler = partial(Quiet if request.param == "plain server" else Ranged, directory=str(site))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


def test_from_the_front_page_to_the_second_that_caused_it(watch, root):
    watched = watch()
    page = watched.page
    page.goto(f"{root}/index.html")
    assert "blind is not shown to beat chance" in page.title()
    page.get_by_role("row", name="blind").get_by_role("link").click()
    page.wait_for_url("**/colorbars/index.html")
    page.get_by_role("region", name="table of results").get_by_role("row", name="blind").get_by_role(
        "link", name="blue-3"
    ).click()
    page.wait_for_url("**/colorbars/items/blue-3.html#*")
    watched.at(2.05)
    assert (
        page.eval_on_selector(".live", "status => status.textContent") == "bars.mp4, given: now at 00:02.000–00:04.000"
    )
    watched.check(root)


def test_seeks_by_mouse_and_by_keyboard_and_plays(watch, root):
    watched = watch()
    page = watched.page
    page.goto(f"{root}/colorbars/items/red-1.html")
    page.get_by_text("Frames seen", exact=True).click()
    page.locator(SEEN).click()
    watched.at(3.55)
    link = page.locator(FINDING).first
    link.focus()
    page.keyboard.press("Enter")
    watched.at(2.05)
    assert page.evaluate("document.activeElement.matches('a.at.now')")
    page.wait_for_url("**#t=2")
    page.eval_on_selector("video", "video => { video.muted = true; return video.play() }")
    page.wait_for_function("() => document.querySelector('video').currentTime > 2.1")
    link.click()
    watched.at(2.05)
    watched.check(root)


def test_the_frame_shown_is_the_one_that_the_finding_means(watch, build):
    """Blue to 2.0 s, red from there: at 2.0 s the player shows red, half a second earlier blue."""
    watched = watch()
    # From disk a picture cannot be read back, so this one page is served.
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Ranged, directory=str(build().parent)))
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    watched.page.goto(f"http://127.0.0.1:{server.server_port}/colorbars/items/red-1.html")
    watched.page.locator(FINDING).first.click()
    watched.at(2.05)
    red, blue = watched.page.eval_on_selector("video", MIDDLE)
    assert red > 150 > 100 > blue
    watched.page.get_by_text("Frames seen", exact=True).click()
    watched.page.locator('a[aria-label="Show bars.mp4 at 00:01.500"]').click()
    watched.at(1.55)
    red, blue = watched.page.eval_on_selector("video", MIDDLE)
    assert blue > 150 > 100 > red
    server.shutdown()
    server.server_close()


def test_a_modified_click_is_left_to_the_browser(watch, build):
    watched = watch()
    watched.page.goto((build().parent / "colorbars" / "items" / "red-1.html").as_uri())
    with watched.page.context.expect_page() as opened:
        watched.page.locator(FINDING).first.click(modifiers=["Control"])
    assert opened.value.url.endswith(".mp4#t=2.000000,4.000000")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_both_themes_on_desk_and_phone(watch, build, theme, width):
    site = build().parent
    watched = watch(color_scheme=theme, viewport={"width": width, "height": 844})
    for name in (
        "index.html",
        "items.html",
        "colorbars/index.html",
        "colorbars/tables.html",
        "colorbars/items/blue-3.html",
    ):
        watched.page.goto((site / name).as_uri())
        ground, ink = watched.page.evaluate(
            "['backgroundColor', 'color'].map(name => getComputedStyle(document.body)[name].match(/\\d+/g).map(Number))"
        )
        assert (sum(ground) > sum(ink)) == (theme == "light")
        assert abs(sum(ground) - sum(ink)) > 450
        # Wide tables scroll in their own box; the page never scrolls sideways.
        assert watched.page.evaluate("document.documentElement.scrollWidth") <= width
    watched.check(site.as_uri())


@pytest.mark.parametrize("width", [1280, 390])
def test_a_wide_table_scrolls_in_its_box_and_keeps_its_names_in_sight(watch, build, run, width):
    (table, *_) = run.tables
    names = [f"axis {number}" for number in range(12)]
    columns = (table.columns[0], *(Column(name=name) for name in names))
    rows = tuple((f"lab/a-model-with-a-long-name-{number}", *names) for number in range(3))
    wide = table.model_copy(update={"columns": columns, "rows": rows, "plot": None})
    site = build(tables=[wide]).parent
    watched = watch(viewport={"width": width, "height": 844})
    page = watched.page
    page.goto((site / "colorbars" / "tables.html").as_uri() + "#by-colour")
    box = page.get_by_role("region", name="by-colour: figures")
    box.focus()
    page.eval_on_selector(".scroll", "box => { box.scrollLeft = box.scrollWidth }")
    name = page.get_by_role("rowheader").first.bounding_box()
    last = page.get_by_role("cell", name="axis 11").first.bounding_box()
    assert box.bounding_box()["x"] <= name["x"] < name["x"] + name["width"] <= last["x"]
    assert last["x"] + last["width"] <= width
    assert name["width"] < width / 2
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    watched.check(site.as_uri())


STOPS = """[...document.querySelectorAll("a[href], button, input, select, summary, video[controls], [tabindex]")]
  .filter((each) => each.tabIndex >= 0 && each.checkVisibility({ visibilityProperty: true }))"""
UNREACHED = f"{STOPS}.filter((each) => !each.dataset.reached).map((each) => each.outerHTML.slice(0, 120))"
HERE = """() => {
  const at = document.activeElement, look = getComputedStyle(at);
  at.dataset.reached = "1";
  const shown = at.tagName === "VIDEO" || (look.outlineStyle !== "none" && parseFloat(look.outlineWidth) > 0);
  return [at.tagName, shown, at.outerHTML.slice(0, 120)];
}"""


@pytest.mark.parametrize("name", ["index", "items", "colorbars/index", "colorbars/tables", "colorbars/items/blue-3"])
def test_the_keyboard_reaches_everything_and_one_sees_where_it_is(watch, build, name):
    watched = watch()
    page = watched.page
    page.goto((build().parent / f"{name}.html").as_uri())
    page.wait_for_load_state()
    stops = page.evaluate(f"{STOPS}.length")
    for _ in range(10 * stops):  # a player has several stops of its own
        page.keyboard.press("Tab")
        tag, shown, html = page.evaluate(HERE)
        if tag == "BODY":
            break
        assert shown, html
    unreached = page.evaluate(UNREACHED)
    assert (unreached, stops > 3) == ([], True)


def test_by_keyboard_alone_from_the_front_page_to_the_frame_before(watch, build):
    watched = watch()
    page = watched.page
    page.goto(build().as_uri())

    def go(selector: str) -> None:
        for _ in range(200):
            page.keyboard.press("Tab")
            if page.evaluate("wanted => document.activeElement.matches(wanted)", selector):
                page.keyboard.press("Enter")
                return
        pytest.fail(f"no Tab leads to {selector}")

    go('a[href="items.html"]')
    page.wait_for_url("**/items.html")
    page.keyboard.press("f")
    page.keyboard.type("blue-3 red;")
    page.wait_for_function("() => document.querySelectorAll('.samples tbody tr').length === 1")
    go('a[href^="colorbars/items/blue-3.html"].cell.q0')
    page.wait_for_url("**/items/blue-3.html#*")
    watched.at(2.05)
    page.keyboard.press(",")
    watched.at(1.95)


def test_the_keyboard_reaches_the_content_first(watch, build):
    watched = watch()
    watched.page.goto(build().as_uri())
    watched.page.keyboard.press("Tab")
    assert watched.page.evaluate("document.activeElement.textContent") == "Skip to the content"
    watched.page.keyboard.press("Enter")
    assert watched.page.evaluate("document.activeElement.id") == "main"


def test_on_a_phone_the_clip_stays_in_sight(watch, build):
    watched = watch(viewport={"width": 390, "height": 844})
    watched.page.goto((build().parent / "colorbars" / "items" / "blue-3.html").as_uri() + "#r4-f1")
    watched.at(2.05)
    watched.page.wait_for_function(
        "() => { const clip = document.querySelector('video').getBoundingClientRect();"
        " const found = document.getElementById('r4-f1').getBoundingClientRect();"
        " return clip.top >= 0 && clip.bottom <= found.top && found.bottom <= innerHeight }"
    )


@pytest.mark.parametrize("width", [1280, 390])
def test_a_finding_about_a_delivered_clip_opens_with_that_player_in_sight(watch, build, run, clips, width):
    fixed = run.store.put(clips["green"], name="fixed.mp4")
    found = Finding(name="accuracy", value=0, because="the fault is still there", file="fixed.mp4", at=(3, 4))
    marked = Ending(status="marked", scores={"accuracy": 0}, findings=(found,))
    notes = run.store.put_bytes(b"What I did, at length.\n" * 15, name="report.md")
    run.add("editor", run.rows[0].ask, marked, deliverable=Deliverable(files=(fixed, notes)))
    watched = watch(viewport={"width": width, "height": 844})
    watched.page.goto((build().parent / "colorbars" / "items" / "red-1.html").as_uri() + "#r5-f1")
    watched.page.wait_for_function(
        "() => { const clip = document.getElementById('film-2'), box = clip.getBoundingClientRect();"
        " const found = document.getElementById('r5-f1').getBoundingClientRect();"
        " return clip.currentTime === 3.05 && box.top >= 0 && box.bottom <= found.top && found.bottom <= innerHeight }"
    )


def test_hostile_text_does_nothing(watch, build, run):
    nasty = "<script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\"><svg onload=alert(1)>"
    ref = run.store.put_bytes(nasty.encode(), name="<b>x</b>.svg", media_type="image/svg+xml")
    found = Finding(name=nasty, value=0, because=nasty, file=nasty, at=(0, 1))
    ask = Ask(item="nasty", brief=nasty, files=(ref,))
    marked = Ending(status="marked", scores={"accuracy": 0}, findings=(found,))
    run.add("nasty", ask, marked, model=nasty, deliverable=Deliverable(text=nasty, files=(ref,)))
    (table, *_) = run.tables
    spoilt = table.model_copy(update={"title": nasty, "note": nasty, "rows": ((nasty, nasty, None, nasty),)})
    site = build(title=nasty, tables=[spoilt]).parent
    watched = watch()
    watched.page.on("dialog", lambda dialog: watched.complaints.append(dialog.message))
    for name in ("index.html", "items.html", "colorbars/tables.html", "colorbars/items/nasty.html"):
        watched.page.goto((site / name).as_uri())
        watched.page.wait_for_load_state()
        assert watched.page.title() != "owned"
        assert nasty in watched.page.inner_text("body")
    watched.check(site.as_uri())


def test_the_policy_stops_what_escaping_would_miss(watch, build):
    """Break a page on purpose: neither an inline script, nor a handler, nor an outside picture gets through."""
    index = build()
    html = index.read_text(encoding="utf-8")
    planted = (
        "<script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">"
        "<img src='http://127.0.0.1:9/beacon.png'>"
    )
    index.write_text(html.replace("</main>", f"{planted}</main>"), encoding="utf-8")
    watched = watch()
    watched.page.goto(index.as_uri())
    watched.page.wait_for_load_state()
    assert "blind is not shown to beat chance" in watched.page.title()
    assert sum("Content Security Policy" in each for each in watched.complaints) >= 3


def test_the_matrix_sorts_both_ways_by_any_column(watch, build):
    watched = watch()
    page = watched.page
    page.goto(build().as_uri())

    def order() -> list[str]:
        return page.locator(".board tbody th").all_inner_texts()

    assert order() == ["openai/x-1", "oracle", "blind", "null"]
    head = page.locator(".board thead")
    head.get_by_role("button", name="colorbars").click()
    assert order()[-1] == "null"
    head.get_by_role("button", name="colorbars").click()
    assert order()[0] == "null"
    assert head.locator("th[aria-sort=ascending]").inner_text().startswith("colorbars")
    head.get_by_role("button", name="contestant").click()
    assert order() == ["blind", "null", "openai/x-1", "oracle"]
    head.get_by_role("button", name="unscored").click()
    assert order()[0] == "openai/x-1"


def test_colours_are_chosen_and_kept(watch, build):
    site = build().parent
    watched = watch(color_scheme="light")
    page = watched.page
    page.goto((site / "index.html").as_uri())
    light = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.get_by_label("Colours").select_option("dark")
    page.goto((site / "colorbars" / "index.html").as_uri())
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != light
    page.get_by_label("Colours").select_option("")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == light
    watched.check(site.as_uri())


@pytest.mark.parametrize("width", [1440, 1024, 390])
def test_labels_numbers_and_bars_never_overprint(watch, build, run, compared, overprinted, width):
    long = {who: f"laboratory/a-model-with-a-rather-long-name-{who}" for who in ("oracle", "blind", "null")}
    for place, row in enumerate(run.rows):
        run.rows[place] = row.model_copy(update={"subject": long.get(row.subject, row.subject)})
    pairs = [(one, two) for one in long.values() for two in long.values() if one < two]
    found = [(one, two, compared(one, two, (0.1, -0.35, 0.9), p_adjusted=0.5)) for one, two in pairs]
    site = build(comparisons=found, differences=found).parent
    watched = watch(viewport={"width": width, "height": 900})
    for name in ("index", "colorbars/index", "colorbars/compare", "colorbars/tables"):
        watched.page.goto((site / f"{name}.html").as_uri())
        assert watched.page.evaluate(overprinted) == [], name
        assert watched.page.evaluate("document.documentElement.scrollWidth") <= width, name


def test_a_finger_finds_what_it_wants(watch, build):
    """On a phone what can be touched is 44 pixels high; links inside sentences and in tables of figures aside."""
    site = build().parent
    watched = watch(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    touched = "header a, main :is(summary, button, select, input), .samples a, .toc a"
    for name in ("index.html", "items.html", "colorbars/index.html"):
        watched.page.goto((site / name).as_uri())
        small = watched.page.evaluate(
            """(touched) => [...document.querySelectorAll(touched)]
              .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.matches(".thumb"))
              .map((each) => [each.closest("label") ?? each, each.outerHTML.slice(0, 90)])
              .map(([each, html]) => [each.getBoundingClientRect().height, html])
              .filter(([height]) => height > 1 && height < 43.5)""",
            touched,
        )
        assert small == [], name


@pytest.fixture
def crowded_item(build, run, clips) -> Path:
    """The page of an item with two films, two epochs, a long question among the criteria and an unscored sample."""
    fixed = run.store.put(clips["green"], name="fixed.mp4")
    question = "Comparing the two videos, is the panel that was red at the beginning still in its place at the end?"
    for epoch in (1, 2):
        found = Finding(
            name="checks/q1", value=0, because=f"{question} No: it went at {epoch}", file="fixed.mp4", at=(3, 4)
        )
        marked = Ending(status="marked", scores={"accuracy": 0}, findings=(found,))
        made = Deliverable(files=(fixed,))
        run.add("laboratory/a-long-name", run.rows[0].ask, marked, deliverable=made, epoch=epoch, model="scripted/x")
    lost = Ending(status="unscored", because="judge unreachable: 503 after 5 tries")
    run.add("lost", run.rows[0].ask, lost)
    return build().parent / "colorbars" / "items" / "red-1.html"


CUT_WORDS = """() => [...document.querySelectorAll("main .cell")].filter((each) => {
  const range = document.createRange();
  range.selectNodeContents(each);
  return !/\\s/.test(each.innerText) && new Set([...range.getClientRects()].map((box) => box.top)).size > 1;
}).map((each) => each.innerText)"""


@pytest.mark.parametrize("width", [1440, 1024, 390])
def test_the_page_of_an_item_fits_and_cuts_no_word(watch, crowded_item, width):
    watched = watch(viewport={"width": width, "height": 844}, has_touch=width < 400, is_mobile=width < 400)
    page = watched.page
    page.goto(crowded_item.as_uri())
    page.wait_for_load_state()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(CUT_WORDS) == []
    if width < 400:
        return
    # A long question wraps, and the figures of all subjects stay in sight.
    box = page.locator(".sheet-box")
    assert box.evaluate("each => each.scrollWidth - each.clientWidth") <= 1


def test_on_a_phone_the_player_comes_first_and_its_controls_are_in_reach(watch, crowded_item):
    page = watch(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True).page
    page.goto(crowded_item.as_uri())
    tops = page.evaluate("['.stage', '.asked'].map((each) => document.querySelector(each).getBoundingClientRect().top)")
    assert 0 < tops[0] < tops[1]
    for _ in range(2):
        bar = page.locator(".transport").bounding_box()
        assert bar["y"] + bar["height"] <= 845
        page.mouse.wheel(0, 600)
    page.get_by_role("button", name="More of the player").tap()
    touched = ".transport :is(button, select), .scrub, main summary, .verdicts a.cell, .around a, header a"
    small = page.evaluate(
        """(touched) => [...document.querySelectorAll(touched)]
          .filter((each) => each.checkVisibility({ visibilityProperty: true }))
          .map((each) => [each.getBoundingClientRect().height, each.outerHTML.slice(0, 90)])
          .filter(([height]) => height > 1 && height < 43.5)""",
        touched,
    )
    assert small == []


PAGES = ("index", "items", "colorbars/index", "colorbars/tables", "colorbars/items/red-1")
# What a screen reader would call only by its kind.
NAMELESS = re.compile(
    r"^\s*- (button|link|slider|combobox|checkbox|searchbox|img|region|navigation|dialog)( \[|:|$)", re.M
)


def test_a_screen_reader_has_a_name_for_everything(watch, crowded_item):
    page = watch().page
    for name in PAGES:
        page.goto((crowded_item.parents[2] / f"{name}.html").as_uri())
        page.wait_for_load_state()
        told = page.locator("body").aria_snapshot()
        assert NAMELESS.findall(told) == [], name
        assert told.count("- main") == 1, name
        assert page.locator("h1").count() == 1, name
        assert page.evaluate("document.documentElement.lang") == "en"


def test_paper_shows_what_is_read_and_nothing_to_press(watch, crowded_item):
    page = watch(color_scheme="dark").page
    page.emulate_media(media="print")
    for name in PAGES:
        page.goto((crowded_item.parents[2] / f"{name}.html").as_uri())
        page.wait_for_load_state()
        for pressed in (".pages", ".tools", ".transport", ".finder", ".scrub", ".around"):
            assert not any(each.is_visible() for each in page.locator(pressed).all()), (name, pressed)
        assert page.locator("h1").is_visible(), name
        boxes = page.locator(".scroll, .rows, .sheet-box")
        cut = boxes.evaluate_all("all => all.filter((each) => getComputedStyle(each).overflowX !== 'visible').length")
        assert cut == 0, name
        ground = page.evaluate("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)")
        assert min(ground[:3]) > 200 or ground[3:] == [0], name
        assert page.pdf().startswith(b"%PDF")
