"""A task's world on real pages: reset, login, steps and their record, limits, and what is missing."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from web_fixtures import PageServer

from cutscore.benchmarks.videowebarena.ask_parts import StartState
from cutscore.benchmarks.videowebarena.environment import open_environment
from cutscore.benchmarks.videowebarena.environment.world import WebWorld
from cutscore.core.ask import Ask
from cutscore.core.environment import EvidenceRead
from cutscore.core.errors import Stopped, SubjectFailed, Unscored
from cutscore.core.subject import WorkContext
from cutscore.core.trajectory import Action
from cutscore.store import Store

pytestmark = pytest.mark.real

LOGIN = """<title>login</title><form method=post action=/login><input name=u><input type=password name=p>
<button>In</button></form>"""


def log_in(handler: Any) -> None:
    """Let Ann in by her password, and show the form to everybody else."""
    asked = handler.server.asked[-1]
    right = asked[0] == "POST" and asked[2] == b"u=ann&p=hunter22"
    handler.send_response(303 if right else 200)
    if right:
        handler.send_header("Set-Cookie", "who=ann")
        handler.send_header("Location", "/")
    handler.send_header("Content-Type", "text/html")
    body = b"" if right else LOGIN.encode()
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)


def front(handler: Any) -> None:
    body = f"<title>front</title><p>hello {handler.headers.get('Cookie', 'nobody')}</p><button>Buy</button>".encode()
    handler.send_response(200)
    handler.send_header("Content-Type", "text/html")
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)


@pytest.fixture
def shop(chromium: str, site: PageServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> PageServer:
    pytest.importorskip("playwright", reason="Playwright is not installed: pip install 'cutscore[web]'")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REDDIT", site.address)
    monkeypatch.setenv("REDDIT_PASSWORD", "hunter22")
    site.pages = {"/": front, "/login": log_in, "/reset": "done"}
    return site


@pytest.fixture
def context(tmp_path: Path) -> Callable[..., WorkContext]:
    def make(**conditions: str) -> WorkContext:
        def workspace() -> Path:
            folder = tmp_path / "workspace"
            folder.mkdir(exist_ok=True)
            return folder

        store = Store(tmp_path / "store")
        return WorkContext(store=store, make_workspace=workspace, epoch=1, seed=1, conditions=conditions)

    return make


def ask(**start: Any) -> Ask:
    state = StartState(sites=("reddit",), start_pages=("__REDDIT__/",), **start)
    return Ask(item="a", brief="Buy.", parts=tuple(state.parts()))


def test_a_task_is_logged_in_acted_in_recorded_and_read(
    shop: PageServer, context: Callable[..., WorkContext], tmp_path: Path
) -> None:
    work = context(grammar="reference", observation="reference", step_limit="30", viewport="800x600")

    async def play() -> None:
        world = await open_environment(ask(logins=(("reddit", "ann"),)), work)
        assert world.facts["browser_sandbox"] == "its own"
        assert world.seen["text"] == "[] [StaticText] [hello who=ann]\n[1] [BUTTON] [Buy]"
        seen = await world.act(Action(tool="text", arguments={"text": "I click. ```click [1]```"}))
        assert seen["error"] == ""
        assert seen["url"] == "__REDDIT__/"
        assert seen["picture"]["media_type"] == "image/jpeg"
        seen = await world.act(Action(tool="text", arguments={"text": "I do not know."}))
        assert "no action between two fences" in seen["error"]
        seen = await world.act(Action(tool="click", arguments={"element": "[BUTTON] [Buy]"}))
        assert seen["error"] == ""
        seen = await world.act(Action(tool="text", arguments={"text": "```goto [http://reddit.com/login]```"}))
        assert seen["url"] == "__REDDIT__/login"
        seen = await world.act(Action(tool="goto", arguments={"url": "__REDDIT__/"}))
        assert (seen["url"], seen["error"]) == ("__REDDIT__/", "")
        seen = await world.act(Action(tool="text", arguments={"text": "```goto [__REDDIT__/login]```"}))
        assert seen["url"] == "__REDDIT__/login"
        state = await world.read(EvidenceRead(name="stop", kind="page_state"), work.store)
        assert state.fact["url"] == "__REDDIT__/login"
        files = {file.name: work.store.path(file).read_text(errors="replace") for file in state.files}
        assert "hunter22" not in files["stop.network.jsonl"]
        order = EvidenceRead(name="in_order-1", kind="locate", arguments={"page": "__REDDIT__/", "locator": ""})
        read = await world.read(order, work.store)
        assert read.fact["asked_url"] == "__REDDIT__/"
        assert "hello who=ann" in work.store.path(read.files[0]).read_text()
        await world.close()

    asyncio.run(play())
    trajectory = work.steps.trajectory()
    assert trajectory is not None
    assert [[each.tool for each in step.did] for step in trajectory] == [
        *([], ["click"], ["none"], ["click"], ["goto"], ["goto"], ["goto"])
    ]
    went = [each.arguments["url"] for step in trajectory for each in step.did if each.tool == "goto"]
    assert went == ["__REDDIT__/login", "__REDDIT__/", "__REDDIT__/login"]
    assert all(len(step.media) == 1 for step in trajectory)


def test_a_run_ends_at_its_step_limit_and_when_it_repeats_itself(
    shop: PageServer, context: Callable[..., WorkContext]
) -> None:
    async def play(work: WorkContext, actions: list[str]) -> Any:
        world = await open_environment(ask(), work)
        try:
            seen = [await world.act(Action(tool="text", arguments={"text": f"```{text}```"})) for text in actions]
            with pytest.raises(SubjectFailed, match="Early stop"):
                await world.act(Action(tool="go_back"))
            return [each["ended"] for each in seen]
        finally:
            await world.close()

    limited = asyncio.run(play(context(step_limit="2"), ["scroll [down]", "scroll [up]"]))
    assert limited == ["", "Early stop: Reach max steps 2"]
    ended = asyncio.run(play(context(), ["nonsense"] * 3))
    assert ended == ["", "", "Early stop: Failed to parse actions for 3 times"]


def test_what_a_world_lacks_is_one_sentence(
    shop: PageServer, context: Callable[..., WorkContext], monkeypatch: pytest.MonkeyPatch
) -> None:
    def opened(**start: Any) -> None:
        async def play() -> None:
            await (await open_environment(ask(**start), context())).close()

        asyncio.run(play())

    monkeypatch.setenv("REDDIT_PASSWORD", "wrong-one")
    with pytest.raises(Unscored, match="login to site 'reddit' as 'ann': was refused; check that the site runs"):
        opened(logins=(("reddit", "ann"),))
    monkeypatch.delenv("REDDIT_PASSWORD")
    with pytest.raises(Stopped, match="site 'reddit': account 'ann' has no password; set REDDIT_PASSWORD"):
        opened(logins=(("reddit", "ann"),))
    monkeypatch.setenv("CUTSCORE_CHROMIUM", "/nowhere/chromium")
    monkeypatch.setenv("GITLAB", "http://gitlab.localhost:1")  # another set of hosts, for which no browser runs yet
    with pytest.raises(Stopped, match="Chromium: '/nowhere/chromium' of CUTSCORE_CHROMIUM is no program"):
        opened()
    monkeypatch.delenv("CUTSCORE_CHROMIUM")
    monkeypatch.delenv("GITLAB")
    monkeypatch.setenv("REDDIT", "http://127.0.0.1:9")
    with pytest.raises(Unscored, match=r"start page 'http://127\.0\.0\.1:9/': does not open"):
        opened()
    monkeypatch.delenv("REDDIT")
    with pytest.raises(Stopped, match="site 'reddit': has no address"):
        opened()


def test_sites_are_reset_by_their_hooks(shop: PageServer, context: Callable[..., WorkContext], tmp_path: Path) -> None:
    async def play() -> list[str]:
        world = await open_environment(ask(reset=True), context())
        await world.close()
        return world.facts["reset"]

    assert asyncio.run(play()) == []  # it has no hook
    (tmp_path / "sites.toml").write_text(f'[reddit]\naddress = "{shop.address}"\nreset_url = "{shop.address}/reset"\n')
    assert asyncio.run(play()) == ["reddit"]
    assert ("POST", "/reset") in [asked[:2] for asked in shop.asked]
    marker = json.dumps(["touch", str(tmp_path / "was-reset")])
    (tmp_path / "sites.toml").write_text(f'[reddit]\naddress = "{shop.address}"\nreset_command = {marker}\n')
    assert asyncio.run(play()) == ["reddit"]
    assert (tmp_path / "was-reset").exists()
    (tmp_path / "sites.toml").write_text(f'[reddit]\naddress = "{shop.address}"\nreset_command = ["false"]\n')
    with pytest.raises(Unscored, match="reset of site 'reddit': failed"):
        asyncio.run(play())


def test_the_token_of_classifieds_is_sent_to_no_other_site(
    shop: PageServer, context: Callable[..., WorkContext], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLASSIFIEDS_RESET_TOKEN", "token-of-classifieds")
    (tmp_path / "sites.toml").write_text(f'[reddit]\naddress = "{shop.address}"\nreset_url = "{shop.address}/reset"\n')

    async def play() -> None:
        await (await open_environment(ask(reset=True), context())).close()

    asyncio.run(play())
    assert ("POST", "/reset", b"") in shop.asked


def test_a_site_is_free_again_where_its_first_look_fails(
    shop: PageServer, context: Callable[..., WorkContext], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sites.toml").write_text(f'[reddit]\naddress = "{shop.address}"\nreset_url = "{shop.address}/reset"\n')

    async def fail(_: WebWorld) -> None:
        raise Unscored("Chromium", "died", "run again")

    async def play() -> None:
        with monkeypatch.context() as patched:
            patched.setattr(WebWorld, "look", fail)
            with pytest.raises(Unscored, match="died"):
                await open_environment(ask(reset=True), context())
        await (await asyncio.wait_for(open_environment(ask(reset=True), context()), 60)).close()

    asyncio.run(play())


def test_a_password_that_a_page_shows_is_in_no_record(shop: PageServer, context: Callable[..., WorkContext]) -> None:
    shop.pages["/"] = "<title>front</title><p>Your password is hunter22</p><button>hunter22</button>"
    desk = context()

    async def play() -> Any:
        world = await open_environment(ask(logins=(("reddit", "ann"),)), desk)
        try:
            await world.act(Action(tool="type", arguments={"element": "1", "text": "hunter22", "enter": False}))
            return await world.read(EvidenceRead(name="stop", kind="page_state"), desk.store), world.seen
        finally:
            await world.close()

    state, seen = asyncio.run(play())
    kept = [desk.store.path(file).read_bytes() for file in state.files if not file.name.endswith(".png")]
    for record in (*kept, repr(desk.steps.trajectory()).encode(), json.dumps(seen).encode()):
        assert b"hunter22" not in record
    assert b"Your password is" in json.dumps(seen).encode()
