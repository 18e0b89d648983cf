"""A person at a web task: what the page shows, what its forms do, what is handed over."""

from pathlib import Path
from typing import Any

import anyio
import pytest
from pydantic import JsonValue
from starlette.testclient import TestClient

from cutscore.core.ask import Ask, AskPart
from cutscore.core.environment import EvidenceRead, ReadResult
from cutscore.core.errors import BadInput
from cutscore.core.files import FileRef, FileStore
from cutscore.core.subject import WorkContext
from cutscore.core.trajectory import Action
from cutscore.store import Store
from cutscore.subjects.web.page import SeenPage
from cutscore.subjects.web.person import Desk, PersonSubject, make_application

KEY = "k3y"


class World:
    """A world of two pages; the third action is one too many."""

    outputs = None

    def __init__(self, picture: FileRef) -> None:
        self.done: list[str] = []
        self.seen = self._look(picture)
        self._picture = picture

    def _look(self, picture: FileRef, **more: JsonValue) -> dict[str, JsonValue]:
        shown = {"text": "[1] [A] [<b>Next</b>]", "url": "__REDDIT__/f/books", "error": "", "ended": ""}
        return {**shown, "picture": picture.model_dump(mode="json"), **more}

    async def act(self, action: Action) -> JsonValue:
        self.done.append(str(action.arguments["text"]))
        ended = "Early stop: enough" if len(self.done) > 2 else ""
        return self._look(
            self._picture, ended=ended, error="element 9 is not on the page" if "9" in self.done[-1] else ""
        )

    async def read(self, read: EvidenceRead, store: FileStore) -> ReadResult:
        raise NotImplementedError

    async def close(self) -> None:
        raise NotImplementedError


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    store = Store(tmp_path / "store")
    picture = store.put_bytes(b"jpeg", name="step.jpg", media_type="image/jpeg")
    clip = store.put_bytes(b"film", name="tutorial.mp4", media_type="video/mp4")
    parts = (
        AskPart(role="instruction", text="Vote for <script>alert(1)</script> it."),
        AskPart(role="question", text="Which colour?", value="intermediate.txt"),
        AskPart(role="public_name", text="reddit.com", value="reddit"),
    )
    ask = Ask(item="factual-reddit-0", brief="b", files=(clip,), parts=parts)
    world: Any = World(picture)
    context = WorkContext(store=store, make_workspace=lambda: tmp_path, epoch=1, seed=0, environment=world)
    return Desk(ask, context, world, SeenPage.of(world.seen))


@pytest.fixture
def client(desk: Desk) -> TestClient:
    return TestClient(make_application(desk, KEY))


def test_the_page_has_the_task_the_tutorial_and_the_marked_page(client: TestClient, desk: Desk) -> None:
    page = client.get(f"/{KEY}/").text
    assert "Vote for &lt;script&gt;" in page
    assert "http://reddit.com/f/books" in page
    assert "[1] [A] [&lt;b&gt;Next&lt;/b&gt;]" in page
    assert client.get(f"/{KEY}/files/{desk.ask.files[0].sha256}").content == b"film"
    assert desk.page.picture is not None
    assert client.get(f"/{KEY}/files/{desk.page.picture.sha256}").content == b"jpeg"
    assert client.get("/").status_code == 404  # only who knows the key


def test_actions_are_those_of_agents_and_are_counted(client: TestClient, desk: Desk) -> None:
    for written in ("click [1]", "  ", "click [9]"):
        client.post(f"/{KEY}/act", data={"action": written})
    world: Any = desk.world
    assert world.done == ["```click [1]```", "```click [9]```"]
    assert desk.actions == 2
    assert "element 9 is not on the page" in client.get(f"/{KEY}/").text
    client.post(f"/{KEY}/act", data={"action": "scroll [down]"})
    client.post(f"/{KEY}/act", data={"action": "scroll [down]"})
    assert desk.actions == 3  # the world has ended the run
    assert "Early stop: enough" in client.get(f"/{KEY}/").text


def test_answers_are_handed_over(client: TestClient, desk: Desk) -> None:
    done = client.post(f"/{KEY}/answer", data={"answer": "42", "intermediate": "red"})
    assert "Handed over" in done.text
    assert desk.deliverable.text == "42"
    (file,) = desk.deliverable.files
    assert (file.name, desk.context.store.path(file).read_bytes()) == ("intermediate.txt", b"red")


def test_without_pages_there_is_nothing_to_do(tmp_path: Path) -> None:
    context = WorkContext(store=Store(tmp_path), make_workspace=lambda: tmp_path, epoch=1, seed=0)
    with pytest.raises(BadInput, match="works in a browser, and this benchmark has none"):
        anyio.run(PersonSubject().work, Ask(item="a", brief="b"), context)


def test_the_task_is_served_until_it_is_handed_over(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    import http.client
    from urllib.parse import urlencode, urlsplit

    async def do() -> str:
        made: list[Any] = []

        async def work() -> None:
            made.append(await PersonSubject().work(desk.ask, desk.context))

        async with anyio.create_task_group() as group:
            group.start_soon(work)
            while not (told := capsys.readouterr().err):
                await anyio.sleep(0.02)
            parts = urlsplit(told.split(" at ")[1].strip())
            line = http.client.HTTPConnection("127.0.0.1", parts.port or 0, timeout=20)
            form = {"Content-Type": "application/x-www-form-urlencoded"}
            asked = ("POST", f"{parts.path}answer", urlencode({"answer": "by hand"}), form)
            await anyio.to_thread.run_sync(lambda: (line.request(*asked), line.getresponse().read(), line.close()))
        return str(made[0].text)

    assert anyio.run(do) == "by hand"
