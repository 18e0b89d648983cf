"""Many questions about plain files side by side: kept in their order, paid once, also after a kill."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest

from cutscore.core.errors import BadInput, BudgetReached
from cutscore.core.judgement import JudgeSpec, Question
from cutscore.ledger.call_book import read_spending
from cutscore.scoring.judges.call_folder import open_call_folder, unfinished_calls
from cutscore.scoring.judges.files import FileCase, open_file_judge
from cutscore.scoring.judges.many import CaseAnswer, ask_cases, ask_many
from cutscore.scoring.judges.text_model import open_text_model

SEALED = r'{"seal": "\g<seal>", "addressed": false, "answers": [{"id": "q", "because": "Seen.", "answer": "ANSWER"}]}'


@pytest.fixture
def scripted(tmp_path: Path) -> str:
    """A model that says yes where the question has an even number in it, and takes 10 ms for a call."""
    rules = [
        {"when": r"(?s)number \d*[02468]\b.*seal (?P<seal>[0-9a-f]{8})", "say": SEALED.replace("ANSWER", "yes")},
        {"when": "seal (?P<seal>[0-9a-f]{8})", "say": SEALED.replace("ANSWER", "no")},
    ]
    (tmp_path / "judge.json").write_text(json.dumps({"rules": rules, "latency_s": 0.01}), encoding="utf-8")
    return f"scripted/{tmp_path / 'judge.json'}"


def cases(count: int) -> list[FileCase]:
    return [
        FileCase(
            [Question(id="q", kind="yes_no", text=f"Is the note about number {number}?")], facts={"note": "A note."}
        )
        for number in range(count)
    ]


def journaled(folder: Path) -> list[dict[str, Any]]:
    lines = (folder / "journal.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def sent_calls(folder: Path) -> int:
    return (folder / "ledger.jsonl").read_bytes().count(b'"state":"sent"')


def test_answers_come_in_the_order_of_the_cases_and_are_paid_once(scripted: str, tmp_path: Path) -> None:
    kept, heard = tmp_path / "asked", list[CaseAnswer]()

    async def ask() -> list[CaseAnswer]:
        with open_file_judge(scripted, folder=kept) as judge:
            return await ask_cases(judge, cases(12), concurrency=4, on_answer=heard.append)

    made = anyio.run(ask)
    assert [each.judgements[0].answer for each in made] == ["yes", "no"] * 6
    assert [each.case for each in made] == cases(12)
    assert len(heard) == 12
    assert read_spending(kept / "ledger.jsonl").answered == len(journaled(kept)) == 12
    again = anyio.run(lambda: ask_many(scripted, cases(14), folder=kept))
    assert [each.judgements for each in again[:12]] == [each.judgements for each in made]
    assert read_spending(kept / "ledger.jsonl").answered == 14, "only the two new ones were asked"


@pytest.mark.parametrize(("concurrency", "at_once"), [(1, 1), (5, 5)])
def test_so_many_wait_at_one_time(tmp_path: Path, concurrency: int, at_once: int) -> None:
    """The ledger has a line when a call is sent and one when it ends, so it shows how many were under way."""
    script = {"rules": [{"when": "seal (?P<seal>[0-9a-f]{8})", "say": SEALED}], "latency_s": 0.2}
    (tmp_path / "slow.json").write_text(json.dumps(script).replace("ANSWER", "yes"), encoding="utf-8")
    judge, kept = f"scripted/{tmp_path / 'slow.json'}", tmp_path / "asked"
    anyio.run(lambda: ask_many(judge, cases(5), folder=kept, concurrency=concurrency))
    states = [json.loads(line)["state"] for line in (kept / "ledger.jsonl").read_text(encoding="utf-8").splitlines()]
    under_way = [states[:end].count("sent") - states[:end].count("done") for end in range(len(states) + 1)]
    assert max(under_way) == at_once


def test_two_prompts_and_a_plain_model_share_one_purse(
    scripted: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each call costs $100: six of three kinds, and the seventh is refused with what was asked before kept."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cutscore.toml").write_text(f'[prices."{scripted}"]\nper_call_usd = 100\n', encoding="utf-8")
    (tmp_path / "other.md").write_text("Judge strictly.", encoding="utf-8")

    async def ask() -> None:
        with open_call_folder(tmp_path / "asked", cost_limit_usd=600) as calls:
            for prompts in ({}, {"judge": tmp_path / "other.md"}):
                with open_file_judge(JudgeSpec(scripted, prompts=prompts), folder=calls) as judge:
                    await ask_cases(judge, cases(2))
            writer = open_text_model(scripted, "writer", calls)
            said = [await writer.reply("You write.", "seal 0123abcd", turn=turn) for turn in (1, 2, 1)]
            assert [json.loads(each.text)["seal"] for each in said] == ["0123abcd"] * 3
            with open_file_judge(scripted, folder=calls) as judge:
                assert len(await ask_cases(judge, cases(2))) == 2, "replayed for nothing, though the money is spent"
                with pytest.raises(BudgetReached, match=r"spent \$600.00 of \$600.00"):
                    await ask_cases(judge, cases(9))

    anyio.run(ask)
    lines = journaled(tmp_path / "asked")
    assert [line.get("role", "judge") for line in lines] == ["judge"] * 4 + ["writer"] * 2
    assert float(read_spending(tmp_path / "asked" / "ledger.jsonl").usd) == 600


def test_a_wrong_case_ends_it_and_what_was_answered_is_kept(scripted: str, tmp_path: Path) -> None:
    broken = [*cases(3), FileCase(cases(1)[0].questions, files=["nowhere.mp4"]), *cases(9)[3:]]
    with pytest.raises(BadInput, match=r"file 'nowhere.mp4': is not there"):
        anyio.run(lambda: ask_many(scripted, broken, folder=tmp_path / "asked", concurrency=1))
    assert len(journaled(tmp_path / "asked")) == 3


def test_a_price_that_nobody_knows_is_told_before_anybody_is_asked(scripted: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="has no known price, so --cost-limit cannot be kept"):
        anyio.run(lambda: ask_many(scripted, cases(3), folder=tmp_path / "asked", cost_limit_usd=1.0))
    assert not (tmp_path / "asked" / "ledger.jsonl").exists()


def test_nothing_to_ask_is_no_error(scripted: str) -> None:
    assert anyio.run(lambda: ask_many(scripted, [])) == []


KILLED = """
import sys
import anyio
from cutscore.core.judgement import Question
from cutscore.scoring.judges.files import FileCase, open_file_judge
from cutscore.scoring.judges.many import ask_cases

cases = [
    FileCase([Question(id="q", kind="yes_no", text=f"Is the note about number {number}?")], facts={"note": "A note."})
    for number in range(60)
]

async def ask():
    with open_file_judge(sys.argv[1], folder=sys.argv[2]) as judge:
        await ask_cases(judge, cases, concurrency=4, on_answer=lambda answer: print("answered", flush=True))

anyio.run(ask)
"""


def test_after_a_kill_no_completed_call_is_paid_again(scripted: str, tmp_path: Path) -> None:
    kept, after = tmp_path / "asked", 13
    command = [sys.executable, "-c", KILLED, scripted, str(kept)]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        heard = [child.stdout.readline() for _ in range(after)]
        child.kill()
    assert heard == [b"answered\n"] * after
    done = (kept / "journal.jsonl").read_bytes().count(b"\n")
    replies = (kept / "journal.raw.jsonl").read_bytes().count(b"\n")
    assert after <= done <= replies < 60
    sent, in_flight = sent_calls(kept), unfinished_calls(kept)
    assert len(in_flight) <= 4
    assert {origin.role for origin in in_flight.values()} <= {"judge"}

    made = anyio.run(lambda: ask_many(scripted, cases(60), folder=kept, concurrency=4))
    assert [each.judgements[0].answer for each in made] == ["yes", "no"] * 30
    keys = [line["key"] for line in journaled(kept)]
    assert len(keys) == len(set(keys)) == 60
    assert sent_calls(kept) == sent + 60 - replies, "only what had not come back was sent again"
