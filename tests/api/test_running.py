"""`cutscore.run` from Python: the same cells, rows and errors as on the command line."""

import subprocess
import sys
from pathlib import Path

import anyio
import pytest

import cutscore
from cutscore.core.errors import BadInput
from cutscore.core.row import canonical_rows


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def first(ask, context):
    context.steps.add("I take the first.")
    return ask.choices[0]


async def last(ask, context):
    return ask.choices[-1]


def test_rows_that_come_back_are_those_on_disk() -> None:
    made = cutscore.run("colorbars", subject=["oracle", "null"], limit=3)
    assert sorted(made.rows["accuracy"]) == [0.0] * 3 + [1.0] * 3
    assert canonical_rows(made.samples) == canonical_rows(cutscore.read("logs").samples)


def test_the_same_call_resumes_and_a_larger_one_adds(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def counting(ask, context):
        calls.append(ask.item)
        return ask.choices[0]

    cutscore.run("colorbars", subject=counting, limit=2)
    cutscore.run("colorbars", subject=counting, limit=2)
    assert len(calls) == 2
    assert cutscore.run("colorbars", subject=counting, limit=3).rows.height == 3
    assert len(calls) == 3


def test_plain_and_async_functions_are_subjects_under_their_names() -> None:
    made = cutscore.run("colorbars", subject=[first, last, "oracle"], limit=2)
    assert sorted(set(made.rows["subject"])) == ["first", "last", "oracle"]
    assert {row.subject for row in made.samples if row.deliverable.trajectory} == {"first"}
    assert made.cells[0].record.cell.source_digest, "an edited function is another cell"


def test_an_object_that_works_is_a_subject() -> None:
    class Silent:
        name = "silent"

        async def work(self, ask, context):
            return cutscore.Deliverable(failure="I say nothing.")

    (row,) = cutscore.run("colorbars", subject=Silent(), limit=1).samples
    assert (row.subject, row.deliverable.failure) == ("silent", "I say nothing.")


def test_ablations_and_scores_are_those_of_the_command_line() -> None:
    made = cutscore.run("colorbars", subject="reader", ablate=[("frames", "1")], limit=3)
    assert sorted(cell.record.cell.frames for cell in made.cells) == ["fps=8,max=1", "fps=8,max=24"]


def test_what_does_not_fit_is_said_before_anything_is_asked() -> None:
    with pytest.raises(BadInput, match="nobody to run: name a --subject or a --model"):
        cutscore.run("colorbars")
    with pytest.raises(BadInput, match="subject 'first': is given twice"):
        cutscore.run("colorbars", subject=[first, first])
    with pytest.raises(BadInput, match="subject: is a int; give a name, or a function"):
        cutscore.run("colorbars", subject=[3])  # type: ignore[list-item]
    with pytest.raises(BadInput, match="cannot be handed to another; use the engine inline"):
        cutscore.run("colorbars", subject=first, limit=1, engine="processes")
    assert not list(Path("logs").rglob("*.eval"))


def test_in_a_running_loop_it_holds_up_nobody() -> None:
    async def main() -> tuple[int, int]:
        beats = 0

        async def beat() -> None:
            nonlocal beats
            while True:
                beats += 1
                await anyio.sleep(0.01)

        async with anyio.create_task_group() as group:
            group.start_soon(beat)
            made = await cutscore.run_async("colorbars", subject="oracle", limit=2)
            group.cancel_scope.cancel()
        return made.rows.height, beats

    height, beats = anyio.run(main)
    assert height == 2
    assert beats > 3


def test_scores_of_one_deliverable() -> None:
    Path("out").mkdir()
    Path("out/answer.txt").write_text("orange")
    scored = cutscore.score("colorbars", "bars-01-a", "out")
    assert (scored.status, scored.value, scored.scores) == ("marked", 1.0, {"accuracy": 1.0})
    assert scored.as_json()["findings"][0]["because"] == scored.findings[0].because
    with pytest.raises(BadInput, match="submission 'nowhere': there is no such folder"):
        cutscore.score("colorbars", "bars-01-a", "nowhere")
    with pytest.raises(BadInput, match="benchmark 'colorbars': "):
        cutscore.score("colorbars", "bars-01-a", "out", options={"matcher": "chars"})


def test_importing_the_package_loads_next_to_nothing() -> None:
    code = (
        "import sys, cutscore; assert 'run' in dir(cutscore); "
        "print([name for name in sys.modules if name.startswith(('cutscore.', 'inspect_ai', 'numpy', 'pydantic'))])"
    )
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert made.stdout.strip() == "[]"


def test_every_name_of_the_list_is_there_and_no_other() -> None:
    for name in cutscore.__all__:
        assert getattr(cutscore, name) is not None
    with pytest.raises(AttributeError, match="module 'cutscore' has no attribute 'nonsense'"):
        cutscore.nonsense  # noqa: B018
