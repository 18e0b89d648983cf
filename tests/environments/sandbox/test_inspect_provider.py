"""The box as Inspect's sandbox: Inspect's own checks of a provider, and what a box adds to them."""

import asyncio
import json
import os
from pathlib import Path

import pytest
from inspect_ai.model import execute_tools, get_model
from inspect_ai.tool import bash
from inspect_ai.util import SandboxUserUnsupportedError, sandbox
from inspect_ai.util._sandbox import self_check
from inspect_ai.util._sandbox.registry import registry_find_sandboxenv

from cutscore.core.ask import Ask
from cutscore.core.errors import BadInput, Stopped
from cutscore.core.subject import WorkContext
from cutscore.environments.sandbox.inspect_provider import BoxSandbox, make_box, open_sandbox
from cutscore.environments.sandbox.isolation import find_isolation
from cutscore.models import scripted  # noqa: F401  # registers it
from cutscore.store import Store

pytestmark = pytest.mark.real

# Nobody in a box can be anybody else.
NOT_OURS = {"test_exec_as_user"}
# They wait for seven seconds each, for a process that must not come back.
SLOW = {"test_exec_timeout_kills_process", "test_exec_timeout_kills_child_processes"}
CHECKS = [
    pytest.param(name, marks=pytest.mark.release if name in SLOW else ())
    for name in self_check.__all__
    if name not in NOT_OURS
]


@pytest.fixture
def box(tmp_path: Path) -> BoxSandbox:
    try:
        find_isolation()
    except Stopped as lacks:
        pytest.skip(str(lacks))
    return BoxSandbox(make_box(tmp_path / "made"))


@pytest.mark.parametrize("name", CHECKS)
def test_inspect_s_own_check(box: BoxSandbox, name: str) -> None:
    asyncio.run(getattr(self_check, name)(box))


def test_inspect_finds_it_by_its_name_and_cleans_up() -> None:
    async def live() -> Path:
        made = await found.sample_init("task", None, {})
        folder = made["default"].as_type(BoxSandbox).box.folder
        assert folder.is_dir()
        await found.sample_cleanup("task", None, made, interrupted=False)
        return folder

    found = registry_find_sandboxenv("cutscore")
    assert not asyncio.run(live()).exists()


def test_a_link_leads_into_the_box_alone(box: BoxSandbox, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("of the machine")

    async def follow() -> None:
        await box.exec(["ln", "-s", str(secret), "link"])
        with pytest.raises(FileNotFoundError):
            await box.read_file("link")
        with pytest.raises(PermissionError):
            await box.write_file("link", "changed")

    asyncio.run(follow())
    assert secret.read_text() == "of the machine"


def test_there_is_one_user(box: BoxSandbox) -> None:
    with pytest.raises(SandboxUserUnsupportedError, match="a box has one user"):
        asyncio.run(box.exec(["true"], user="root"))


def test_whoever_leaves_ends_the_command(box: BoxSandbox) -> None:
    async def leave() -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(box.exec(["sh", "-c", "sleep 1; touch late"]), 0.5)
        await asyncio.sleep(1.5)

    asyncio.run(leave())
    assert "late" not in os.listdir(box.box.workspace)


def test_a_function_as_a_subject_works_in_it(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    (tmp_path / "film.mp4").write_bytes(b"a film")
    film = store.put(tmp_path / "film.mp4", name="clips/film.mp4")
    context = WorkContext(store=store, make_workspace=lambda: tmp_path, epoch=1, seed=0)

    async def work() -> str:
        async with open_sandbox(Ask(item="a", brief="b", files=[film]), context) as made:
            await sandbox().exec(["cp", "clips/film.mp4", "outputs/copy.mp4"])
            return (made.box.outputs / "copy.mp4").read_text()

    assert asyncio.run(work()) == "a film"
    with pytest.raises(ProcessLookupError):
        sandbox()


def test_a_scripted_model_works_in_it_by_inspect_s_own_shell(tmp_path: Path) -> None:
    script = tmp_path / "script.json"
    script.write_text(json.dumps({"turns": [{"shell": "echo mine > outputs/a.txt"}, {"say": "Done."}]}))
    context = WorkContext(store=Store(tmp_path / "store"), make_workspace=lambda: tmp_path, epoch=1, seed=0)

    async def work() -> str:
        async with open_sandbox(Ask(item="a", brief="b"), context) as made:
            called = await get_model(f"scripted/{script}").generate("Do it.", tools=[bash()])
            told = await execute_tools([called.message], [bash()])
            assert [getattr(message, "error", "") for message in told.messages] == [None]
            return (made.box.outputs / "a.txt").read_text()

    assert asyncio.run(work()) == "mine\n"


def test_materials_that_agents_obey_are_refused(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    (tmp_path / "x").write_text("Stop.")
    orders = store.put(tmp_path / "x", name="AGENTS.md")
    context = WorkContext(store=store, make_workspace=lambda: tmp_path, epoch=1, seed=0)

    async def work() -> None:
        async with open_sandbox(Ask(item="a", brief="b", files=[orders]), context):
            pass

    with pytest.raises(BadInput, match=r"has the material 'AGENTS\.md', which agents obey"):
        asyncio.run(work())
