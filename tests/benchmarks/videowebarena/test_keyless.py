"""videowebarena: `blind` has the words alone, and the reader the frames and the transcript, which all subjects get."""

from pathlib import Path

import anyio
import pytest

from cutscore import registry
from cutscore.benchmarks.videowebarena.dataset import OWN, WebItem, items
from cutscore.benchmarks.videowebarena.keyless import blind, find_named_link, reader
from cutscore.benchmarks.videowebarena.marked_page import read_elements
from cutscore.benchmarks.videowebarena.tutorial_reading import find_sentence, read_typed, watch
from cutscore.benchmarks.videowebarena.tutorials.action_log import read_log
from cutscore.cells.scoring_code import reached_from
from cutscore.core.ask import Ask
from cutscore.core.subject import WorkContext
from cutscore.media.transcript import Segment, read_transcript
from cutscore.prompts import load_prompts
from cutscore.store import Store

TUTORIAL = OWN / "videos" / "map_finding_places.mp4"
# Where actions, scripts, answers and marks are; what made a tutorial knows what was clicked in it.
TRUTH = {
    *("dataset", "scripts", "oracle", "mark", "recorded", "release", "judge_stage", "media_files"),
    *("tutorials", "evaluators", "websites"),
}


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store")


@pytest.fixture
def tasks(store: Store) -> dict[str, WebItem]:
    return {item.id: item for item in items(store, OWN)}


def ask_for(item: WebItem) -> Ask:
    found = registry.benchmark("videowebarena")
    return found.ask(item, load_prompts(found.folder / "prompts", benchmark=found.name))


def test_the_reader_reaches_no_code_that_knows_what_was_done() -> None:
    found = registry.benchmark("videowebarena")
    reached = [name.removeprefix(f"{found.package}.") for name in reached_from([found.folder / "keyless.py"], found)]
    assert not [name for name in reached if name.partition(".")[0] in TRUTH], reached


def test_clicks_of_a_tutorial_are_seen_when_and_where_they_were_done() -> None:
    """The log, which the reader never reads, tells what it should see."""
    log = read_log(TUTORIAL.with_name("map_finding_places.log.json"))
    done = [step for step in log.steps if step.do and step.do.tool in ("click", "type", "clear") and step.acted]
    clicks = watch(TUTORIAL)
    assert len(clicks) == len(done) >= 3
    for click, step in zip(clicks, done, strict=True):
        assert step.acted is not None
        assert step.cursor is not None
        assert 0 <= float(click.at_s) - step.acted <= 0.5
        assert abs(click.point.x - step.cursor[0]) <= 2
        assert abs(click.point.y - step.cursor[1]) <= 2


def test_what_was_typed_is_read_from_the_frames() -> None:
    pytest.importorskip("rapidocr", reason="RapidOCR is not installed: pip install 'cutscore[ocr]'")
    log = read_log(TUTORIAL.with_name("map_finding_places.log.json"))
    typed = next(step for step in log.steps if step.do and step.do.tool == "type")
    assert typed.acted is not None
    assert typed.do is not None
    click = next(click for click in watch(TUTORIAL) if 0 <= float(click.at_s) - typed.acted <= 0.5)
    assert read_typed(TUTORIAL, click).new.lower() == str(typed.do.arguments["text"]).lower()


def test_the_sentence_about_a_task_is_found_by_rare_words() -> None:
    said = [
        Segment(start_s=n, end_s=n + 1, text=text)
        for n, text in enumerate(
            ["Hi, I look at posts.", "The tulips are in bloom.", "I look at one more.", "Thanks, bye."]
        )
    ]
    assert find_sentence(said, "Which flowers are in bloom, as the person in the video says?") == 1
    assert find_sentence(said, "Take me to the page that is on view when the speaker says thanks.") == 3
    assert find_sentence(said, "Look at the posts.") == 0
    assert find_sentence(said, "Buy a red kettle.") is None
    assert find_sentence([], "Buy a red kettle.") is None


def test_a_link_that_the_task_names_is_clicked_where_the_tutorial_shows_it_on_another() -> None:
    listed = read_elements("[1] [A] [Lighting]\n[2] [A] [Umbrellas]\n[3] [BUTTON] [Umbrellas]\n[4] [A] [Hats]")

    def named(task: str, number: str) -> str:
        found = find_named_link(task, listed[number], listed.values())
        return found.number if found else ""

    assert named("Show me all umbrellas", "1") == "2"
    assert named("Show me all umbrellas and lighting", "1") == "", "what is shown is asked for as well"
    assert named("Show me all umbrellas", "3") == "", "a button is no link"
    assert named("Show me all cars", "1") == ""


def test_blind_answers_from_the_words_and_equal_seeds_guess_alike(tasks: dict[str, WebItem], store: Store) -> None:
    for item in tasks.values():
        ask = ask_for(item)
        made = blind(ask, 7, store)
        assert made == blind(ask, 7, store)
        guess = made.text
        assert guess == "N/A" or guess.isdecimal() or guess in item.intent
        assert [file.name for file in made.files] == (["intermediate.txt"] if item.question else [])
    counted = ask_for(tasks["factual-map-4"])
    assert {blind(counted, seed, store).text for seed in range(200)} == {str(each) for each in range(1, 11)}


def test_without_a_tutorial_the_reader_does_nothing_and_says_so(tasks: dict[str, WebItem], store: Store) -> None:
    plain = tasks["factual-map-5"].model_copy(update={"video": "", "tutorial": None, "transcript": None})
    context = WorkContext(store=store, make_workspace=Path, epoch=1, seed=0)
    made = anyio.run(reader, ask_for(plain), context)
    assert made.empty
    assert [step.said for step in context.steps.trajectory() or ()] == [
        "There is no tutorial, and I know nothing else to go by."
    ]


def test_audio_questions_are_answered_by_what_is_said(tasks: dict[str, WebItem]) -> None:
    item = tasks["factual-map-5"]
    said = read_transcript(OWN / "videos" / f"{item.video}.vtt").segments
    number = find_sentence(said, item.question)
    assert number is not None
    assert "Quiet Swallow" in said[number].text
