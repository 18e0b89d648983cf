"""What is found about the steps of a run: each sign where it is, and not where it is not."""

from hashlib import sha256

import pytest

from cutscore.benchmarks.videowebarena.diagnosis import (
    diagnose_end,
    diagnose_evidence,
    diagnose_knowing,
    diagnose_replies,
)
from cutscore.core.deliverable import Deliverable
from cutscore.core.files import FileRef
from cutscore.core.finding import Finding
from cutscore.core.timeline import Span
from cutscore.core.trajectory import Action, Step

NONE = Action(tool="none")
CLICK = Action(tool="click", arguments={"element": "3"})


def look(n: int, did: Action | None = None, *, said: str = "", saw: str = "page", error: str = "") -> Step:
    """A step as the world records it; the picture goes with the text."""
    digest = sha256(saw.encode()).hexdigest()
    picture = FileRef(name=f"step-{n}.jpg", sha256=digest, size_bytes=1, media_type="image/jpeg")
    return Step(n=n, by="environment", said=said, did=(did,) if did else (), saw=saw, error=error, media=(picture,))


def signs(*steps: Step) -> set[str]:
    found = list(diagnose_replies([look(1), *steps], ["reddit"]))
    return {each.name.removeprefix("diagnosis/") for each in found if each.value}


@pytest.mark.parametrize(
    ("said", "did", "error", "found"),
    [
        ("```click [3]```", CLICK, "", set()),
        ("I click on it.", NONE, "the reply has no action", {"no_action"}),
        ("", NONE, "the reply has no action", {"no_action"}),
        ("```click [Sign in]```", NONE, "is no action", {"named_element"}),
        ("```type [name] [Ann] [1]```", NONE, "is no action", {"named_element"}),
        ("```click [3]\nclick [4]```", CLICK, "", {"several_actions"}),
        ("```click [3]``` ```stop [a]```", CLICK, "", {"several_actions"}),
        ("```click [3]```", CLICK, "element 3 is not on the page", {"unknown_element"}),
        ("```click [3]```", CLICK, "the page does not answer", set()),
        ("```goto []```", Action(tool="goto", arguments={"url": "__REDDIT__/f/a"}), "", set()),
        ("```goto []```", Action(tool="goto", arguments={"url": "http://cups.example.org"}), "", {"foreign_address"}),
        ("```goto []```", Action(tool="goto", arguments={"url": "__GITLAB__/a"}), "", {"foreign_address"}),
        ("```goto []```", Action(tool="goto", arguments={"url": "/f/a"}), "", set()),
    ],
)
def test_a_reply_shows_what_is_odd_about_it(said: str, did: Action, error: str, found: set[str]) -> None:
    assert signs(look(2, did, said=said, saw="another", error=error)) == found


def test_an_action_is_repeated_in_vain_only_after_it_changed_nothing() -> None:
    first, again = look(2, CLICK, said="```click [3]```"), look(3, CLICK, said="```click [3]```", saw="other")
    assert signs(first, again) == {"repeated_action"}
    assert signs(look(2, CLICK, said="```click [3]```", saw="new"), again) == set()
    assert signs(first, look(3, Action(tool="go_back"), said="```go_back```")) == set()


def test_who_says_nothing_is_not_diagnosed() -> None:
    assert list(diagnose_replies([look(1), look(2, CLICK)], ["reddit"])) == [], "an oracle plays a script"
    assert list(diagnose_end(Deliverable(text="a"), [look(1), look(2, CLICK)])) == []


def test_how_a_run_ended_is_told() -> None:
    steps = [look(1), look(2, CLICK, said="```click [3]```")]
    early, failed = diagnose_end(Deliverable(text="Early stop: Reach max steps 1"), steps)
    assert (early.value, early.because, failed.value) == (1, "Early stop: Reach max steps 1", 0)
    early, failed = diagnose_end(Deliverable(failure="it refused", failure_class="refused"), [look(1)])
    assert (early.value, failed.value, failed.because) == (0, 1, "refused: it refused")


def test_knowing_and_doing_are_four_cells_of_which_one_is_true() -> None:
    for knew in (True, False):
        for did in (True, False):
            found = {each.name: each.value for each in diagnose_knowing(knew, did)}
            assert len(found) == 4
            assert sum(found.values()) == 1
    assert found["diagnosis/neither"] == 1


def watched(needed: list[tuple[str, Span]], *, is_heard: bool = False, **shown: object) -> Finding | None:
    step = Step(n=1, did=(Action.model_validate({"tool": "watch", "arguments": shown}),))
    return next(diagnose_evidence([step], needed, is_heard=is_heard), None)


def test_evidence_is_shown_by_a_frame_in_its_stretch_by_the_clip_or_by_words_that_are_heard() -> None:
    price = [("price", Span(start_s=4, end_s="4.5")), ("name", Span(start_s=0, end_s=1))]
    shown = watched(price, file="tutorial.mp4", sent_as="frames", at_s=[0, 4.25])
    assert shown is not None
    assert (shown.value, shown.because) == (0, "all stretches that the task needs were shown (2)")
    hidden = watched(price, file="tutorial.mp4", sent_as="frames", at_s=[0, 4.5])
    assert hidden is not None
    assert (hidden.value, hidden.file, hidden.at) == (1, "tutorial.mp4", price[0][1])
    assert hidden.because == "not shown: 'price' at 00:04.000–00:04.500"
    for more, value in (({"words_by": "a person"}, 1), ({"words_by": "a person", "is_heard": True}, 0)):
        found = watched(price[:1], file="tutorial.mp4", sent_as="frames", at_s=[0], **more)
        assert found is not None
        assert found.value == value
    whole, nothing = watched(price, file="tutorial.mp4", sent_as="video"), watched(price, sent_as="nothing")
    assert (whole and whole.value, nothing and nothing.value, nothing and nothing.at) == (0, 1, None)
    assert watched([], sent_as="nothing") is None, "nobody knows what it needs"
    assert list(diagnose_evidence([look(1)], price, is_heard=False)) == [], "nobody says what was watched"
