"""videowebarena: placeholders become addresses and back; what is not at hand is told before anything is opened."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cutscore.benchmarks.videowebarena.sites import SiteAddresses, load_sites, login_sites, sites_in
from cutscore.core.errors import BadInput, Stopped

SHOP = SiteAddresses.of({"shopping": "http://127.0.0.1:7770", "shopping_admin": "http://127.0.0.1:7780/admin"})


@settings(max_examples=30)
@given(st.lists(st.sampled_from(["__SHOPPING__", "__SHOPPING_ADMIN__", "/a/b?c=1", " |OR| ", "x ", "'"]), max_size=8))
def test_contracting_takes_expanding_back(pieces: list[str]) -> None:
    text = "".join(pieces)
    while "____" in text or "__x" in text:  # two addresses without anything between them are none
        text = text.replace("____", "__ __").replace("__x", "__ x")
    assert SHOP.contract(SHOP.expand(text)) == text


def test_an_address_ends_at_a_border() -> None:
    sites = SiteAddresses.of({"reddit": "http://127.0.0.1:80", "map": "http://maps.org"})
    assert sites.contract("http://127.0.0.1:8080/f http://maps.org.evil.com/") == (
        "http://127.0.0.1:8080/f http://maps.org.evil.com/"
    )
    assert sites.contract("see http://maps.org.") == "see __MAP__."


def test_the_longest_address_counts_first() -> None:
    sites = SiteAddresses.of({"shopping": "http://localhost:8000", "shopping_admin": "http://localhost:8000/dashboard"})
    assert sites.contract("http://127.0.0.1:8000/dashboard/orders http://localhost:8000/cart") == (
        "__SHOPPING_ADMIN__/orders __SHOPPING__/cart"
    )


def test_a_site_that_is_not_at_hand_is_told() -> None:
    with pytest.raises(Stopped, match=r"site 'gitlab': has no address; set GITLAB=http://…, or write sites\.toml"):
        SHOP.expand("__GITLAB__/byteblaze")


def test_words_of_the_page_are_no_placeholders() -> None:
    assert sites_in(["func:get_query_text(__page__, '__last_url__')", "__stage__"]) == ()


def test_hosts_are_where_a_task_may_go() -> None:
    assert SHOP.hosts({"shopping"}) == {"127.0.0.1:7770"}
    assert SiteAddresses.of({"map": "https://maps.org"}).hosts({"map"}) == {"maps.org:443"}


def test_a_variable_counts_more_than_the_file(tmp_path: Path) -> None:
    file = tmp_path / "sites.toml"
    file.write_text(
        'reddit = "http://a:1"\n[gitlab]\naddress = "http://b:2"\naccount = "ann"\n[trac]\naddress = "http://c:3"\n'
    )
    found = load_sites({"REDDIT": "http://z:9", "GITLAB": "http://y:8/"}, tmp_path)
    assert found.addresses == {"reddit": "http://z:9", "gitlab": "http://y:8", "trac": "http://c:3"}
    assert [found.account(name) for name in ("gitlab", "reddit", "trac")] == ["ann", "MarvelsGrantMan136", ""]
    assert load_sites({"CUTSCORE_SITES": str(file)}, Path("/nowhere")).addresses["reddit"] == "http://a:1"
    assert load_sites({}, Path("/nowhere")).addresses == {}


def test_a_site_of_any_name_has_a_variable(tmp_path: Path) -> None:
    environ = {"OSCAR": "http://a:1", "TRAC": "http://b:2", "HOME": "/root"}
    assert load_sites(environ, tmp_path, names=("oscar", "home")).addresses == {"oscar": "http://a:1"}


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("reddit = 'ftp://a'", "reddit.address: an address is http://HOST"),
        ("reddit = 'http://me:secret@a'", "reddit.address: an address is http://HOST"),
        ("reddit = 'http://a:99999999'", "reddit.address: an address is http://HOST"),
        ("[reddit]\naddress = 'http://a'\ncolour = 1", "reddit.colour: Extra inputs"),
        ("['../etc']\naddress = 'http://a'", "should match pattern"),
        ("reddit = ", "is not TOML"),
    ],
)
def test_a_file_with_a_fault_is_told(tmp_path: Path, written: str, told: str) -> None:
    (tmp_path / "sites.toml").write_text(written)
    with pytest.raises(BadInput) as error:
        load_sites({}, tmp_path)
    assert told in str(error.value)
    assert "secret" not in str(error.value)


def test_a_file_that_is_named_and_not_there_is_told() -> None:
    with pytest.raises(BadInput, match="cannot be read: No such file or directory; correct CUTSCORE_SITES"):
        load_sites({"CUTSCORE_SITES": "/nowhere/sites.toml"})


def test_logins_are_read_from_the_name_of_the_state() -> None:
    assert login_sites("./.auth/shopping_admin_state.json") == ("shopping_admin",)
    assert login_sites("") == ()
