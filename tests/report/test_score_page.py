"""The page that a studio sends: one file, inert, without paths of the machine."""

import re
import shutil
from pathlib import Path

import pytest

from cutscore.benchmarks import repair, repurpose

HOSTILE = '<script>document.title="owned"</script><img src=x onerror=alert(1)>\u202egpj'


def starter(module: object, name: str) -> Path:
    return Path(str(module.__file__)).parent / "starter" / name  # type: ignore[attr-defined]


@pytest.fixture
def page(cli) -> Path:
    """A recap that is the whole film, twice as long as asked and with a remark that nobody wants at 6 s."""
    Path("cut").mkdir()
    shutil.copy(starter(repurpose, "recap-1/film.mp4"), "cut/final.mp4")
    ran = cli("score", "repurpose", "recap-1", "cut", "--html", "sent/page.html")
    assert (ran.code, ran.out.splitlines()[-1]) == (0, "page: sent/page.html")
    return Path("sent/page.html").resolve()


def test_it_says_what_was_asked_and_found_and_at_which_second(page: Path) -> None:
    text = re.sub(r"\s+", " ", page.read_text(encoding="utf-8"))
    assert "The film lasts 8 s, within 1 s." in text
    assert "final.mp4 lasts 16.00 s, asked were 8 ± 1 s" in text
    assert "final.mp4, 00:06.000–00:08.000" in text
    assert "<dt>unwanted</dt><dd><strong>The remark about cold tea is in the film.</strong>" in text
    assert text.count("data:image/jpeg;base64,") == 3, "the stretches that it names"
    assert "An evening talk about trees in the city." in text, "the brief"


def test_it_is_one_file_without_a_path_of_the_machine(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    links = re.findall(r"(?:src|href)=\"([^\"]{0,12})", text)
    assert set(links) == {"data:image/jp"[:12]}
    for place in (page.parent.parent, Path.home(), Path.cwd()):
        assert str(place) not in text
    assert "/tmp" not in text


def test_what_a_stranger_wrote_stays_text(cli) -> None:
    Path("fix").mkdir()
    shutil.copy(starter(repair, "clip-05/golden.mp4"), "fix/fixed.mp4")
    block = '```json\n{"schema": "cutscore-ranges-1", "ranges": [{"start_s": 0, "end_s": 1, "type": "%s"}]}\n```\n'
    Path("fix/report.md").write_text(block % HOSTILE.replace('"', "'"), encoding="utf-8")
    Path("fix" / Path("<b>bold.txt")).write_text("x", encoding="utf-8")
    assert cli("score", "repair", "clip-05", "fix", "--html", "page.html").code == 0
    text = Path("page.html").read_text(encoding="utf-8")
    assert "gpj" in text, "the page quotes what was written"
    for acts in ("<script", "<img src=x", "<b>bold", "\u202e"):
        assert acts not in text


@pytest.mark.real
def test_it_opens_in_a_browser_and_asks_for_nothing(page: Path, watch) -> None:
    watched = watch()
    watched.page.goto(page.as_uri())
    sizes = watched.page.eval_on_selector_all("img", "all => all.map(each => each.naturalHeight)")
    wide = watched.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert (watched.page.inner_text("h1"), sizes, wide) == ("recap-1", [180, 180, 180], True)
    watched.requests = [url for url in watched.requests if not url.startswith("data:image/jpeg;")]
    watched.check(page.as_uri())
