"""Replies: what is read, what is not, and that the sentence about it is ours alone."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutscore.core.judgement import Question
from cutscore.scoring.judges.reply import LONGEST_REPLY, read_reply

SEAL = "0a1b2c3d"
RED = Question(id="red", kind="yes_no", text="Is it red?")
PICK = Question(id="pick", kind="choice", text="Which?", choices=("left", "Right"))
HOW = Question(id="how", kind="scale", text="How?")
FAULTS = Question(id="faults", kind="weaknesses", text="What is wrong?")
BETTER = Question(id="better", kind="pairwise", text="Which is better?")
HELD = Question(id="held", kind="short", text="What is held?", max_chars=10)
ALL = (RED, PICK, HOW, FAULTS, BETTER, HELD)


def said(*answers: object, seal: object = SEAL, addressed: object = False, **more: object) -> str:
    return json.dumps({"seal": seal, "addressed": addressed, "answers": list(answers), **more})


def answer(id: str, value: object, **more: object) -> dict[str, object]:
    return {"id": id, "because": "seen", "answer": value, **more}


def test_every_kind_is_read() -> None:
    weak = {"text": "too dark", "at": [0.5, 1], "severity": 3}
    reply = read_reply(
        said(
            answer("red", " YES "),
            answer("pick", "right", at=[0, 1.5]),
            answer("how", 7),
            {"id": "faults", "because": "seen", "weaknesses": [weak]},
            answer("better", "neither"),
            answer("held", " a  Red cup\n"),
        ),
        ALL,
        seal=SEAL,
    )
    assert {name: each.answer for name, each in reply.answers.items()} == {
        "red": "yes",
        "pick": "Right",
        "how": 7,
        "faults": "yes",
        "better": "neither",
        "held": "a Red cup",
    }
    assert str(reply.answers["pick"].at) == "00:00.000–00:01.500"
    assert reply.answers["faults"].weaknesses[0].severity == 3
    assert (reply.problem, reply.addressed, reply.broken_seal) == ("", False, False)


def test_no_weakness_is_a_no() -> None:
    reply = read_reply(said({"id": "faults", "because": "fine", "weaknesses": []}), [FAULTS], seal=SEAL)
    assert reply.answers["faults"].answer == "no"


@pytest.mark.parametrize("around", ["Sure! {}", "```json\n{}\n```", "<think>{{maybe}}</think>\n{}", "{}\nThat is all."])
def test_words_around_the_object_are_let_pass(around: str) -> None:
    text = around.replace("{{", "{").replace("}}", "}").replace("{}", said(answer("red", "no")))
    assert read_reply(text, [RED], seal=SEAL).answers["red"].answer == "no"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "it holds no JSON object"),
        ("yes", "it holds no JSON object"),
        ('{"seal": "0a1b2c3d", "addressed": false, "answers": [', "it holds no JSON object"),
        (said(answer("red", "yes")) + said(answer("red", "no")), "it is not JSON from character "),
        ("{" * 300 + "}" * 300, "it is nested too deeply"),
        ('{"seal": "x", "seal": "y", "addressed": false, "answers": []}', "it has the key 'seal' twice"),
        (said(answer("red", "yes"), verdict="yes"), "it is not an object with exactly seal, addressed and answers"),
        ('{"answers": []}', "it is not an object with exactly seal, addressed and answers"),
        (said(answer("red", "yes"), addressed="no"), ""),
        ("x" * (LONGEST_REPLY + 1), "it has more than 200,000 characters"),
    ],
)
def test_what_is_no_reply_at_all(text: str, problem: str) -> None:
    reply = read_reply(text, [RED], seal=SEAL)
    assert reply.problem.startswith(problem)
    assert bool(reply.answers) is (problem == "")


def test_a_wrong_seal_costs_the_whole_reply() -> None:
    reply = read_reply(said(answer("red", "yes"), seal="ffffffff"), [RED], seal=SEAL)
    assert reply.broken_seal
    assert not reply.answers
    assert reply.problem == "it does not repeat the seal of this request"


@pytest.mark.parametrize(
    ("question", "given"),
    [
        (RED, answer("red", "maybe")),
        (RED, answer("red", True)),
        (RED, answer("red", None)),
        (RED, {"id": "red", "answer": "yes"}),
        (RED, {"id": "red", "because": "", "answer": "yes"}),
        (RED, answer("red", "yes", confidence=1)),
        (RED, answer("red", "yes", at=[2, 1])),
        (RED, answer("red", "yes", weaknesses=[])),
        (PICK, answer("pick", "middle")),
        (HOW, answer("how", 0)),
        (HOW, answer("how", 11)),
        (HOW, answer("how", 7.5)),
        (HOW, answer("how", True)),
        (HOW, answer("how", "7")),
        (FAULTS, answer("faults", "yes")),
        (FAULTS, {"id": "faults", "because": "seen", "weaknesses": [{"text": ""}]}),
        (BETTER, answer("better", "C")),
    ],
)
def test_an_answer_that_is_not_allowed_costs_itself_alone(question: Question, given: dict[str, object]) -> None:
    good = Question(id="good", kind="yes_no", text="Is it good?")
    reply = read_reply(said(given, answer("good", "yes")), [question, good], seal=SEAL)
    assert list(reply.answers) == ["good"]
    assert question.id in reply.problem


def test_missing_double_and_strange_ids_are_named_or_counted() -> None:
    reply = read_reply(
        said(
            answer("pick", "left"), answer("pick", "left"), answer("IGNORE ALL RULES", "yes"), "prose", answer("how", 3)
        ),
        [RED, PICK, HOW],
        seal=SEAL,
    )
    assert list(reply.answers) == ["how"]
    assert reply.unknown_ids == ("IGNORE ALL RULES",)
    assert reply.problem == (
        "it has no answer to red; several answers to pick; 1 answered that nobody asked; "
        "1 not in the form that was asked for"
    )


def test_a_stray_answer_beside_all_others_is_no_problem() -> None:
    assert read_reply(said(answer("red", "yes"), answer("more", 1)), [RED], seal=SEAL).problem == ""


@given(st.text())
def test_nothing_that_a_model_writes_gets_into_the_sentence_about_it(words: str) -> None:
    marked = f"«{words}»"
    text = said(answer(marked, marked), {"id": "red", "because": marked, "answer": marked, marked: marked})
    problem = read_reply(text, [RED], seal=SEAL).problem
    assert problem
    assert "«" not in problem


@pytest.mark.parametrize("value", ["", "  ", "a very red cup", 7, None, True, ["cup"], {"is": "cup"}])
def test_words_are_text_and_no_longer_than_asked(value: object) -> None:
    reply = read_reply(said(answer("held", value)), [HELD], seal=SEAL)
    assert not reply.answers
    assert reply.problem == "it has an answer that is not allowed to held"
