from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from cutscore.stage.text import render_text, wrap_text
from cutscore.stage.things import _EXTRA, _LETTERS, check_letters


def allowed() -> list[str]:
    ranges = [chr(code) for first, last in _LETTERS for code in range(ord(first), ord(last) + 1)]
    return [letter for letter in [*ranges, *sorted(_EXTRA)] if not letter.isspace() and letter != "\u00ad"]


def test_every_letter_that_is_allowed_has_a_glyph_of_its_own() -> None:
    missing = render_text("\ue000", 32)
    for letter in allowed():
        if letter != "?":
            glyph = render_text(letter, 32)
            assert glyph.any(), letter
            assert glyph.shape != missing.shape or not np.array_equal(glyph, missing), letter


@pytest.mark.parametrize("text", ["語", "a\tb", "\u202e", "😀"])
def test_others_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="cannot be shown"):
        check_letters(text)


def test_glyphs_have_few_levels_and_share_a_base_line() -> None:
    assert set(np.unique(render_text("Pour the milk", 40))) <= set(range(0, 256, 17))
    assert render_text("a", 40).shape[0] == render_text("gy", 40).shape[0] == 50


def test_lines_are_broken_between_words() -> None:
    text = "Take the jug and fill the glass with water"
    lines = wrap_text(text, 20, 100)
    assert " ".join(lines) == text
    assert len(lines) > 2
    assert all(render_text(line, 20).shape[1] <= 100 for line in lines)
    assert wrap_text("incomprehensibilities", 20, 10) == ["incomprehensibilities"]


def test_threads_do_not_draw_in_each_others_sizes() -> None:
    draw = render_text.__wrapped__
    lines = [(text, height) for text in ("POND", "WELL", "RIVER") for height in range(8, 64)] * 3
    alone = [draw(*line) for line in lines]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda line: draw(*line), lines))
    assert all(np.array_equal(one, other) for one, other in zip(alone, together, strict=True))
