"""Runs what the documentation shows: commands, Python, files, data.

Each page runs from top to bottom in a folder of its own that holds the repository's `examples/`.

- ```` ```console ```` blocks: a line that starts with `$ ` is a command and must succeed; the lines after it, if any,
  are what it prints on stdout, where `...` stands for anything.
- ```` ```python ```` blocks run, one namespace to a page; blocks with `>>>` are doctests.
- ```` ```toml ```` and ```` ```json ```` blocks must parse.
- `<!-- file: NAME -->` above a block writes it to that file first.
- `<!-- not run: WHY -->` above a block keeps it from running. A command in any other kind of block has to say so.

When output has changed on purpose, `CUTSCORE_REFRESH_DOCS=1 pytest tests/test_docs.py` writes what was printed into
the pages; read the difference before you commit it.
"""

import doctest
import io
import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from glob import glob
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted(
    path.relative_to(ROOT).as_posix()
    for path in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").glob("*.md")]
    if path.name not in ("THIRD_PARTY.md", "CHANGELOG.md")
)
# Pages with many commands wait for `make test-real`, so that `make test` stays short.
LONG = {
    "README.md",
    *(
        f"docs/{page}.md"
        for page in (
            *("adding-a-benchmark", "comparing", "json-and-exit-codes", "judge-card", "judges", "quickstart"),
            *("agreement", "building", "media", "optimize", "own-responses", "report", "run-folders", "scripted-model"),
            *("for-benchmark-authors", "for-judge-calibrators", "for-lab-engineers", "for-studios"),
            *("agents", "conditions", "engines", "providers", "python", "shortcuts", "tables", "videowebarena"),
            *("editors", "generators", "interactive-video", "modes", "web-agents"),
        )
    ),
}
REFRESH = "CUTSCORE_REFRESH_DOCS"
FENCE = re.compile(
    r"(?:^<!-- (?P<note>file|not run): (?P<said>[^\n]*?) -->\n\n?)?^```(?P<kind>\w*)\n(?P<body>.*?)^```$", re.M | re.S
)
COMMAND = re.compile(r"^\$ (?P<command>(?:.*\\\n)*.*)\n?(?P<output>(?:(?!\$ ).*\n?)*)", re.M)
TYPED = re.compile(r"^(?:\$ |(?:cutscore|make|pip|python|sh) \S)", re.M)  # what a reader would type
SAME = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
COMMAND_TIMEOUT_S = 120


@dataclass(frozen=True)
class Block:
    kind: str
    body: str
    line: int
    note: str = ""
    said: str = ""


def blocks(text: str) -> Iterator[Block]:
    """Find the fenced blocks of a page, with the note above each."""
    for found in FENCE.finditer(text):
        line = text.count("\n", 0, found.start("body")) + 1
        yield Block(found["kind"], found["body"], line, found["note"] or "", found["said"] or "")


def matches(wanted: str, got: str) -> bool:
    return doctest.OutputChecker().check_output(wanted, got, SAME)


def settle(printed: str, folder: Path) -> str:
    """Put `...` where another machine or version would print something else: folders, digests."""
    for place in (folder, Path.home()):
        printed = printed.replace(str(place), "...")
    # Columns stay in line: what follows a blank is moved by as much as the digest was longer.
    printed = re.sub(r"\b[0-9a-f]{12,}…?(?=  )", lambda found: "...".ljust(len(found[0])), printed)
    return re.sub(r"\b[0-9a-f]{12,}\b…?", "...", printed)


def run_console(body: str, folder: Path, run: Callable[[str, Path], str]) -> Iterator[tuple[str, str, str]]:
    """Run the commands of a block; give each with the output that the page shows and the one that came."""
    for found in COMMAND.finditer(body):
        yield found["command"], found["output"], run(found["command"].replace("\\\n", " "), folder)


def shell(command: str, folder: Path) -> str:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environ = {**os.environ, "PATH": path}
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=environ,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=COMMAND_TIMEOUT_S,
        check=False,
    )
    assert done.returncode == 0, f"$ {command}\n{done.stdout}{done.stderr}"
    return done.stdout


def here_or_shell(command: str, folder: Path) -> str:
    """Run a plain `cutscore …` in this process, which has its imports behind it; what needs a shell gets one."""
    plain = re.fullmatch(r"cutscore (?P<words>[^|&;<>$`(){}\[\]~#]+)(?: > (?P<file>[\w.-]+))?", command)
    if plain is None:
        return shell(command, folder)
    from cutscore.cli import main

    words = [each for word in shlex.split(plain["words"]) for each in sorted(glob(word, root_dir=folder)) or [word]]
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = main(words)
    assert code == 0, f"$ {command}\n{out.getvalue()}{err.getvalue()}"
    if plain["file"] is None:
        return out.getvalue()
    (folder / plain["file"]).write_text(out.getvalue(), encoding="utf-8")
    return ""


def run_python(body: str, namespace: dict[str, object], where: str) -> None:
    if ">>>" not in body:
        exec(compile(body, where, "exec"), namespace)
        return
    test = doctest.DocTestParser().get_doctest(body, namespace, where, where, 0)
    said: list[str] = []
    runner = doctest.DocTestRunner(optionflags=SAME, verbose=False)
    runner.run(test, out=said.append, clear_globs=False)
    assert not runner.failures, "".join(said)
    namespace.update(test.globs)


def run_page(name: str, text: str, folder: Path) -> str:
    """Run a page; give its text with the outputs that came where they differ from those it shows.

    The commands of the README are what a newcomer types: each is a process of its own.
    """
    run = shell if name == "README.md" else here_or_shell
    namespace: dict[str, object] = {"__name__": "page"}
    for block in blocks(text):
        if block.note == "file":
            target = folder / block.said
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(block.body, encoding="utf-8")
        elif block.kind not in ("console", "python") and block.note != "not run":
            assert not TYPED.search(block.body), f"{name}:{block.line}: run it as console, or say why it is not run"
        if block.note == "not run":
            assert block.said, f"{name}:{block.line}: say why it is not run"
        elif block.kind == "toml":
            tomllib.loads(block.body)
        elif block.kind == "json":
            json.loads(block.body)
        elif block.kind == "python" and block.note != "file":
            run_python(block.body, namespace, f"{name}:{block.line}")
        elif block.kind == "console":
            for command, wanted, got in run_console(block.body, folder, run):
                if wanted.strip() and not matches(wanted, got):
                    new = settle(got, folder).rstrip() + "\n"
                    text = text.replace(f"$ {command}\n{wanted}", f"$ {command}\n{new}", 1)
    return text


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.real] if name in LONG else []) for name in PAGES]
)
def test_what_a_page_shows_runs(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "120")
    before = (ROOT / name).read_text(encoding="utf-8")
    monkeypatch.setattr(sys, "path", [*sys.path])
    known = set(sys.modules)
    try:
        after = run_page(name, before, tmp_path)
    finally:
        for module in set(sys.modules) - known:  # another page may have a `mine.py` of its own
            if str(getattr(sys.modules[module], "__file__", "")).startswith(str(tmp_path)):
                del sys.modules[module]
    if os.environ.get(REFRESH):
        (ROOT / name).write_text(after, encoding="utf-8")
        return
    assert after == before, f"{name} shows output that has changed; see {REFRESH} in tests/test_docs.py"


PAGE = """\
<!-- file: made/clip.txt -->
```text
red
```

```console
$ cat made/clip.txt
red
$ echo one; \\
  echo 2
one
...
$ true
```

<!-- not run: needs a key -->
```console
$ false
```

```python
x = 1
```

```python
>>> x + 1
2
```
"""


def test_a_page_runs_from_top_to_bottom(tmp_path: Path) -> None:
    assert run_page("page.md", PAGE, tmp_path) == PAGE
    stale = PAGE.replace("txt\nred\n$", "txt\nblue\n$")
    assert stale != PAGE
    assert run_page("page.md", stale, tmp_path) == PAGE


def test_a_command_of_ours_is_the_same_here_as_in_a_shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("logs-1", "logs-2"):
        (tmp_path / name).mkdir()
    for command in ("cutscore show colorbars", "cutscore list --json > listed.json", "cutscore --version"):
        assert here_or_shell(command, tmp_path) == shell(command.replace("listed", "in_shell"), tmp_path)
    assert (tmp_path / "listed.json").read_bytes() == (tmp_path / "in_shell.json").read_bytes() != b""
    for run in (here_or_shell, shell):
        with pytest.raises(AssertionError, match="run 'logs-1': holds no cell"):
            run("cutscore tables logs-*", tmp_path)


@pytest.mark.parametrize(
    ("page", "said"),
    [
        ("```console\n$ false\n```\n", r"\$ false"),
        ("```console\n$ cutscore show nothing\n```\n", r"\$ cutscore show nothing\n.*no benchmark 'nothing'"),
        ("```python\n>>> 1 + 1\n3\n```\n", "Expected"),
        ("<!-- not run:  -->\n```console\n$ false\n```\n", "page.md:3: say why"),
        ("```\ncutscore list\n```\n", "page.md:2: run it as console, or say why"),
    ],
)
def test_a_page_that_is_wrong_fails(tmp_path: Path, page: str, said: str) -> None:
    with pytest.raises(AssertionError, match=said):
        run_page("page.md", page, tmp_path)


@pytest.mark.parametrize("page", ["```toml\na = \n```\n", "```json\n{,}\n```\n"])
def test_data_that_does_not_parse_fails(tmp_path: Path, page: str) -> None:
    with pytest.raises(ValueError, match=r"line 1|Invalid"):
        run_page("page.md", page, tmp_path)


@pytest.mark.parametrize("name", PAGES)
def test_links_lead_somewhere(name: str) -> None:
    text = re.sub(r"```.*?```", "", (ROOT / name).read_text(encoding="utf-8"), flags=re.S)
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
        if "://" not in target:
            assert ((ROOT / name).parent / target).exists(), f"{name} links to {target}, which is not there"


@pytest.mark.real  # every command once: long, and needs nothing else
def test_the_table_of_schemas_is_true(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    from cutscore.cli import main
    from cutscore.registry import benchmark

    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "answer.json").write_text('{"answer": "red"}')
    (tmp_path / "labels.jsonl").write_text('{"benchmark": "b", "item": "i", "person": "ann", "answer": "yes"}\n')
    (tmp_path / "judge.jsonl").write_text(
        '{"benchmark": "b", "item": "i", "judgement": {"question": "q", "judge": "j", "answer": "yes"}}\n'
    )
    (tmp_path / "rows.jsonl").write_text(
        '{"id": "a", "prompt": "Put them in order.", "reference_file_urls": ["https://example.org/a/clip.mp4"]}\n'
    )
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "clip.mp4").write_bytes(b"a clip")
    # Its object is the same however many benchmarks there are.
    monkeypatch.setattr("cutscore.cli.demo.benchmarks", lambda: {"colorbars": benchmark("colorbars")})
    (tmp_path / "sweep.toml").write_text(
        'benchmarks = ["colorbars"]\nlimit = 3\nlog_dir = "logs"\n[[stack]]\nlabel = "one"\nsubject = "null"\n'
    )
    commands = {
        "list": "list",
        "show BENCH": "show colorbars",
        "show BENCH ITEM": "show colorbars bars-01-a",
        "run": "run colorbars --subject oracle --subject blind --limit 3",
        "run --audit": "run colorbars --subject reader --limit 3 --audit",
        "run --dry-run": "run colorbars --subject oracle --item bars-01-a --dry-run",
        "sweep": "sweep sweep.toml",
        "sweep --dry-run": "sweep sweep.toml --dry-run --item bars-01-a",
        "demo": "demo -o demo --engine inline",
        "score": "score colorbars bars-01-a mine --judge truth --html page.html",
        "compare": "compare {oracle} {blind}",
        "rescore": "rescore {oracle}",
        "report": "report {oracle} -o site",
        "pack": "pack {oracle}",
        "gate": "gate {oracle} --min accuracy=0.5",
        "check": "check colorbars",
        "fetch": "fetch colorbars",
        "doctor": "doctor",
        "judge-card": "judge-card labels.jsonl --answers judge.jsonl",
        "agreement": "agreement labels.jsonl",
        "failures": "failures {oracle} --judge constant:other",
        "tables": "tables {oracle}",
        "build": "build vidwork stage:salad,length_s=12,height=90,rate=2 -o built",
        "export": "export pack colorbars -o exported",
        "handout": "handout colorbars -o handed --tasks 2",
        "import-rows": "import-rows sequencing rows.jsonl --files files -o imported",
    }
    text = (ROOT / "docs" / "json-and-exit-codes.md").read_text(encoding="utf-8")
    shown = {
        command: (schema, fields)
        for command, schema, fields in re.findall(r"^\| `([^`]+)` \| `(cutscore\.[^`]+)` \| (.+) \|$", text, re.M)
    }
    del shown["sites"]  # waits for somebody; tests/cli/test_sites.py reads its object
    for search in ("optimize judge", "optimize transfer"):  # tests/cli/test_optimize.py reads their objects
        del shown[search]
    assert shown.keys() == commands.keys()
    cells: dict[str, str] = {}
    for command, words in commands.items():
        code = main([*words.format(**cells).split(), "--json"])
        printed = json.loads(capsys.readouterr().out)
        assert code == 0, printed
        schema, fields = shown[command]
        always, at_times = _field_names(fields)
        if fields.startswith("all that"):
            always |= _field_names(shown["run"][1])[0]
        assert printed.pop("schema") == schema, command
        assert always <= set(printed) <= always | at_times, command
        if command == "run":
            cells = {cell["subject"]: str(Path(cell["log"]).parent) for cell in printed["cells"]}


def _field_names(text: str) -> tuple[set[str], set[str]]:
    """Return the fields that an object always has, and those that follow a semicolon with where it has them."""
    always, _, at_times = text.partition(";")
    return set(re.findall(r"`(\w+)`", always)), set(re.findall(r"`(\w+)`", at_times))
