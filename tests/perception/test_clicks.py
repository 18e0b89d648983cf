"""Clicks in films of a screen: rings are found, and what was there before and after is cut out."""

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from cutscore.benchmarks.videowebarena.tutorials.cursor import RING_RADII_PX, draw_cursor
from cutscore.media.frames import Frame
from cutscore.media.opencv import opencv
from cutscore.media.orientation import Pixels
from cutscore.perception.clicks import ScreenPoint, SeenClick, find_clicks, find_ring
from cutscore.perception.patch_match import find_patch

RATE = 10
SIZE = (360, 640)


def page(*words: tuple[str, tuple[int, int]], ground: int = 245) -> Pixels:
    """Return a white page with words at places."""
    drawn = np.full((*SIZE, 3), ground, np.uint8)
    for text, at in words:
        opencv().putText(drawn, text, at, opencv().FONT_HERSHEY_SIMPLEX, 0.6, (10, 90, 70), 1, opencv().LINE_AA)
    return drawn


HOME = page(("Orders", (100, 80)), ("Wishes", (100, 120)), ("Search:", (100, 200)))
ORDERS = page(("Your orders", (60, 60)), ("000123", (300, 140)), ground=180)


def filmed(*shots: tuple[Pixels, tuple[int, int], bool, int]) -> Iterator[Frame]:
    """Return frames of (page, pointer, whether it clicks, number of frames)."""
    number = 0
    for shown, pointer, clicks, frames in shots:
        for step in range(len(RING_RADII_PX) if clicks else frames):
            drawn = draw_cursor(shown, pointer, ring_px=RING_RADII_PX[step] if clicks else 0)
            yield Frame(Fraction(number, RATE), drawn)
            number += 1


def seen(*shots: tuple[Pixels, tuple[int, int], bool, int]) -> list[SeenClick]:
    return list(find_clicks(filmed(*shots)))


def test_a_click_is_found_with_what_was_there_before_the_pointer_came() -> None:
    """The pointer rests at (400, 300) for 1.5 s, then is at "Orders" and clicks at 1.7 s; another page follows."""
    (click,) = seen(
        (HOME, (400, 300), False, 15),
        (HOME, (130, 75), False, 2),
        (HOME, (130, 75), True, 0),
        (ORDERS, (130, 75), False, 9),
    )
    assert (float(click.at_s), click.point) == (1.7, ScreenPoint(130, 75))
    left, top = click.point.x - click.inside.x, click.point.y - click.inside.y
    height, width = click.target.shape[:2]
    assert (click.target == HOME[top : top + height, left : left + width]).all()
    assert float(click.turned_s or 0) == 2.2


def test_what_is_typed_is_seen_and_is_no_other_page() -> None:
    """Two words are typed, and then another field is clicked."""
    typed = page(("Orders", (100, 80)), ("Wishes", (100, 120)), ("Search: red cup", (100, 200)))
    first, second = seen(
        (HOME, (500, 300), False, 15),
        (HOME, (200, 195), True, 0),
        (typed, (200, 195), False, 15),
        (typed, (130, 75), False, 2),
        (typed, (130, 75), True, 0),
        (typed, (130, 75), False, 5),
    )
    assert first.turned_s is None
    # The pointer has gone when it is last on view, so that nothing covers what was typed.
    left, top = first.point.x - first.inside.x, first.point.y - first.inside.y
    assert (first.later[185 - top : 205 - top, 150 - left :] == typed[185:205, 150 : left + first.later.shape[1]]).all()
    assert second.point == ScreenPoint(130, 75)


def test_a_page_that_is_scrolled_is_no_other_page() -> None:
    moved = np.roll(HOME, -60, axis=0)
    (click,) = seen((HOME, (400, 300), False, 15), (HOME, (130, 75), True, 0), (moved, (400, 300), False, 6))
    assert click.turned_s is None


def test_strong_colours_that_are_no_ring_are_no_click() -> None:
    drawn = HOME.copy()
    drawn[100:130, 200:500] = (255, 0, 140)
    assert find_ring(drawn) is None
    assert find_ring(HOME) is None


def test_a_click_at_the_edge_of_the_screen_is_found() -> None:
    point = find_ring(draw_cursor(HOME, (634, 100), ring_px=26))
    assert point is not None
    assert abs(point.y - 100) <= 1


def cut(shown: Pixels, at: tuple[int, int]) -> tuple[Pixels, ScreenPoint]:
    left, top = max(0, at[0] - 160), max(0, at[1] - 40)
    return shown[top : at[1] + 40, left : at[0] + 160], ScreenPoint(at[0] - left, at[1] - top)


def test_a_piece_is_found_where_it_moved_to_under_boxes_that_are_drawn_over_it() -> None:
    live = page(("Orders", (100, 180)), ("Wishes", (100, 220)), ("Messages", (100, 260)))
    opencv().rectangle(live, (98, 162), (170, 186), (214, 39, 40), 2)
    piece, inside = cut(HOME, (130, 75))
    found = find_patch(live, piece, inside, usual=ScreenPoint(130, 75))
    assert found is not None
    assert abs(found.point.x - 130) <= 2
    assert abs(found.point.y - 175) <= 2


def test_other_words_are_not_taken_for_a_piece() -> None:
    live = page(("Baskets", (100, 80)), ("Quilts", (100, 120)))
    piece, inside = cut(HOME, (130, 75))
    assert find_patch(live, piece, inside, usual=ScreenPoint(130, 75)) is None


def test_an_empty_field_is_found_by_what_is_written_beside_it() -> None:
    live = page(("Search:", (100, 290)))
    piece, inside = cut(HOME, (260, 195))
    found = find_patch(live, piece, inside, usual=ScreenPoint(260, 195))
    assert found is not None
    assert found.point == ScreenPoint(260, 285)


def test_a_blank_is_found_nowhere() -> None:
    blank = np.full((80, 320, 3), 245, np.uint8)
    assert find_patch(HOME, blank, ScreenPoint(160, 40), usual=ScreenPoint(160, 40)) is None


def test_a_ring_that_belongs_to_the_page_is_no_click() -> None:
    """A page with a round flower comes after 1.0 s and stays; "Orders" is clicked on it at 3.0 s."""
    flower = draw_cursor(HOME, (500, 200), ring_px=RING_RADII_PX[-1])
    (click,) = seen(
        (ORDERS, (400, 300), False, 10),
        (flower, (400, 300), False, 20),
        (flower, (130, 75), True, 0),
        (ORDERS, (130, 75), False, 9),
    )
    assert (float(click.at_s), click.point) == (3.0, ScreenPoint(130, 75))
    assert click.turned_s is not None
