"""The plot's geometry."""

from hypothesis import given
from hypothesis import strategies as st

from cutscore.core.estimate import Estimate
from cutscore.report.plot import LEFT_PC, RIGHT_PC, dot_plot, ticks
from cutscore.results.cells import CellName
from cutscore.results.headline import CellHeadline


def standing(name, value, low=None, high=None, *, n=4, scale=(0.0, 1.0)):
    made = Estimate(name="accuracy", value=value, low=low, high=high, n=n, clusters=n, scale=scale)
    return CellHeadline(CellName(f"{name}-1", name), made)


def plot(*standings, levels=(), href=lambda _cell: "", ratio=False):
    return dot_plot(standings, id="b", title="t", axis="accuracy", levels=levels, href=href, ratio=ratio)


def percent(text):
    return float(text.removesuffix("%"))


def test_sorted_by_value_on_the_whole_scale():
    drawn = plot(standing("low", 0.0, 0.0, 0.5), standing("high", 1.0, 1.0, 1.0))
    assert [dot.label for dot in drawn.dots] == ["high", "low"]
    assert [percent(dot.at_pc) for dot in drawn.dots] == [RIGHT_PC, LEFT_PC]
    assert percent(drawn.dots[1].high_pc) == 50.0


def test_an_undefined_interval_is_drawn_open_and_said():
    (dot,) = plot(standing("a", 0.5)).dots
    assert (dot.hollow, dot.interval, dot.low_pc) == (True, "–", "")


def test_no_value_is_no_dot():
    (dot,) = plot(standing("a", None, n=0)).dots
    assert (dot.at_pc, dot.said) == ("", "a: nothing to average")


def test_nothing_to_draw():
    assert plot() is None


def test_levels_are_named_and_merge_when_equal():
    drawn = plot(standing("a", 0.5), levels=[("floor", 0.0), ("guess", 0.75)])
    assert [(level.label, level.anchor) for level in drawn.levels] == [
        ("floor 0.000", "start"),
        ("guess 0.750", "end"),
    ]
    assert len({level.text_y for level in drawn.levels}) == 2
    merged = plot(standing("a", 0.5), levels=[("floor", 0.0), ("guess", 0.0)])
    assert [level.label for level in merged.levels] == ["floor, guess 0.000"]


def test_caption_has_n():
    same = plot(standing("a", 0.5), standing("b", 0.5))
    assert "n = 4 in 4 clips for each" in same.caption
    other = plot(standing("a", 0.5), standing("b", 0.5, n=9))
    assert "n = 4 to 9" in other.caption


def test_caption_says_what_a_dot_is():
    assert plot(standing("a", 0.5)).caption.startswith("Dots are means over samples, bars")
    assert plot(standing("a", 0.5), ratio=True).caption.startswith("Dots are ratios of sums over all samples, bars")


def test_a_long_name_keeps_what_tells_an_ablation_apart():
    drawn = plot(standing("p/" + "n" * 60, 0.5), standing("p/" + "n" * 60 + " (1 frame)", 0.4))
    assert [dot.label for dot in drawn.dots] == ["p/" + "n" * 32 + "…", "p/" + "n" * 21 + "… (1 frame)"]


def test_long_names_are_cut_in_the_plot():
    (dot,) = plot(standing("n" * 200, 0.5)).dots
    assert dot.label.endswith("…")
    assert len(dot.label) < 40


def test_a_dot_leads_somewhere():
    (dot,) = plot(standing("a", 0.5), href=lambda cell: f"to/{cell}").dots
    assert dot.href == "to/a-1"


finite = st.floats(-1e6, 1e6, allow_nan=False, allow_subnormal=False)


@given(st.tuples(finite, finite).filter(lambda ends: ends[1] - ends[0] > 1e-3))
def test_ticks_are_few_round_and_inside(ends):
    low, high = ends
    found = ticks(low, high)
    span = high - low
    assert 1 <= len(found) <= 6
    assert all(low - 1e-6 * span <= each <= high + 1e-6 * span for each in found)
    assert list(found) == sorted(set(found))


@given(st.lists(st.tuples(finite, finite, finite).map(sorted), min_size=1, max_size=5), st.tuples(finite, finite))
def test_everything_stays_inside_the_drawing(triples, scale):
    drawn = plot(*(standing(f"s{n}", v, lo, hi, scale=scale) for n, (lo, v, hi) in enumerate(triples)))
    places = [p for dot in drawn.dots for p in (dot.at_pc, dot.low_pc, dot.high_pc)]
    assert all(LEFT_PC <= percent(place) <= RIGHT_PC for place in places)
