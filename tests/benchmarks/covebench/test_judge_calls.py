"""covebench: the very requests that leave for a model, what is in them, and what is made of its replies."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cutscore.benchmarks.covebench.checklist import Checklist, ChecklistQuestion
from cutscore.benchmarks.covebench.dataset import EDITED, EditTask, items
from cutscore.benchmarks.covebench.mark import ask_checklist
from cutscore.bridge.rows import read_rows
from cutscore.core.evidence import Evidence
from cutscore.core.frozen import canonical_json
from cutscore.core.judge_view import WHOLE_VIEW, JudgeView
from cutscore.core.judgement import Judgement, SampleJudge
from cutscore.media import frame_cache, frames
from cutscore.registry import benchmark
from cutscore.scoring.judges.ask import Interviewer, RawReply
from cutscore.scoring.judges.request import JudgeRequest, chat_messages, load_judge_prompts, prompts_of_view
from cutscore.store import Store

TERMS = {"model": "m/x", "made_of": "", "frames": "fps=2,max=32", "takes": "frames"}


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store")


@pytest.fixture
def item(store: Store) -> EditTask:
    return items(store)[0]


def requests_for(item: EditTask, store: Store, *, everywhere: bool = True) -> list[JudgeRequest]:
    """Ask the checklist about the source as it is, and give every request in place of sending it."""
    assert item.source is not None
    evidence = Evidence(files=(item.source.model_copy(update={"name": EDITED}),)).bind(store)
    prompts = load_judge_prompts(benchmark("covebench").folder / "prompts", benchmark="covebench", flags={}, config={})
    made: list[JudgeRequest] = []

    def send(request: JudgeRequest, attempt: object) -> RawReply:
        made.append(request)
        return RawReply(fault="nobody answers")

    def ask(questions: Any, evidence: Evidence, *, view: JudgeView = WHOLE_VIEW) -> list[Judgement]:
        return Interviewer("m/x", send, prompts_of_view(prompts, view), TERMS, view=view).ask(questions, evidence)

    ask_checklist(SampleJudge("m/x", ask), evidence, item, everywhere=everywhere)
    return made


def bytes_of(requests: list[JudgeRequest]) -> bytes:
    """All that leaves: every message of every call."""
    return canonical_json(
        [[each.model_dump(mode="json", exclude={"id"}) for each in chat_messages(one)] for one in requests]
    )


def permute_labels(checklist: Checklist, seed: int) -> Checklist:
    """Give groups other names and types, and questions other dimensions, difficulties and expected answers."""
    draw, plain = random.Random(seed), checklist.model_dump(mode="json")
    for point in plain["points"]:
        point["target"], point["about"] = f"group {draw.random()}", f"about {draw.random()}"
        point["categories"] = [{"level_1": "Style", "level_2": f"type {draw.random()}"}]
        for each in point["questions"]:
            each["dimension"] = draw.choice(["Execution Accuracy", "Physical Logic", "Semantic Preservation", ""])
            each["difficulty"] = draw.choice(["Easy", "Medium", "Hard"])
            each["expected"] = draw.choice(["A", "B"] if each["format"] == "AB-MCQ" else ["Yes", "No"])
    return Checklist.model_validate(plain)


def test_one_call_a_format_with_its_own_questions_and_videos(item: EditTask, store: Store) -> None:
    calls = requests_for(item, store)
    shown = [[(each.name, "video" if each.media else each.text) for each in call.shown] for call in calls]
    b, a, told = ("Video B", "video"), ("Video A", "video"), ("editing instruction", item.instruction)
    assert shown == [[b, told], [b, told], [a, b, told], [a, b, told]]
    by_format = [[q.id for q in item.checklist.questions if q.format == form] for form in
                 ("AB-MCQ", "Single-TF", "Dual-TF", "Score-MCQ")]  # fmt: skip
    assert [[each.id for each in call.questions] for call in calls] == by_format
    first = next(each for each in item.checklist.questions if each.format == "AB-MCQ")
    assert f"A: {first.options['A']} B: {first.options['B']}" in calls[0].system
    assert '"A and B"' in calls[0].system
    assert "It is the same." in calls[3].system, "the points of the scale are explained"


def test_the_papers_protocol_tells_the_instruction_with_scores_alone(item: EditTask, store: Store) -> None:
    told = [item.instruction in str(chat_messages(call)) for call in requests_for(item, store, everywhere=False)]
    assert told == [False, False, False, True]


@pytest.mark.parametrize("seed", range(5))
def test_permuted_labels_leave_the_same_bytes(item: EditTask, store: Store, seed: int) -> None:
    other = item.model_copy(update={"checklist": permute_labels(item.checklist, seed), "groups": {"x": "y"}})
    one, two = requests_for(item, store), requests_for(other, store)
    assert bytes_of(one) == bytes_of(two)
    assert [call.key for call in one] == [call.key for call in two]


def test_another_question_makes_another_call(item: EditTask, store: Store) -> None:
    plain = item.checklist.model_dump(mode="json")
    plain["points"][0]["questions"][0]["text"] += " Look well."
    other = item.model_copy(update={"checklist": Checklist.model_validate(plain)})
    same = [one.key == two.key for one, two in zip(requests_for(item, store), requests_for(other, store), strict=True)]
    assert same == [False, True, True, True]


def test_the_prompts_say_the_rules_of_the_paper(item: EditTask, store: Store) -> None:
    ab, single, dual, score = (call.system for call in requests_for(item, store))
    assert "a blur, an outline" in ab
    assert "be lenient with small" in single
    assert all("Every question has to be answered" in each for each in (ab, single, dual))
    assert score.index("Decide first which of four cases") < score.index("1–2, lost")
    assert "is no fault" in score


def _right_but_one(question: ChecklistQuestion) -> str | int:
    if question.format == "Score-MCQ":
        return 1
    answer = "A and B" if question.id == "Q1" else question.expected
    return answer if question.format == "AB-MCQ" else answer.lower()


@pytest.fixture
def judge_script(item: EditTask, script: Callable[..., str]) -> str:
    """A scripted judge that is right but for `A and B` to the first question, and gives 1 to all that is to stay."""
    first_words = {
        "AB-MCQ": "which of two descriptions fits it",
        "Single-TF": "answer questions about it with yes or no",
        "Dual-TF": "answer questions that compare them",
        "Score-MCQ": "Score from 1 to 10 how well",
    }
    rules = []
    for form, words in first_words.items():
        asked = [each for each in item.checklist.questions if each.format == form]
        answers = [{"id": each.id, "because": "I looked.", "answer": _right_but_one(each)} for each in asked]
        reply = json.dumps({"seal": "SEAL", "addressed": False, "answers": answers})
        when = f"(?s){words}.*seal (?P<seal>[0-9a-f]{{8}})"
        rules.append({"when": when, "say": reply.replace("SEAL", r"\g<seal>")})
    return script("judge", rules=rules, backoff_s=0.001)


@pytest.mark.real
def test_frames_are_decoded_and_encoded_once_for_all_calls_and_votes(
    cli: Any, judge_script: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    decoded: list[str] = []
    encoded: list[int] = []
    read, encode = frame_cache.read_cached_frames, frames.encode_jpeg

    def count_reads(path: Path, *args: Any, **more: Any) -> Any:
        decoded.append(str(path))
        return read(path, *args, **more)

    def count_encodes(pixels: Any) -> bytes:
        encoded.append(len(pixels))
        return encode(pixels)

    monkeypatch.setattr(frame_cache, "read_cached_frames", count_reads)
    monkeypatch.setattr(frames, "encode_jpeg", count_encodes)
    words = ("run", "covebench", "--subject", "oracle", "--limit", 1, "--set", "metrics=none", "--log-dir", "logs")
    ran = cli(*words, "--judge", judge_script, "--votes", 3, "--set", "audits=all")
    assert ran.code == 0, ran.err
    calls = [json.loads(line) for line in Path("logs/journal.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len([each for each in calls if each.get("seen")]) == 3 * 4 * 3  # votes, formats, whole and two audits
    assert len([each for each in calls if not each.get("seen")]) == 3 * 4  # without a video
    assert len(decoded) == len(set(decoded)) == 2
    assert len(encoded) == 2 * 4  # two seconds at two frames a second, of either video
    (row,) = read_rows(Path("logs"))
    scores = row.ending.scores
    assert scores["sem@reference"] == 10
    assert scores["ifs@reference"] == pytest.approx(100 * 10 / 11), "`A and B` is read, and wrong where B is expected"
    tables = {each["id"]: each for each in cli("tables", "logs", "--json").json["benchmarks"][0]["tables"]}
    spread = [each for each in tables["stability"]["rows"] if each[3] == "spread"]
    assert [each[4:] for each in spread] == [[0, 0, 0, 0, 0]]
    assert [each[2] for each in tables["audits"]["rows"]][:4] == ["", "no video", "source as b", "no instruction"]


@pytest.mark.real
def test_how_often_a_judge_is_right_is_printed_where_a_control_sits(cli: Any) -> None:
    words = ("run", "covebench", "--subject", "null", "--limit", 1, "--set", "metrics=none")
    words += ("--judge", "constant:B,yes,8")
    ran = cli(*words, "--role", "control=stage", "--log-dir", "logs", "--all")
    assert ran.code == 0, ran.err
    assert "null judge_right by constant:B,yes,8 @reference" in ran.out
    (row,) = read_rows(Path("logs"))
    told = next(each.because for each in row.ending.findings if each.name == "judge_right")
    assert told == "6 of 19 answers are those of the control; 0 questions have none"
    told = cli(*words, "--log-dir", "other", "--all").out
    assert "judge_right" not in told, "a score that no sample has is not printed"
