"""videowebarena: a site that is put back has one task at a time, an account too; what is neither is everybody's."""

import asyncio
from pathlib import Path

import pytest

from cutscore.benchmarks.videowebarena.environment.site_turns import take_turns
from cutscore.benchmarks.videowebarena.sites import SiteAddresses

HOOKED = {"address": "http://127.0.0.1:7770", "reset_url": "http://127.0.0.1:7770/put-back"}
SITES = SiteAddresses.model_validate({"sites": {"shop": HOOKED, "wiki": {"address": "http://127.0.0.1:7771"}}})


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))


def test_the_second_task_waits_for_the_first() -> None:
    async def two() -> None:
        first = await take_turns(SITES, ["shop", "wiki"])
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(take_turns(SITES, ["shop"]), 0.15)
        first.give_back()
        second = await asyncio.wait_for(take_turns(SITES, ["shop"]), 5)
        second.give_back()

    asyncio.run(two())


def test_a_site_without_a_hook_and_a_login_is_everybodys() -> None:
    async def two() -> None:
        assert [(await take_turns(SITES, ["wiki"])).held for _ in range(2)] == [[], []]

    asyncio.run(two())


@pytest.mark.parametrize("slots", [1, 2])
def test_an_account_has_one_task_at_a_time_unless_told(slots: int) -> None:
    sites = SiteAddresses.model_validate({"sites": {"wiki": {"address": "http://127.0.0.1:7771", "slots": slots}}})

    async def play() -> None:
        held = [await take_turns(sites, ["wiki"], [("wiki", "ann")]) for _ in range(slots)]
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(take_turns(sites, ["wiki"], [("wiki", "ann")]), 0.12)
        held.append(await asyncio.wait_for(take_turns(sites, ["wiki"], [("wiki", "bob")]), 5))
        held.append(await asyncio.wait_for(take_turns(sites, ["wiki"]), 5))
        held[0].give_back()
        held.append(await asyncio.wait_for(take_turns(sites, ["wiki"], [("wiki", "ann")]), 5))
        for each in held:
            each.give_back()

    asyncio.run(play())


def test_the_published_classifieds_are_put_back_by_a_token(monkeypatch: pytest.MonkeyPatch) -> None:
    sites = SiteAddresses.of({"classifieds": "http://127.0.0.1:7772"})
    assert asyncio.run(take_turns(sites, ["classifieds"])).held == []
    monkeypatch.setenv("CLASSIFIEDS_RESET_TOKEN", "4b61655535e7ed388f0d40a93600254c")
    turns = asyncio.run(take_turns(sites, ["classifieds"]))
    assert len(turns.held) == 1
    turns.give_back()
