"""A video service as a subject, over real HTTP: what it does well, and every way in which it does not."""

import json
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import pytest
from editor_server import VIDEO, EditorServer, editor_server

from cutscore.core.ask import Ask, AskPart, RequestedFile
from cutscore.core.deliverable import Deliverable
from cutscore.core.errors import BadInput, Stopped, SubjectFailed, Unscored
from cutscore.core.subject import MemoryNotes, WorkContext
from cutscore.core.turn import Turn
from cutscore.ledger.call_book import read_spending
from cutscore.ledger.prices import Prices
from cutscore.ledger.spending import Ledger
from cutscore.settings import OwnPrice
from cutscore.store import Store
from cutscore.subjects.http import JOB, open_http
from cutscore.subjects.http_profile import read_profile

OWN = OwnPrice(per_call_usd=0.5, per_video_second_usd=0.1)
PATIENT = {"CUTSCORE_MAX_RETRIES": "2", "CUTSCORE_BACKOFF_S": "0.01"}


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in PATIENT.items():
        monkeypatch.setenv(name, value)


class Sample:
    """One sample, whose notes outlive an attempt at it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.store, self.notes = folder, Store(folder / "store"), MemoryNotes()
        source = self.store.put_bytes(b"film", name="clip.mp4", media_type="video/mp4")
        self.ask = Ask(
            item="a",
            brief="Make it blue.",
            files=(source,),
            wanted=(RequestedFile(name="edited.mp4"),),
            parts=(AskPart(role="instruction", text="Make it blue."), AskPart(role="source", file="clip.mp4")),
        )
        self.context = self.fresh_context()

    def fresh_context(self) -> WorkContext:
        place = self.folder / f"work-{len(list(self.folder.iterdir()))}"
        place.mkdir()
        self.context = WorkContext(store=self.store, make_workspace=lambda: place, epoch=1, seed=7, notes=self.notes)
        return self.context

    async def work(self, spec: str) -> Deliverable:
        return await open_http(spec).work(self.ask, self.context)


@pytest.fixture
def sample(tmp_path: Path) -> Sample:
    return Sample(tmp_path)


def profile(server: EditorServer, folder: Path, more: str = "") -> str:
    file = folder / "service.toml"
    file.write_text(f'url = "{server.url}"\n{more}\n[poll]\nevery_s = 0.01\n')
    return str(file)


@pytest.mark.anyio
async def test_a_job_is_submitted_asked_after_and_fetched(sample: Sample) -> None:
    with editor_server({"poll": ["running", "running", "well"]}) as server:
        made = await sample.work(profile(server, sample.folder))
    assert sample.store.path(made.files[0]).read_bytes() == VIDEO
    assert server.asked == {"submit": 1, "poll": 3, "video": 1}
    assert b"Make it blue." in server.jobs[0]
    assert b'filename="clip.mp4"' in server.jobs[0]


@pytest.mark.anyio
async def test_an_address_alone_will_do_for_a_service_that_answers_at_once(sample: Sample) -> None:
    with editor_server({"submit": ["direct"]}) as server:
        made = await sample.work(server.url.removeprefix("http:"))
    assert sample.store.path(made.files[0]).read_bytes() == VIDEO


@pytest.mark.anyio
async def test_what_passes_is_tried_again_and_counted(sample: Sample) -> None:
    with editor_server(
        {"submit": ["429", "503", "well"], "poll": ["text", "well"], "video": ["half", "html", "well"]}
    ) as server:
        await sample.work(profile(server, sample.folder))
    assert len(server.jobs) == 1
    assert dict(sample.context.tally.retries) == {"429": 1, "503": 1, "unreadable": 2, "half": 1}
    assert len(set(server.idempotency)) == 1


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("play", "words"),
    [
        ({"submit": ["503"]}, r"answers with HTTP 503 \(3 attempts\)"),
        ({"submit": ["401"]}, "answers with HTTP 401"),
        ({"submit": ["302"]}, "answers with HTTP 302"),
        ({"video": ["html"]}, "sent a page instead of a video"),
        ({"video": ["half"]}, "sent 21 of 42 bytes|broke off"),
        ({"poll": ["text"]}, "answers with what is no JSON"),
    ],
)
async def test_what_happens_on_the_way_is_unscored(sample: Sample, play: dict[str, list[str]], words: str) -> None:
    with editor_server(play) as server, pytest.raises(Unscored, match=words):
        await sample.work(profile(server, sample.folder))


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("play", "words", "of"),
    [
        ({"poll": ["refused"]}, "refused job 'job-1': it shows a face", "refused"),
        ({"poll": ["failed"]}, "job 'job-1' failed: it shows a face", "crash"),
        ({"submit": ["451"]}, r"refused the request \(HTTP 451\)", "refused"),
        ({"poll": ["running"]}, "was still running after 0.05 s", "limit"),
    ],
)
async def test_what_the_service_says_of_the_work_is_the_subjects(
    sample: Sample, play: dict[str, list[str]], words: str, of: str
) -> None:
    with editor_server(play) as server:
        spec = profile(server, sample.folder, "refused_status = [451]")
        Path(spec).write_text(Path(spec).read_text() + "timeout_s = 0.05\n")
        with pytest.raises(SubjectFailed, match=words) as failed:
            await sample.work(spec)
    assert failed.value.failure_class == of


@pytest.mark.anyio
async def test_a_job_that_was_noted_is_never_submitted_again(sample: Sample) -> None:
    with editor_server({"poll": ["503"]}) as server:
        spec = profile(server, sample.folder)
        with pytest.raises(Unscored):
            await sample.work(spec)
        assert [key.startswith(f"{JOB} ") for key in sample.notes._kept] == [True]
        server.play = {}
        sample.fresh_context()
        await sample.work(spec)
    assert len(server.jobs) == 1


@pytest.mark.anyio
async def test_a_video_that_came_with_the_answer_survives_a_kill(sample: Sample) -> None:
    with editor_server({"submit": ["direct"]}) as server:
        spec = profile(server, sample.folder)
        await sample.work(spec)
        sample.fresh_context()
        made = await sample.work(spec)
    assert server.asked == {"submit": 1}
    assert sample.store.path(made.files[0]).read_bytes() == VIDEO


@pytest.mark.anyio
async def test_another_edit_of_the_same_sample_is_another_job(sample: Sample) -> None:
    with editor_server() as server:
        spec = profile(server, sample.folder)
        await sample.work(spec)
        sample.ask = sample.ask.model_copy(update={"parts": (AskPart(role="instruction", text="And darker."),)})
        await sample.work(spec)
    assert len(server.jobs) == len(set(server.idempotency)) == 2


@pytest.mark.anyio
async def test_what_is_paid_goes_by_how_the_job_ended(sample: Sample) -> None:
    price = "per_call_usd = 0.5\nper_second_usd = 0.1"
    with editor_server({"poll": ["failed"]}) as server:
        spec, name = profile(server, sample.folder, price), f"http/127.0.0.1:{server.server_port}"
        prices = Prices.snapshot([name], own={name: OWN})
        for play, class_, usd in (
            ({"poll": ["failed"]}, SubjectFailed, 0.5),
            ({"poll": ["refused"]}, SubjectFailed, 0.5),
            ({"poll": ["503"]}, Unscored, None),
            ({}, None, None),  # no film at all, so nobody knows its seconds
        ):
            server.play, ledger = play, Ledger(prices, sample.folder / "ledger.jsonl")
            sample.notes = MemoryNotes()
            context = sample.fresh_context()
            context.tally.purse = ledger.purse("a", 1)
            with pytest.raises(class_) if class_ else nullcontext():
                await sample.work(spec)
            assert context.tally.cost_usd == usd
    spent = read_spending(sample.folder / "ledger.jsonl")
    assert (spent.answered, spent.unknown, spent.lost, float(spent.usd)) == (3, 1, 1, 1.0)


@pytest.mark.anyio
async def test_every_turn_of_a_sample_is_a_job_of_its_own(sample: Sample) -> None:
    with editor_server() as server:
        spec = profile(server, sample.folder)
        await sample.work(spec)
        before = Turn(number=1, ask=sample.ask, deliverable=Deliverable(text="done"))
        sample.context = replace(sample.fresh_context(), turns=(before,))
        await sample.work(spec)
    assert len(server.jobs) == len(set(server.idempotency)) == 2


@pytest.mark.anyio
async def test_the_key_goes_to_the_service_and_to_nobody_else(sample: Sample, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDITOR_KEY", "sk-abcdefghij0123456789xyz")
    with editor_server() as server:
        spec = profile(server, sample.folder, 'key = "EDITOR_KEY"')
        await sample.work(spec)
        assert server.keys == ["Bearer sk-abcdefghij0123456789xyz"]
        assert read_profile(spec).headers("http://elsewhere.example/video.mp4") == {}
    monkeypatch.delenv("EDITOR_KEY")
    with pytest.raises(Stopped, match="needs the key in EDITOR_KEY"):
        read_profile(spec).headers(server.url)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("url = 'ftp://a/b'", "is no address"),
        ("place = 'http://a'", "url"),
        ("= 1", "Invalid"),
        (None, "cannot be read"),
    ],
)
def test_a_profile_that_cannot_be_used_is_refused(tmp_path: Path, text: str | None, words: str) -> None:
    file = tmp_path / "service.toml"
    if text is not None:
        file.write_text(text)
    with pytest.raises(BadInput, match=words):
        open_http(str(file))


@pytest.mark.anyio
async def test_a_nested_body_carries_every_reference_in_its_type(sample: Sample) -> None:
    pictures = [sample.store.put_bytes(b"one", name="a.png", media_type="image/png")]
    pictures.append(sample.store.put_bytes(b"two", name="b.png", media_type="image/png"))
    parts = (AskPart(role="subject", file="a.png"), AskPart(role="subject", file="b.png"))
    sample.ask = sample.ask.model_copy(update={"files": tuple(pictures), "parts": (*sample.ask.parts[:1], *parts)})
    more = '[submit]\nform = "json"\n[submit.fields]\ncontent = [{ text = "{instruction}" }, { url = "{subject}" }]'
    with editor_server() as server:
        await sample.work(profile(server, sample.folder, more))
    sent = json.loads(server.jobs[0])
    assert [[*each] for each in sent["content"]] == [["text"], ["url"], ["url"]]
    assert sent["content"][2]["url"] == "data:image/png;base64,dHdv"


def test_a_profile_says_what_its_service_takes(sample: Sample) -> None:
    file = sample.folder / "service.toml"
    file.write_text('url = "http://127.0.0.1:1/x"\ntakes = ["image"]\n')
    subject = open_http(str(file))
    assert subject.takes is not None
    assert subject.takes.refuse(sample.ask) == "takes no video"
    assert open_http("//127.0.0.1:1/x").takes is None
