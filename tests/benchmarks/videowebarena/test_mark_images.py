"""Marking by images of pages: by what they show, and by how like another they are."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from web_records import FINAL, QUERY, STRICT, WantedJudge, ending, on_page, png, with_fact

from cutscore.benchmarks.videowebarena.evaluators import images
from cutscore.scoring.judges.exhibits import exhibits
from cutscore.store import Store


@pytest.mark.real  # images are decoded in a child
def test_images_by_question_and_by_likeness(one: Any, store: Store) -> None:
    item, deliverable, evidence = one(
        eval_types=["page_image_query"],
        page_image_query=[
            {**QUERY, "eval_vqa": [{"question": "Which colour?", "answer": "Red"}]},
            {**QUERY, "eval_fuzzy_image_match": "__SHOPPING__/a.png"},
        ],
    )
    judge = WantedJudge(says="dark red")
    made = ending(item, deliverable, evidence, judge)
    assert (made.scores[FINAL], made.scores[STRICT]) == (1.0, 1.0)
    _, shown, view = judge.calls[0]
    (image,) = exhibits(shown.bind(store), view)
    assert (image.name, image.media.media_type if image.media else "") == ("image", "image/png")
    wrong_colour = ending(item, deliverable, evidence, WantedJudge(says="blue"))
    assert (wrong_colour.scores[FINAL], wrong_colour.scores[STRICT]) == (1.0, 0.0)  # the last query alone counts
    for when in ("in_order", "at_stop"):
        other = store.put_bytes(png(7), name=f"{when}-2-1.png")
        files = [other if file.name == other.name else file for file in evidence.files]
        evidence = evidence.model_copy(update={"files": tuple(files)}).bind(store)
    unlike = ending(item, deliverable, evidence, WantedJudge(says="red"))
    assert unlike.scores[FINAL] == 0.0
    assert "of 'in_order-2-1.png' and '__SHOPPING__/a.png', wanted more than 0.8" in unlike.findings[0].because


@pytest.fixture
def likeness(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Tell how like images are, in the order in which they are compared."""

    def tell(*values: float) -> None:
        told = iter(values)
        monkeypatch.setattr(images, "read_still", lambda _: np.zeros((8, 8, 3), np.uint8))
        monkeypatch.setattr(images, "image_ssim", lambda *_: next(told))

    return tell


LIKE = {**QUERY, "eval_fuzzy_image_match": "__SHOPPING__/a.png"}


@pytest.mark.parametrize(
    ("own", "passed"), [({}, 0.0), ({"ssim_threshold": 0.79}, 1.0), ({"ssim_threshold": 0.9}, 0.0)]
)
def test_likeness_is_more_than_the_threshold(own: Any, passed: float, one: Any, likeness: Any) -> None:
    likeness(0.8, 0.8)
    item, deliverable, evidence = one(eval_types=["page_image_query"], page_image_query=[{**LIKE, **own}])
    made = ending(item, deliverable, evidence)
    assert (made.scores[FINAL], made.scores[STRICT]) == (passed, passed)


def test_the_last_image_query_alone_counts_in_reference(one: Any, likeness: Any) -> None:
    item, deliverable, evidence = one(eval_types=["page_image_query"], page_image_query=[LIKE, LIKE])
    likeness(0.1, 0.9, 0.1, 0.9)
    made = ending(item, deliverable, evidence)
    assert (made.scores[FINAL], made.scores[STRICT]) == (1.0, 0.0)
    assert made.findings[0].because.startswith("passed, though page_image_query-1 did not: seen SSIM 0.1000")


def test_an_image_query_without_images_is_the_end_of_them(one: Any, likeness: Any) -> None:
    item, deliverable, evidence = one(eval_types=["page_image_query"], page_image_query=[LIKE, LIKE])
    likeness(0.9, 0.9)
    made = ending(item, deliverable, on_page(evidence, images=[]))
    assert (made.scores[FINAL], made.scores[STRICT]) == (0.0, 0.0)


@pytest.mark.parametrize("shown", [[], None, [{"src": "x", "file": "", "error": "status 404"}], "images", [7]])
def test_no_image_that_can_be_loaded_is_0(shown: Any, one: Any) -> None:
    item, deliverable, evidence = one(
        eval_types=["page_image_query"], page_image_query=[{**QUERY, "eval_fuzzy_image_match": "__SHOPPING__/a.png"}]
    )
    for read in ("in_order-1", "at_stop-1"):
        evidence = with_fact(evidence, read, images=shown)
    made = ending(item, deliverable, evidence)
    assert made.scores[FINAL] == 0.0
    assert "seen no image of .a that can be loaded" in made.findings[0].because


def test_an_image_that_the_browser_shows_and_we_have_not_is_unscored(one: Any) -> None:
    item, deliverable, evidence = one(
        eval_types=["page_image_query"], page_image_query=[{**QUERY, "eval_fuzzy_image_match": "__SHOPPING__/a.png"}]
    )
    shown = [{"src": "a.svg", "file": "", "width": 8, "height": 8, "error": "is no picture that we decode"}]
    made = ending(item, deliverable, on_page(evidence, images=shown))
    assert FINAL not in made.scores
    assert "image 'a.svg': is on the page and was not kept: is no picture that we decode" in made.gaps[0].because


def test_an_image_to_compare_with_that_nobody_has_is_named(one: Any) -> None:
    item, deliverable, evidence = one(
        eval_types=["page_image_query"], page_image_query=[{**QUERY, "eval_fuzzy_image_match": "coco/1.jpg"}]
    )
    made = ending(item, deliverable, evidence)
    assert "image 'coco/1.jpg': is not at hand; put it into images/ of the data folder" in made.gaps[0].because
