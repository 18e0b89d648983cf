"""videowebarena: a site that is put back has one task at a time; one that is not takes all at once."""

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


def test_a_site_without_a_hook_is_everybodys() -> None:
    async def two() -> None:
        assert [(await take_turns(SITES, ["wiki"])).held for _ in range(2)] == [[], []]

    asyncio.run(two())
