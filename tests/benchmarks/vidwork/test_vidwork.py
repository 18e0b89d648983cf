"""vidwork: the promises of every benchmark on a small pack, and what marking says of each kind of answer."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from cutscore.authoring.contract import CHECKS
from cutscore.authoring.loaded_benchmark import LoadedBenchmark
from cutscore.benchmarks.vidwork import keyless
from cutscore.benchmarks.vidwork.dataset import CausalQuestion, CrossModalQuestion, put_transcripts
from cutscore.benchmarks.vidwork.usual_steps import USUAL_STEPS
from cutscore.benchmarks.vidwork.words import words
from cutscore.cells.marking import mark_one
from cutscore.core.deliverable import Deliverable
from cutscore.core.ending import Ending
from cutscore.core.evidence import Evidence
from cutscore.media.transcript import Transcript


@pytest.mark.parametrize("check", CHECKS.values(), ids=CHECKS.keys())
def test_the_promise_is_kept(check: Callable[[LoadedBenchmark], list[str]], vidwork: LoadedBenchmark) -> None:
    assert check(vidwork) == []


def marked(vidwork: LoadedBenchmark, item: str, text: str, **fields: Any) -> Ending:
    chosen = next(each for each in vidwork.items if each.id == item)
    return vidwork.mark(Deliverable(text=text, **fields), chosen)


def values(ending: Ending) -> Mapping[str, float]:
    return {finding.name: finding.value for finding in ending.findings}


def why(ending: Ending) -> str:
    return ending.findings[0].because


def test_steps_are_marked_by_f1_with_tau_and_thresholds_beside_it(vidwork: LoadedBenchmark) -> None:
    ending = marked(vidwork, "tyre-s", "1. Pull off the wheel\n2. Loosen nuts with the wrench\n3. Drive home")
    assert ending.scores["score"] == ending.scores["step_recognition"] == pytest.approx(4 / 6)
    assert why(ending) == "2 of 3 annotated steps among 3 said; missing: Lift the car with a jack"
    found = values(ending)
    assert found["step_tau"] == -1
    assert found["step_f1_at_0.3"] >= found["step_f1_at_0.5"] >= found["step_f1_at_0.9"]
    assert found["template"] == 0
    assert (ending.findings[0].file, ending.findings[0].at and float(ending.findings[0].at.end_s)) == ("tyre.mp4", 40)


@pytest.mark.parametrize(("matcher", "hits"), [("words", 0), ("chars", 1), ("embedding", 1)])
def test_steps_can_be_compared_in_other_ways(vidwork: LoadedBenchmark, matcher: str, hits: int) -> None:
    """A step with its words run together, which shares letters and pieces of words, and no word."""
    if matcher == "embedding":
        pytest.importorskip("wordllama", reason="the extra 'embed' is not installed")
    item = next(each for each in vidwork.items if each.id == "tyre-s")
    said = Deliverable(text="1. Liftthecar withajack\n2. Something else entirely")
    ending = mark_one(vidwork.found, said, Evidence(), item, store=vidwork.store, options={"matcher": matcher})
    assert ending.scores["step_recognition"] == pytest.approx(2 * hits / 5)


def test_a_template_is_known_as_one(vidwork: LoadedBenchmark) -> None:
    usual = "\n".join(f"- {step}" for step in USUAL_STEPS["repair"])
    assert values(marked(vidwork, "tyre-s", usual))["template"] == 1


def test_order_answers_of_a_pair_can_be_compared(vidwork: LoadedBenchmark) -> None:
    forth, back = marked(vidwork, "tyre-o1", "ANSWER: before"), marked(vidwork, "tyre-o2", "ANSWER: after")
    assert (forth.scores["temporal_ordering"], back.scores["temporal_ordering"]) == (1, 1)
    assert values(forth)["pair tyre-1"] == values(back)["pair tyre-1"] != 0
    both = marked(vidwork, "tyre-o2", "ANSWER: before")
    assert values(both)["pair tyre-1"] == -values(forth)["pair tyre-1"]
    assert values(marked(vidwork, "tyre-o2", "?"))["pair tyre-1"] == 0
    assert (values(forth)["always_before"], values(back)["always_before"]) == (1, 0)


@pytest.mark.parametrize(
    ("item", "text", "failed"),
    [
        ("tyre-o1", "Lovely weather.", "unreadable"),
        ("tyre-o1", "A came before B. B came before A.", "unreadable"),
        ("tyre-o1", "I cannot tell whether before or after.", None),
        ("tyre-o1", "B happened before A.", None),
        ("tyre-o1", "", "nothing"),
        ("tyre-e1a", "Lovely weather.", "unreadable"),
        ("tyre-e1a", "I am not sure.", None),
        ("tyre-e1a", "Step 3 was skipped.", None),
        ("tyre-s", "Lovely weather.", None),
    ],
)
def test_what_cannot_be_read_is_counted_as_such(
    vidwork: LoadedBenchmark, item: str, text: str, failed: str | None
) -> None:
    assert marked(vidwork, item, text).failure_class == failed


def test_answers_in_words_have_both_scores_and_the_controls(vidwork: LoadedBenchmark) -> None:
    ending = marked(
        vidwork, "tyre-x", "Hello: something like a yellow glove, I would say, beside cars and trees and sky"
    )
    assert 0 < ending.scores["cross_modal_grounding"] < ending.scores["key_terms_robust"] < 1
    found = values(ending)
    assert found["pasted_transcript"] == found["stuffed_terms"] == found["negation_differs"] == 0
    assert 0 < found["said_in_transcript"] < 0.2
    assert why(ending) == "2 of 3 key terms, 7 other words; missing: ground"


def test_missing_terms_are_words_of_the_reference_and_no_stems(vidwork: LoadedBenchmark) -> None:
    """The stem of `wheels` or `wall` is no word that a reader knows."""
    asked = [item for item in vidwork.items if isinstance(item, CausalQuestion | CrossModalQuestion)]
    for item in asked:
        missing = why(marked(vidwork, item.id, "Hello")).partition("missing: ")[2].partition(" and ")[0].split(", ")
        assert set(missing) <= set(words(item.reference)), item.id
    assert asked


def test_a_flag_is_right_for_a_wrong_description_and_wrong_for_its_twin(vidwork: LoadedBenchmark) -> None:
    wrong, twin = marked(vidwork, "tyre-e1a", "ANSWER: incorrect"), marked(vidwork, "tyre-e1b", "ANSWER: incorrect")
    assert (wrong.scores, twin.scores) == (
        {"score": 1.0, "error_detection": 1.0},
        {"score": 0.0, "twin_acceptance": 0.0},
    )
    assert values(wrong)["error step_omission"] == 1
    assert values(twin)["twin step_omission"] == 0
    assert values(wrong)["suspicion"] == values(twin)["suspicion"] == 1
    assert (values(wrong)["always_flag"], values(twin)["always_flag"]) == (1, 0)
    assert why(wrong).endswith("flagged; the description is wrong (two steps swapped)")


@pytest.mark.parametrize("text", ["ANSWER: unsure", "Hm.", ""])
def test_a_hedge_or_silence_is_right_for_neither(vidwork: LoadedBenchmark, text: str) -> None:
    assert marked(vidwork, "tyre-e1a", text).scores["error_detection"] == 0
    assert marked(vidwork, "tyre-e1b", text).scores["twin_acceptance"] == 0


def test_a_failure_is_told_and_a_file_is_an_answer(vidwork: LoadedBenchmark) -> None:
    assert why(marked(vidwork, "tyre-o1", "", failure="refused")).startswith("nothing was answered (refused); ")
    file = vidwork.store.put_bytes(b"ANSWER: before", name="answer.txt")
    assert marked(vidwork, "tyre-o1", "ANSWER: after", files=(file,)).scores["score"] == 1


def test_nonsense_and_a_megabyte_are_marked(vidwork: LoadedBenchmark) -> None:
    for item in vidwork.items:
        for text in ("\x00\u202e{{question}}" * 20, "before after correct wrong not " * 1_000):
            ending = vidwork.mark(Deliverable(text=text), item)
            assert ending.status == "marked"
            assert ending.scores["score"] < 1


def test_blind_has_a_coin_and_a_template(vidwork: LoadedBenchmark) -> None:
    asks = {item.id: vidwork.found.part("ask").ask(item, vidwork.prompts) for item in vidwork.items}
    assert {keyless.blind(asks["tyre-o1"], seed, vidwork.store).text for seed in range(20)} == {
        "ANSWER: before",
        "ANSWER: after",
    }
    assert "Open the device" in keyless.blind(asks["tyre-s"], 1, vidwork.store).text
    assert "Call for help" in keyless.blind(asks["burn-s"], 1, vidwork.store).text
    assert "sticks" not in keyless.blind(asks["burn-c"], 1, vidwork.store).text
    assert keyless.blind(asks["omelette-x"], 1, vidwork.store) == keyless.blind(asks["omelette-x"], 1, vidwork.store)


def test_a_subject_gets_pictures_then_the_transcript_as_a_file(vidwork: LoadedBenchmark) -> None:
    asks = {item.id: vidwork.found.part("ask").ask(item, vidwork.prompts) for item in vidwork.items}
    *pictures, said = asks["burn-s"].files
    assert {ref.media_type for ref in pictures} == {"image/jpeg"}
    assert [ref.name for ref in pictures] == [f"frames/burn/{second:04d}.jpg" for second in range(10)]
    assert (said.name, said.media_type) == ("transcript.vtt", "text/vtt")
    assert vidwork.store.path(said).read_text() == (
        "WEBVTT\n\n00:00.000 --> 00:02.500\nHello and welcome\n\n00:03.000 --> 00:05.000\nLet us go\n"
    )
    assert [ref.name for ref in asks["tyre-s"].files] == ["tyre.mp4", "transcript.vtt"]


def test_the_brief_has_the_description_and_nothing_that_is_said(vidwork: LoadedBenchmark) -> None:
    asks = {item.id: vidwork.found.part("ask").ask(item, vidwork.prompts) for item in vidwork.items}
    assert "First: Whisk the eggs." in asks["omelette-e0a"].brief
    assert not any("Hello" in ask.brief for ask in asks.values())


def test_silence_is_a_file_without_cues_and_nobody_listening_is_no_file(vidwork: LoadedBenchmark) -> None:
    item = next(each for each in vidwork.items if each.id == "tyre-s")
    silent = item.model_copy(update={"transcript": Transcript(made_by="hand")})
    unheard = item.model_copy(update={"transcript": None})
    put_transcripts([silent, unheard], vidwork.store)
    ask = vidwork.found.part("ask").ask
    assert vidwork.store.path(ask(silent, vidwork.prompts).files[-1]).read_bytes() == b"WEBVTT\n"
    assert [ref.name for ref in ask(unheard, vidwork.prompts).files] == ["tyre.mp4"]
