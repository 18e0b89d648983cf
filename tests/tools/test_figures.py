"""The figures in READMEs: made from a run, and the same as a run gives today."""

import figures
import pytest

RUN = {
    "estimates": [
        {
            "subject": subject,
            "name": name,
            "mode": mode,
            "value": value,
            "low": value - 0.1,
            "high": value + 0.1,
            "group": group,
            "method": "percentile bootstrap",
        }
        for subject, value in (("oracle", 0.9), ("reader", 0.5), ("blind", -0.25), ("null", 0.1))
        for name, mode, group in (
            ("score", "paper", {}),
            ("score", "strict", {}),
            ("part", "paper", {}),
            ("part", "strict", {}),
            ("score", "paper", {"side": "left"}),
            ("score", "paper", {"other": "x"}),
        )
    ]
}


def test_a_table_has_the_headline_in_all_modes_and_other_scores_in_its_own() -> None:
    table = figures.figures_table(RUN)
    assert table.splitlines()[0] == "| subject | `score` | `score@strict` | `part` |"
    assert "| `blind` | −0.250 [−0.350, −0.150] | −0.250 | −0.250 |\n" in table


def test_a_block_is_replaced_and_the_rest_stays() -> None:
    page = "a\n<!-- figures by side -->\nold\n<!-- end of figures -->\nb\n"
    written = figures.write_figures(page, RUN)
    assert written.startswith(
        "a\n<!-- figures by side -->\n| subject | `score` | `score@strict` | `part` | side: left |\n"
    )
    assert written.endswith("|\n<!-- end of figures -->\nb\n")
    assert "old" not in written
    assert figures.write_figures(written, RUN) == written


def test_every_benchmark_of_ours_has_a_block_that_is_filled() -> None:
    assert set(figures.marked_benchmarks()) >= {"assembly", "colorbars", "repair", "repurpose", "sequencing", "vidwork"}
    for name in figures.marked_benchmarks():
        assert "| `reader` | 0." in (figures.benchmark(name).folder / "README.md").read_text()


@pytest.mark.real
@pytest.mark.parametrize("name", figures.marked_benchmarks())
def test_a_readme_shows_what_a_run_gives(name: str) -> None:
    """When it does not, and that is meant, run `python tools/figures.py NAME`."""
    before = (figures.benchmark(name).folder / "README.md").read_text(encoding="utf-8")
    assert figures.write_figures(before, figures.measure(name)) == before
