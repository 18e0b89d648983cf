"""The recorder of steps: numbered, timed, bounded, and never in the subject's way."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from cutscore.core import step_recorder as module
from cutscore.core.files import FileRef
from cutscore.core.step_recorder import FIRST_STEPS, LAST_STEPS, MOST_CHARS, MOST_MEDIA, StepRecorder
from cutscore.core.trajectory import Action, Step, Trajectory
from cutscore.core.usage import Usage

SHOT = FileRef(name="shot.jpg", sha256="0" * 64, size_bytes=9)


def ticking(*at_s: float) -> StepRecorder:
    """A recorder whose clock shows these times, the first when it is made."""
    times: Iterator[float] = iter(at_s)
    return StepRecorder(clock=lambda: next(times))


def kept(steps: StepRecorder) -> tuple[Step, ...]:
    trajectory = steps.trajectory()
    assert trajectory is not None
    return trajectory.steps


def test_steps_are_numbered_and_timed_from_the_beginning_of_the_work() -> None:
    steps = ticking(100.0, 100.5, 102.25)
    look = Action(tool="look", arguments={"clip": "a.mp4"})
    assert steps.add("I look.", did=look, saw="red", media=(SHOT,)) == 1
    assert steps.add(error="no such clip", did=[look, look], usage=Usage(output=3), by="model", parent=1) == 2
    assert kept(steps) == (
        Step(n=1, by="tool", at_s=0.5, said="I look.", did=(look,), saw="red", media=(SHOT,)),
        Step(n=2, by="model", at_s=2.25, did=(look, look), error="no such clip", usage=Usage(output=3), parent=1),
    )


def test_who_says_nothing_leaves_nothing() -> None:
    assert StepRecorder().trajectory() is None


def test_what_was_given_is_not_changed_by_a_thread_that_goes_on() -> None:
    steps = StepRecorder()
    steps.add("in time")
    given = steps.trajectory()
    steps.add("too late")
    assert given == Trajectory(steps=kept(steps)[:1])


def test_a_run_away_recorder_keeps_the_beginning_and_the_end_and_says_what_is_missing() -> None:
    steps, lost = StepRecorder(), 7
    for number in range(1, FIRST_STEPS + LAST_STEPS + lost + 1):
        steps.add(str(number))
    *first, note = kept(steps)[: FIRST_STEPS + 1]
    last = kept(steps)[FIRST_STEPS + 1 :]
    assert [step.said for step in first] == [str(step.n) for step in first]
    assert (note.n, note.by) == (FIRST_STEPS + 1, "environment")
    assert note.said == "7 steps were not kept: a record holds 5,000 steps or 8,000,000 bytes, and the last 50"
    assert [step.n for step in last] == list(range(FIRST_STEPS + lost + 1, FIRST_STEPS + lost + LAST_STEPS + 1))


def test_megabytes_of_text_are_bounded_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FIRST_BYTES", 1000)
    steps = StepRecorder()
    for _ in range(100):
        steps.add("x" * 90)
    steps.add("x")  # it would fit into the beginning, which is closed
    data = b"".join(step.model_dump_json().encode() for step in kept(steps))
    assert len(kept(steps)) < 9 + 1 + LAST_STEPS
    assert kept(steps)[-1].n == 101
    assert [step.n for step in kept(steps)] == sorted(step.n for step in kept(steps))
    assert "steps were not kept" in next(step.said for step in kept(steps) if step.by == "environment")
    assert len(data) < 1000 + 400 * LAST_STEPS


def test_each_step_is_bounded_and_says_so() -> None:
    long, steps = "x" * (MOST_CHARS + 1234), StepRecorder()
    calls = [Action(tool="write", arguments={"text": long}), Action(tool="again")]
    steps.add(long, did=calls, saw=long, error=long, media=[SHOT] * (MOST_MEDIA + 3))
    (step,) = kept(steps)
    assert step.said == step.error == "x" * MOST_CHARS + "… (1,234 more characters were not kept)"
    assert step.saw == f"{step.said}\n3 more files were not kept"
    assert len(step.media) == MOST_MEDIA
    (call,) = step.did
    assert call.tool == "write"
    assert str(call.arguments["all"]).startswith('{"tool":"write","arguments":{"text":"xxx')
    assert len(step.model_dump_json()) < 5 * MOST_CHARS


def test_secrets_are_taken_out_before_a_text_is_cut() -> None:
    steps = StepRecorder(clean=lambda text: text.replace("secret", "[gone]"))
    text = "x" * (MOST_CHARS - 3) + "secret"
    steps.add(text, did=Action(tool="say", arguments={"text": text}))
    assert "sec" not in kept(steps)[0].model_dump_json()


def test_several_threads_may_add() -> None:
    steps = StepRecorder()
    with ThreadPoolExecutor(8) as pool:
        numbers = list(pool.map(lambda number: steps.add(str(number)), range(400)))
    assert sorted(numbers) == [step.n for step in kept(steps)] == list(range(1, 401))


def test_half_a_character_does_not_keep_a_record_from_being_written() -> None:
    steps = StepRecorder()
    steps.add(saw="\ud83d half of an emoji")
    assert Trajectory.from_jsonl(Trajectory(steps=kept(steps)).to_jsonl().splitlines()).steps == kept(steps)


def test_a_step_of_a_log_keeps_its_own_time_or_none() -> None:
    steps = ticking(100.0, 101.0)
    steps.add("mine")
    first = steps.add_logged(Step(n=7, by="model", said="s" * (MOST_CHARS + 1), at_s=0.25, media=(SHOT,)))
    steps.add_logged(Step(n=8, by="tool", saw="theirs"), parent=first)
    assert [(step.n, step.at_s, step.parent) for step in kept(steps)] == [(1, 1.0, None), (2, 0.25, None), (3, None, 2)]
    assert kept(steps)[1].said.endswith("(1 more characters were not kept)")
    assert kept(steps)[1].media == (SHOT,)
