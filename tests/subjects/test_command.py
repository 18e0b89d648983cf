"""A program as a subject: real programs, their files, their failures, and a worker that stays."""

import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from cutscore.core.ask import Ask, AskPart, RequestedFile
from cutscore.core.deliverable import Deliverable
from cutscore.core.errors import BadInput, SubjectFailed
from cutscore.core.subject import WorkContext
from cutscore.media.render import write_clip
from cutscore.store import Store
from cutscore.subjects.command import fill, open_command, plain_environment

PYTHON = f"'{sys.executable}' -c"
COPY = "import sys,shutil; shutil.copy(sys.argv[1], sys.argv[2]); print(sys.argv[3], file=sys.stderr)"
SPITEFUL = "Make it blue; rm -rf {output} $HOME"
FAIL = "import sys; print('no GPU here', file=sys.stderr); sys.exit(5)"
WORKER = """
import json, os, sys
print("loaded", file=sys.stderr, flush=True)
for line in sys.stdin:
    job = json.loads(line)
    if "die" in job["instruction"]: sys.exit(3)
    if "no" in job["instruction"]:
        print(json.dumps({"refused": "I would rather not"}), flush=True); continue
    if "babble" in job["instruction"]:
        print("done!", flush=True); continue
    open(job["output"], "w").write(f"{os.getpid()} {job['seed']}")
    print("{}", flush=True)
"""


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store")


def sample(store: Store, tmp_path: Path, instruction: str = SPITEFUL) -> tuple[Ask, WorkContext]:
    source = store.put_bytes(b"film", name="clip.mp4", media_type="video/mp4")
    ask = Ask(
        item="a",
        brief="the whole brief",
        files=(source,),
        wanted=(RequestedFile(name="edited.mp4"),),
        parts=(AskPart(role="instruction", text=instruction), AskPart(role="source", file="clip.mp4")),
    )
    folder = tmp_path / f"work-{len(list(tmp_path.iterdir()))}"
    folder.mkdir()
    return ask, WorkContext(store=store, make_workspace=lambda: folder, epoch=1, seed=7)


async def work(command: str, ask: Ask, context: WorkContext) -> Deliverable:
    return await open_command(command).work(ask, context)


@pytest.mark.anyio
async def test_a_program_gets_its_words_as_they_are_and_hands_over_what_it_wrote(store: Store, tmp_path: Path) -> None:
    ask, context = sample(store, tmp_path)
    made = await work(f'{PYTHON} "{COPY}" {{source}} {{output}} {{instruction}}', ask, context)
    assert store.path(made.files[0]).read_bytes() == b"film"
    assert made.files[0].name == "edited.mp4"
    step = context.steps.trajectory().steps[0]
    assert step.saw == SPITEFUL


@pytest.mark.anyio
async def test_an_exit_code_is_the_subjects_failure_with_its_last_words(store: Store, tmp_path: Path) -> None:
    ask, context = sample(store, tmp_path)
    with pytest.raises(SubjectFailed, match=r"exited with code 5: no GPU here") as failed:
        await work(
            f"{PYTHON} \"import sys; print('no GPU here', file=sys.stderr); sys.exit(5)\" {{output}}", ask, context
        )
    assert failed.value.failure_class == "exit_code"


@pytest.mark.anyio
async def test_a_program_that_writes_nothing_or_a_link_has_delivered_nothing(store: Store, tmp_path: Path) -> None:
    ask, context = sample(store, tmp_path)
    with pytest.raises(SubjectFailed, match=r"ended well and wrote no edited.mp4") as failed:
        await work(f'{PYTHON} "pass" {{output}}', ask, context)
    assert failed.value.failure_class == "nothing"
    link = "import os,sys; os.symlink('/etc/hostname', sys.argv[1])"
    with pytest.raises(SubjectFailed, match="is a link"):
        await work(f'{PYTHON} "{link}" {{output}}', *sample(store, tmp_path))


@pytest.mark.anyio
async def test_a_worker_loads_once_refuses_and_is_replaced_when_it_dies(store: Store, tmp_path: Path) -> None:
    script = tmp_path / "worker.py"
    script.write_text(WORKER)
    subject = open_command(f"'{sys.executable}' {script}")

    async def pid(instruction: str) -> str:
        ask, context = sample(store, tmp_path, instruction)
        made = await subject.work(ask, context)
        who, seed = store.path(made.files[0]).read_text().split()
        assert seed == "7"
        return who

    first = await pid("one")
    assert await pid("two") == first
    with pytest.raises(SubjectFailed, match="I would rather not") as refused:
        await pid("no")
    assert refused.value.failure_class == "refused"
    assert await pid("three") == first
    with pytest.raises(SubjectFailed, match=r"ended with code 3 over a job"):
        await pid("die")
    second = await pid("four")
    assert second != first
    with pytest.raises(SubjectFailed, match=r"answered b'done!\\n', which is no JSON object"):
        await pid("babble")
    assert await pid("five") not in (first, second)


READY = """
import json, sys, time
hold = bytearray(64 << 20)
time.sleep(0.4)
if "ready" in sys.argv: print(json.dumps({"ready": True}), flush=True)
for line in sys.stdin:
    time.sleep(0.3)
    open(json.loads(line)["output"], "w").write("film")
    print(json.dumps({"gpu_peak_bytes": 5 << 20}), flush=True)
"""


@pytest.mark.real
@pytest.mark.anyio
@pytest.mark.parametrize("word", ["ready", "silent"])
async def test_a_worker_that_says_that_it_is_ready_has_its_loading_told_apart(
    store: Store, tmp_path: Path, word: str
) -> None:
    (tmp_path / "worker.py").write_text(READY)
    subject = open_command(f"'{sys.executable}' {tmp_path / 'worker.py'} {word}")
    found = []
    for _ in range(2):
        ask, context = sample(store, tmp_path)
        await subject.work(ask, context)
        assert context.meter.facts is not None
        found.append(context.meter.facts)
    first, second = found
    assert first.wall_s is not None
    if word == "ready":
        assert first.load_s is not None
        assert first.work_s is not None
        assert first.load_s >= 0.4
        assert 0 < first.work_s < first.wall_s
    else:
        assert (first.load_s, first.work_s) == (None, None), "nobody can tell them apart"
    assert second.load_s == 0.0
    assert second.work_s == second.wall_s
    assert all(each.peak_bytes is not None and each.peak_bytes > 8 << 20 for each in found)
    assert all(each.gpu_peak_bytes == 5 << 20 for each in found), "as it says itself, where nobody else does"
    assert all(each.frames is None for each in found), "it is no film"


@pytest.mark.anyio
async def test_a_worker_that_answers_twice_is_not_believed(store: Store, tmp_path: Path) -> None:
    (tmp_path / "worker.py").write_text(WORKER.replace('print("{}", flush=True)', 'print("{}\\n{}", flush=True)'))
    subject = open_command(f"'{sys.executable}' {tmp_path / 'worker.py'}")
    with pytest.raises(SubjectFailed, match="answers with more than one line of JSON"):
        await subject.work(*sample(store, tmp_path, "one"))


@pytest.mark.real
@pytest.mark.anyio
async def test_of_a_program_loading_is_unknown_and_its_video_is_measured(store: Store, tmp_path: Path) -> None:
    film = tmp_path / "film.mp4"
    write_clip(film, [np.zeros((18, 32, 3), np.uint8)] * 7, rate=Fraction(10))
    ask, context = sample(store, tmp_path)
    copy = f"import shutil,sys,time; time.sleep(0.4); shutil.copy('{film}', sys.argv[1])"
    await work(f'{PYTHON} "{copy}" {{output}}', ask, context)
    facts = context.meter.facts
    assert facts is not None
    assert (facts.frames, facts.width, facts.height) == (7, 32, 18)
    assert facts.wall_s is not None
    assert facts.wall_s > 0.4
    assert facts.peak_bytes is not None
    assert (facts.work_s, facts.load_s, facts.gpu_peak_bytes) == (None, None, None)


def test_a_blank_that_nothing_fills_is_named() -> None:
    with pytest.raises(BadInput, match=r"has the blank \{prompt\}, which nothing fills; use \{source\}"):
        fill(["edit", "{prompt}"], {"source": "a"})


@pytest.mark.parametrize(
    ("spec", "words"), [("'edit", "cannot be read: No closing quotation"), ("env:A", "names no program")]
)
def test_a_command_that_cannot_be_read_is_refused(spec: str, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        open_command(spec)


def test_an_edited_script_is_another_subject(tmp_path: Path) -> None:
    script = tmp_path / "edit.py"
    script.write_text("one")
    before = open_command(f"python {script} {{output}}").source_digest
    assert open_command(f"python {script} {{output}}").source_digest == before
    script.write_text("two")
    assert open_command(f"python {script} {{output}}").source_digest != before


def test_secrets_reach_a_program_only_when_they_are_let_through(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_API_KEY", "sk-abcdefghij0123456789xyz")
    monkeypatch.setenv("MY_SETTING", "plain")
    assert "MY_API_KEY" not in plain_environment()
    assert plain_environment(["MY_API_KEY"])["MY_API_KEY"].startswith("sk-")
    assert plain_environment()["MY_SETTING"] == "plain"
    assert open_command("env:MY_API_KEY edit {output}").passed == ("MY_API_KEY",)
