"""Which end of an agent is whose failing."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cutscore.core.errors import SubjectFailed, Unscored
from cutscore.core.trajectory import Step
from cutscore.environments.sandbox.box import BoxRun
from cutscore.models.endpoint.server import EndpointCall
from cutscore.subjects.harness.adapter import AgentJob, AgentLog
from cutscore.subjects.harness.endings import conclude, is_cut_off, quote, tell_refusal

JOB = AgentJob("Do it.", "m", turn_limit=2, time_limit_s=60)
ANSWERED = EndpointCall(1, 0.0, "chat", "main", "m", ("bash",), status=200)
DONE = AgentLog("done", steps=(Step(n=1, said="It is done."), Step(n=2, said="I helped.", parent=1)))


def _run(code: int | None = 0, ended: Any = "exited", stderr: Path = Path("/dev/null")) -> BoxRun:
    return BoxRun(ended, code, 1.0, 1, (stderr, stderr))


def _failed(status: int, error: str = "") -> EndpointCall:
    return EndpointCall(2, 1.0, "chat", "main", "m", ("bash",), status=status, error=error)


def test_an_agent_that_says_it_is_done_hands_over_its_last_words() -> None:
    assert conclude("a", _run(), DONE, [ANSWERED], JOB).text == "It is done."
    assert conclude("a", _run(1), DONE, [ANSWERED], JOB).text == "It is done.", "its log comes before its exit code"
    assert conclude("a", _run(None, "time"), DONE, [ANSWERED], JOB).text == "It is done.", "and before the clock"
    assert not conclude("a", _run(), AgentLog("unknown"), [ANSWERED], JOB).failure
    assert conclude("a", replace(_run(), memory_kills=3), DONE, [ANSWERED], JOB).text, "it got over a greedy child"


@pytest.mark.parametrize(
    ("run", "log", "calls", "text", "failure_class"),
    [
        (_run(1), AgentLog("error"), [ANSWERED, _failed(400, "the turn limit of 2 is reached")],
         "agent 'a': was ended by its limit of 2 turns", "limit"),
        (_run(), AgentLog("cap"), [ANSWERED], "agent 'a': was ended by its limit of 2 turns", "limit"),
        (_run(None, "time"), AgentLog("unknown"), [ANSWERED], "agent 'a': was ended by its limit of 60 s", "limit"),
        (_run(None, "memory"), AgentLog("unknown"), [], "agent 'a': used more memory than its box has", "limit"),
        (_run(None, "memory"), DONE, [ANSWERED], "agent 'a': used more memory than its box has", "limit"),
        (replace(_run(1), memory_kills=1), AgentLog("unknown"), [ANSWERED],
         "agent 'a': used more memory than its box has", "limit"),
        (_run(None, "disk"), AgentLog("error"), [ANSWERED], "agent 'a': used more disk than its box has", "limit"),
        (_run(), AgentLog("refused", error="No."), [ANSWERED], "agent 'a': was refused: No.", "refused"),
        (_run(1), AgentLog("error", error="no such tool"), [ANSWERED], "agent 'a': failed: no such tool", "crash"),
        (_run(137), AgentLog("unknown"), [ANSWERED], "agent 'a': was killed by signal 9", "crash"),
        (_run(None, "signal"), AgentLog("unknown"), [ANSWERED], "agent 'a': its box was killed", "crash"),
        (_run(3), AgentLog("unknown"), [ANSWERED], "agent 'a': ended with code 3", "exit_code"),
        (_run(1), AgentLog("error", error="400"), [ANSWERED, _failed(400)], "agent 'a': failed: 400", "crash"),
    ],
)  # fmt: skip
def test_failures_of_the_agents_own(
    run: BoxRun, log: AgentLog, calls: list[EndpointCall], text: str, failure_class: str
) -> None:
    with pytest.raises(SubjectFailed) as failed:
        conclude("a", run, log, calls, JOB)
    assert (str(failed.value), failed.value.failure_class) == (text, failure_class)


@pytest.mark.parametrize("status", [401, 403, 429, 500, 503])
def test_a_provider_at_fault_leaves_the_sample_unscored(status: int) -> None:
    with pytest.raises(Unscored, match=f"answered HTTP {status}: no; run the same command again"):
        conclude("a", _run(1), AgentLog("error", error="it said no"), [ANSWERED, _failed(status, "no")], JOB)


def test_an_agent_that_never_asked_is_our_failing(tmp_path: Path) -> None:
    (tmp_path / "stderr.txt").write_text("cannot find\nits own files\n")
    with pytest.raises(Unscored, match="ended with code 127 and never asked its model: cannot find its own files"):
        conclude("a", _run(127, stderr=tmp_path / "stderr.txt"), AgentLog("unknown"), [], JOB)


def test_a_quote_has_no_ids_and_an_end() -> None:
    assert quote("thread 01a1e47a-2aa7-7600-bd3c-db5ef52d50a1 of ses_e1b83f631ffeVqgETgJ51NJnMQ broke") == (
        "thread … of … broke"
    )
    assert quote("the responsibilities of internationalization") == "the responsibilities of internationalization"
    assert len(quote("word " * 1000)) == 300


def test_a_refusal_of_the_main_agents_last_request_ends_it_whatever_it_says() -> None:
    refusal = SubjectFailed("model 'm'", "the model refused to answer", failure_class="refused")
    log = tell_refusal(DONE, refusal, [ANSWERED])
    with pytest.raises(SubjectFailed, match="agent 'a': was refused: the model refused to answer"):
        conclude("a", _run(), log, [ANSWERED], JOB)
    assert tell_refusal(DONE, None, [ANSWERED]) is DONE
    assert tell_refusal(DONE, refusal, [replace(ANSWERED, by="helper")]) is DONE, "a title that was refused"
    assert tell_refusal(DONE, SubjectFailed("m", "no room", failure_class="limit"), [ANSWERED]) is DONE


def test_who_was_cut_off() -> None:
    assert is_cut_off(None)
    assert is_cut_off(_run(137))
    assert is_cut_off(_run(None, "time"))
    assert not is_cut_off(_run(1))
