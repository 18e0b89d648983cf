"""`cutscore export results RUN`: marks of a run in the files that a published scorer writes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path

from cutscore.api.items import load_items, scratch_store
from cutscore.cli.output import CommandOutput
from cutscore.cli.progress import show_waiting
from cutscore.core.errors import BadInput
from cutscore.registry import benchmark
from cutscore.results.cells import CellResult, read_run
from cutscore.results.wording import count


def make_result_files(run: Path, data: Path | None) -> dict[str, str]:
    """Return the text of every file about a run, by its name below the folder to be written.

    Raises:
        BadInput: The run is of a benchmark that was not published with a scorer of its own.
    """
    from cutscore.redaction import redactor
    from cutscore.settings import load_settings

    with show_waiting("reading logs"):
        cells = read_run(run)
    clean, files = redactor(names=load_settings().secret_env), dict[str, str]()
    for bench in dict.fromkeys(cell.record.cell.benchmark for cell in cells):
        write, own = _writer(bench), [cell for cell in cells if cell.record.cell.benchmark == bench]
        names = _name_files(own)
        with scratch_store() as store:
            items = load_items(benchmark(bench), store, data)
        for cell in own:
            made = write(cell.rows, items, data, name=names[cell.id])
            files |= {name: clean.text(text) for name, text in made.items()}
    return files


def describe_results(files: Mapping[str, str], run: Path, out: Path) -> CommandOutput:
    """Tell what was written."""
    text = "\n".join([f"{out}: {count(len(files), 'file')} about {run}", *(f"  {name}" for name in files)])
    return CommandOutput({"form": "results", "run": str(run), "out": str(out), "files": list(files)}, text)


def _writer(bench: str) -> Callable[..., Mapping[str, str]]:
    found = benchmark(bench)
    write = getattr(found.part("release"), "result_files", None) if found.has_part("release") else None
    if write is None:
        fact = f"'{bench}' was not published with files of its own"
        raise BadInput("export results", fact, "see 'cutscore tables --format csv'")
    return write  # type: ignore[no-any-return]


def _name_files(cells: list[CellResult]) -> dict[str, str]:
    """Name the files of each cell after its subject, or after the cell where two subjects are called the same."""
    from cutscore.cells.cell import slug

    names = {cell.id: slug(cell.label) for cell in cells}
    often = Counter(names.values())
    return {id: name if often[name] == 1 else id for id, name in names.items()}
