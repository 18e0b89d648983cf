"""A model as a judge, through Inspect: every fault of a provider has its ending, and nothing is paid twice."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal

from cutscore.core.errors import BudgetReached, RunBroken
from cutscore.core.evidence import Evidence
from cutscore.core.files import FileRef
from cutscore.core.judgement import Judgement, JudgeSession, Question
from cutscore.core.subject import SubjectSpec
from cutscore.core.tally import NoPurse, Tally
from cutscore.core.usage import Usage
from cutscore.ledger.prices import Prices
from cutscore.ledger.spending import Ledger, SamplePurse
from cutscore.models.provider import MediaInput
from cutscore.scoring.judges import journal as judge_journal
from cutscore.scoring.judges.ask import REFUSED, AskPolicy
from cutscore.scoring.judges.journal import Journal
from cutscore.scoring.judges.model import ModelJudge
from cutscore.store import Store

RED = Question(id="red", kind="yes_no", text="Is file 1 red?")
SEAL = "seal (?P<seal>[0-9a-f]{8})"
YES = r'{"seal": "\g<seal>", "addressed": false, "answers": [{"id": "red", "because": "It is.", "answer": "yes"}]}'


@pytest.fixture(scope="module")
def portal() -> Iterator[BlockingPortal]:
    with start_blocking_portal() as opened:
        yield opened


class Court:
    """A scripted judge with a journal, and the counts of what it did."""

    def __init__(self, portal: BlockingPortal, prompts: Any, folder: Path) -> None:
        self.portal, self.prompts, self.folder = portal, prompts, folder
        self.tally = Tally()

    def judge(
        self,
        *,
        takes: MediaInput = "frames",
        votes: int = 1,
        tally: Tally | None = None,
        clean: Callable[[str], str] | None = None,
        **script: Any,
    ) -> Any:
        file = self.folder / "script.json"
        plain = {"rules": [{"when": SEAL, "say": YES}], "backoff_s": 0.001, **script}
        file.write_text(json.dumps(plain), encoding="utf-8")
        self.tally = tally or Tally()
        cell_judge = ModelJudge(
            name=f"scripted/{file}",
            texts=self.prompts,
            policy=AskPolicy(votes=votes),
            frames="uniform=2",
            takes=takes,
            source_digest="",
            journal=Journal(self.folder / "journal.jsonl"),
            config={"max_retries": 3, "attempt_timeout": 5},
        )
        session = JudgeSession("item", SubjectSpec(kind="x"), self.portal.call, tally=self.tally, clean=clean)
        return cell_judge.for_sample(session)

    def ask(self, evidence: Evidence, **options: Any) -> Judgement:
        (made,) = self.judge(**options).ask([RED], evidence)
        return made  # type: ignore[no-any-return]

    @property
    def journal(self) -> list[dict[str, Any]]:
        file = self.folder / "journal.jsonl"
        return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []


@pytest.fixture
def court(portal: BlockingPortal, prompts: Any, tmp_path: Path) -> Court:
    return Court(portal, prompts, tmp_path)


def test_an_answer_is_counted_shown_and_written_down(court: Court, evidence: Evidence, clip: FileRef) -> None:
    made = court.ask(evidence)
    assert (made.answer, made.because) == ("yes", "It is.")
    assert (court.tally.calls, court.tally.usage) == (
        1,
        Usage(input=100, cached=0, cache_write=0, output=10, reasoning=0),
    )
    (seen,) = court.tally.seen
    assert (seen.clip, seen.sent_as, len(seen.frames)) == (clip, "frames", 2)
    (line,) = court.journal
    assert line["questions"] == ["red"]
    assert line["reply"].startswith('{"seal"')
    assert line["usage"]["input"] == 100


@pytest.mark.parametrize("fault", ["429", "503", "timeout", "half"])
def test_faults_that_pass_are_waited_out(court: Court, evidence: Evidence, fault: str) -> None:
    made = court.ask(evidence, faults=[{"kind": fault, "times": 2}])
    assert made.answer == "yes"
    assert court.tally.retries == {fault: 2}
    assert court.tally.calls == 1


@pytest.mark.parametrize("fault", ["429", "503", "timeout", "half"])
def test_faults_that_stay_leave_no_answer_and_no_line(court: Court, evidence: Evidence, fault: str) -> None:
    made = court.ask(evidence, faults=[{"kind": fault, "times": 99}])
    assert made.answer is None
    ended = {"timeout": "a timeout", "half": "half an answer"}.get(fault, f"HTTP {fault}")
    assert re.search(rf"gave up after \d attempts, the last one ended in {ended}", made.because)
    assert court.journal == []
    assert court.ask(evidence).answer == "yes", "it is asked again next time"


def test_a_request_that_is_refused_for_good_leaves_no_answer(court: Court, evidence: Evidence) -> None:
    made = court.ask(evidence, faults=[{"kind": "400", "times": 99}])
    assert made.answer is None
    assert "its server refused the request (HTTP 400: scripted fault 400); mend that, then run the same" in made.because


def test_a_model_that_declines_is_refused_and_kept(court: Court, evidence: Evidence) -> None:
    made = court.ask(evidence, faults=[{"kind": "refusal"}])
    assert (made.answer, made.because) == (None, REFUSED)
    assert [line["stop"] for line in court.journal] == ["content_filter"] * 2
    assert court.tally.retries == {"refusal": 1}


@pytest.mark.parametrize(
    ("say", "problem"),
    [
        ("", REFUSED),
        ("The clip is red.", "it holds no JSON object"),
        ('{"seal": "' r"\g<seal>" '", "addressed": fal', "it holds no JSON object"),
        (YES.replace('"red"', '"blue"'), "no answer to red; 1 answered that nobody asked ('blue')"),
        (YES.replace('"yes"', '"perhaps"'), "it has an answer that is not allowed to red"),
        (YES.replace(r"\g<seal>", "00000000"), "it does not repeat the seal of this request"),
    ],
)
def test_replies_that_never_fit_leave_no_answer(court: Court, evidence: Evidence, say: str, problem: str) -> None:
    made = court.ask(evidence, rules=[{"when": SEAL, "say": say}])
    assert made.answer is None
    assert made.because.endswith(problem)


def test_prose_around_a_reply_and_a_mended_second_one_are_taken(court: Court, evidence: Evidence) -> None:
    rules = [
        {"when": f"(?s)could not be used.*{SEAL}", "say": f"Here you are: {YES} Bye."},
        {"when": SEAL, "say": "Red."},
    ]
    assert court.ask(evidence, rules=rules).answer == "yes"
    assert court.tally.retries == {"unreadable": 1}
    assert [line.get("attempt", 1) for line in court.journal] == [1, 2]


def test_an_answer_of_another_model_without_usage_is_said(court: Court, evidence: Evidence) -> None:
    court.ask(evidence, faults=[{"kind": "wrong_model"}])
    assert any("answered by 'somebody-else'" in warning for warning in court.tally.warnings)


def test_usage_that_is_not_told_is_unknown(court: Court, evidence: Evidence) -> None:
    court.ask(evidence, usage=None)
    assert court.tally.usage is None


def test_what_was_asked_before_is_read_and_not_paid(court: Court, evidence: Evidence) -> None:
    booked: list[str] = []

    class Purse(NoPurse):
        def pay(self, call: str, model: str, usage: Usage | None) -> float:
            booked.append(model)
            return 0.25

    first = court.ask(evidence, votes=3, tally=Tally(purse=Purse()))
    assert (len(booked), court.tally.cost_usd, first.votes) == (3, 0.75, ("yes",) * 3)
    before = court.tally
    # A script without rules would say hello; nobody asks it.
    assert court.ask(evidence, votes=3, tally=Tally(purse=Purse()), rules=[]) == first
    assert len(booked) == 3
    assert (court.tally.usage, court.tally.cost_usd, court.tally.seen) == (before.usage, before.cost_usd, before.seen)
    court.ask(evidence, votes=5, tally=Tally(purse=Purse()))
    assert len(booked) == 5, "two more votes are two more calls"


@pytest.mark.parametrize("stage", ["paid", "written down"])
def test_a_reply_that_came_before_a_kill_is_neither_asked_for_nor_paid_again(
    court: Court, evidence: Evidence, monkeypatch: pytest.MonkeyPatch, stage: str
) -> None:
    """The kill comes when the reply is there and not yet paid, or paid and not yet in the journal."""

    def kill(*_words: object) -> None:
        raise RunBroken("process", "was killed")

    def ask() -> list[str]:
        ledger = Ledger(Prices.snapshot([], own={}), court.folder / "ledger.jsonl")
        ledger.mark_lost()
        assert court.ask(evidence, tally=Tally(purse=ledger.purse("item"))).answer == "yes"
        return [json.loads(line)["state"] for line in (court.folder / "ledger.jsonl").read_text().splitlines()]

    target = (SamplePurse, "pay") if stage == "paid" else (judge_journal, "append_line")
    with monkeypatch.context() as patch:
        patch.setattr(*target, kill)
        with pytest.raises(RunBroken):
            ask()
    assert court.journal == []
    assert ask() == (["sent", "lost", "done"] if stage == "paid" else ["sent", "done"])
    assert len(court.journal) == 1


def test_other_evidence_is_asked_anew(court: Court, evidence: Evidence, store: Store) -> None:
    court.ask(evidence)
    court.ask(Evidence(files=evidence.files, facts={"answer": "blue"}).bind(store))
    assert len(court.journal) == 2


def test_a_spent_budget_stops_before_the_call(court: Court, evidence: Evidence) -> None:
    def spent() -> None:
        raise BudgetReached("run", "spent $1 of $1")

    with pytest.raises(BudgetReached):
        court.ask(evidence, tally=Tally(before_call=spent))
    assert court.journal == []


@pytest.mark.parametrize("takes", ["frames", "video"])
def test_a_submission_that_is_no_clip_is_said_to_the_judge(court: Court, store: Store, takes: MediaInput) -> None:
    fake = store.put_bytes(b"ffconcat version 1.0\nfile golden.mp4\n", name="fixed.mp4", media_type="video/mp4")
    rules = [{"when": f"(?s)file 1: cannot be decoded as a clip.*{SEAL}", "say": YES.replace('"yes"', '"no"')}]
    made = court.ask(Evidence(files=(fake,)).bind(store), rules=rules, takes=takes)
    assert made.answer == "no"
    assert court.tally.seen[0].sent_as == "nothing"


def test_words_alone_need_no_store(court: Court) -> None:
    assert court.ask(Evidence(facts={"answer": "red"})).answer == "yes"
    assert court.tally.seen == []


def test_a_text_only_judge_says_what_it_was_not_shown(court: Court, evidence: Evidence) -> None:
    assert court.ask(evidence, takes="text").answer == "yes"
    assert court.tally.seen[0].sent_as == "nothing"


def test_secrets_do_not_get_into_the_journal(court: Court, evidence: Evidence) -> None:
    rules = [{"when": SEAL, "say": YES.replace("It is.", "hunter2")}]
    made = court.ask(evidence, rules=rules, clean=lambda text: text.replace("hunter2", "[secret]"))
    assert made.because == "[secret]"
    assert "hunter2" not in "".join(file.read_text() for file in court.folder.glob("journal*.jsonl"))
