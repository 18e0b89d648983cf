"""Eight kinds of errors: each proven, each with a twin of the same words, none where the record does not decide."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cutscore.benchmarks.vidwork import dataset
from cutscore.benchmarks.vidwork.packs.leak_probe import probe_leaks
from cutscore.benchmarks.vidwork.procedures.claims import Statement, is_true_of
from cutscore.benchmarks.vidwork.procedures.error_rules import RULES
from cutscore.benchmarks.vidwork.procedures.errors import (
    ERROR_TYPES,
    FORMS,
    MOST_FORMS,
    ErrorPair,
    error_pairs,
    error_refusals,
    write_sentence,
)
from cutscore.benchmarks.vidwork.procedures.procedure import ProcedureRecord, ProcedureStep
from cutscore.benchmarks.vidwork.procedures.scene_records import DOMAINS, record_scene
from cutscore.benchmarks.vidwork.words import words
from cutscore.core.timeline import Span
from cutscore.stage import library

ADDS, CUTS, MIXES, BAKES = (
    ProcedureStep(id="add", text="Pour 3 cups of milk into the bowl", verb="pour", start_s=0, end_s=2),
    ProcedureStep(id="cut", text="Slice the apple with a knife", verb="slice", tool="knife", start_s=2, end_s=4),
    ProcedureStep(id="mix", text="Whisk it with the fork", tool="fork", needs=("add",), start_s=4, end_s=6),
    ProcedureStep(id="bake", text="Wait for the oven", needs=("mix",), start_s=6, end_s=9),
)


def clip(*steps: ProcedureStep, name: str = "cake", domain: str = "cooking") -> ProcedureRecord:
    return ProcedureRecord(
        name=name, title="A cake", domain=domain, length_s=10, steps=steps or (ADDS, CUTS, MIXES, BAKES)
    )


CHAIR = clip(
    ProcedureStep(id="sand", text="Sand the chair with the sandpaper", tool="sandpaper", start_s=0, end_s=1),
    ProcedureStep(id="paint", text="Paint the legs", start_s=1, end_s=2),
    ProcedureStep(id="dry", text="Leave it", start_s=2, end_s=3),
    name="chair",
    domain="repair",
)


@cache
def every(procedure: ProcedureRecord, *others: ProcedureRecord) -> dict[tuple[str, str], ErrorPair]:
    """Give all that can be said of a procedure, by what was changed and how it is told."""
    drawn = (error_pairs(procedure, Random(seed), most=999, others=others) for seed in range(20))
    return {(pair.proof.change, pair.wrong): pair for pairs in drawn for pair in pairs}


def test_the_kinds_are_those_of_the_benchmark():
    assert ERROR_TYPES == dataset.ERROR_TYPES
    assert {len(forms) for forms in FORMS.values()} == {MOST_FORMS}


@pytest.mark.parametrize(
    ("error_type", "change", "wrong", "right"),
    [
        (
            "step_swap",
            "steps 1 and 2 swapped",
            "Slice the apple with a knife, then pour 3 cups of milk into the bowl, then whisk it with the fork.",
            "Pour 3 cups of milk into the bowl, then slice the apple with a knife, then whisk it with the fork.",
        ),
        (
            "step_omission",
            "step 2 left out",
            "These three come directly one after another: pour 3 cups of milk into the bowl; whisk it with the fork;"
            " wait for the oven. This one does not come between them: slice the apple with a knife.",
            "These three come directly one after another: slice the apple with a knife; whisk it with the fork; wait"
            " for the oven. This one does not come between them: pour 3 cups of milk into the bowl.",
        ),
        (
            "action_modification",
            "“slice” became “sand” in step 2",
            "Sand rather than slice the apple with a knife.",
            "Slice rather than sand the apple with a knife.",
        ),
        (
            "tool_substitution",
            "the knife became the fork in step 2",
            "Slice the apple with the fork; the knife is not used for it.",
            "Slice the apple with the knife; the fork is not used for it.",
        ),
        (
            "quantity_error",
            "3 became 5 in step 1",
            "Pour 5 cups of milk into the bowl, not 3.",
            "Pour 3 cups of milk into the bowl, not 5.",
        ),
        (
            "causal_reversal",
            "steps 1 and 3: cause and effect reversed",
            "Whisk it with the fork; that makes another step possible: pour 3 cups of milk into the bowl.",
            "Pour 3 cups of milk into the bowl; that makes another step possible: whisk it with the fork.",
        ),
        (
            "insufficient_input",
            "step 3, which 4 needs, called needless",
            "Wait for the oven: that works even without this step: whisk it with the fork.",
            "Whisk it with the fork: that works even without this step: wait for the oven.",
        ),
    ],
)
def test_by_hand(error_type, change, wrong, right):
    pair = every(clip(), CHAIR)[change, wrong]
    assert (pair.error_type, pair.right) == (error_type, right)


def test_a_step_of_another_procedure_takes_the_place_of_one():
    wrong = "One of the steps is this: paint the legs. This is not one of them: wait for the oven."
    made = every(clip(), CHAIR)
    pair = made["step 4 replaced by “Paint the legs”", wrong]
    assert pair.right == "One of the steps is this: wait for the oven. This is not one of them: paint the legs."
    assert pair.proof.at == Span(start_s=6, end_s=9)
    assert not any("leave it" in each for _, each in made)  # what "it" is, only its own clip could say


def test_others_of_the_same_domain_are_borrowed_from_first():
    soup = clip(ProcedureStep(id="a", text="Boil the carrots", start_s=0, end_s=1), *CHAIR.steps[1:], name="soup")
    made = {change for change, _ in every(clip(), CHAIR, soup)}
    assert any("boil" in each.lower() for each in made)
    assert not any("sand" in each.lower() for each in made)
    assert any("sand" in change.lower() for change, _ in every(clip(), CHAIR))


def test_what_a_procedure_lacks_is_said_and_nothing_is_invented():
    bare = clip(
        *(ProcedureStep(id=f"s{n}", text=text, start_s=n, end_s=n + 1) for n, text in enumerate(("Go", "Stay", "Come")))
    )
    assert error_refusals(bare) == {name: RULES[name].lacking for name in ERROR_TYPES if name != "step_swap"}
    assert error_refusals(clip(), others=(CHAIR,)) == {}
    assert {pair.error_type for pair in error_pairs(bare, Random(0))} == {"step_swap"}
    assert "no step that counts something" in error_refusals(bare)["quantity_error"]


def test_a_swap_of_concurrent_steps_is_refused():
    both = (ADDS, CUTS.model_copy(update={"start_s": Fraction(1)}), MIXES, BAKES)
    for pair in every(clip(*both)).values():
        named = [part.steps for part in pair.proof.wrong if part.kind in ("in order", "in a row")]
        assert not any({"add", "cut"} <= set(steps) for steps in named)
    together = {"start_s": Fraction(0), "end_s": Fraction(9), "needs": ()}
    three = clip(*(step.model_copy(update=together) for step in (ADDS, CUTS, BAKES)))
    assert {"step_swap", "step_omission", "causal_reversal"} <= set(error_refusals(three))


def test_the_stretch_that_settles_a_pair_covers_its_steps():
    at = {change: pair.proof.at for (change, _), pair in every(clip()).items()}
    assert at["steps 2 and 3 swapped"] == Span(start_s=2, end_s=6)
    assert at["step 2 left out"] == Span(start_s=0, end_s=9)
    assert at["3 became 5 in step 1"] == Span(start_s=0, end_s=2)


FEW = settings(max_examples=20)  # drawing a procedure takes most of the time

NOUNS = ("apple", "board", "chair", "pan", "wheel", "lamp", "jug")
VERBS = ("Slice", "Pour", "Paint", "Fry", "Open", "Hold", "Wait for")
TOOLS = ("", "", "knife", "brush", "fork", "big hammer")


@st.composite
def procedures(draw: st.DrawFn, name: str = "any") -> ProcedureRecord:
    """Procedures of 3 to 7 steps that may overlap, repeat themselves, count, use tools and need each other."""
    steps: list[ProcedureStep] = []
    start = Fraction(0)
    for number in range(draw(st.integers(3, 7))):
        start += draw(st.sampled_from((0, 1, 2)))
        tool, verb, noun = (draw(st.sampled_from(each)) for each in (TOOLS, VERBS, NOUNS))
        count = draw(st.sampled_from(("the", "the", "2", "five", "40")))
        text = f"{verb} {count} {noun}" + (f" with the {tool}" if tool and draw(st.booleans()) else "")
        earlier = [step.id for step in steps if step.start_s < start]
        needs = draw(st.lists(st.sampled_from(earlier), max_size=2, unique=True)) if earlier else []
        length = draw(st.sampled_from((0, 1, 2, 3)))
        steps.append(
            ProcedureStep(
                id=f"s{number}", text=text, tool=tool, needs=tuple(needs), start_s=start, end_s=start + length
            )
        )
    domain = draw(st.sampled_from(("cooking", "repair")))
    return ProcedureRecord(name=name, title="Something", domain=domain, length_s=start + 4, steps=tuple(steps))


@FEW
@given(procedures(), procedures(name="other"), st.integers(0, 9), st.integers(1, 4))
def test_every_pair_is_proven_and_in_place(procedure, other, seed, most):
    for pair in error_pairs(procedure, Random(seed), others=(other,), most=most):
        assert is_true_of(pair.proof.wrong, procedure) is False
        assert is_true_of(pair.proof.right, procedure) is True
        assert pair.wrong != pair.right
        assert 0 <= pair.proof.at.start_s <= pair.proof.at.end_s <= procedure.length_s
        for each in (pair.wrong, pair.right):
            assert 0 < len(each) <= 20_000
            assert not {*"\n{}"} & {*each}


@FEW
@given(procedures(), procedures(name="other"), st.integers(0, 9), st.integers(1, 4))
def test_a_wrong_description_has_exactly_the_words_of_its_twin(procedure, other, seed, most):
    for pair in error_pairs(procedure, Random(seed), others=(other,), most=most):
        assert Counter(words(pair.wrong)) == Counter(words(pair.right))
        assert len(pair.wrong) == len(pair.right)


@FEW
@given(procedures(), procedures(name="other"), st.integers(0, 9))
def test_the_same_seed_gives_the_same_pairs_and_refusals_are_the_rest(procedure, other, seed):
    pairs = error_pairs(procedure, Random(seed), others=(other,))
    assert pairs == error_pairs(procedure, Random(seed), others=(other,))
    refused = set(error_refusals(procedure, others=(other,)))
    assert refused == set(ERROR_TYPES) - {pair.error_type for pair in pairs}


@FEW
@given(procedures(), st.integers(0, 9))
def test_no_order_is_claimed_of_steps_that_run_together(procedure, seed):
    """Second opinion, by times alone: what the true twin puts in order is in order on the clip."""
    for pair in error_pairs(procedure, Random(seed), most=3):
        for part in pair.proof.right:
            if part.kind in ("in order", "in a row"):
                spans = [procedure.by_id[name] for name in part.steps]
                assert all(one.end_s <= two.start_s for one, two in pairwise(spans))
                turned = (Statement("in order", part.steps[::-1]),)
                assert is_true_of(turned, procedure) is False


def test_a_pair_whose_words_would_differ_is_not_given_out(monkeypatch):
    """Were a form to add a word to what is false, nobody would see it; so it is checked."""

    def telling(claimed, procedure, form):
        told = write_sentence(claimed, procedure, form)
        return told if is_true_of(claimed, procedure) else f"{told} Really."

    monkeypatch.setattr("cutscore.benchmarks.vidwork.procedures.errors.write_sentence", telling)
    assert error_pairs(clip(), Random(0), others=(CHAIR,)) == []


def test_another_seed_gives_other_pairs():
    drawn = {tuple(pair.wrong for pair in error_pairs(clip(), Random(seed), others=(CHAIR,))) for seed in range(10)}
    assert len(drawn) > 5


@pytest.mark.real
def test_no_kind_leaks_on_the_stage_and_every_kind_is_made():
    """Takes seconds, since each scene is looked at for what can be seen in it."""
    scenes = [name for tag in DOMAINS for name in library.names("procedure", tag)]
    known = [record_scene(library.scene(name)) for name in scenes]
    made = [(pair, each.name) for each in known for pair in error_pairs(each, Random(each.name), others=known, most=2)]
    assert {pair.error_type for pair, _ in made} == set(ERROR_TYPES)
    texts = [text for pair, _ in made for text in (pair.wrong, pair.right)]
    clips = [clip for _, clip in made for _ in range(2)]
    types = [pair.error_type for pair, _ in made for _ in range(2)]
    for found in probe_leaks(texts, [True, False] * len(made), clips, types):
        assert (found.verdict, found.auc.value) == ("holds", 0.5), str(found)
