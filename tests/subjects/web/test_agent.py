"""Web agents without a browser: what a model is told at each step, how a run ends, and what is handed over."""

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessage, ContentImage, ContentText, ModelAPI, ModelOutput, StopReason, modelapi
from inspect_ai.solver import Generate, Solver, TaskState, solver

from cutscore import registry
from cutscore.bridge.conditions import generate_config
from cutscore.core.ask import Ask, AskPart
from cutscore.core.deliverable import Deliverable
from cutscore.core.errors import BadInput, MissingExtra
from cutscore.core.subject import WorkContext
from cutscore.core.tally import Tally
from cutscore.core.trajectory import Action
from cutscore.environments.browser.grammar import extract_action, parse_action
from cutscore.media.render import write_clip
from cutscore.models.token_rules import CHARS_PER_TOKEN
from cutscore.prompts import Prompt
from cutscore.store import Store
from cutscore.subjects.web import transcript
from cutscore.subjects.web.agent import WEB_AGENTS, AgentKind, WebAgent, open_web_agent
from cutscore.subjects.web.page import MOST_TOKENS, PublicNames, SeenPage, cut_text
from cutscore.subjects.web.transcript import SpokenWords

FOUND = registry.benchmark("videowebarena")
Work = Callable[..., Deliverable]


@modelapi(name="told")
class Told(ModelAPI):
    """Says what a test has written down, one reply a call, and keeps what it was asked."""

    replies: ClassVar[list[tuple[str, StopReason]]] = []
    asked: ClassVar[list[list[ChatMessage]]] = []
    configs: ClassVar[list[Any]] = []

    async def generate(self, input, tools, tool_choice, config) -> ModelOutput:  # type: ignore[no-untyped-def]
        Told.asked.append(input)
        Told.configs.append(config)
        said, reason = Told.replies.pop(0)
        return ModelOutput.from_content(self.model_name, said, stop_reason=reason)


class PaperWorld:
    """One page, which never changes; the run ends after some actions."""

    def __init__(self, store: Store, *, most: int = 9, text: str = "[1] [A] [Home]") -> None:
        picture = store.put_bytes(b"page", name="step-00.jpg", media_type="image/jpeg")
        self.seen = {"text": text, "url": "__REDDIT__/f/a", "picture": picture.model_dump(mode="json"), "settled": {}}
        self.acted: list[Action] = []
        self.most, self.outputs = most, None

    async def act(self, action: Action) -> Any:
        self.acted.append(action)
        return {**self.seen, "error": "", "ended": "Early stop: enough" if len(self.acted) == self.most else ""}


@pytest.fixture
def ask(tmp_path: Path) -> Ask:
    """A task with a tutorial of two red seconds, its subtitles, a picture and a question."""
    store = Store(tmp_path / "store")
    write_clip(tmp_path / "red.mp4", [np.full((16, 32, 3), (200, 0, 0), np.uint8)] * 20, rate=Fraction(10))
    subtitles = b"WEBVTT\n\n00:01.000 --> 00:02.000\nIt costs nine.\n"
    return Ask(
        item="a",
        brief="Buy it.",
        files=(
            store.put(tmp_path / "red.mp4", name="tutorial.mp4", media_type="video/mp4"),
            store.put_bytes(subtitles, name="tutorial.vtt", media_type="text/vtt"),
            store.put_bytes(b"lamp", name="input-1.png", media_type="image/png"),
        ),
        parts=(
            AskPart(role="instruction", text="Buy the lamp."),
            AskPart(role="public_name", text="reddit.com", value="reddit"),
            AskPart(role="input_image", file="input-1.png"),
            AskPart(role="tutorial", file="tutorial.mp4"),
            AskPart(role="transcript", file="tutorial.vtt"),
            AskPart(role="question", text="What does it cost?", value="intermediate.txt"),
        ),
    )


@pytest.fixture
def work(tmp_path: Path, ask: Ask) -> Work:
    """Let an agent work on the ask inside a real evaluation, with the replies of its model."""

    def run(
        kind: AgentKind, *replies: str | tuple[str, StopReason], world: PaperWorld | None = None, **changes: Any
    ) -> Deliverable:
        Told.replies = [each if isinstance(each, tuple) else (each, "stop") for each in replies]
        Told.asked, Told.configs = [], []
        agent = WebAgent(kind, open_web_agent(kind, FOUND).prompts, {"told/m": changes.pop("takes", "frames")})
        shown, store = changes.pop("ask", ask), Store(tmp_path / "store")
        context = WorkContext(
            store=store,
            make_workspace=lambda: tmp_path,
            epoch=1,
            seed=1,
            frames="uniform=2",
            environment=world or PaperWorld(store),  # type: ignore[arg-type]
            **changes,
        )
        made: list[Deliverable] = []

        @solver
        def doing() -> Solver:
            async def solve(state: TaskState, generate: Generate) -> TaskState:
                made.append(await agent.work(shown, context))
                return state

            return solve

        config = generate_config(FOUND.card.condition_values({}))
        task = Task(dataset=[Sample(input="x")], solver=doing(), config=config)
        (log,) = inspect_eval(task, model="told/m", log_dir=str(tmp_path / "logs"), display="none", max_retries=1)
        assert made, log.error
        return made[0]

    return run


def words(number: int) -> str:
    return Told.asked[number][0].text


def pictures(number: int) -> list[str]:
    """Name what the message shows, with the words that stand before each picture."""
    parts = Told.asked[number][0].content
    assert isinstance(parts, list)
    return [part.text if isinstance(part, ContentText) else part.type for part in parts[:-1]]


def test_frames_words_pictures_and_the_page_are_shown_and_the_answer_is_that_of_stop(
    work: Work, tmp_path: Path
) -> None:
    tally = Tally()
    made = work("frames", "I look. ```scroll [down]```", "```stop [nine]```", "Nine.", tally=tally)
    assert (made.text, made.failure) == ("nine", "")
    (file,) = made.files
    assert (file.name, Store(tmp_path / "store").path(file).read_text()) == ("intermediate.txt", "Nine.")
    assert pictures(0) == [
        *("tutorial.mp4 at 0.500 s", "image", "tutorial.mp4 at 1.500 s", "image"),
        *("input-1.png:", "image", "image"),
    ]
    assert "00:01.000 It costs nine." in words(0)
    assert "URL: http://reddit.com/f/a\n" in words(0)
    assert "addresses: http://reddit.com." in words(0)
    assert words(0).rstrip().endswith("PREVIOUS ACTION: None")
    assert words(1).rstrip().endswith("PREVIOUS ACTION: scroll [down]"), "the last action and no other"
    assert "QUESTION: What does it cost?" in words(2)
    assert pictures(2) == pictures(0)[:4], "it is asked apart: no page, no picture of the objective"
    assert [(config.temperature, config.top_p) for config in Told.configs] == [(1.0, 0.9)] * 3
    assert [len(each.frames) for each in tally.seen if each.clip.name == "tutorial.mp4"] == [2]


def test_the_video_agent_gets_the_clip_and_the_summary_agent_words_that_were_written_once(work: Work) -> None:
    work("video", "```go_back```", "```stop []```", "Nine.", takes="video")
    assert [pictures(number)[:1] for number in range(3)] == [["video"]] * 3
    work("summary", "It costs nine.", "```go_back```", "```stop []```", "Nine.")
    assert "TASK: Buy the lamp." in words(0)
    assert pictures(0)[0] == "tutorial.mp4 at 0.500 s"
    assert ["It costs nine." in words(number) for number in (1, 2, 3)] == [True] * 3
    assert pictures(1) == ["input-1.png:", "image", "image"], "no picture of the tutorial"
    assert not Told.replies


def test_a_reply_that_is_no_action_is_corrected_and_the_end_of_the_world_is_the_answer(
    work: Work, tmp_path: Path
) -> None:
    world = PaperWorld(Store(tmp_path / "store"), most=2)
    made = work("frames", "I do not know.", "```click [1]```", "Nine.", world=world)
    assert made.text == "Early stop: enough"
    assert [action.arguments["text"] for action in world.acted] == ["I do not know.", "```click [1]```"]
    last = words(1).rpartition("PREVIOUS ACTION: ")[2]
    assert last.startswith(
        "none, because your last reply could not be read: the reply has no action between two fences"
    )


def test_a_model_that_refuses_fails_and_is_asked_the_question_all_the_same(work: Work, tmp_path: Path) -> None:
    world = PaperWorld(Store(tmp_path / "store"))
    made = work("frames", "```go_back```", ("No.", "content_filter"), "Nine.", world=world)
    assert (made.failure_class, made.text, [file.name for file in made.files]) == ("refused", "", ["intermediate.txt"])
    assert len(world.acted) == 1


def test_without_subtitles_and_without_ears_the_row_says_that_no_words_were_told(
    work: Work, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    def hear(_: Path) -> SpokenWords:
        raise MissingExtra.of("speech", "speech")

    monkeypatch.setattr(transcript, "_hear", hear)
    tally = Tally()
    silent = ask.with_files([file for file in ask.files if file.name != "tutorial.vtt"])
    work("frames", "```stop []```", "Nine.", ask=silent, tally=tally)
    assert "what is said in 'tutorial.mp4' was not told: speech needs an extra: pip install" in tally.warnings[0]
    monkeypatch.setattr(transcript, "_hear", lambda _: SpokenWords("00:01.000 Heard.", "somebody"))
    work("frames", "```stop []```", "Nine.", ask=silent)
    assert "00:01.000 Heard." in words(0)


@pytest.mark.parametrize("kind", WEB_AGENTS)
def test_prompts_tell_all_actions_and_have_two_examples(kind: AgentKind) -> None:
    prompts = open_web_agent(kind, FOUND).prompts
    task = prompts[f"task_{kind}"].text + prompts["upload"].text
    verbs = ("click", "type", "clear", "hover", "press", "scroll", "goto", "go_back", "go_forward", "new_tab")
    assert [verb for verb in (*verbs, "tab_focus", "close_tab", "stop", "upload") if f"`{verb}" not in task] == []
    assert task.count("\nOBJECTIVE: ") == 3, "two examples and the task"
    examples = [parse_action(extract_action(each)) for each in task.split("\nOBJECTIVE: ")[1:3]]
    assert all(example.tool in (*verbs, "stop") for example in examples)
    assert prompts[f"question_{kind}"].text.count("QUESTION: ") == 3
    for name in ("summarise_video", "summarise_frames"):
        assert prompts[name].text.count("TASK: ") == 3


def test_uploading_is_told_where_the_grammar_has_it(work: Work) -> None:
    work("frames", "```stop []```", "Nine.")
    assert "upload [id]" not in words(0)
    work("frames", "```stop []```", "Nine.", conditions={"grammar": "wide"})
    assert "`upload [id] [name]`" in words(0)
    assert "Names: input-1.png." in words(0)


def test_the_screenshot_goes_by_reference_and_text_is_cut(work: Work, tmp_path: Path) -> None:
    world = PaperWorld(Store(tmp_path / "store"), text="[1] [A] [" + "x" * 99_999)
    work("frames", "```stop []```", "Nine.", world=world)
    told = words(0).rpartition("OBSERVATION:\n")[2].partition("\nPREVIOUS")[0]
    assert told == cut_text(str(world.seen["text"]))
    assert len(told) == MOST_TOKENS * CHARS_PER_TOKEN
    parts = Told.asked[0][0].content
    assert isinstance(parts[-2], ContentImage)
    assert parts[-2].image.startswith("data:image/jpeg;base64,"), "the provider gets the picture itself"


def test_what_the_world_tells_is_read_and_names_are_public() -> None:
    page = SeenPage.of({"text": "a", "url": "b", "settled": {}, "error": "c", "ended": "", "picture": None})
    assert (page.text, page.picture) == ("a", None)
    assert SeenPage.of(None) == SeenPage()
    names = PublicNames({"shopping": "onestopmarket.com", "shopping_admin": "luma.com/admin"})
    assert names.show("__SHOPPING_ADMIN__/x __SHOPPING__/y") == "http://luma.com/admin/x http://onestopmarket.com/y"


def test_an_agent_says_what_it_cannot_do() -> None:
    with pytest.raises(BadInput, match="model 'openai/x' takes frames and no whole clips; take --subject frames, or"):
        open_web_agent("video", FOUND).check_conditions("openai/x", {})
    for model in ("google/x", "scripted/x.json"):
        open_web_agent("video", FOUND).check_conditions(model, {})
    open_web_agent("frames", FOUND).check_conditions("openai/x", {})
    with pytest.raises(BadInput, match="subject 'video': benchmark 'colorbars' has no pages to work on"):
        open_web_agent("video", registry.benchmark("colorbars"))


def test_words_of_the_cell_are_used_and_a_file_without_a_blank_is_refused() -> None:
    agent = open_web_agent("frames", FOUND)
    mine = Prompt.of("task_frames", agent.prompts["task_frames"].text + "Be brief.\n")
    given = {**agent.prompts, "task_frames": mine, "ask": Prompt.of("ask", "not read by agents")}
    assert agent.with_prompts(given).prompts == {**agent.prompts, "task_frames": mine}
    with pytest.raises(BadInput, match=r"prompt 'question_frames': has no blank \{\{question\}\}; add it"):
        agent.with_prompts({**agent.prompts, "question_frames": Prompt.of("question_frames", "{{transcript}}")})
