"""Hand-outs: an editor gets what a subject gets, hands in where `folder:` looks, and sees nothing of the answers."""

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutscore import registry
from cutscore.authoring.handout import BriefBlock, brief_blocks, draw_items, set_names, stratum, write_handout
from cutscore.benchmarks.sequencing.ask import ask
from cutscore.benchmarks.sequencing.dataset import SequencingItem, deliveries
from cutscore.core.ask import Ask
from cutscore.core.bundle import Provenance
from cutscore.core.item import Item
from cutscore.prompts import load_prompts
from cutscore.store import Store
from cutscore.submissions import read_submission

TITLE, HINT = "The Film of Squares", "First comes the grey one."


def film(store: Store, id: str, **changes: object) -> SequencingItem:
    names = [f"{id}/clip-0{number}.mp4" for number in (1, 2)]
    clips = [store.put_bytes(f"{name} plays".encode(), name=name, media_type="video/mp4") for name in names]
    plain = {
        "id": id,
        "cluster": id,
        "groups": {"clips": "other"},
        "brief": "A <b>square</b> & a circle.",
        "materials": tuple(clips),
        "deliveries": deliveries(Fraction(4)),
        "licence": "CC0-1.0",
        "order": (names[1], names[0]),
        "human_minutes": 20,
        "hints": {"narrative": HINT},
        "provenance": {names[0]: Provenance(licence="CC0-1.0", source=TITLE)},
    }
    return SequencingItem.model_validate(plain | changes)


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three films for three editors."""
    folder = tmp_path_factory.mktemp("handout")
    store, found = Store(folder / "store"), registry.benchmark("sequencing")
    films = [film(store, f"film-{letter}") for letter in "abc"]
    asks = {item.id: ask(item, load_prompts(found.folder / "prompts")) for item in films}
    write_handout(folder / "study", found, films, asks, store)
    return folder / "study"


def test_every_editor_has_all_tasks_and_an_empty_place_for_each(study: Path, tmp_path: Path) -> None:
    editors = sorted(path.name for path in study.iterdir())
    assert editors == ["README.md", "editor-1", "editor-2", "editor-3", "pack"]
    for number in (1, 2, 3):
        mine = study / f"editor-{number}"
        for name in ("film-a", "film-b", "film-c"):
            assert (mine / f"tasks/{name}/materials/{name}/clip-01.mp4").read_text() == f"{name}/clip-01.mp4 plays"
            empty = read_submission(mine / "hand-in", name, store=Store(tmp_path))
            assert empty.failure == f"nothing was delivered: folder '{name}' is empty"
        assert f"--subject human-{number}=folder:editor-{number}/hand-in" in (study / "README.md").read_text()
    orders = {(study / f"editor-{number}/start.html").read_text() for number in (1, 2, 3)}
    assert len(orders) > 1, "not everybody is tired in the same task"
    assert all("3 tasks · about 60 minutes in all" in page for page in orders)


def test_nothing_of_the_answers_and_no_path_of_a_machine_is_in_an_editors_folder(study: Path) -> None:
    files = [path for path in (study / "editor-1").rglob("*") if path.is_file()]
    text = "\n".join(path.read_text() for path in files)
    assert all(secret not in text for secret in (TITLE, HINT, str(study), "/workspace", "/tmp", '"order":["film'))
    assert TITLE in (study / "pack/items.jsonl").read_text(), "whoever marks has them"


def test_the_page_says_everything_and_fetches_nothing(study: Path) -> None:
    page = (study / "editor-1/tasks/film-a/brief.html").read_text()
    assert "<h1>film-a</h1>" in page
    assert "about 20 minutes" in page
    assert "A &lt;b&gt;square&lt;/b&gt; &amp; a circle." in page
    assert "in front of you: <code>film-a/clip-01.mp4</code>, <code>film-a/clip-02.mp4</code>." in page
    assert "<code>materials/film-a/clip-01.mp4</code>" in page
    assert "<code>hand-in/film-a</code>" in page
    assert "(mp4, 4 s ± 0.5 s)" in page
    assert not any(word in page for word in ("<script", "src=", "http://", "https://", "@import", "url("))
    assert "default-src 'none'" in page


def test_an_answer_in_words_is_handed_in_as_a_file(tmp_path: Path) -> None:
    store, found = Store(tmp_path / "store"), registry.benchmark("sequencing")
    item = film(store, "film-a", human_minutes=None)
    asks = {"film-a": Ask(item="film-a", brief="Which?")}
    write_handout(tmp_path / "study", found, [item], asks, store, editors=1)
    page = (tmp_path / "study/editor-1/tasks/film-a/brief.html").read_text()
    assert "<code>answer.txt</code></td><td>your answer, in words</td>" in page
    assert "Nothing but this page." in page
    assert "minutes" not in page
    assert "1 task</p>" in (tmp_path / "study/editor-1/start.html").read_text()


def test_a_brief_is_set_as_it_was_meant() -> None:
    brief = (
        "# Task\n\nOne line\nand the next:\n- first\n  goes on\n- second\n\n    {}\n      []\n\n```json\n\n1\n```\nEnd."
    )
    assert brief_blocks(brief) == [
        BriefBlock("heading", ("Task",)),
        BriefBlock("words", ("One line and the next:",)),
        BriefBlock("points", ("first goes on", "second")),
        BriefBlock("lines", ("{}", "  []")),
        BriefBlock("lines", ("", "1")),
        BriefBlock("words", ("End.",)),
    ]
    assert brief_blocks('[\n  {"slot": 1}\n]\n\nEnd.') == [
        BriefBlock("lines", ("[", '  {"slot": 1}', "]")),
        BriefBlock("words", ("End.",)),
    ]
    assert brief_blocks("```\nopen") == [BriefBlock("lines", ("open",))]


@given(st.text("ab -#`\n|*", max_size=60))
def test_no_word_of_a_brief_is_lost(brief: str) -> None:
    said = "".join(line for block in brief_blocks(brief) for line in block.lines)
    assert [letter for letter in said if letter in "ab"] == [
        letter for letter in brief if letter in "ab"
    ] or "```" in brief


def test_names_are_set_apart_and_all_else_is_inert() -> None:
    said = set_names("a.mp4, x/a.mp4 and <i>a.mp4s</i> a.mp4.", ["a.mp4", "x/a.mp4"])
    assert said == "<code>a.mp4</code>, <code>x/a.mp4</code> and &lt;i&gt;a.mp4s&lt;/i&gt; <code>a.mp4</code>."
    assert set_names("<", []) == "&lt;"


def test_a_subset_keeps_difficulty_footage_and_modality(tmp_path: Path) -> None:
    store = Store(tmp_path)
    tiers = ["easy"] * 4 + ["hard"] * 4
    films = [film(store, f"film-{number}", tier=tier) for number, tier in enumerate(tiers)]
    drawn = draw_items(films, 4, seed=3)
    assert [item.tier for item in drawn] == ["easy", "easy", "hard", "hard"]
    assert drawn == [item for item in films if item in drawn]
    assert stratum(film(store, "a", tier="easy", media_type="talk", modalities=("speech", "picture"))) == (
        "easy · talk · picture+speech"
    )
    assert stratum(Item(id="a", cluster="a", groups={"kind": "word"})) == "kind=word"
