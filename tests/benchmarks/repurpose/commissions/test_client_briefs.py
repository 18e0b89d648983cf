"""Briefs and rubrics beside a film: how they are read, who drafts what is missing, what is refused in which words."""

import json
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from cutscore.authoring.footage import SourceClip
from cutscore.authoring.model_writer import ModelWriter
from cutscore.benchmarks.repurpose.build import PROMPTS
from cutscore.benchmarks.repurpose.commissions.client_briefs import ClientBrief, read_client_brief, read_rubric
from cutscore.benchmarks.repurpose.commissions.stage_items import SceneMoments, editor_notes
from cutscore.benchmarks.repurpose.commissions.stage_scripts import COMMISSIONS, stage_rubric
from cutscore.benchmarks.repurpose.dataset import FilmTerms
from cutscore.core.errors import BadInput
from cutscore.core.files import FileRef
from cutscore.prompts import load_prompt
from cutscore.stage import library

BRIEF = "A trailer for families. How it ends must stay open."
ITEMS = [
    {"id": "kite", "pillar": "narrative", "points": 2, "text": "The kite is in the film."},
    {"id": "park", "pillar": "visual", "points": 1, "text": "The park is in the picture."},
    {"id": "wind", "pillar": "sound", "points": 1, "text": "The wind is heard.", "evidence": "sound"},
    {"id": "end", "pillar": "penalty", "points": 3, "text": "The kite is saved in the film."},
]


@pytest.fixture
def film(tmp_path: Path) -> SourceClip:
    """A film of which nobody looks at the pictures."""
    ref = FileRef(name="kite.mp4", sha256="0" * 64, size_bytes=1)
    return SourceClip(
        name="kite", ref=ref, path=tmp_path / "x", source=str(tmp_path / "kite.mp4"), length_s=Fraction(60)
    )


@pytest.fixture
def beside(tmp_path: Path) -> Callable[..., None]:
    """Write files beside the film, by their endings."""

    def write(**files: Any) -> None:
        for ending, content in files.items():
            text = content if isinstance(content, str) else json.dumps(content)
            (tmp_path / f"kite.{ending.replace('_', '.')}").write_text(text, encoding="utf-8")

    return write


class Model:
    """Who drafts the same every time, and remembers what was asked."""

    def __init__(self, reply: Any) -> None:
        self.reply, self.asked = reply, ""

    def ask(self, request: Any, read: Callable[[Any], Any]) -> Any:
        self.asked = request.text
        return read(self.reply)


def written(film: SourceClip, model: Model | None = None, **given: str) -> ClientBrief:
    asking: Any = model
    drafter = ModelWriter("lab/model" if model else "", "fps=1", load_prompt("commission", folder=PROMPTS), asking)
    return read_client_brief(film, given, drafter)


def test_people_write_brief_terms_rubric_and_notes(film: SourceClip, beside: Callable[..., None]) -> None:
    terms = "form: social cut\ncontent: talk\nlength_s: 12.5\naspect: 9:16\nsound: false"
    beside(brief_md=f"{terms}\n\n{BRIEF}\n", rubric_json=ITEMS, reference_md="00:01 the kite rises")
    made = written(film, within_s="1", form="recap")  # of the brief and the command line the brief counts
    assert (made.brief, made.reference, made.drafted_by) == (BRIEF, "00:01 the kite rises", "")
    assert made.terms == FilmTerms(
        content="talk", form="social cut", length_s="25/2", within_s=1, aspect=(9, 16), sound=False
    )
    assert [each.id for each in made.rubric] == ["kite", "park", "wind", "end"]


def test_a_brief_without_terms_takes_those_of_the_command_line(film: SourceClip, beside: Callable[..., None]) -> None:
    beside(brief_md=f"Note: this is no term.\n\n{BRIEF}", rubric_json=ITEMS)
    made = written(film, form="teaser")
    assert made.terms.form == "teaser"
    assert made.brief.startswith("Note: this is no term.")


def test_of_a_silent_film_no_sound_is_wanted_unless_somebody_says_so(
    film: SourceClip, beside: Callable[..., None]
) -> None:
    beside(brief_md=BRIEF, rubric_json=ITEMS)
    heard = replace(film, has_sound=True)
    assert [written(each).terms.sound for each in (film, heard)] == [None, True]
    assert [written(film, sound=said).terms.sound for said in ("true", "false")] == [True, False]


def test_a_term_that_cannot_be_says_what_it_may_be(film: SourceClip, beside: Callable[..., None]) -> None:
    beside(brief_md=f"form: advert\n\n{BRIEF}", rubric_json=ITEMS)
    with pytest.raises(BadInput, match=r"kite\.brief\.md: form: .*; form is one of recap, trailer, teaser, social cut"):
        written(film)


@pytest.mark.parametrize("points", [-3, "-3", "\u22123", 3])
def test_a_penalty_may_be_written_as_it_is_read(points: object, tmp_path: Path) -> None:
    (tmp_path / "kite.rubric.json").write_text(json.dumps([{**ITEMS[3], "points": points}]))
    assert read_rubric(tmp_path / "kite.rubric.json")[0].points == 3
    (tmp_path / "kite.rubric.json").write_text(json.dumps([{**ITEMS[0], "points": -3}]))
    with pytest.raises(BadInput, match="item 1: points: Input should be greater than 0"):
        read_rubric(tmp_path / "kite.rubric.json")


def test_a_rubric_may_be_a_table(film: SourceClip, beside: Callable[..., None], tmp_path: Path) -> None:
    rows = [
        "id,pillar,points,text,evidence",
        "kite,narrative,2,The kite is in the film.,",
        "wind,sound,1,It is heard.,sound",
    ]
    beside(rubric_csv="\n".join(rows))
    made = read_rubric(tmp_path / "kite.rubric.csv")
    assert [(each.id, each.points, each.evidence) for each in made] == [("kite", 2, "pictures"), ("wind", 1, "sound")]


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({}, "has no brief; write kite.brief.md beside it, or add --model"),
        ({"brief_md": BRIEF}, "has no rubric; write kite.rubric.json beside it, or add --model"),
        ({"brief_md": " ", "rubric_json": ITEMS}, "file 'kite.brief.md': is empty"),
        ({"brief_md": "form: trailer", "rubric_json": ITEMS}, "has terms and no brief"),
        ({"brief_md": f"form: opera\n\n{BRIEF}", "rubric_json": ITEMS}, "kite.brief.md: form"),
        ({"brief_md": f"length_s: long\n\n{BRIEF}", "rubric_json": ITEMS}, "kite.brief.md: length_s"),
        ({"brief_md": BRIEF, "rubric_json": "{}"}, "is no list of items"),
        ({"brief_md": BRIEF, "rubric_json": "[NaN"}, "rubric 'kite.rubric.json'"),
        ({"brief_md": BRIEF, "rubric_json": [{**ITEMS[0], "points": None}]}, "item 1 has no points"),
        ({"brief_md": BRIEF, "rubric_json": [ITEMS[0], {**ITEMS[1], "pillar": "mood"}]}, "item 2: pillar"),
    ],
)
def test_what_cannot_be_used_is_said(
    film: SourceClip, beside: Callable[..., None], files: dict[str, Any], said: str
) -> None:
    beside(**files)
    with pytest.raises(BadInput, match=said):
        written(film)


def test_a_model_drafts_what_nobody_wrote_and_is_named(film: SourceClip, beside: Callable[..., None]) -> None:
    draft = {"brief": "Something that the model has thought of by itself.", "rubric": ITEMS}
    made = written(film, model := Model(draft), form="trailer")
    assert (made.brief, made.drafted_by, len(made.rubric)) == (draft["brief"], "lab/model", 4)
    assert "A client wants a trailer of it: 60 seconds, 16:9." in model.asked
    beside(brief_md=BRIEF)
    made = written(film, model := Model(draft))
    assert (made.brief, made.drafted_by) == (BRIEF, "lab/model")
    assert BRIEF in model.asked


def test_a_model_leaves_the_format_to_the_program(film: SourceClip) -> None:
    own = {
        "id": "length",
        "pillar": "format",
        "points": 1,
        "text": "It lasts 60 s.",
        "evidence": "file",
        "rule": "length",
    }
    with pytest.raises(ValueError, match="checked by a program"):
        written(film, Model({"brief": BRIEF, "rubric": [*ITEMS, own]}))


@pytest.mark.parametrize("wanted", COMMISSIONS, ids=lambda each: each.scene)
def test_staged_commissions_follow_their_scenes_at_any_length(wanted: Any) -> None:
    scene = library.scene(wanted.scene, seed=3, length_s=40)
    moments = SceneMoments.of(scene)
    rubric = stage_rubric(wanted, moments)
    assert len({each.id for each in rubric}) == len(rubric)
    assert len(editor_notes(scene, moments).splitlines()) == 2 + len(moments.shots)
