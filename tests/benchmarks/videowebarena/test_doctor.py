"""`cutscore doctor` opens each configured site and logs in, and says what is missing."""

from pathlib import Path

import pytest
from web_fixtures import PageServer

from cutscore.cli.doctor import check_benchmarks

FORM = "<form method=post action={}><input name=u><input type=password name=p><button>In</button></form>"


def state_and_words(name: str) -> tuple[str, str]:
    [found] = [each for each in check_benchmarks() if each.name == name]
    return found.state, f"{found.fact}; {found.next}"


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("REDDIT_PASSWORD", raising=False)


def test_without_sites_only_the_programs_of_the_pack_software_are_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUTSCORE_WEB_SOFTWARE", "/nowhere")
    assert [each.name for each in check_benchmarks()] == ["web software"]
    state, words = state_and_words("web software")
    assert state == "absent"
    assert words.startswith("web software: 'oscar' is not in '/nowhere'; run 'sh tools/web_software.sh'")


def test_a_site_without_a_password_and_a_faulty_file_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REDDIT", "http://127.0.0.1:1")
    assert state_and_words("site reddit") == (
        "absent",
        "site 'reddit': account 'MarvelsGrantMan136' has no password; set REDDIT_PASSWORD",
    )
    monkeypatch.setenv("REDDIT", "ftp://127.0.0.1")
    state, words = state_and_words("videowebarena")
    assert state == "bad"
    assert "reddit.address: an address is http://HOST" in words


@pytest.mark.real
def test_a_site_is_opened_and_logged_in_to(chromium: str, site: PageServer, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("playwright", reason="Playwright is not installed: pip install 'cutscore[web]'")
    site.pages = {"/": "<h1>front</h1>", "/login": FORM.format("/in"), "/in": "<h1>hello</h1>"}
    monkeypatch.setenv("REDDIT_PASSWORD", "hunter22")
    monkeypatch.setenv("REDDIT", site.address)
    monkeypatch.setenv("MAP", site.address + "/nowhere")
    let_in = ("ok", f"{site.address} opens, and lets 'MarvelsGrantMan136' in; ")
    assert state_and_words("site reddit") == let_in
    assert state_and_words("site map") == (
        "bad",
        f"{site.address}/nowhere: answers with status 404; mend the site",
    )
    monkeypatch.delenv("MAP")
    site.pages["/login"] = FORM.format("/login")
    state, words = state_and_words("site reddit")
    assert (state, "was refused; check that the site runs" in words) == ("bad", True)
    monkeypatch.setenv("REDDIT", "http://127.0.0.1:1")
    state, words = state_and_words("site reddit")
    assert (state, "does not open" in words, words.endswith("; start the site")) == ("bad", True, True)
