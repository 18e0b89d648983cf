"""`export` and `fetch` of packs: what is written can be read again."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Literal

import pytest

from cutscore import registry
from cutscore.authoring.pack_writer import write_pack
from cutscore.benchmarks.sequencing.dataset import SequencingItem, deliveries
from cutscore.cells.scoring_code import code_digest
from cutscore.core.gate import Gate, GateCard, ItemGates
from cutscore.store import Store

NAMES = ("film-a/clip-01.mp4", "film-a/clip-02.mp4")


@pytest.fixture
def films(tmp_path: Path) -> Path:
    """A pack with two films of two clips each, which nobody can play."""
    store = Store(tmp_path / "store")

    def film(id: str) -> SequencingItem:
        clips = [
            store.put_bytes(f"{id} {number}".encode(), name=f"{id}/clip-0{number}.mp4", media_type="video/mp4")
            for number in (1, 2)
        ]
        return SequencingItem(
            id=id,
            cluster=id,
            groups={"clips": "other"},
            brief="All ends well.",
            materials=tuple(clips),
            deliveries=deliveries(Fraction(4)),
            licence="CC0-1.0",
            order=(clips[1].name, clips[0].name),
        )

    write_pack(tmp_path / "films", [film("film-a"), film("film-b")], store)
    return tmp_path / "films"


def test_chosen_items_become_a_pack_with_the_same_lines(cli, films: Path) -> None:
    ran = cli("export", "pack", "sequencing", "--data", films, "-o", "mine", "--item", "film-b", "--json")
    assert (ran.code, ran.json["items"], ran.json["files"]) == (0, 1, 2)
    assert Path("mine/items.jsonl").read_text() == (films / "items.jsonl").read_text().splitlines(keepends=True)[1]
    assert Path("mine/film-b/clip-02.mp4").read_bytes() == b"film-b 2"
    assert "there is something already" in cli("export", "pack", "sequencing", "--data", films, "-o", "mine").err
    assert "no item 'film-x'" in cli("export", "pack", "sequencing", "--data", films, "-o", "x", "--item", "film-x").err


def test_a_pack_without_media_is_completed_by_fetch(cli, films: Path) -> None:
    bare = ("export", "pack", "sequencing", "--data", films, "-o", "bare", "--without-media")
    assert "item 'film-a': 'film-a/clip-01.mp4' has no recipe" in cli(*bare).err
    made = cli(*bare, "--recipe", "from ADDRESS")
    assert "2 items of sequencing, not in it: 4 files\nnext: cutscore fetch bare" in made.out
    refused = cli("check", "bare", "--bench", "sequencing")
    assert refused.code == 1
    assert "line 2: file 'film-b/clip-01.mp4' is not in the pack, get it so: from ADDRESS" in refused.out
    assert "'cutscore fetch bare' names all of them" in cli("show", "sequencing", "--data", "bare").err
    lacks = cli("fetch", "bare")
    assert lacks.code == 3
    assert lacks.out.count("from ADDRESS") == 4
    assert "0 of 4 files of bare are here\nnext: get the others" in lacks.out
    brought = cli("fetch", "bare", "--from", films, "--json")
    assert brought.code == 0
    assert {each["state"] for each in brought.json["files"]} == {"brought"}
    assert "4 of 4 files of bare are here" in cli("fetch", "bare").out
    assert cli("show", "sequencing", "--data", "bare").code == 0
    line = json.loads(Path("bare/items.jsonl").read_text().splitlines()[0])
    assert line["provenance"][NAMES[0]] == {"licence": "CC0-1.0", "recipe": "from ADDRESS"} | dict.fromkeys(
        ("made_by", "notice", "source"), ""
    ) | {"seed": None}
    assert "is for files of a benchmark" in cli("fetch", "bare", "--again").err


def test_what_failed_a_gate_is_not_given_to_anybody_and_the_card_goes_with_the_rest(cli, films: Path) -> None:
    found = registry.benchmark("sequencing")
    digests = {item.id: item.digest() for item in found.part("dataset").items(Store(films.parent / "other"), films)}
    states: dict[str, Literal["passed", "failed"]] = {"film-a": "failed", "film-b": "passed"}
    checked = tuple(
        ItemGates(item=name, content=digests[name], gates=(Gate(name="asset", state=state, faults=("no licence",)),))
        for name, state in states.items()
    )
    card = GateCard(
        benchmark="sequencing", version="1", scoring=code_digest(found), cutscore="1", decoder="x", items=checked
    )
    (films / "gates.json").write_text(card.model_dump_json(by_alias=True))
    (films / "DATASHEET.md").write_text("About these films.")
    made = cli("handout", "sequencing", "--data", films, "-o", "study", "--json")
    assert made.json["items"] == ["film-b"]
    assert "item 'film-a' is left out of every number: it failed the asset gate: no licence" in made.err
    assert Path("study/pack/gates.json").read_bytes() == (films / "gates.json").read_bytes()
    assert not Path("study/pack/DATASHEET.md").exists(), "it speaks of all films"
    refused = cli("export", "harbor", "sequencing", "--data", films, "-o", "tasks", "--item", "film-a")
    assert refused.code == 2
    assert "item 'film-a': failed the asset gate: no licence" in refused.err
    assert cli("export", "pack", "sequencing", "--data", films, "-o", "copy").code == 0, "whoever mends it needs it"
    assert Path("copy/DATASHEET.md").read_text() == "About these films."
    assert not cli("show", "sequencing", "--data", "copy").err


def test_options_of_the_other_form_are_refused(cli, films: Path) -> None:
    pack, harbor = (("export", form, "sequencing", "--data", films, "-o", "x") for form in ("pack", "harbor"))
    assert "--input: means nothing for 'pack'; leave it out" in cli(*pack, "--input", "a").err
    assert "--recipe: means nothing for 'harbor'" in cli(*harbor, "--recipe", "a").err
    assert "--wheel 'w.whl': there is no such file" in cli(*harbor, "--wheel", "w.whl").err
    assert "is marked by verifiers, no opinion is asked" in cli(*harbor, "--judge", "openai/x").err
    judged = cli("export", "harbor", "repurpose", "--item", "nonsense", "--data", films, "-o", "x").err
    assert "is marked by a judge" not in judged, "its card names who judges where nobody else is named"
    assert "no input 'nonsense'" in cli(*harbor, "--input", "nonsense").err
    assert not Path("x").exists()


@pytest.mark.real  # long, and needs nothing else
def test_what_editors_hand_in_is_marked_and_becomes_the_human_reference(cli, films: Path) -> None:
    """Of the first film two of three editors have the order, of the second one of three: medians 1 and 0."""
    made = cli("handout", "sequencing", "--data", films, "-o", "study", "--json")
    assert (made.code, made.json["editors"], made.json["items"]) == (0, 3, ["film-a", "film-b"])
    assert "there is something already" in cli("handout", "sequencing", "--data", films, "-o", "study").err
    for number, right in ((1, ("film-a", "film-b")), (2, ("film-a",)), (3, ())):
        for film in ("film-a", "film-b"):
            clips = [f"{film}/clip-02.mp4", f"{film}/clip-01.mp4"]
            said = clips if film in right else clips[::-1]
            Path(f"study/editor-{number}/hand-in/{film}/solution.json").write_text(json.dumps(said))
    command = next(line for line in Path("study/README.md").read_text().splitlines() if line.startswith("    cutscore"))
    words = command.replace("folder:", "folder:study/").replace("--data pack", "--data study/pack").split()[1:]
    ran = cli(*words, "--all")
    assert ran.code == 0
    lines = [line.split() for line in ran.out.splitlines() if line.strip().startswith("human (")]
    assert [(line[3], line[4], " ".join(line[-3:])) for line in lines] == [
        ("@paper", "0.500", "median per task"),
        ("@strict", "0.000", "median per task"),
    ]
    human = cli(*words, "--json").json["human"]
    assert human["editors"] == 3
    assert [each["value"] for each in human["estimates"][:2]] == [0.5, 0.0]
    assert "human (3 editors)" in cli("tables", "logs").out


def test_a_subset_is_handed_out(cli, films: Path) -> None:
    made = cli("handout", "sequencing", "--data", films, "-o", "study", "--tasks", 1, "--editors", 2, "--json")
    assert (made.json["editors"], len(made.json["items"])) == (2, 1)
    assert Path(f"study/editor-2/tasks/{made.json['items'][0]}/brief.html").is_file()
