"""`list` and `show`: what there is, and one item of it."""

import shutil
from pathlib import Path

import pytest

from cutscore.core.errors import BrokenCard
from cutscore.registry import benchmark


def test_list_has_what_a_reader_chooses_by(cli) -> None:
    ran = cli("list", "--json")
    assert ran.code == 0
    plain = ran.json
    assert set(plain) == {"schema", "benchmarks", "subjects", "judges", "broken"}
    (bars,) = [each for each in plain["benchmarks"] if each["name"] == "colorbars"]
    wanted = {"name", "version", "title", "n", "headline", "floor", "chance", "modes", "judged_by"}
    assert wanted <= set(bars)
    assert (bars["n"], bars["headline"], bars["floor"], bars["chance"], bars["judged_by"]) == (
        60, "accuracy", 0.0, 0.25, "verifier"
    )  # fmt: skip
    kinds = {each["name"]: each for each in plain["subjects"]}
    assert {"oracle", "reader", "blind", "null", "model", "folder"} <= set(kinds)
    assert kinds["model"]["takes_model"]
    assert plain["broken"] == []


def test_list_reads_well(cli) -> None:
    lines = cli("list").out.splitlines()
    levels = ["floor", "chance", "ceiling"]
    assert lines[0].split() == ["benchmark", "items", "headline", *levels, "about"]
    assert any(line.split()[:7] == ["colorbars", "v2", "60", "accuracy", "0", "0.25", "1"] for line in lines)
    assert ["benchmark", "modes", "marked", "by"] in [line.split() for line in lines]
    assert any(line.startswith("folder:DIR") for line in lines)
    assert any(line.startswith("videowebarena") and line.endswith("VideoWebArena (extra web)") for line in lines)


def test_a_broken_card_is_a_warning_and_takes_nobody_down(cli, monkeypatch) -> None:
    broken = BrokenCard("'x/benchmark.toml'", "is not TOML", "correct that line")
    monkeypatch.setattr("cutscore.cli.list.broken_cards", lambda: [broken])
    ran = cli("list", "--json")
    assert ran.code == 0
    assert ran.said == ["warning: left out: 'x/benchmark.toml': is not TOML; correct that line"]
    assert ran.json["broken"] == [broken.as_json()]
    assert ran.json["benchmarks"]


def test_show_lists_ids(cli) -> None:
    lines = cli("show", "colorbars").out.splitlines()
    assert lines[2].split() == ["bars-01-a", "bars-01", "kind=colour,", "moment=early"]
    assert lines[-2:] == ["… and 40 more; all of them with --json", "next: cutscore show colorbars bars-01-a"]
    plain = cli("show", "colorbars", "--json").json
    assert (plain["n"], len(plain["items"])) == (60, 60)


def test_the_next_step_keeps_the_pack(cli, tmp_path: Path) -> None:
    pack = tmp_path / "my pack"
    shutil.copytree(benchmark("colorbars").folder / "starter", pack)
    assert cli("show", "colorbars", "--data", pack).out.splitlines()[-1] == (
        f"next: cutscore show colorbars bars-01-a --data '{pack}'"
    )


def test_show_gives_brief_and_a_clip_that_is_there_and_no_truth(cli) -> None:
    ran = cli("show", "colorbars", "bars-01-a", "--json")
    plain = ran.json
    assert set(plain) == {
        "schema", "benchmark", "version", "item", "cluster", "groups", "brief", "files", "wanted", "choices"
    }  # fmt: skip
    (clip,) = plain["files"]
    assert Path(clip["path"]).stat().st_size == clip["size_bytes"]
    assert len(plain["choices"]) == 4
    assert "seconds" in plain["brief"]
    text = cli("show", "colorbars", "bars-01-a").out
    assert plain["brief"].rstrip() in text
    assert "truth" not in text


def test_show_tells_the_truth_when_asked(cli) -> None:
    plain = cli("show", "colorbars", "bars-01-a", "--truth", "--json").json
    assert plain["truth"]["answer"] in plain["choices"]
    assert f"truth: answer     {plain['truth']['answer']}" in cli("show", "colorbars", "bars-01-a", "--truth").out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("colourbars",), "error: no benchmark 'colourbars'; did you mean 'colorbars'?"),
        (
            ("colorbars", "bars-01-d"),
            "error: no item 'bars-01-d': not among the 60 of 'colorbars'; did you mean 'bars-01-",
        ),
        (("colorbars", "zzz"), "error: no item 'zzz': not among the 60 of 'colorbars'; see 'cutscore show colorbars'"),
        (
            ("colorbars", "x", "--data", "nope"),
            "error: --data 'nope': there is no such folder; name a folder with items",
        ),
    ],
)
def test_near_names_are_offered(cli, words: tuple[str, ...], said: str) -> None:
    ran = cli("show", *words)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(said)
