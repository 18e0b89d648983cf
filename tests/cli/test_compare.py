"""`compare`: paired differences, what they allow one to say, what was left out, which settings differ."""

import json
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cutscore.bridge.rows import CellRecord
from cutscore.cells.cell import Cell
from cutscore.cli import compare
from cutscore.core.ending import Ending
from cutscore.core.files import FileRef
from cutscore.core.finding import Finding
from cutscore.core.manifest import FrameManifest
from cutscore.core.row import Row
from cutscore.core.subject import SubjectSpec
from cutscore.results.cells import CellResult

Values = Mapping[str, float | None]


def made(label: str, values: Values, *, clips: int = 0, run: str = "run", **settings: Any) -> CellResult:
    """A cell of colorbars with these scores by item; None is unscored. `clips` items share a clip, or none do."""
    spec = SubjectSpec(kind="folder", spec=label, label=label)
    cell = Cell(benchmark="colorbars", version="2", data="0" * 64, subject=spec).model_copy(update=settings)
    rows = [
        Row(
            benchmark="colorbars",
            version="2",
            cell=cell.id,
            subject=label,
            item=item,
            epoch=1,
            cluster=f"clip {place // clips}" if clips else item,
            groups={"parity": ("even", "odd")[place % 2]},
            ending=ending(value, f"{label} says so"),
        )
        for place, (item, value) in enumerate(values.items())
    ]
    folder = Path(run) / "colorbars" / cell.id
    return CellResult(CellRecord(cell, folder, Path(run), ()), tuple(rows))


def ending(value: float | None, because: str) -> Ending:
    if value is None:
        return Ending(status="unscored", because="the judge was not there")
    finding = Finding(name="accuracy", value=value, because=because, file="bars.mp4", at=("1", "3/2"))
    return Ending(status="marked", scores={"accuracy": value}, findings=(finding,))


def items(*values: float | None) -> dict[str, float | None]:
    return {f"item-{place:02d}": value for place, value in enumerate(values)}


@pytest.fixture
def compared(cli, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Compare made cells, each list of them a RUN."""
    monkeypatch.setenv("COLUMNS", "80")

    def call(*runs: list[CellResult], options: tuple[str, ...] = ()) -> Any:
        by_name = {f"run-{number}": cells for number, cells in enumerate(runs)}
        monkeypatch.setattr(compare, "read_run", lambda run: by_name[str(run)])
        return cli("compare", *by_name, *options)

    return call


def edit(folder: Path, **changed: object) -> None:
    """Change what a cell says of itself."""
    file = folder / "cell.json"
    file.write_text(json.dumps({**json.loads(file.read_text(encoding="utf-8")), **changed}), encoding="utf-8")


GOLDEN = """\
colorbars v2   right answers (accuracy)
   score  95% interval    clips  failed  unscored  cell
a  0.812  [0.562, 1.000]     16       0         0  good
b  0.438  [0.188, 0.688]     16       0         0  fair (uniform=4)
c  0.400  [0.133, 0.667]     15       0         1  poor

        diff  95% interval    clips  verdict
a − b  0.375  [0.000, 0.750]     16  no difference seen (could have shown 0.640)
a − c  0.400  [0.000, 0.800]     15  no difference seen (could have shown 0.682)
b − c  0.000  –                  15  equal on every clip
verdicts at 95%: McNemar, adjusted for 3 comparisons (Holm)
could have shown: the difference that would be seen four times in five
1 item left out without a mark on both sides: a − c, b − c
1 unscored sample would put c between 0.375 and 0.438

colorbars v2   right answers (accuracy)   a − b: 10 of 16 items differ, 1 shown
  item-00
    a  1.000  good says so (bars.mp4 00:01.000–00:01.500)
    b  0.000  fair says so (bars.mp4 00:01.000–00:01.500)

colorbars v2   right answers (accuracy)   a − c: 10 of 15 items differ, 1 shown
  item-00
    a  1.000  good says so (bars.mp4 00:01.000–00:01.500)
    c  0.000  poor says so (bars.mp4 00:01.000–00:01.500)

colorbars v2: settings that differ
  subject             good=folder:good (a), fair=folder:fair (b),
                      poor=folder:poor (c)
  frames              – (a, c), uniform=4 (b)
  params.temperature  – (a, b), 0.5 (c)

next: cutscore report run-0 -o site
"""


def test_text(compared) -> None:
    """Sixteen independent items: good wins eight of fair and loses two; poor is fair with one item unscored."""
    good = items(*[1.0] * 13, *[0.0] * 3)
    fair = items(*[0.0] * 8, *[1.0] * 7, 0.0)
    poor = {**fair, "item-12": None}
    cells = [
        made("fair", fair, frames="uniform=4"),
        made("poor", poor, params={"temperature": 0.5}),
        made("good", good),
    ]
    ran = compared(cells, options=("--flips", "1"))
    assert (ran.code, ran.said) == (0, [])
    assert ran.out == GOLDEN


def test_json(compared) -> None:
    """The numbers behind that text: 2 · (1 + 10 + 45) / 2¹⁰ for eight wins and two losses, times three for Holm."""
    good, fair = items(*[1.0] * 13, *[0.0] * 3), items(*[0.0] * 8, *[1.0] * 7, 0.0)
    cells = [made("good", good), made("fair", fair, frames="uniform=4"), made("poor", {**fair, "item-12": None})]
    plain = compared(cells, options=("--flips", "1", "--json")).json
    assert (plain["schema"], plain["tests"]) == ("cutscore.compare/1", 3)
    assert [(cell["key"], cell["label"], cell["estimates"][0]["unscored"]) for cell in plain["cells"]] == [
        ("a", "good", 0),
        ("b", "fair (uniform=4)", 0),
        ("c", "poor", 1),
    ]
    first = plain["pairs"][0]
    assert first["keys"] == ["a", "b"]
    assert (first["test"], first["separable"], first["items_differ"]) == ("McNemar, exact", False, 10)
    assert (first["p_value"], first["p_adjusted"]) == pytest.approx((112 / 1024, 3 * 112 / 1024))
    assert first["detectable"] == pytest.approx(0.640, abs=0.001)
    assert first["flips"][0]["first"]["finding"]["at"] == [1.0, 1.5]
    assert set(first["differs"]) == {"subject", "frames"}
    assert first["differs"]["frames"] == ["", "uniform=4"]
    assert [pair["unscored"] for pair in plain["pairs"]] == [0, 1, 1]
    assert {each["name"]: each["values"] for each in plain["settings"]}["frames"] == {
        "a": "",
        "b": "uniform=4",
        "c": "",
    }


@pytest.mark.parametrize(
    ("first", "second", "clips", "said"),
    [
        (items(1.0), items(0.0), 0, ["too few clips to decide: 1, needs 6"]),
        (items(1.0, 1.0), items(0.0, 0.0), 2, ["too few clips to decide: 1, needs 6"]),
        (items(1.0), items(1.0), 0, ["equal on every clip"]),
        (
            items(None, None),
            items(0.0, 1.0),
            0,
            [
                "nothing to compare: no clip is marked for both",
                "2 items left out without a mark on both sides: a − b",
                "2 unscored samples would put a between 0.000 and 1.000",
            ],
        ),
        (
            {"x": 1.0},
            {"y": 1.0, "z": 1.0},
            0,
            [
                "nothing to compare: no clip is marked for both",
                "1 item only in a, left out: a − b",
                "2 items only in b, left out: a − b",
            ],
        ),
        (items(*[0.5] * 9), items(*[0.5] * 9), 0, ["equal on every clip"]),
        (items(*[0.5] * 9), items(*[0.25] * 9), 0, ["no interval, since all clusters have the same mean: a − b"]),
        (
            items(*[1.0] * 8),
            items(*[0.0] * 8),
            2,
            ["0.125 too few clips to decide: 4, needs 6"],
        ),
        (
            items(*[0.25, 0.75] * 8),
            items(*[0.75, 0.25] * 8),
            0,
            ["no difference seen (could have shown 0.387)"],
        ),
    ],
)
def test_what_can_be_said_is_said_in_a_sentence(compared, first, second, clips, said) -> None:
    ran = compared([made("one", first, clips=clips)], [made("two", second, clips=clips)])
    assert (ran.code, ran.said) == (0, [])
    whole = " ".join(ran.out.split())
    assert [sentence for sentence in said if sentence not in whole] == []
    assert max(map(len, ran.out.splitlines())) <= 80
    assert not any(line.endswith(" −") or line.startswith("− ") for line in ran.out.splitlines())


def test_many_cells_stay_in_line(compared) -> None:
    """Eight cells with a ladder of scores: 28 pairs, the best first, each line as wide as its neighbours allow."""
    cells = [made(f"model-{rung}", items(*[0.1 * rung, 0.05 * rung] * 10)) for rung in range(8)]
    ran = compared(cells)
    assert ran.said == []
    lines = ran.out.splitlines()
    pairs = [line for line in lines if line[1:4] == " − "]
    assert [lines[2].split()[-1], len(pairs), pairs[0][:5], pairs[-1][:5]] == ["model-7", 28, "a − b", "g − h"]
    assert len({line.index("[") for line in pairs}) == 1
    assert "adjusted for 28 comparisons (Holm)" in ran.out
    assert max(map(len, lines)) <= 80
    assert compared(cells[::-1]).out == ran.out


def test_more_than_eight_are_compared_with_the_best_alone(compared) -> None:
    cells = [made(f"model-{rung}", items(*[0.1 * rung, 0.05 * rung] * 10)) for rung in range(9)]
    ran = compared(cells)
    pairs = [line[:5] for line in ran.out.splitlines() if line[1:4] == " − "]
    assert pairs == [f"a − {key}" for key in "bcdefghi"]
    assert "adjusted for 8 comparisons (Holm)" in ran.out
    assert "of more than 8 cells each is compared with the best alone; name two to compare these" in ran.err


def test_an_interval_of_its_own_is_not_a_verdict_among_many(compared) -> None:
    """Twelve clips, one lost by a little: 8 of 2¹² patterns of signs reach as far, 0.2% alone and 5.5% among 28."""
    others = [made(f"other-{number}", items(*[0.5] * 12)) for number in range(7)]
    one = made("one", items(*[0.9] * 9, 0.6, 0.6, 0.4))
    assert "no difference" not in compared([one], others[:1]).out
    plain = compared([one, *others], options=("--json",)).json
    assert (plain["pairs"][0]["p_adjusted"], plain["pairs"][0]["separable"]) == (28 * 8 / 2**12, False)
    said = "the interval by itself leaves out 0, which may be chance among 28 comparisons: a − b, a − c, a − d"
    assert said in " ".join(compared([one, *others]).out.split())


def test_every_score_and_group_when_asked(compared) -> None:
    cells = [made("one", items(*[1.0] * 20)), made("two", items(*[1.0, 0.0] * 10))]
    plain = compared(cells, options=("--all", "--json")).json
    assert [
        (each["estimate"]["group"], each["estimate"]["n"], each["estimate"]["value"]) for each in plain["pairs"]
    ] == [
        ({}, 20, 0.5),
        ({"parity": "even"}, 10, 0.0),
        ({"parity": "odd"}, 10, 1.0),
    ]
    # The headline is judged alone, as `run` and `report` judge it; the two groups together.
    assert (plain["tests"], [each["tests"] for each in plain["pairs"]]) == (3, [1, 2, 2])
    assert "colorbars v2   right answers (accuracy)   parity=odd\n" in compared(cells, options=("--all",)).out


def test_two_runs_are_compared_across_and_three_all_with_all(compared) -> None:
    one, two, three, four = (made(name, items(1.0, 0.0)) for name in ("one", "two", "three", "four"))

    def keys(*runs: list[CellResult]) -> list[list[str]]:
        plain = compared(*runs, options=("--json",)).json
        names = {cell["key"]: cell["label"] for cell in plain["cells"]}
        return [[names[key] for key in pair["keys"]] for pair in plain["pairs"]]

    assert keys([two, one], [three]) == [["one", "three"], ["two", "three"]]
    assert keys([three], [two, one]) == [["three", "one"], ["three", "two"]]
    assert len(keys([one], [two], [three])) == 3
    assert len(keys([one, two, three], [one, two, three])) == 3
    assert keys([one, two, three], [three]) == [["one", "three"], ["two", "three"]]
    assert len(keys([one, two, three, four])) == 6


def test_what_has_no_partner_is_told_and_the_rest_compared(compared) -> None:
    cells = [made("one", items(1.0, 0.0)), made("two", items(0.0, 1.0)), made("three", {}), made("four", items(1.0))]
    old = cells[3].record.cell.model_copy(update={"version": "0"})
    cells[3] = CellResult(CellRecord(old, Path("old"), Path("run"), ()), cells[3].rows)
    ran = compared(cells)
    assert ran.code == 0
    assert any("has no rows yet and is left out" in line for line in ran.said)
    assert any("colorbars v0: there is nothing to compare it with" in line for line in ran.said)
    assert "cell 'three-" in compared([cells[0]], [cells[2]]).err


def test_two_cells(cli, finished_run: Path, cell_of) -> None:
    ran = cli("compare", cell_of(finished_run, "oracle"), cell_of(finished_run, "null"), "--json")
    assert ran.code == 0
    (pair,) = ran.json["pairs"]
    assert (pair["first"], pair["second"], pair["estimate"]["value"], pair["estimate"]["n"]) == (
        "oracle",
        "null",
        1.0,
        12,
    )
    assert set(pair["differs"]) == {"subject"}
    # Four clips: that all of them agree is 2 / 2⁴ by chance.
    assert (pair["p_value"], pair["separable"], pair["detectable"]) == (0.125, False, None)


def test_the_reason_and_the_second_of_video_are_there(cli, finished_run: Path, cell_of, monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    cells = cell_of(finished_run, "oracle"), cell_of(finished_run, "null")
    lines = cli("compare", *cells, "--flips", "2").out.splitlines()
    place = lines.index("  bars-01-a")
    assert lines[place + 1].startswith(
        "    a  1.000  answered 'orange'; from 00:00.000 to 00:00.520 the panel is orange (bars-01"
    )
    assert lines[place + 2].startswith("    b  0.000  nothing was delivered; ")
    assert lines[-1].startswith("next: cutscore report ")


def test_only_what_both_have_is_compared_and_the_rest_is_counted(cli, finished_run: Path, cell_of) -> None:
    cli("run", "colorbars", "--subject", "blind", "--limit", 6, "--log-dir", "less")
    ran = cli("compare", cell_of(finished_run, "oracle"), "less")
    assert "6 items only in a, left out: a − b" in ran.out


def test_the_same_settings_are_said_to_be_equal(cli, finished_run: Path, cell_of, own_run: Path) -> None:
    one, two = cell_of(finished_run, "blind"), cell_of(own_run, "blind")
    ran = cli("compare", one, two)
    assert f"  blind in {one} (guess)\n" in ran.out
    assert "colorbars v2: every setting is equal" in ran.out
    assert ran.said == []


def test_decoder_and_versions_are_settings(compared, tmp_path: Path) -> None:
    from cutscore.results.settings_diff import settings_of

    cells = [made("one", items(1.0, 0.0)), made("two", items(0.0, 1.0))]
    seen = FrameManifest(clip=FileRef(name="a.mp4", sha256="0" * 64, size_bytes=1), plan="uniform=1", decoder="PyAV 1")
    cells[0] = CellResult(cells[0].record, tuple(row.model_copy(update={"seen": (seen,)}) for row in cells[0].rows))
    assert "decoder  PyAV 1 (a), – (b)" in compared(cells).out
    log = tmp_path / "x.eval"
    with zipfile.ZipFile(log, "w") as archive:
        archive.writestr("_journal/start.json", json.dumps({"eval": {"packages": {"inspect_ai": "0.3.1"}}}))
    logged = CellResult(replace(cells[0].record, logs=(log,)), cells[0].rows)
    assert settings_of(logged)["version.inspect_ai"] == "0.3.1"
    log.write_bytes(b"torn")
    assert "version.inspect_ai" not in settings_of(logged)


@pytest.mark.parametrize(
    ("changed", "caution"),
    [
        ({"data": "0" * 64}, "their items differ: only those that both have are compared"),
        ({"scoring": "0" * 64}, "they were marked by different code: 'cutscore rescore' marks the older ones again"),
    ],
)
def test_what_moves_a_number_is_a_warning(cli, own_run: Path, finished_run: Path, cell_of, changed, caution) -> None:
    edit(cell_of(own_run, "blind"), **changed)
    ran = cli("compare", cell_of(finished_run, "blind"), cell_of(own_run, "blind"))
    assert ran.code == 0
    assert any(caution in line for line in ran.said)
    assert next(iter(changed)) in ran.out


def test_versions_do_not_mix(cli, own_run: Path, finished_run: Path, cell_of) -> None:
    edit(cell_of(own_run, "blind"), version="0")
    ran = cli("compare", cell_of(finished_run, "blind"), cell_of(own_run, "blind"))
    assert (ran.code, ran.out) == (2, "")
    assert "its cells are of versions 0 and 2; scores may have moved between them; run the older one again" in ran.err


def test_benchmarks_do_not_mix(cli, own_run: Path, finished_run: Path, cell_of) -> None:
    edit(cell_of(own_run, "blind"), benchmark="otherbench")
    ran = cli("compare", cell_of(finished_run, "blind"), cell_of(own_run, "blind"))
    assert ran.code == 2
    assert "have no benchmark in common (colorbars and otherbench); compare runs of the same benchmark" in ran.err


def test_a_cell_is_not_compared_with_itself(cli, finished_run: Path, cell_of) -> None:
    one = cell_of(finished_run, "blind")
    for words, said in (((one, one), "are one and the same cell"), ((one,), "holds a single cell")):
        ran = cli("compare", *words)
        assert ran.code == 2
        assert f"{said}; name two cells, or a run folder that holds several" in ran.err


def test_a_run_that_is_not_there(cli, finished_run: Path, tmp_path: Path) -> None:
    assert "run 'nope': there is no such folder" in cli("compare", finished_run, "nope").err
    (tmp_path / "empty").mkdir()
    assert "run 'empty': holds no cell and no log" in cli("compare", finished_run, "empty").err
