"""The datasheet: what was made is there, and a stranger's words are no markup."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from cutscore.authoring.datasheet import Datasheet, Grid, datasheet_markdown, datasheet_record, write_datasheet
from cutscore.authoring.footage import RefusedSource, SourceClip
from cutscore.authoring.recipe_options import BuildResult
from cutscore.core.files import FileRef

BUILT = BuildResult(
    items=5,
    clips=2,
    counts={"axis": {"order": 5}},
    dropped={"too easy": 3},
    refused=(RefusedSource(what="c.mp4", because="is <b>no</b> video"),),
    warnings=("a cell is empty",),
    failures=("step_swap leaks",),
)


def clip(name: str, *, licence: str = "", source: str = "/home/ann/films/a.mp4") -> SourceClip:
    ref = FileRef(name=f"media/{name}.mp4", sha256=name * 64, size_bytes=3, media_type="video/mp4")
    return SourceClip(name=name, ref=ref, path=Path("x"), source=source, length_s=Fraction(61), licence=licence)


def sheet(**changed: object) -> Datasheet:
    fields: dict[str, object] = {
        "recipe": "vidwork",
        "about": "Questions.",
        "built": BUILT,
        "clips": [clip("a", licence="CC0 | [x](y)"), clip("b")],
        "authors": {"Ann": 1, "": 1},
        "grids": [Grid("Items", ("domain", "n"), [("cooking", 5)], "None is empty.")],
        "seed": 7,
        "settings": {"model": "openai/x", "role": ""},
        "run": ("cutscore run vidwork --data DIR",),
    }
    return Datasheet(**{**fields, **changed})  # type: ignore[arg-type]


def test_everything_is_said() -> None:
    text = datasheet_markdown(sheet())
    for line in (
        "# Datasheet: 5 items about 2 clips",
        "    cutscore run vidwork --data DIR",
        "| cooking | 5 |",
        "None is empty.",
        f"| `b` | 01:01.000 | unknown | a.mp4 | `{'b' * 64}` |",
        "The licence of 1 of 2 is unknown: ask before you pass them on.",
        "- Ann: 1 clips",
        "- unknown: 1 clips",
        "- No baselines were run: easy items are still in it.",
        "- too easy: 3",
        "- a cell is empty",
        "- step\\_swap leaks",
        "- model: openai/x",
    ):
        assert line in text.splitlines(), line
    assert "seed 7" in text


def test_a_strangers_words_are_no_markup_and_folders_stay_at_home() -> None:
    text = datasheet_markdown(sheet())
    assert "CC0 \\| \\[x\\]\\(y\\)" in text
    assert "- c.mp4: is \\<b\\>no\\</b\\> video" in text.splitlines()
    assert "/home" not in text + str(datasheet_record(sheet(), {}))


def test_what_there_is_none_of_has_no_heading() -> None:
    text = datasheet_markdown(sheet(built=BuildResult(items=1, clips=1), filtering=["kept 1 of 1"]))
    assert "## Refused" not in text
    assert "## Dropped" not in text
    assert "- kept 1 of 1" in text.splitlines()


def test_the_record_for_programs(tmp_path: Path) -> None:
    write_datasheet(tmp_path, sheet(), {"media/a.mp4": "a" * 64})
    plain = datasheet_record(sheet(), {"media/a.mp4": "a" * 64})
    assert plain["schema"] == "cutscore.datasheet/1"
    assert plain["files"] == {"media/a.mp4": "a" * 64}
    assert [source["licence"] for source in plain["sources"]] == ["CC0 | [x](y)", None]  # type: ignore[union-attr,index,call-overload]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["DATASHEET.md", "pack.json"]


def test_address_and_author_of_a_source_are_kept() -> None:
    known = replace(clip("a", licence="CC0-1.0"), address="https://example.org/a", author="Ann")
    made = sheet(clips=[known])
    (source,) = datasheet_record(made, {})["sources"]  # type: ignore[misc, union-attr]
    assert (source["address"], source["author"]) == ("https://example.org/a", "Ann")  # type: ignore[index, call-overload]
    assert "a.mp4, https://example.org/a, by Ann" in datasheet_markdown(made)
