"""`cutscore check` on benchmarks whose authors made mistakes: one line each, with file and line, and it goes on."""

import itertools
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cutscore.cli.check import _sentences

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "sixth-benchmark" / "src" / "cutscore_flashes"

Installed = Callable[..., Path]

_number = itertools.count(1)


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Installed]:
    """Give a function that installs a copy of the example, with a line of its own at the start of functions or files.

    `mark=("def mark(", "x")` puts x below the line that begins so; `tables=("", "x")` puts it at the end of the file.
    """
    made: list[str] = []

    def install(**edits: tuple[str, str]) -> Path:
        package, site = f"flashes_{next(_number)}", tmp_path / "site"
        folder = site / package
        shutil.copytree(EXAMPLE, folder, ignore=shutil.ignore_patterns("__pycache__"))
        for file in folder.glob("*.py"):
            file.write_text(file.read_text().replace("cutscore_flashes", package))
        for name, (head, line) in edits.items():
            file = folder / f"{name}.py"
            text = file.read_text()
            below = re.search(rf"^{re.escape(head)}(?:.|\n)*?:\n", text, re.MULTILINE) if head else None
            at = below.end() if below else len(text)
            file.write_text(text[:at] + line + "\n" + text[at:])
        record = site / f"{package}-1.dist-info"
        record.mkdir()
        (record / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1\n")
        (record / "entry_points.txt").write_text(f"[cutscore.benchmarks]\nflashes = {package}\n")
        monkeypatch.syspath_prepend(site)
        made.append(package)
        return folder

    yield install
    for module in [name for name in sys.modules if name.partition(".")[0] in made]:
        del sys.modules[module]


def broken(ran) -> dict[str, list[str]]:
    return {each["name"]: each["problems"] for each in ran.json["checks"] if each["problems"]}


def test_the_example_keeps_its_promises(cli, installed: Installed) -> None:
    installed()
    ran = cli("check", "flashes")
    assert ran.code == 0, ran.out
    assert "ok      every part can be imported" in ran.out


@pytest.mark.parametrize(
    ("part", "head", "breaks"),
    [
        ("dataset", "def items(", "items can be loaded"),
        ("ask", "def ask(", "the subject sees no truth"),
        ("mark", "def mark(", "the oracle gets full marks"),
        ("oracle", "def near_miss(", "a near miss does not pass"),
        ("keyless", "def blind(", "blind knows no more than chance"),
    ],
)
def test_what_a_function_raises_is_one_line(cli, installed: Installed, part: str, head: str, breaks: str) -> None:
    folder = installed(**{part: (head, "    {}['no such key']")})
    ran = cli("check", "flashes", "--json")
    assert ran.code == 1
    line = 1 + (folder / f"{part}.py").read_text().split("\n").index("    {}['no such key']")
    fault = f"{folder.name}/{part}.py:{line}: KeyError: 'no such key'"
    problems = broken(ran)
    (said,) = problems[breaks]
    assert re.sub(r" \(at item '[^']*'\)$", "", said) == fault
    assert all(len(each) == 1 for each in problems.values())
    kept = [each["name"] for each in ran.json["checks"] if not each["problems"]]
    assert "every part can be imported" in kept  # the others went on
    text = cli("check", "flashes").out
    assert text.count(fault) == 1
    assert f"BROKEN  {breaks}\n          {fault}" in text


@pytest.mark.parametrize("part", ["dataset", "ask", "mark", "oracle", "keyless", "tables", "task", "build"])
@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("from math import no_such", "benchmark 'flashes': {part}.py cannot be imported (cannot import name 'no_such'"),
        ("def broken(:", "SyntaxError: invalid syntax"),
    ],
)
def test_a_part_that_cannot_be_imported_is_named(cli, installed: Installed, part: str, line: str, said: str) -> None:
    folder = installed(**{part: ("", line)})
    ran = cli("check", "flashes", "--json")
    assert ran.code == 1, ran.err
    number = len((folder / f"{part}.py").read_text().splitlines())
    (fault,) = broken(ran)["every part can be imported"]
    assert fault.startswith(f"{folder.name}/{part}.py:{number}: {said.format(part=part)}")


def test_what_this_machine_lacks_is_nobody_s_fault(cli, installed: Installed) -> None:
    folder = installed(tables=("", "import no_such_package_anywhere"))
    assert cli("check", "flashes").code == 0
    shutil.rmtree(folder.with_name(f"{folder.name}-1.dist-info"))
    installed(dataset=("", "import no_such_package_anywhere"))
    ran = cli("check", "flashes")
    assert ran.code == 3
    assert "needs the module 'no_such_package_anywhere', which is not installed" in ran.err


def test_what_our_code_cannot_use_is_told_with_our_line(cli, installed: Installed) -> None:
    installed(mark=("def mark(", "    return None"))
    (said,) = broken(cli("check", "flashes", "--json"))["the oracle gets full marks"]
    assert re.fullmatch(r"TypeError: .* \(at item '.*'\); raised at \w+\.py:\d+ by what the benchmark gave", said)


def test_a_missing_readme_is_said_with_what_to_write(cli, installed: Installed) -> None:
    (installed() / "README.md").unlink()
    ran = cli("check", "flashes")
    assert ran.code == 1
    said = "no README.md says how to run it; write into it the line: cutscore run flashes --subject oracle"
    assert f"BROKEN  the folder has what all have\n          the folder has no README.md\n          {said}" in ran.out


PLAN = """from cutscore.core.environment import EvidencePlan, EvidenceRead

def plan(item):
    return EvidencePlan(reads=(EvidenceRead(name="length", kind="file"),))

def read(read, deliverable, store):
    return {}['no such key']
"""


@pytest.mark.parametrize(
    ("file", "text", "line"),
    [
        ("evidence.py", "def plan(item):\n    return {}['no such key']\n", 2),
        ("evidence.py", PLAN, 7),
        ("environment/__init__.py", "async def open_environment(ask, context):\n    return {}['no such key']\n", 2),
    ],
    ids=["plan", "read", "environment"],
)
def test_what_a_world_or_a_plan_raises_is_one_line(cli, installed: Installed, file: str, text: str, line: int) -> None:
    folder = installed()
    (folder / file).parent.mkdir(exist_ok=True)
    (folder / file).write_text(text)
    ran = cli("check", "flashes", "--json")
    assert ran.code == 1
    (fault,) = broken(ran)["the oracle gets full marks"]
    assert re.fullmatch(rf"{folder.name}/{file}:{line}: KeyError: 'no such key' \(at item '[\w-]+'\)", fault)
    assert all(len(each) == 1 for each in broken(ran).values())


def test_a_reason_that_many_items_share_is_told_of_a_few() -> None:
    lines = [f"item '{number}': nobody knows" for number in range(7)]
    told = list(_sentences("untried", "untried", [{"name": "a promise", "untried": [*lines, "item 'x': is odd"]}]))
    assert told[:2] == ["untried a promise", "          item '0': nobody knows"]
    assert told[5:] == [
        "          item '4': nobody knows",
        "          and 2 more for the same reason",
        "          item 'x': is odd",
    ]
