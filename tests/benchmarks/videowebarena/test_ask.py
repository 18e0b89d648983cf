"""videowebarena: what a subject gets: words, files and parts; nothing of it moves when the truth does."""

from collections.abc import Callable
from pathlib import Path

import pytest

from cutscore import registry
from cutscore.authoring.leaks import find_truth_leaks
from cutscore.benchmarks.videowebarena.ask import AGENT_PROMPTS, ask, variant
from cutscore.benchmarks.videowebarena.ask_parts import StartState, read_start, read_viewport, require_files
from cutscore.benchmarks.videowebarena.dataset import WebItem, items
from cutscore.core.errors import BadInput, Stopped
from cutscore.core.frozen import canonical_json
from cutscore.prompts import Prompt, load_prompts
from cutscore.store import Store

Prompts = dict[str, Prompt]


@pytest.fixture(scope="module")
def prompts() -> Prompts:
    found = registry.benchmark("videowebarena")
    return dict(load_prompts(found.folder / "prompts", benchmark=found.name))


def test_a_task_is_told_in_words_and_in_parts(
    write_task: Callable[..., Path], tmp_path: Path, prompts: Prompts
) -> None:
    folder = write_task(
        set="vwa",
        start_url="__SHOPPING__/cart |AND| __WIKIPEDIA__",
        image=["https://h.org/a.png", "https://h.org/b.png"],
        require_reset=True,
        geolocation={"latitude": 40.4, "longitude": -80},
        viewport_size={"width": 430, "height": 932},
    )
    (folder / "images" / "h.org").mkdir(parents=True)
    (folder / "images" / "h.org" / "a.png").write_bytes(b"picture")
    (folder / "buy_cup.mp4").write_bytes(b"film")
    (item,) = items(Store(tmp_path / "store"), folder)
    asked = ask(item, prompts)
    assert "Buy a red cup.\n\n" in asked.brief
    assert "\n\n\n" not in asked.brief
    assert [file.name for file in asked.files] == ["tutorial.mp4", "input-1.png"]
    assert [part.file for part in asked.parts_of("input_image")] == ["input-1.png", ""]
    start = read_start(asked)
    assert (start.sites, start.start_pages) == (("shopping", "wikipedia"), ("__SHOPPING__/cart", "__WIKIPEDIA__"))
    assert (start.viewport, start.reset, start.logins) == ((430, 932), True, (("shopping", "emma.lopez@gmail.com"),))
    assert start.geolocation == item.geolocation
    assert set(asked.prompts) == {"ask", "tutorial", "images", "question", *AGENT_PROMPTS}
    assert [part.text for part in asked.parts_of("public_name")] == ["onestopmarket.com", "wikipedia.org"]


def test_files_that_are_not_at_hand_stop_a_task(
    write_task: Callable[..., Path], tmp_path: Path, prompts: Prompts
) -> None:
    folder = write_task(image="https://h.org/a.png", set="vwa")
    (item,) = items(Store(tmp_path / "store"), folder)
    with pytest.raises(Stopped, match=r"tutorial 'buy_cup': is not in the data folder; put it there: videos/buy_cup"):
        require_files(ask(item, prompts))
    (folder / "buy_cup.mov").write_bytes(b"film")
    (item,) = items(Store(tmp_path / "store"), folder)
    with pytest.raises(Stopped, match=r"input image 'https://h.org/a.png': is not .* put it there: images/h.org/a.png"):
        require_files(ask(item, prompts))
    (folder / "images" / "h.org").mkdir(parents=True)
    (folder / "images" / "h.org" / "a.png").write_bytes(b"picture")
    (item,) = items(Store(tmp_path / "store"), folder)
    require_files(ask(item, prompts))
    require_files(ask(item, prompts).with_files([]))  # an arm that leaves them out


def test_subtitles_of_the_tutorial_are_a_file_of_the_ask_and_go_with_it(
    write_task: Callable[..., Path], tmp_path: Path, prompts: Prompts
) -> None:
    folder = write_task(set="vwa", image="__SHOPPING__/a.png")
    (folder / "videos").mkdir()
    (folder / "videos/buy_cup.mp4").write_bytes(b"film")
    (folder / "videos/buy_cup.vtt").write_text("WEBVTT\n\n00:01.000 --> 00:02.000\nRed.\n")
    (folder / "images/shopping").mkdir(parents=True)
    (folder / "images/shopping/a.png").write_bytes(b"picture")
    (item,) = items(Store(tmp_path / "store"), folder)
    asked = ask(item, prompts)
    assert [file.name for file in asked.files] == ["tutorial.mp4", "tutorial.vtt", "input-1.png"]
    assert [part.file for part in asked.parts_of("transcript")] == ["tutorial.vtt"]
    without = variant(item, prompts, "no_tutorial")
    assert without is not None
    assert [file.name for file in without.files] == ["input-1.png"]
    assert (without.part("tutorial"), without.part("transcript")) == (None, None)
    assert without.parts_of("question") == asked.parts_of("question"), "what is asked stays"
    assert "tutorial" not in without.brief.replace("about the tutorial", "")
    assert variant(item.model_copy(update={"video": ""}), prompts, "no_tutorial") is None


def test_a_task_of_a_pack_may_have_no_tutorial(
    write_task: Callable[..., Path], tmp_path: Path, prompts: Prompts
) -> None:
    (item,) = items(Store(tmp_path / "store"), write_task(video=""))
    asked = ask(item, prompts)
    require_files(asked)
    assert asked.part("tutorial") is None
    assert "tutorial" not in asked.prompts
    assert item.cluster == item.id


def test_every_released_task_can_be_asked(released_items: dict[str, WebItem], prompts: Prompts) -> None:
    asked = {name: ask(item, prompts) for name, item in released_items.items()}
    assert not [name for name, each in asked.items() if "{{" in each.brief or "}}" in each.brief]
    starts = {name: read_start(each) for name, each in asked.items()}
    assert {each.size() for each in starts.values()} == {(1280, 2048), (430, 932), (844, 393), (896, 414)}
    assert starts["vwa-reddit-0"].start_pages == released_items["vwa-reddit-0"].start_urls
    assert not [name for name, each in starts.items() for page in each.start_pages if not page.startswith("__")]


def test_truth_does_not_show(released_items: dict[str, WebItem], prompts: Prompts) -> None:
    some = [released_items[name] for name in ("factual-reddit-9", "factual-shopping-27", "vwa-reddit-155", "wa-225")]
    assert find_truth_leaks(some, lambda item: canonical_json(ask(item, prompts))) == []


def test_answers_of_the_files_are_not_in_what_is_asked(released_items: dict[str, WebItem], prompts: Prompts) -> None:
    """But for the words of the intent itself, which may be what a page must show in the end."""
    for item in released_items.values():
        asked = ask(item, prompts).model_dump_json()
        section = item.checks.final
        urls = section.reference_urls if section and "url_match" in section.uses else ()
        assert not [url for url in urls if len(url) > 40 and url in asked and url not in item.start_urls], item.id


def test_the_viewport_is_a_condition_of_tasks_without_their_own() -> None:
    plain, narrow, phone = (StartState((), (), viewport=each) for each in (None, (600, None), (430, 932)))
    assert [each.size("1280x720") for each in (plain, narrow, phone)] == [(1280, 720), (600, 720), (430, 932)]
    assert [each.size() for each in (plain, narrow)] == [(1280, 2048), (600, 2048)]


@pytest.mark.parametrize("written", ["1280", "axb", "0x5", "1280x99999", "１２x１２", ""])
def test_a_viewport_that_is_none_is_told(written: str) -> None:
    with pytest.raises(BadInput, match="is not WIDTHxHEIGHT; write viewport=1280x720"):
        read_viewport(written)
