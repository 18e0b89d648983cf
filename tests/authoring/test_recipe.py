"""How every recipe goes: film by film, sifted, published; what is said is said of what is in the pack."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from cutscore.authoring import recipe
from cutscore.authoring.build_folder import BuildFolder, open_build_folder
from cutscore.authoring.footage import RefusedSource, SourceClip, SourceFootage
from cutscore.authoring.recipe import RecipeItems, drop_easy_items, make_items, publish_pack, refuse
from cutscore.authoring.recipe_options import BuildOptions, BuildResult
from cutscore.core.errors import BadInput
from cutscore.core.files import FileRef
from cutscore.core.item import Item


@pytest.fixture
def out(tmp_path: Path) -> Iterator[BuildFolder]:
    with open_build_folder(tmp_path / "pack", {}) as folder:
        yield folder


def film(name: str, licence: str = "CC0-1.0") -> SourceClip:
    ref = FileRef(name=f"{name}.mp4", sha256="0" * 64, size_bytes=1)
    return SourceClip(name, ref, Path("x"), f"{name}.mp4", Fraction(3), licence=licence)


def twice(clip: SourceClip, made: RecipeItems[Item]) -> None:
    """Make two items of a film, of which a person wrote; nothing of a film that is called dark."""
    if clip.name == "dark":
        raise BadInput("film", "shows nothing")
    made.dropped["looks alike"] += 1
    for letter in "ab":
        made.add(Item(id=f"{clip.name}-{letter}", cluster=clip.name), clip, author=f"who saw {clip.name}")


def packed(out: BuildFolder, films: Sequence[SourceClip], options: BuildOptions) -> BuildResult:
    footage = SourceFootage(tuple(films), (RefusedSource(what="x.txt", because="is no video"),))
    made = make_items(footage, options, twice, doing="items", nothing="bring others")
    left = drop_easy_items(made, out, options, recipe="mine")
    return publish_pack(left, about="Two of each.", counts={}, warnings=["be careful"])


def test_all_that_was_made_and_refused_is_told(out: BuildFolder) -> None:
    heard: list[str] = []
    options = BuildOptions(seed=3, own={"size": "small"}, tell=heard.append)
    built = packed(out, [film("one"), film("dark"), film("two", licence="")], options)
    assert heard == ["items: one", "items: dark", "items: two"]
    assert (built.items, built.clips, built.dropped) == (4, 2, {"looks alike": 2})
    assert [each.what for each in built.refused] == ["x.txt", "dark"]
    assert built.warnings == (
        "the licence of two is unknown; say it with --licence or NAME.licence",
        "be careful",
    )
    record = json.loads((out.folder / "pack.json").read_text())
    assert (record["recipe"], record["seed"], record["settings"]) == ("mine", 3, {"size": "small"})
    assert [each["name"] for each in record["sources"]] == ["one", "two"]
    assert "cutscore run mine --data DIR --subject oracle --subject reader" in (out.folder / "DATASHEET.md").read_text()


def test_films_and_authors_are_those_of_what_is_left(out: BuildFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    """All baselines answer both items of the first film, and one of the second."""
    marks = {"one-a": 1.0, "one-b": 1.0, "two-a": 1.0, "two-b": 0.0}
    monkeypatch.setattr(recipe, "run_baselines", lambda *args, **more: dict.fromkeys("xyz", marks))
    built = packed(out, [film("one"), film("two")], BuildOptions(baselines=("x", "y", "z")))
    record = json.loads((out.folder / "pack.json").read_text())
    assert (built.items, built.clips, record["authors"]) == (1, 1, {"who saw two": 1})
    assert [each["name"] for each in record["sources"]] == ["two"]
    assert built.dropped == {"all 3 baselines answer it": 3, "looks alike": 2}
    assert "mine: 1 kept, 3 dropped" in (out.folder / "DATASHEET.md").read_text()


def test_where_nothing_can_be_made_every_reason_is_said(out: BuildFolder) -> None:
    with pytest.raises(BadInput, match=r"footage: x\.txt: is no video · dark: film: shows nothing; bring others"):
        packed(out, [film("dark")], BuildOptions())


def test_one_film_of_which_nothing_can_be_made_is_named_with_the_remedy() -> None:
    def nothing(clip: SourceClip, made: RecipeItems[Item]) -> None:
        raise BadInput(f"film '{clip.name}'", "nobody says what it tells", "write one.synopsis.md beside it")

    wanted = "film 'one': nobody says what it tells; write one.synopsis.md beside it; bring others"
    with pytest.raises(BadInput, match=wanted):
        make_items(SourceFootage((film("one"),)), BuildOptions(), nothing, doing="items", nothing="bring others")


def test_a_refusal_has_the_name_of_the_clip_and_not_the_hash_under_which_it_is_kept() -> None:
    clip = replace(film("kite"), path=Path("store/ab/3fa9c0"))
    kept = refuse(clip, BadInput("clipping", "'3fa9c0' is silent in 0-2 s", "give another place"), "clipping")
    assert kept == RefusedSource(what="kite, clipping", because="'kite' is silent in 0-2 s; give another place")
    whole = refuse(clip, BadInput(f"clip '{'0' * 64}'", "cannot be decoded"))
    assert whole == RefusedSource(what="kite", because="cannot be decoded")
    assert refuse(clip, BadInput("SI-SDR", "the reference is silent"), "echo").because.startswith("SI-SDR: the ref")


def test_too_few_baselines_are_refused_before_anything_is_made(out: BuildFolder) -> None:
    heard: list[str] = []
    with pytest.raises(BadInput, match="a consensus of 2 says little"):
        packed(out, [film("one")], BuildOptions(baselines=("x", "y"), tell=heard.append))
    assert heard == []
