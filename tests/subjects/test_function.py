"""A function as a subject: what it may return, and whose fault its errors are."""

import json
import threading
import time
from collections.abc import Callable
from pathlib import Path

import anyio
import pytest

from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable
from cutscore.core.errors import BadInput, BudgetReached, CorruptEntry, MissingExtra, SubjectFailed
from cutscore.core.files import FileRef
from cutscore.core.subject import Subject, WorkContext
from cutscore.subjects.function import FunctionSubject, open_function

Work = Callable[[Subject], Deliverable]


def called(call: Callable[[Ask, WorkContext], object]) -> FunctionSubject:
    return FunctionSubject(name="python:m:f", call=call)


def write(context: WorkContext, *files: str) -> None:
    for name in files:
        path = context.workspace / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(name)


def test_a_deliverable_or_text_is_handed_on(work: Work) -> None:
    assert work(called(lambda ask, context: Deliverable(text=ask.item))) == Deliverable(text="bars-01-a")
    assert work(called(lambda ask, context: "red")) == Deliverable(text="red")


def test_paths_become_files(work: Work, context: WorkContext) -> None:
    def function(ask: Ask, context: WorkContext) -> list[str | Path]:
        write(context, "a.mp4", "sub/b.json")
        return [context.workspace / "a.mp4", "sub/b.json"]

    made = work(called(function))
    assert [(file.name, file.media_type) for file in made.files] == [
        ("a.mp4", "video/mp4"),
        ("sub/b.json", "application/json"),
    ]
    assert context.store.path(made.files[0]).read_text() == "a.mp4"
    assert [file.name for file in work(called(lambda ask, context: context.workspace / "a.mp4")).files] == ["a.mp4"]


def test_coroutines_run_on_the_loop_and_functions_in_threads(work: Work) -> None:
    here = threading.current_thread().name
    seen = []

    async def coroutine(ask: Ask, context: WorkContext) -> str:
        seen.append(threading.current_thread().name)
        return "red"

    def function(ask: Ask, context: WorkContext) -> str:
        seen.append(threading.current_thread().name)
        return "red"

    async def later() -> str:
        return "blue"

    assert work(called(coroutine)).text == work(called(function)).text == "red"
    assert seen[0] == here
    assert seen[1] != here
    assert work(called(lambda ask, context: later())).text == "blue"


def test_in_turn_samples_of_one_clip_wait_for_each_other_and_not_for_another(ask: Ask, context: WorkContext) -> None:
    busy, other = threading.Lock(), threading.Event()
    clips = [context.store.put_bytes(name, name="clip.mp4") for name in (b"one", b"two")]

    def look(ask: Ask, context: WorkContext) -> str:
        if ask.files[0] == clips[1]:
            other.set()
            return "another"
        alone = busy.acquire(blocking=False)
        assert other.wait(20)
        if alone:
            busy.release()
        return "alone" if alone else "together"

    async def all_at_once() -> list[str]:
        said: list[str] = []

        async def one(clip: FileRef) -> None:
            made = await subject.work(ask.model_copy(update={"files": (clip,)}), context)
            said.append(made.text)

        subject = FunctionSubject(name="reader", call=look, in_turn=True)
        async with anyio.create_task_group() as group:
            for clip in (clips[0], clips[0], clips[1]):
                group.start_soon(one, clip)
        return said

    assert sorted(anyio.run(all_at_once)) == ["alone", "alone", "another"]


def test_a_limit_ends_the_wait_for_a_plain_function(ask: Ask, context: WorkContext) -> None:
    """The sample goes on while the function still runs; it is let go only after the sample has ended."""
    started, let_go, ended = threading.Event(), threading.Event(), threading.Event()
    waited: list[bool] = []

    def slow(ask: Ask, context: WorkContext) -> str:
        started.set()
        waited.append(let_go.wait(20))
        ended.set()
        return "red"

    async def limited() -> bool:
        with anyio.CancelScope() as scope:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(called(slow).work, ask, context)
                while not started.is_set():  # a limit that passes before it has begun would end nothing
                    await anyio.sleep(0.01)
                scope.cancel()
        let_go.set()
        return scope.cancelled_caught

    assert anyio.run(limited)
    assert ended.wait(20)
    assert waited == [True]


@pytest.mark.parametrize(
    ("returned", "fact"),
    [
        (None, "returned a NoneType, not text, a list of paths or a Deliverable"),
        (7, "returned a int, not text"),
        (b"red", "returned a bytes, not text"),
        ([7], "returned a list, not text"),
        (["/etc/hostname"], "returned '/etc/hostname', which is outside its workspace"),
        (["../store/lock"], "returned '../store/lock', which is outside its workspace"),
        (["absent.mp4"], "returned 'absent.mp4', which does not exist"),
        (["link.mp4"], "returned 'link.mp4', which is a link"),
        (["away/secret.txt"], "returned 'away/secret.txt', which is outside its workspace"),
        (["."], "which is outside its workspace"),
        (["a.txt", "A.txt"], "file names collide"),
    ],
)
def test_what_cannot_be_handed_over_is_the_subjects_own_failure(
    returned: object, fact: str, work: Work, context: WorkContext
) -> None:
    (context.workspace.parent / "secret.txt").write_text("secret")
    (context.workspace / "link.mp4").symlink_to(context.workspace.parent / "secret.txt")
    (context.workspace / "away").symlink_to(context.workspace.parent)
    write(context, "a.txt", "A.txt")
    with pytest.raises(SubjectFailed) as caught:
        work(called(lambda ask, context: returned))
    assert fact in str(caught.value)
    assert str(caught.value).startswith("subject 'python:m:f': ")


def test_its_errors_are_its_own(work: Work) -> None:
    def fails(ask: Ask, context: WorkContext) -> str:
        raise KeyError("colour")

    with pytest.raises(SubjectFailed, match=r"^subject 'python:m:f': raised KeyError: 'colour'$"):
        work(called(fails))


@pytest.mark.parametrize(
    "error",
    [CorruptEntry("entry", "is torn"), BudgetReached("run", "spent"), MissingExtra.of("OCR", "ocr")],
    ids=lambda error: type(error).__name__,
)
def test_our_errors_pass_through(error: Exception, work: Work) -> None:
    def fails(ask: Ask, context: WorkContext) -> str:
        raise error

    with pytest.raises(type(error)):
        work(called(fails))


def test_a_limit_of_the_engine_passes_through(work: Work) -> None:
    from inspect_ai.util import LimitExceededError

    def fails(ask: Ask, context: WorkContext) -> str:
        raise LimitExceededError("token", value=2, limit=1)

    with pytest.raises(LimitExceededError):
        work(called(fails))


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A module in the current folder, which is not on the path."""
    name = f"mine_{tmp_path.name.replace('-', '_')}"
    (tmp_path / f"{name}.py").write_text(
        "NUMBER = 7\n\ndef edit(ask, context):\n    return 'red'\n\nclass Editor:\n"
        "    @staticmethod\n    def edit(ask, context):\n        return 'blue'\n\n"
        "    def __call__(self, ask, context):\n"
        "        return 'green'\n\neditor = Editor()\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", [*__import__("sys").path])
    return name


def test_a_function_is_found_in_the_current_folder(module: str, work: Work) -> None:
    subject = open_function(f"{module}:edit")
    assert subject.name == f"python:{module}:edit"
    assert work(subject).text == "red"
    assert work(open_function(f"{module}:Editor.edit")).text == "blue"
    assert work(open_function(f"{module}:editor")).text == "green"


def test_identity_is_the_file_that_defines_it(module: str, tmp_path: Path) -> None:
    import hashlib

    source = hashlib.sha256((tmp_path / f"{module}.py").read_bytes()).hexdigest()
    for function in ("edit", "Editor.edit", "editor"):
        assert open_function(f"{module}:{function}").source_digest == source
    assert open_function("builtins:print").source_digest == ""


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("module", "names no function; write python:pkg.mod:fn"),
        ("module:", "names no function"),
        (":edit", "names no function"),
        ("no_such_module_here:edit", "cannot be imported: No module named 'no_such_module_here'"),
        ("MINE:trim", "has no attribute 'trim'"),
        ("MINE:NUMBER", "is a int; name a function of (ask, context)"),
    ],
)
def test_what_is_not_a_function_is_named(spec: str, words: str, module: str) -> None:
    with pytest.raises(BadInput) as caught:
        open_function(spec.replace("MINE", module))
    assert words in str(caught.value)


STUBBORN = """
import json, os, time
from pathlib import Path
from cutscore.process import ProgramLimits, run

NOTES = Path(os.environ["STUBBORN_NOTES"])

def answer(ask, context):
    script = "echo $$ > part; mv part pid; trap '' TERM; sleep 1000 & wait"
    first = run(["sh", "-c", script], limits=ProgramLimits(wall_s=1000), cwd=NOTES)
    try:
        run(["sleep", "1000"], limits=ProgramLimits(wall_s=1000))
    except Exception as error:
        (NOTES / "ends.part").write_text(json.dumps([str(first), str(error)]))
        (NOTES / "ends.part").rename(NOTES / "ends")
"""


def test_the_programs_of_a_function_end_with_its_sample(cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its thread cannot be stopped, and goes on without them."""
    monkeypatch.setenv("STUBBORN_NOTES", str(tmp_path))
    (tmp_path / "stubborn_programs.py").write_text(STUBBORN)
    words = ("run", "colorbars", "--subject", "python:stubborn_programs:answer", "--limit", 1)
    ran = cli(*words, "--set", "time_limit_s=2", "--json")
    assert (ran.code, ran.json["n"]) == (0, 1)
    assert not Path(f"/proc/{(tmp_path / 'pid').read_text().strip()}").exists()
    until = time.monotonic() + 60
    while not (tmp_path / "ends").exists():
        assert time.monotonic() < until
        time.sleep(0.01)
    assert json.loads((tmp_path / "ends").read_text()) == [
        "program 'sh' was ended by SIGKILL",
        "program 'sleep': is started for a sample that has ended; start it earlier",
    ]
