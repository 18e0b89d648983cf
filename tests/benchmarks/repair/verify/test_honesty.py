"""What was rendered against what was reported: honest films pass in whatever dress, others are refused with a place."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutscore.benchmarks.repair.edits.effects import black_out, freeze, mute
from cutscore.benchmarks.repair.verify.honesty import check_rendering, kept_pieces
from cutscore.core.errors import BrokenData
from cutscore.core.timeline import Span
from cutscore.media.edit import change_speed, join_footage, replace_sound, trim
from cutscore.media.footage import Footage, change_sound, write_footage
from cutscore.media.sound import Sound


def late(footage: Footage, span: Span, *, by_s: Fraction) -> Footage:
    """Move the sound of the span against its pictures; silence fills in."""
    return change_sound(
        footage, lambda sound: sound.part(Span(start_s=-by_s, end_s=sound.length_s - by_s)).samples, span
    )


CUTS = (Span(start_s="3/2", end_s="9/4"), Span(start_s="7/2", end_s=4))
KEPT = (Span(start_s=0, end_s="3/2"), Span(start_s="9/4", end_s="7/2"), Span(start_s=4, end_s=5))
REST = Span(start_s="5/4", end_s="5/2")  # a stretch of the honest film that holds most of its second piece


@pytest.fixture(scope="module")
def broken(pancakes, tmp_path_factory):
    path = tmp_path_factory.mktemp("broken") / "broken.mp4"
    write_footage(pancakes, path)
    return path


QUICK = {"cuts some frames off", "other ranges", "muted"}


def some(cases):
    """All of them, those that are not among the quick ones only where there is time."""
    return [each if each in QUICK else pytest.param(each, marks=pytest.mark.real) for each in cases]


def kept(footage, spans=KEPT):
    return join_footage([trim(footage, span) for span in spans])


def noisy(footage):
    draw = np.random.default_rng(5)
    return replace_sound(footage, Sound(draw.normal(0, 0.1, len(footage.sound.samples)).astype(np.float32), 48_000))


HONEST = {
    "as reported": (kept, {}),
    "x265 in Matroska with Opus, 25 a second in ms": (
        kept,
        {
            "codec": "libx265",
            "container": "matroska",
            "unit": Fraction(1, 1000),
            "sound": "libopus",
            "rate": Fraction(25),
            "options": {"x265-params": "log-level=none"},
        },
    ),
    "coarse and small": (kept, {"size": (96, 54), "options": {"crf": "38"}}),
    # Pieces that are two frames and one frame too long, so the last begins three frames late; the sound 60 ms.
    "cuts some frames off": (
        lambda film: late(
            kept(film, (Span(start_s=0, end_s="5/3"), Span(start_s="9/4", end_s="43/12"), KEPT[2])),
            Span(start_s=0, end_s=4),
            by_s=Fraction(3, 50),
        ),
        {},
    ),
}


@pytest.mark.parametrize("name", some(HONEST))
def test_an_honest_film_passes(pancakes, broken, save, name):
    change, how = HONEST[name]
    assert check_rendering(save(change(pancakes), **how), broken, CUTS).refusal is None


OTHER = {
    "nothing cut": (lambda film: film, "length", "lasts 5.00 s; without the reported ranges the clip has 3.75 s"),
    "twice": (lambda film: join_footage([kept(film)] * 2), "length", "lasts 7.50 s"),
    "shorter": (lambda film: kept(film, KEPT[:2]), "length", "lasts 2.75 s"),
    "other ranges": (
        lambda film: kept(film, (Span(start_s=0, end_s="1/2"), Span(start_s="7/4", end_s=5))),
        "other pictures",
        "should be at 00:00.500 and other pictures are there",
    ),
    "frozen": (lambda film: freeze(kept(film), REST), "other pictures", "should be at 00:01.750"),
    "black": (lambda film: black_out(kept(film), REST), "other pictures", "other pictures are there"),
    "muted": (
        lambda film: mute(kept(film), KEPT[0]),
        "other sound",
        "should be heard at 00:00.000 and it is silent there",
    ),
    "without sound": (lambda film: replace_sound(kept(film), None), "no sound", "this has none"),
    "another sound": (lambda film: noisy(kept(film)), "other sound", "something else is heard (correlation "),
    "the sound of the whole": (lambda film: replace_sound(kept(film), film.sound), "other sound", "should be heard at"),
    "backwards": (
        lambda film: replace(kept(film), pictures=lambda: iter([*kept(film).pictures()][::-1])),
        "other pictures",
        "00:00.583 of the broken clip should be at 00:00.583 and other pictures are there",
    ),
    "faster, then a still": (
        lambda film: join_footage(
            [change_speed(kept(film), Fraction(3, 2)), freeze(trim(film, KEPT[1]), Span(start_s=0, end_s=1))]
        ),
        "other pictures",
        "",
    ),
}


@pytest.mark.parametrize("name", some(OTHER))
def test_another_film_is_refused_with_its_place(pancakes, broken, save, name):
    change, refused, because = OTHER[name]
    refusal = check_rendering(save(change(pancakes)), broken, CUTS).refusal
    assert refusal is not None
    assert refusal.name == refused
    assert because in refusal.reason


def test_a_still_is_found_although_it_hardly_differs(pancakes, save):
    """A mouth of 12×4 pixels opens and shuts in a picture that otherwise stands still, for 2 s."""

    def speaking(opens):
        for number in range(24):
            pixels = next(pancakes.pictures()).copy()
            pixels[30:34, 50:62] = 60 + 40 * (opens and number // 2 % 2)
            yield pixels

    talking, dumb = (
        replace(pancakes, pictures=lambda opens=opens: speaking(opens), count=24, sound=None) for opens in (True, False)
    )
    clip = save(talking)
    assert check_rendering(save(talking, crf=28), clip, []).refusal is None
    refusal = check_rendering(save(dumb), clip, []).refusal
    assert (
        refusal.reason == "00:00.167 of the broken clip should be at 00:00.167 and what is there does not move like it"
    )


def test_a_report_of_everything_leaves_nothing(broken):
    refusal = check_rendering(broken, broken, [Span(start_s=0, end_s=5)]).refusal
    assert (refusal.name, refusal.reason) == ("nothing left", "the reported ranges are the whole clip")
    assert check_rendering(broken, broken, []).refusal is None


def test_what_cannot_be_decoded_is_said_to_be(broken, tmp_path):
    (tmp_path / "fixed.mp4").write_bytes(b"\0\0\0\x18ftypmp42")
    with pytest.raises(BrokenData, match=r"fixed\.mp4"):
        check_rendering(tmp_path / "fixed.mp4", broken, CUTS)


@given(st.lists(st.integers(0, 40), unique=True, max_size=10))
def test_pieces_and_cuts_make_the_clip(ends):
    """Pieces follow each other in the output, at least half of each is looked at, and with the cuts they are all."""
    ends = sorted(ends)[: len(ends) // 2 * 2]
    cuts = [Span(start_s=a, end_s=b) for a, b in zip(ends[::2], ends[1::2], strict=True)]
    pieces = kept_pieces(Fraction(40), cuts)
    assert sum(each.length_s for each in [*cuts, *(piece.span for piece in pieces)]) == 40
    at_s = 0
    for piece in pieces:
        assert piece.start_s == at_s
        assert not any(piece.span.overlap(cut) for cut in cuts)
        assert piece.compared.length_s * 2 >= piece.span.length_s
        at_s += piece.span.length_s
