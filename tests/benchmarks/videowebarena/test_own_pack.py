"""The tasks on our own sites: as many and as varied as promised, as difficult as they say, and all with scripts."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from cutscore import registry
from cutscore.benchmarks.videowebarena.dataset import CATEGORIES, WebItem, items
from cutscore.benchmarks.videowebarena.evaluators.helper_calls import HELPERS, PREFIX
from cutscore.benchmarks.videowebarena.released import EvalSection
from cutscore.benchmarks.videowebarena.sites import WITH_TASKS
from cutscore.benchmarks.videowebarena.tutorials.action_log import TutorialLog, read_log
from cutscore.benchmarks.videowebarena.tutorials.difficulty import intermediate_difficulty, overall_difficulty
from cutscore.cells.selection import ItemSelection
from cutscore.store import Store

OWN = registry.benchmark("videowebarena").folder / "own"
VERBS = re.compile(r"```(\w+)")
ACTIONS = {
    *("click", "hover", "type", "press", "new_tab", "tab_focus", "close_tab", "goto", "go_back", "go_forward"),
    *("scroll", "clear", "upload"),
}


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> list[WebItem]:
    return items(Store(tmp_path_factory.mktemp("store")), OWN)


@pytest.fixture(scope="module")
def logs() -> dict[str, TutorialLog]:
    return {log.visit: log for log in map(read_log, sorted((OWN / "videos").glob("*.log.json")))}


def sections(own: list[WebItem]) -> Iterator[EvalSection]:
    for item in own:
        assert item.checks.final is not None
        assert not item.checks.fault, item.id
        yield item.checks.final


def kinds_of(section: EvalSection) -> Iterator[str]:
    """Return every way in which a section marks, in a word each."""
    yield from section.eval_types
    yield from (f"answer {rule.kind}" for rule in section.reference_answers or ())
    if "url_match" in section.eval_types:
        yield f"url {section.url_note or 'absent'}"
    for target in section.program_html:
        yield from (f"contents {rule.kind}" for rule in target.required_contents)
        locator = target.locator.strip()
        yield f"locator {locator[:8] if locator.startswith('document') else locator.partition('.')[0][:6] or 'blank'}"
        yield from ("prep action" for _ in target.prep_actions[:1])
        yield f"page {target.url if target.url == 'last' else PREFIX if target.url.startswith(PREFIX) else 'site'}"
        yield from (name for name in HELPERS if f"{name}(" in f"{target.url} {target.locator}")
    for query in section.page_image_query:
        yield from (name for name in ("eval_vqa", "eval_fuzzy_image_match") if getattr(query, name))


def test_every_site_has_tasks_of_both_kinds_on_two_tutorials(own: list[WebItem]) -> None:
    counted = Counter(item.site for item in own)
    assert set(counted) == set(WITH_TASKS)
    assert min(counted.values()) >= 12
    for site in WITH_TASKS:
        assert len({item.video for item in own if item.site == site}) >= 2, site


def test_every_tutorial_has_a_factual_task_of_each_category_and_a_skill_task(own: list[WebItem]) -> None:
    by_video = defaultdict(list)
    for item in own:
        by_video[item.video].append(item)
    for video, tasks in by_video.items():
        factual = [task for task in tasks if task.set == "factual"]
        assert len(factual) >= 4, video
        assert len(tasks) > len(factual), video
        for category in CATEGORIES:
            assert any(task.groups[category] == "yes" for task in factual), (video, category)


def test_tutorials_are_there_and_one_a_site_is_longer_than_a_minute(
    own: list[WebItem], logs: dict[str, TutorialLog]
) -> None:
    assert all(item.tutorial for item in own)
    longest: dict[str, float] = defaultdict(float)
    for item in own:
        longest[item.site] = max(longest[item.site], logs[item.video].seconds)
    assert min(longest.values()) > 60


def test_marks_that_tasks_need_are_in_the_log(own: list[WebItem], logs: dict[str, TutorialLog]) -> None:
    for item in own:
        assert item.scripts is not None, item.id
        assert set(item.scripts.needs) <= logs[item.video].marks.keys(), item.id
        if item.set == "factual":
            assert item.scripts.needs, item.id


def test_tasks_are_as_difficult_as_they_say(own: list[WebItem], logs: dict[str, TutorialLog]) -> None:
    told, counted = {}, {}
    for item in own:
        if item.set == "factual" and item.scripts:
            told[item.id] = item.groups["difficulty"], item.groups["video_difficulty"]
            counted[item.id] = (
                overall_difficulty(item.scripts),
                intermediate_difficulty(item.scripts, logs[item.video]),
            )
    assert told == counted
    assert {each for pair in counted.values() for each in pair} == {"easy", "medium", "hard"}


def test_all_ways_of_marking_occur(own: list[WebItem]) -> None:
    found = {kind for section in sections(own) for kind in kinds_of(section)}
    wanted = {
        *("string_match", "url_match", "program_html", "page_image_query", "eval_vqa", "eval_fuzzy_image_match"),
        *(f"answer {kind}" for kind in ("exact_match", "must_include", "must_exclude", "fuzzy_match", "one_of")),
        "answer required_values",
        *(f"contents {kind}" for kind in ("exact_match", "must_include", "must_exclude", "required_values")),
        *("url EXACT", "url GOLD in PRED", "page last", "page func:", "page site", "prep action", "locator blank"),
        *("locator document", "locator func:s", "locator lambda"),
        *HELPERS,
    }
    assert not wanted - found


def test_all_starts_and_actions_occur(own: list[WebItem]) -> None:
    acted = [action for item in own if item.scripts for action in item.scripts.perfect.actions]
    said = {verb for action in acted for verb in VERBS.findall(str(action.arguments.get("text", "")))}
    assert not ACTIONS - said - {action.tool for action in acted}
    starts = {
        "two start pages": any(len(item.start_urls) > 1 for item in own),
        "two sites": any(len(item.sites) > 1 for item in own),
        "input image": any(item.images for item in own),
        "phone": any(item.viewport and item.viewport.width < 500 for item in own),
        "reset": any(item.reset for item in own),
        "login": any(item.login for item in own),
        "place": any(item.geolocation for item in own),
        "cannot be done": any(section.string_note for section in sections(own)),
    }
    assert all(starts.values()), starts


def test_no_two_pieces_of_work_of_a_task_are_the_same(own: list[WebItem]) -> None:
    for item in own:
        assert item.scripts is not None
        works = [item.scripts.perfect, *item.scripts.near_misses]
        done = {work.model_copy(update={"about": "x"}).model_dump_json() for work in works}
        assert len(done) == len(works), item.id


def test_recordings_tell_nothing_of_a_machine(logs: dict[str, TutorialLog]) -> None:
    for name in logs:
        text = (OWN / "videos" / f"{name}.log.json").read_text(encoding="utf-8")
        assert "localhost" not in text
        assert str(Path.home()) not in text


def test_people_do_one_task_of_each_template_and_one_skill_task_of_each_video(own: list[WebItem]) -> None:
    drawn = ItemSelection(draw=0).choose(own, bench="videowebarena")
    templates = {item.template for item in own if item.set == "factual"}
    videos = {item.video for item in own if item.set == "vwa"}
    assert Counter(item.groups["set"] for item in drawn) == {"factual": len(templates), "vwa": len(videos)}
    assert len(drawn) < len(own)
