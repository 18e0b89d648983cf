"""The whole site: what is there, that it is inert, whole, repeatable and safe to send."""

import re
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from cutscore.core.ask import Ask, RequestedFile
from cutscore.core.deliverable import Deliverable
from cutscore.core.ending import Ending, ScoreGap
from cutscore.core.errors import BadInput
from cutscore.core.evidence import Evidence
from cutscore.core.finding import Finding
from cutscore.core.table import Column, Plot

HOSTILE = (
    '<script>alert(1)</script><img src=x onerror="alert(2)"><svg onload=alert(3)>',
    '" onmouseover="alert(4)" x="',
    "javascript:alert(5)",
    "\x1b[31mred\x1b[0m\x1b]0;title\x07",
    '=HYPERLINK("http://evil.example","click")',
    "{{ 7 * 7 }} {% include 'x' %}",
    "</title></textarea></svg><iframe src=//evil.example></iframe>",
    "safe\u202egpj.exe",
)

SCRIPT = re.compile(r"(^|/)static/(theme|report|search|review|explorer)\.js$|^data/(items|samples)\.js$")


def files(site: Path) -> dict[str, bytes]:
    return {str(path.relative_to(site)): path.read_bytes() for path in sorted(site.rglob("*")) if path.is_file()}


def pages(index: Path, read) -> list:
    return [read(path) for path in sorted(index.parent.rglob("*.html"))]


def check_inert(page) -> None:
    """No code, no style, no address outside the folder, wherever it could hide."""
    for tag, attrs in page.tags:
        assert tag not in {"iframe", "object", "embed", "form", "base", "style", "foreignobject"}
        assert not [name for name in attrs if name.startswith("on") or name in ("style", "srcset", "srcdoc")], attrs
        assert tag != "script" or SCRIPT.search(attrs.get("src", ""))
        for name in ("href", "src", "poster", "action", "xlink:href", "data"):
            target = urlsplit(attrs.get(name) or "")
            assert not target.scheme, attrs
            assert not target.netloc, attrs


def check_links(page) -> None:
    """Every link and source leads to a file that is there, and to a place in it that exists."""
    for _, attrs in page.tags:
        for name in ("href", "src"):
            target = urlsplit(attrs.get(name) or "")
            file = (page.path.parent / unquote(target.path)).resolve() if target.path else page.path
            assert file.is_file(), attrs
            if target.fragment and "=" not in target.fragment and file.suffix == ".html":  # "=": what a page is to show
                assert f'id="{target.fragment}"' in file.read_text(encoding="utf-8"), attrs


def test_the_benchmark_page_says_the_finding(build, read, run):
    run.kinds = {"null": "null"}
    index = build(comparisons=run.differences)
    page = read(index.parent / "colorbars" / "index.html")
    assert index.name == "index.html"
    finding = "openai/x-1 and oracle: no difference seen (could have shown 0.500); blind is not shown to beat chance"
    assert f"colorbars: {finding}" in page.text
    for said in (
        "Name the colour that a clip shows after its cut.",
        "1.000 [1.000, 1.000] 2 in 2 0 1 bounds [0.667, 1.000] $0.0063",
        "blind – 0.333 [0.000, 1.000] 3 in 3 0 0 – blue-3 (0.000)",
        "floor null – 0.000 [0.000, 0.000]",
        "3 items × 1 epoch × 4 subjects: 12 rows, 11 marked, 1 unscored.",
        "Interval: percentile bootstrap over clusters, 10000 resamples, seed 42.",
        "oracle − openai/x-1 0.000 [0.000, 0.000] 3 in 3 no difference seen",
        "oracle − blind 0.667 [0.100, 1.000] 3 in 3 oracle is better than blind",
        "timing timing: share of cuts placed within 0.2 s",
        "colour = blue accuracy",
        "guess 0.333",
        "floor 0.000",
        "accuracy, scale 0 to 1",
    ):
        assert said in page.text
    assert [dot for dot in page.find("a") if "null: 0.000" in str(dot.get("aria-label"))] == []  # a line, no dot


def test_every_page_has_one_navigation_that_marks_where_one_is(build, read, run):
    site = build(comparisons=run.differences).parent
    for name, place in (
        ("index.html", "Overview"),
        ("items.html", "Items"),
        ("colorbars/index.html", "Results"),
        ("colorbars/compare.html", "Compare"),
        ("colorbars/tables.html", "Tables"),
    ):
        text = (site / name).read_text(encoding="utf-8")
        (here,) = re.findall(r'aria-current="page">([^<]*)<', text)
        assert here == place
        assert "Judges" not in text  # nothing was judged
    assert 'aria-current="page">Results' not in (site / "colorbars/items/red-1.html").read_text(encoding="utf-8")
    assert not build("few", tables=[]).parent.joinpath("colorbars/compare.html").exists()


def test_an_ablated_cell_has_its_arm_in_every_label(build, read, run):
    """Rows of the front page and the benchmark's, cards of an item: no two of them bear one name."""
    for row in run.of("blind"):
        run.rows.append(row.model_copy(update={"cell": "blind-arm", "input": "question"}))
    run.estimates["blind-arm"] = run.estimates[run.of("blind")[0].cell]
    index = build()
    for page in (index, index.parent / "colorbars/index.html", index.parent / "colorbars/items/red-1.html"):
        said = read(page).text
        assert "blind (question only)" in said, page
        assert said.count("blind") > said.count("blind (question only)"), page


def test_a_given_title_is_kept(build, read):
    page = read(build(title="Friday's run"))
    assert page.text.count("Friday's run") == 2


def test_an_item_shows_brief_clip_answers_and_findings(build, read):
    page = read(build().parent / "colorbars" / "items" / "blue-3.html")
    (asked, *_) = page.find("video")
    assert (asked["preload"], asked["aria-label"], "controls" in asked) == ("auto", "bars.mp4, given", True)
    for said in (
        "Which colour does it show after the cut?",
        "Unscored: we failed to mark this. judge unreachable: 503 after 5 tries",
        "Nothing was handed over.",
        "answered red; the clip is blue from 2.0 s on",
        "tokens 1,204 input, 31 output",
        "calls repeated 2 × 503",
        "Frames seen of bars.mp4 (plan uniform=4, sent as frames, decoded by PyAV 18.1.0): 00:00.500 00:01.500",
    ):
        assert said in page.text


def test_a_place_in_time_is_a_link_to_the_clip_at_that_second(build, read):
    page = read(build().parent / "colorbars" / "items" / "red-1.html")
    links = [attrs for attrs in page.find("a") if "data-player" in attrs]
    (source,) = {attrs["src"] for attrs in page.find("video")}
    first = next(link for link in links if link["aria-label"] == "Show bars.mp4 at 00:02.000–00:04.000")
    assert first["href"] == f"{source}#t=2.000000,4.000000"
    assert (first["data-player"], first["data-start"]) == ("film-1", "2.000000")
    # The finding without a file means the only clip that there is.
    assert any(link["href"] == f"{source}#t=2.000000" for link in links)


def test_times_are_rounded_up_so_that_no_earlier_frame_shows(build, read, run):
    found = Finding(name="accuracy", value=1, because="x", at=("1/3", "2/3"))
    run.add("late", run.rows[0].ask, Ending(status="marked", scores={"accuracy": 1}, findings=(found,)))
    page = read(build().parent / "colorbars" / "items" / "red-1.html")
    assert any(link.get("data-start") == "0.333334" for link in page.find("a"))


def test_a_delivered_clip_plays_and_findings_speak_of_it_first(build, read, run, clips):
    fixed = run.store.put(clips["green"], name="bars.mp4")
    notes = run.store.put_bytes(b"# Notes\nI cut at 2.0 s", name="report.md")
    extra = run.store.put(clips["blue"], name="screen.mp4")
    found = (
        Finding(name="accuracy", value=0.5, because="half", file="bars.mp4", at=(1, 1)),
        Finding(name="looked", value=1, because="which of three?", at=(1, 1)),
        Finding(name="absent", value=0, because="never delivered", file="other.mp4", at=(1, 1)),
    )
    run.add(
        "editor",
        run.rows[0].ask,
        Ending(status="marked", scores={"accuracy": 0.5}, findings=found),
        deliverable=Deliverable(files=(fixed, notes), failure="time limit"),
        evidence=Evidence(files=(fixed, extra), facts={"exit_code": 1, "final": {"b": 1, "a": "x" * 500}}),
        warnings=("answered by another model",),
    )
    page = read(build().parent / "colorbars" / "items" / "red-1.html")
    players = {attrs["id"]: attrs for attrs in page.find("video")}
    assert fixed.sha256 in players["film-2"]["src"]
    assert extra.sha256 in players["film-3"]["src"]
    assert len(players) == 3
    links = [attrs["aria-label"] for attrs in page.find("a") if attrs.get("data-player") == "film-2"]
    assert set(links) == {"Show bars.mp4", "Show bars.mp4 at 00:01.000"}
    for said in ("# Notes", "The subject failed. time limit", "exit_code 1", "Warning. answered by another model"):
        assert said in page.text
    assert re.search(r"more characters", page.text)


def test_stopped_missing_and_unasked_are_said(build, read, run):
    stopped = Ending(status="stopped", because="VMAF needs an extra: pip install 'cutscore[vmaf]'")
    run.add("late", run.rows[0].ask, stopped)
    index = build()
    page = read(index.parent / "colorbars" / "index.html")
    assert "13 rows, 11 marked, 1 unscored, 1 stopped; 2 of 15 are not there" in page.text
    assert (
        "Stopped: the machine lacked something. VMAF needs an extra"
        in read(index.parent / "colorbars" / "items" / "red-1.html").text
    )


def test_a_log_that_kept_no_ask(build, read, run):
    rows = [row.model_copy(update={"ask": None, "seen": ()}) for row in run.rows]
    page = read(build(rows=rows).parent / "colorbars" / "items" / "red-1.html")
    assert "The log did not keep what was asked." in page.text
    assert "00:02.000–00:04.000" in page.text
    assert not [attrs for attrs in page.find("a") if "data-player" in attrs]


def test_different_asks_say_who_got_which(build, read, run):
    other = run.rows[0].ask.model_copy(
        update={"brief": "Guess.", "wanted": (RequestedFile(name="out.mp4", about="the cut"),)}
    )
    rows = [run.rows[0].model_copy(update={"ask": other}), *run.rows[1:]]
    text = read(build(rows=rows).parent / "colorbars" / "items" / "red-1.html").text
    assert "Asked of oracle" in text
    assert "Asked of openai/x-1, blind, null" in text
    assert "out.mp4 : the cut" in text


def test_long_text_is_folded_and_very_long_text_is_cut(build, read, run):
    rows = [run.rows[0].model_copy(update={"deliverable": Deliverable(text="word " * 30_000)}), *run.rows[1:]]
    page = read(build(rows=rows).parent / "colorbars" / "items" / "red-1.html")
    assert "Answer, 150,000 characters" in page.text
    assert "50,000 more characters are in the log." in page.text
    assert page.find("details")


def test_a_reason_as_long_as_a_record_is_folded(build, read, run):
    long = '{"psnr": 35.2} ' * 40
    found = Finding(name="accuracy", value=1, because=long)
    run.add("editor", run.rows[0].ask, Ending(status="marked", scores={"accuracy": 1}, findings=(found,)))
    page = read(build().parent / "colorbars" / "items" / "red-1.html")
    assert len(page.find("details", **{"class": "fold because"})) == 1
    assert " ".join(long.split()) in page.text


def test_a_record_is_named_by_its_fields_and_unfolds(build, read, run):
    found = Finding(name="accuracy", value=1, because='{"reward":0.5,"measures":[{"name":"psnr"}]}')
    run.add("editor", run.rows[0].ask, Ending(status="marked", scores={"accuracy": 1}, findings=(found,)))
    page = read(build().parent / "colorbars" / "items" / "red-1.html")
    assert f"a record of reward, measures {found.because}" in page.text


def test_epochs_are_told_apart_and_averaged(build, read, run):
    again = [row.model_copy(update={"epoch": 2}) for row in run.of("blind")]
    rows = [*run.rows, *(row.model_copy(update={"ending": run.of("oracle")[0].ending}) for row in again)]
    index = build(rows=rows)
    text = read(index.parent / "colorbars" / "items" / "blue-3.html").text
    assert "blind epoch 1" in text
    assert "blind epoch 2" in text
    assert "2 epochs" in read(index.parent / "colorbars" / "index.html").text


def test_tables_have_a_page_with_findings_figures_and_drawings(build, read):
    index = build()
    assert read(index.parent / "colorbars" / "index.html").find("a", href="../colorbars/tables.html")
    page = read(index.parent / "colorbars" / "tables.html")
    assert [link["href"] for link in page.find("a") if (link["href"] or "").startswith("#")][1:] == [
        "#by-colour",
        "#long",
    ]
    assert "red is the easiest colour by-colour, Table 2 of the paper" in page.text
    assert "subject-1 0.333 [0.000, 1.000] 1 unscored" in page.text
    assert "n=3 in 3" in page.text
    assert "remark" not in page.text  # nobody has one
    assert len(page.find("table")) == 2
    assert len(page.find("svg")) == 2
    assert len(page.find("details", **{"class": "fold"})) == 1  # the long one
    assert "1 table that this run has nothing for" in page.text
    assert len(page.find("div", role="region", tabindex="0")) == 2
    assert "none empty" in page.text


def test_several_benchmarks_stand_side_by_side_on_a_page(build, read, run):
    assert not (build().parent / "across.html").exists()
    newer = [row.model_copy(update={"version": "2"}) for row in run.of("oracle")]
    assert not (build(rows=[*run.rows, *newer]).parent / "across.html").exists()  # one benchmark, twice
    others = [row.model_copy(update={"benchmark": "other"}) for row in run.rows]
    index = build(rows=[*others, *run.rows])
    assert read(index).find("a", href="across.html")
    page = read(index.parent / "across.html")
    check_inert(page)
    check_links(page)
    assert [link["href"] for link in page.find("a") if (link["href"] or "").startswith("#")][1:] == [
        "#standing",
    ]
    assert "measured on all 2 benchmarks standing, Figure 2 of the paper" in page.text
    assert "No gap to people: nobody did the tasks by hand" in page.text
    assert "colorbars n=" in page.text


def test_without_tables_there_is_no_page_of_them(build, read):
    index = build(tables=[])
    assert not (index.parent / "colorbars" / "tables.html").exists()
    assert not read(index.parent / "colorbars" / "index.html").find("a", href="../colorbars/tables.html")


def test_tables_that_could_not_be_made_are_said(build, read):
    fault = "benchmark 'colorbars': has no tables.py"
    assert (
        f"its tables could not be made: {fault}"
        in read(build(tables=[], fault=fault).parent / "colorbars" / "index.html").text
    )


@pytest.fixture
def hostile(run):
    """Every text field that a model, a file or a card can fill, filled with something nasty."""
    bad = " ".join(HOSTILE)
    ref = run.store.put_bytes(bad.encode(), name='<img src=x onerror="alert(6)">.svg', media_type="image/svg+xml")
    html = run.store.put_bytes(b"<!doctype html><script>alert(7)</script>", name="javascript:alert(8).html")
    for nasty in HOSTILE:
        ask = Ask(
            item="nasty-1",
            brief=nasty,
            files=(ref,),
            choices=(nasty,),
            wanted=(RequestedFile(name=nasty, about=nasty),),
        )
        found = Finding(name=nasty, value=0, because=nasty, file=nasty, at=(0, 1), mode="strict")
        run.add(
            nasty,
            ask,
            Ending(status="marked", scores={"accuracy": 0}, findings=(found,)),
            model=nasty,
            item=nasty,
            cluster=nasty,
            groups={nasty: nasty},
            deliverable=Deliverable(text=nasty, failure=nasty, files=(html, ref)),
            evidence=Evidence(facts={nasty: nasty}),
            warnings=(nasty,),
            retries={nasty: 1},
        )
        run.add(nasty, ask, Ending(status="unscored", because=nasty), model=nasty, item="shared")
        first = next(iter(run.estimates.values()))
        estimates = tuple(
            made.model_copy(update={"group": {nasty: nasty}, "name": nasty, "method": nasty}) for made in first[:2]
        )
        run.estimates[run.rows[-1].cell] = (first[0].model_copy(update={"method": nasty}), *estimates)
    (table, *_) = run.tables
    columns = tuple(Column(name=nasty, unit=nasty) for nasty in HOSTILE)
    rows = (HOSTILE, *((nasty,) * 7 + (first[0],) for nasty in HOSTILE))
    plot = Plot(values=HOSTILE[-1:], labels=HOSTILE[:1], by=HOSTILE[1], level=0.5, level_name=bad)
    said = {"title": bad, "note": bad, "paper": bad, "columns": columns, "rows": rows, "plot": plot}
    run.tables = (table.model_copy(update=said),)
    card = run.cards["colorbars"]
    run.cards["colorbars"] = card.model_copy(update={"title": bad, "about": bad, "known_gaps": HOSTILE})
    return run


def test_hostile_text_is_inert_everywhere(build, read, hostile):
    index = build(title=HOSTILE[0])
    built = pages(index, read)
    assert "<script>alert(1)</script>" in read(index.parent / "colorbars" / "tables.html").text
    assert len(built) > 10
    for page in built:
        check_inert(page)
        check_links(page)
        raw = page.path.read_bytes()
        assert not re.search(rb"[\x00-\x08\x0b-\x1f\x7f]", raw)
        assert "\u202e" not in raw.decode()
    # It is there to be read, as text.
    assert any("<script>alert(1)</script>" in page.text for page in built)
    assert any("{{ 7 * 7 }} {% include 'x' %}" in page.text for page in built)


def test_hostile_files_are_never_copied_into_the_site(build, hostile):
    site = build().parent
    assert {path.suffix for path in site.rglob("*") if path.is_file()} == {
        ".html",
        ".css",
        ".js",
        ".svg",
        ".json",
        ".jpg",  # strips of pictures, which we made ourselves
        ".mp4",
    }
    assert [path.name for path in site.rglob("*.svg")] == ["icon.svg"]
    assert all(re.fullmatch(r"[A-Za-z0-9._-]+", path.name) for path in site.rglob("*"))


def test_every_page_has_the_policy_landmarks_and_headers(build, read):
    for page in pages(build(), read):
        check_inert(page)
        check_links(page)
        (policy,) = page.find("meta", **{"http-equiv": "Content-Security-Policy"})
        assert policy["content"].startswith("default-src 'none'; style-src 'self'; script-src 'self'")
        assert "unsafe" not in policy["content"]
        assert page.find("html", lang="en")
        assert [len(page.find(tag)) for tag in ("main", "header", "footer", "h1", "title")][:4] == [1, 1, 1, 1]
        ids = [attrs["id"] for _, attrs in page.tags if "id" in attrs]
        assert len(ids) == len(set(ids))
        assert all("scope" in attrs for attrs in page.find("th"))
        assert len(page.find("caption")) == len(page.find("table"))
        # A picture without words is inside a link that screen readers are not told of.
        wordless = [attrs for attrs in page.find("img") if not attrs.get("alt")]
        assert len(wordless) == len(page.find("a", **{"class": "thumb", "aria-hidden": "true", "tabindex": "-1"}))
        levels = [int(tag[1]) for tag, _ in page.tags if re.fullmatch(r"h[1-6]", tag)]
        assert all(after - before <= 1 for before, after in pairwise(levels))


def test_nothing_in_the_site_names_an_outside_address(build):
    for name, data in files(build().parent).items():
        if not name.startswith("media/"):
            # The name of the SVG language is a word that no browser visits.
            text = data.decode().replace("http://www.w3.org/2000/svg", "")
            assert not re.search(r"(https?:)?//[a-z0-9]", re.sub(r"^\s*// .*$", "", text, flags=re.M)), name
            assert "@import" not in text
            assert "url(" not in text


def test_equal_input_gives_equal_bytes_in_any_order(build, run):
    first = files(build("one").parent)
    second = files(build("two", rows=run.rows[::-1]).parent)
    assert first == second
    assert not any(str(run.store.root).encode() in data for data in first.values())


def test_secrets_are_cleaned_from_every_text(build, run):
    secret = "sk-canary-123456"
    ref = run.store.put_bytes(f"key={secret}".encode(), name=f"{secret}.txt")
    ask = Ask(item=secret, brief=secret, files=(ref,), choices=(secret,))
    found = Finding(name=secret, value=0, because=f"said {secret}", file=secret, at=(0, 1))
    run.add(
        "leaky",
        ask,
        Ending(status="marked", scores={"accuracy": 0}, findings=(found,)),
        deliverable=Deliverable(text="x" * 2000 + secret, failure=secret),
        evidence=Evidence(facts={"env": secret}),
    )
    (table, *_) = run.tables
    told = {"title": secret, "note": secret, "rows": ((secret, secret, None, secret),)}
    run.tables = (table.model_copy(update=told),)
    built = files(build(title=f"run of {secret}", clean=lambda text: text.replace(secret, "[redacted]")).parent)
    assert not [name for name, data in built.items() if secret in name or secret.encode() in data]
    assert any(b"[redacted]" in data for data in built.values())


def test_two_versions_never_share_a_table(build, read, run):
    newer = [row.model_copy(update={"version": "2"}) for row in run.of("oracle")]
    index = build(rows=[*run.rows, *newer])
    assert (index.parent / "colorbars-v1" / "index.html").exists()
    assert (index.parent / "colorbars-v2" / "index.html").exists()
    text = read(index.parent / "colorbars-v2" / "index.html").text
    assert "rows are of version 2, the card here is of version 1: levels not shown" in text
    assert "3 items × 1 epoch × 1 subject: 3 rows, 3 marked, 0 unscored" in text


def test_nothing_measured_is_a_page_too(build, read):
    text = read(build(rows=[])).text
    assert "nothing was measured" in text


def test_names_that_collide_or_are_reserved_get_pages_of_their_own(build, read, run):
    base = run.rows[0]
    rows = [base.model_copy(update={"item": item}) for item in ("A", "a", "index", "..", "a/b")]
    index = build(rows=rows, estimates={})
    stems = [path.stem.casefold() for path in (index.parent / "colorbars" / "items").iterdir()]
    assert len(set(stems)) == 5
    for page in pages(index, read):
        check_links(page)


def test_a_benchmark_may_be_called_media(build, read, run):
    rows = [row.model_copy(update={"benchmark": "media"}) for row in run.rows]
    for page in pages(build(rows=rows, estimates={}, differences=[]), read):
        check_links(page)


def test_items_follow_each_other_in_natural_order(build, read, run):
    base = run.rows[0].model_copy(update={"ask": None})
    rows = [base.model_copy(update={"item": f"bars-{number}"}) for number in (1, 9, 10)]
    first = read(build(rows=rows).parent / "colorbars" / "items" / "bars-9.html")
    assert [link["href"] for link in first.find("a", rel="next")] == ["bars-10.html"]


def test_the_old_report_is_replaced_and_a_strangers_folder_is_not(build, tmp_path):
    index = build()
    assert build() == index
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "film.mov").write_bytes(b"x")
    with pytest.raises(BadInput, match="is not empty and is no cutscore report"):
        build("mine")


def test_a_broken_build_leaves_the_old_report(build):
    before = files(build().parent)

    def broken(_item):
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError):
        build(on_item=broken)
    assert files(build().parent) == before


def test_every_item_is_told_and_has_the_picture_of_its_first_film(build, read, run):
    run.add("null", Ask(item="words-4", brief="No film here."), Ending(status="marked", scores={"accuracy": 0}))
    told: list[str] = []
    site = build(on_item=told.append).parent
    assert told == ["blue-3", "green-2", "red-1", "words-4"]
    items = (site / "data" / "items.js").read_text(encoding="utf-8")
    for place in (8, 4, 0):
        assert f"media/{run.rows[place].ask.files[0].sha256}.strip.jpg" in items
    assert "strip.jpg" not in (build("plain", how="leave").parent / "data" / "items.js").read_text(encoding="utf-8")


def test_a_measurement_is_neither_coloured_nor_the_worst(build, read, run):
    """0 s late is no bad grade: not red on the page and in the timeline, and the list does not lead to it."""
    late = Finding(name="late_s", value=0, because="it comes in time", at=(0, 1))
    half = Finding(name="accuracy", value=0.5, because="half right", at=(2, 3))
    ending = Ending(status="marked", scores={"accuracy": 0.5}, findings=(late, half))
    run.add("editor", run.rows[0].ask, ending)
    card = run.cards["colorbars"].model_copy(update={"measures": ("*_s",)})
    site = build(cards={"colorbars": card}).parent
    item = read(site / "colorbars" / "items" / "red-1.html")
    assert len(item.find("span", **{"class": "cell measured"})) == 2  # in its line, and beside its reason
    assert [mark["data-start"] for mark in item.find("rect", **{"class": "measured"})] == ["0.000000"]
    (samples,) = [text for name, text in files(site).items() if name == "data/samples.js"]
    assert b"-f2" in samples


def test_what_a_subject_reported_has_a_lane_of_its_own(build, read, run):
    there = Finding(name="accuracy", value=1, because="found", file="bars.mp4", at=(2, 3))
    said = Finding(name="reported", value=1, because="a cut is reported here", file="bars.mp4", at=(2, 4))
    ending = Ending(status="marked", scores={"accuracy": 1}, findings=(there, said))
    run.add("editor", run.rows[0].ask, ending)
    page = read(build().parent / "colorbars" / "items" / "red-1.html")
    assert page.find("svg", **{"class": "marks", "aria-label": "editor: bars.mp4"})
    assert page.find("svg", **{"class": "marks", "aria-label": "editor reported"})


def test_scores_that_a_rule_leaves_out_take_one_line_and_those_we_owe_stand_out(build, run):
    gaps = (
        ScoreGap(name="timing", status="excluded", because="the clip has no cut"),
        ScoreGap(name="sound", status="unscored", because="its judge did not answer"),
    )
    run.add("editor", run.rows[0].ask, Ending(status="marked", scores={"accuracy": 1.0}, gaps=gaps))
    page = (build().parent / f"colorbars/items/{run.rows[0].item}.html").read_text(encoding="utf-8")
    folded = page[
        page.index("Scores that are left out") : page.index("</details>", page.index("Scores that are left out"))
    ]
    assert "the clip has no cut" in folded
    assert "its judge did not answer" not in folded
    assert "sound is unscored." in page
    assert "timing is excluded" not in page
