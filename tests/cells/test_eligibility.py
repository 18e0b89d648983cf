"""What a subject can hand over and take in, against what is asked."""

import pytest

from cutscore.cells.eligibility import LeftOut, count_left_out, sort_out
from cutscore.core.ask import Ask
from cutscore.core.card import Card, ScoreCard
from cutscore.core.errors import BadInput
from cutscore.core.files import FileRef
from cutscore.core.subject import AcceptedInput


class Words:
    delivers = frozenset({"text"})


class Pictures:
    takes = AcceptedInput(media={"image", "text"})


def card(**more: object) -> Card:
    plain = {"name": "cuts", "title": "", "about": "", "version": "1", "licence": "", "headline": "score", "splits": {}}
    return Card(**{**plain, "scores": {"score": ScoreCard(about="")}, **more})  # type: ignore[arg-type]


def ask(item: str, *files: tuple[str, str], wanted: tuple[str, ...] = ()) -> Ask:
    refs = tuple(FileRef(name=name, sha256="0" * 64, size_bytes=1, media_type=kind) for name, kind in files)
    return Ask(item=item, brief="b", files=refs, wanted=[{"name": name} for name in wanted])  # type: ignore[arg-type]


def test_who_answers_in_words_is_not_asked_for_files() -> None:
    asks = {"a": ask("a", wanted=("cut.mp4", "report.md"))}
    fact = r"benchmark 'cuts': wants files \(cut.mp4, report.md\), model 'x/y' answers in words; measure an agent"
    with pytest.raises(BadInput, match=fact):
        sort_out(asks, Words(), card(), who="model 'x/y'")  # type: ignore[arg-type]
    assert sort_out(asks, Words(), card(delivered_as=["text"]), who="") == {}  # type: ignore[arg-type]
    assert sort_out({"a": ask("a")}, Words(), card(), who="") == {}  # type: ignore[arg-type]


def test_items_beyond_a_subject_are_left_out_with_the_reason() -> None:
    asks = {
        "seen": ask("seen", ("a.png", "image/png"), ("a.json", "application/json"), ("odd", "")),
        "heard": ask("heard", ("a.png", "image/png"), ("a.wav", "audio/wav")),
        "film": ask("film", ("a.mp4", "video/mp4")),
        "other": ask("other", ("b.mp4", "video/mp4")),
    }
    refused = sort_out(asks, Pictures(), card(), who="")  # type: ignore[arg-type]
    assert refused == {"heard": "takes no audio", "film": "takes no video", "other": "takes no video"}
    assert count_left_out(refused, of=4) == (LeftOut(2, 4, "takes no video"), LeftOut(1, 4, "takes no audio"))
    with pytest.raises(
        BadInput, match="subject 'p': can work on none of 1 items of benchmark 'cuts': it takes no video"
    ):
        sort_out({"film": asks["film"]}, Pictures(), card(), who="subject 'p'")  # type: ignore[arg-type]


def test_whoever_says_nothing_is_asked_everything() -> None:
    asks = {"a": ask("a", ("a.wav", "audio/wav"), wanted=("cut.mp4",))}
    assert sort_out(asks, object(), card(), who="") == {}  # type: ignore[arg-type]
