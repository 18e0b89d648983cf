"""The card: what it says, when it holds, where it is found, what it allows to correct."""

from datetime import date
from functools import partial
from pathlib import Path

import pytest
from pydantic import JsonValue

from cutscore.core.errors import BadInput, OldRecord
from cutscore.core.judgement import Judgement
from cutscore.core.label import Label
from cutscore.core.row import Row
from cutscore.labels.files import LabelKey, labels_digest
from cutscore.results.judge_card.audits.catalogue import AuditContext
from cutscore.results.judge_card.audits.run import run_audits
from cutscore.results.judge_card.card import check_card, find_card, join_prompts, make_card, read_card, write_card
from cutscore.results.judge_card.correction import HeldOutSamples, correct_score, correct_scores, held_out_samples
from cutscore.results.judge_card.gather import LabelIndex
from cutscore.results.judge_card.pairing import pair_with_labels
from cutscore.results.judge_card.verdicts import JudgeVerdict, ask
from cutscore.scoring.matching.feedback import match
from cutscore.scoring.matching.matchers import DEFAULT_MATCHER

MATCH = partial(match, matcher=DEFAULT_MATCHER)
DAY = date(2031, 2, 3)
PROMPT = "a" * 64


@pytest.fixture(scope="module")
def card_of(planted, world, quick):
    """Make the card of a judge that is right three times out of four; labels are held out."""

    def make(*, day: date = DAY, model: str = "", split: str = "test", **judge):
        made = world(40, split=split)
        wrong = {"yes": "no", "no": "yes"}

        def answer(question, evidence, me):
            truth = made.truth[evidence.facts["id"]]
            return truth if me.coin(evidence.facts["id"]) < 0.75 else wrong[truth]

        asked = planted(answer, **judge)
        verdicts = list(ask(lambda _: asked, made.cases))
        pairings = pair_with_labels(made.labels, verdicts)
        audits = run_audits(None, made.cases, verdicts, AuditContext(asked.name))
        return make_card(made.labels, verdicts, pairings, audits, day=day, match=MATCH, model=model, draws=quick), made

    return make


def test_a_card_names_everything_and_is_read_as_it_was_written(card_of, tmp_path: Path) -> None:
    card, made = card_of()
    file = write_card(card, tmp_path / "cards")
    assert file.name.startswith("planted_judge-1-")
    assert file.name.endswith(".judge-card.json")
    assert read_card(file) == card
    plain = card.model_dump(mode="json", by_alias=True)
    assert plain["schema"] == "cutscore.judge-card/1"
    assert (card.judge, card.prompt, card.date) == ("planted/judge-1", PROMPT, DAY)
    assert card.labels == labels_digest(made.labels)
    (part,) = card.parts
    assert (part.benchmark, part.kind, part.n, card.held_out) == ("b", "yes_no", 40, True)
    assert [each.name for each in part.estimates][:2] == ["agreement", "kappa"]
    assert card.flips.method == "undefined: nothing was asked twice"
    assert len(card.samples[0].samples) == 40


def test_a_card_expires_with_prompt_and_model(card_of) -> None:
    card, _ = card_of(model="m-2031-01")
    same = {"judge": "planted/judge-1", "prompt": PROMPT}
    assert check_card(card, **same) == check_card(card, **same, model="m-2031-01")
    assert check_card(card, **same).reason == "calibrated on 2031-02-03"
    assert check_card(card, judge="planted/judge-2", prompt=PROMPT).reason == (
        "the card is about judge 'planted/judge-1', not 'planted/judge-2'"
    )
    changed = check_card(card, judge="planted/judge-1", prompt="b" * 64)
    assert (changed.holds, changed.reason) == (False, "expired: the prompt has changed (aaaaaaaaaaaa → bbbbbbbbbbbb)")
    newer = check_card(card, **same, model="m-2031-02")
    assert (newer.holds, newer.reason) == (
        False,
        "expired: the judge now asks model 'm-2031-02', the card was made with 'm-2031-01'",
    )


def test_a_card_without_held_out_labels_calibrates_nothing(card_of) -> None:
    card, _ = card_of(split="")
    assert not card.held_out
    assert not card.samples
    standing = check_card(card, judge=card.judge, prompt=PROMPT)
    assert (standing.holds, standing.reason) == (True, "uncalibrated: no held-out labels")


def test_cards_are_found_in_a_folder(card_of, tmp_path: Path) -> None:
    nothing, why = find_card(tmp_path, judge="planted/judge-1", prompt=PROMPT)
    assert nothing is None
    assert why.reason == f"uncalibrated: there is no card for judge 'planted/judge-1' in '{tmp_path}'"
    card, _ = card_of()
    write_card(card, tmp_path)
    write_card(card_of(name="planted/other")[0], tmp_path)
    write_card(card_of(day=date(2031, 1, 1), prompt="c" * 64)[0], tmp_path)
    found, why = find_card(tmp_path, judge="planted/judge-1", prompt=PROMPT)
    assert (found, why.reason) == (card, "calibrated on 2031-02-03")
    expired, why = find_card(tmp_path, judge="planted/judge-1", prompt="d" * 64)
    assert expired is None
    assert why.reason.startswith("uncalibrated: expired: the prompt has changed (")


def test_what_is_no_card_is_said(tmp_path: Path) -> None:
    (tmp_path / "x.judge-card.json").write_text('{"schema": "cutscore.judge-card/0"}')
    with pytest.raises(OldRecord, match=r"is not a cutscore.judge-card/1 of this version; make it again with"):
        read_card(tmp_path / "x.judge-card.json")
    with pytest.raises(BadInput, match=r"cannot be read \(No such file"):
        read_card(tmp_path / "y.judge-card.json")


def verdict(item: str, judge: str = "j", prompt: str = "") -> JudgeVerdict:
    return JudgeVerdict(
        benchmark="b", item=item, judgement=Judgement(question="q", judge=judge, answer="yes", prompt=prompt)
    )


@pytest.mark.parametrize(
    ("verdicts", "said"),
    [
        ([verdict("i1"), verdict("i2", judge="k")], r"2 judges answered \(j, k\); give those of one"),
        ([verdict("i1"), verdict("i2", prompt="e" * 64)], r"judge 'j': answered with 2 prompts \(none, eeeeeeeeeeee\)"),
        ([], "0 judges answered"),
    ],
)
def test_a_card_is_about_one_judge_with_one_prompt(verdicts, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        make_card([], verdicts, [], [], day=DAY, match=MATCH)


def test_a_judge_may_read_several_prompts_about_one_deliverable() -> None:
    """A checklist asks its formats apart, each with a prompt; a card holds where all of its prompts are still read."""

    def said(item: str, *prompts: str) -> list[JudgeVerdict]:
        read = [Judgement(question=f"q{n}", judge="j", answer="yes", prompt=each) for n, each in enumerate(prompts)]
        return [JudgeVerdict(benchmark="b", item=item, judgement=each) for each in read]

    both = [*said("i1", "aa", "bb"), *said("i2", "bb")]
    label = Label(benchmark="b", item="i1", question="q0", person="ann", answer="yes")
    card = make_card([label], both, pair_with_labels([label], both), (), day=DAY, match=MATCH)
    assert card.prompt == "aa+bb"
    assert check_card(card, judge="j", prompt=join_prompts(["cc", "bb", "aa"])).holds
    assert check_card(card, judge="j", prompt="aa+cc").reason == "expired: the prompt has changed (aa+bb → aa+cc)"
    changed = [*both, *said("i3", "bb", "cc")]
    with pytest.raises(BadInput, match=r"answered with 3 prompts \(aa, bb, cc\)"):
        make_card([label], changed, pair_with_labels([label], changed), (), day=DAY, match=MATCH)


def test_questions_of_several_items_may_share_an_id_and_be_of_several_kinds() -> None:
    labels = [
        Label(benchmark="b", item="i1", question="Q1", person="ann", kind="choice", answer="A"),
        Label(benchmark="b", item="i2", question="Q1", person="ann", answer="yes"),
        Label(benchmark="b", item="i2", question="Q2", person="ann", kind="scale", answer=7),
    ]
    known = LabelIndex.of(labels)

    def kind(item: str, question: str, answer: JsonValue) -> str | None:
        row = Row.model_construct(benchmark="b", item=item)
        return known.kind_of(row, Judgement(question=question, judge="j", answer=answer))

    assert (kind("i1", "Q1", "B"), kind("i2", "Q1", "no"), kind("i2", "Q1", None)) == ("choice", "yes_no", "yes_no")
    # Nobody labelled the third item: its answer tells which of the two kinds it is.
    assert (kind("i3", "Q1", "A"), kind("i3", "Q1", "no"), kind("i3", "Q1", None)) == ("choice", "yes_no", None)
    assert (kind("i3", "Q2", 4), kind("i3", "Q3", "no")) == ("scale", None)


def test_scores_are_corrected_only_where_labels_allow_it(card_of, quick) -> None:
    card, _ = card_of()
    judged = {LabelKey("b", f"j{n}", "x", 1, "q"): float(n % 2) for n in range(40)}
    units = {key: key.item for key in judged}
    (known,) = (each for each in card.samples if each.kind == "yes_no")
    found = correct_score(known, judged, units, kind="yes_no", draws=quick)
    assert found.raw.value == 0.5
    assert found.corrected is not None
    assert found.corrected.value is not None
    assert found.reason == "Rogan–Gladen on 40 held-out labels"
    bare = correct_score(None, judged, units, kind="yes_no", draws=quick)
    assert (bare.corrected, bare.reason) == (None, "uncalibrated: there are no held-out labels for this judge")
    scale = HeldOutSamples(benchmark="b", kind="scale", samples=known.samples)
    other = correct_score(scale, judged, units, kind="scale", draws=quick)
    assert (other.corrected, other.reason) == (None, "uncalibrated: no held-out label is about these samples")


def test_rates_are_of_right_answers_where_labels_say_what_is_right() -> None:
    """Ten items: a question that wants a no and gets it, one that has no right answer, a choice that is wrong."""
    labels, verdicts = [], []
    for number in range(10):
        about = {"benchmark": "b", "item": f"i{number}", "subject": "x"}
        asked = [("q", "yes_no", "no", "no"), ("r", "yes_no", "yes", None), ("c", "choice", "B", "A")]
        for question, kind, answer, expected in asked:
            label = {"question": question, "kind": kind, "person": "ann", "answer": answer, "expected": expected}
            labels.append(Label.model_validate({**about, **label, "split": "test"}))
            judgement = Judgement(question=question, judge="j", answer=answer)
            verdicts.append(JudgeVerdict.model_validate({**about, "kind": kind, "judgement": judgement}))
    verdicts.append(verdicts[0].model_copy(update={"item": "other"}))  # nobody says what is right there
    held = held_out_samples(pair_with_labels(labels, verdicts))
    assert {each.kind: len(each.samples) for each in held} == {"choice": 10, "yes_no": 10}
    found = {each.kind: each.score.raw for each in correct_scores(held, verdicts)}
    assert {kind: (raw.name, raw.value, raw.n) for kind, raw in found.items()} == {
        "choice": ("right", 0.0, 10),
        "yes_no": ("right", 1.0, 10),
    }


def _verdict(subject: str, item: int, *, model: str = "", answer: str = "yes") -> JudgeVerdict:
    about = {"benchmark": "b", "item": f"{item}", "subject": subject, "model": model}
    return JudgeVerdict(**about, judgement=Judgement(question="q", judge="j", answer=answer))


def test_who_has_no_labels_is_corrected_by_labels_of_others_and_that_is_said(quick) -> None:
    held = [
        {"item": f"{n}", "subject": "a", "question": "q", "cluster": f"{n}", "truth": n % 2, "judged": n % 2}
        for n in range(30)
    ]
    known = HeldOutSamples.model_validate({"benchmark": "b", "kind": "yes_no", "samples": held})
    verdicts = [
        _verdict(subject, n, model=model, answer="yes" if n % 3 else "no")
        for subject, model in (("a", ""), ("other", ""), ("renamed", "a"))
        for n in range(30)
    ]
    found = {each.subject: each for each in correct_scores([known], verdicts, draws=quick)}
    assert {name: each.score.transported for name, each in found.items()} == {
        "a": False, "other": True, "renamed": False
    }  # fmt: skip
    other = found["other"].as_json()
    assert (other["transported"], other["corrected"]["value"]) == (True, pytest.approx(20 / 30))
    assert other["because"] == ("Rogan–Gladen on 30 held-out labels of others, transported: none is about this subject")


@pytest.mark.parametrize("said", [lambda truth: 1.0, lambda truth: 1 - truth], ids=["always", "the other way round"])
def test_a_judge_no_better_than_chance_corrects_nothing(card_of, quick, said) -> None:
    card, _ = card_of()
    coin = tuple(each.model_copy(update={"judged": said(each.truth)}) for each in card.samples[0].samples)
    judged = {LabelKey("b", f"j{n}", "x", 1, "q"): 1.0 for n in range(9)}
    known = HeldOutSamples(benchmark="b", kind="yes_no", samples=coin)
    found = correct_score(known, judged, {key: key.item for key in judged}, kind="yes_no", draws=quick)
    assert found.corrected is not None
    assert found.corrected.value is None
    assert found.corrected.method == "undefined: on the labels the judge does no better than chance"
    assert found.reason.endswith(found.corrected.method)


def test_groups_of_questions_have_parts_of_their_own(planted, world, quick) -> None:
    made = world(40, split="test")
    grouped = [
        label.model_copy(update={"groups": {"pillar": "visual" if number % 4 == 0 else "sound"}})
        for number, label in enumerate(made.labels)
    ]
    wrong = {"yes": "no", "no": "yes"}
    visual = {label.item for label in grouped if label.groups["pillar"] == "visual"}
    facts = {case.evidence.facts["id"]: case.item for case in made.cases}

    def answer(question, evidence, me):
        truth = made.truth[evidence.facts["id"]]
        return wrong[truth] if facts[evidence.facts["id"]] in visual else truth

    asked = planted(answer)
    verdicts = list(ask(lambda _: asked, made.cases))
    card = make_card(grouped, verdicts, pair_with_labels(grouped, verdicts), (), day=DAY, match=MATCH, draws=quick)
    found = [(part.group, part.n, part.estimates[0].value) for part in card.parts]
    assert found == [
        ({}, 40, pytest.approx(1 - len(visual) / 40)),
        ({"pillar": "sound"}, 40 - len(visual), 1.0),
        ({"pillar": "visual"}, len(visual), 0.0),
    ]
