"""`cutscore export`: the tasks of a benchmark, or the marks and trajectories of a run, in forms that others take."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

import click

from cutscore.api.items import check_mode, load_items, scratch_store
from cutscore.api.requests import check_judge
from cutscore.atomic import fill_folder
from cutscore.cells.selection import EVERY_ITEM, ItemSelection
from cutscore.cli.command import PATH, item_selection, subcommand
from cutscore.cli.export_results import describe_results, make_result_files
from cutscore.cli.output import CommandOutput
from cutscore.core.errors import BadInput, NoRoom
from cutscore.registry import benchmark
from cutscore.results.wording import count

if TYPE_CHECKING:
    from cutscore.authoring.harbor import VerifierSettings
    from cutscore.cells.admission import AdmittedItems
    from cutscore.core.ask import Ask
    from cutscore.core.item import Item
    from cutscore.registry import Benchmark
    from cutscore.store import Store

_OF_TASKS = {"--data", "--item", "--where"}
OPTIONS = {
    "harbor": {*_OF_TASKS, "--input", "--mode", "--judge", "--wheel"},
    "pack": {*_OF_TASKS, "--without-media", "--recipe"},
    "results": {"--data"},
    "atif": {"--item"},
}
FORMS = tuple(OPTIONS)

EXAMPLES = """
  cutscore export harbor sequencing -o tasks                folders for 'harbor run -p tasks'
  cutscore export harbor repair --input location -o tasks   … of a variant of what is asked
  cutscore export pack sequencing -o mine                   the starter tasks as a data pack, to be changed
  cutscore export results logs --data release -o files      what a published scorer would write of a run's marks
  cutscore export pack repair --data mine -o bare --without-media --recipe "film.mp4 from ADDRESS, then the build"
  cutscore export atif logs -o trajectories                 what agents did in a run, step by step
"""


@subcommand("export", examples=EXAMPLES)
@click.argument("form", metavar="|".join(FORMS), type=click.Choice(FORMS))
@click.argument("bench", metavar="BENCH|RUN")
@click.option("-o", "--out", type=PATH, required=True, metavar="DIR", help="Where to; a new or an empty folder.")
@click.option("--data", type=PATH, metavar="DIR", help="Items of your own.")
@click.option("--item", "names", multiple=True, metavar="ID", help="Only this item; may come often.")
@click.option("--where", multiple=True, metavar="GROUP=VALUE", help="Only items of this group; all must hold.")
@click.option("--without-media", is_flag=True, help="pack: hashes and recipes instead of the files.")
@click.option("--recipe", default="", metavar="TEXT", help="pack: how to get files that have no recipe of their own.")
@click.option("--input", default="", metavar="NAME", help="harbor: a variant of what is asked, see the card.")
@click.option("--mode", default=None, metavar="MODE", help="harbor: the scoring mode.")
@click.option("--judge", default="", metavar="J", help="harbor: who judges, where an opinion is asked.")
@click.option("--wheel", type=PATH, metavar="FILE", help="harbor: cutscore as a file, not from an index.")
def command(
    *,
    form: str,
    bench: str,
    out: Path,
    data: Path | None,
    names: tuple[str, ...],
    where: tuple[str, ...],
    without_media: bool,
    recipe: str,
    input: str,
    mode: str | None,
    judge: str,
    wheel: Path | None,
) -> CommandOutput:
    """Tasks for other hands, or the marks and trajectories of a run.

    For Harbor each item becomes a folder with instruction, containers, the oracle's solution and a test that writes the
    reward; the truth is in a container that the agent never sees.

    A data pack is a folder with items.jsonl and the files that its lines name; --data takes it. Where media may not be
    passed on, --without-media writes their hashes and how to get them, and 'cutscore fetch DIR' puts them in place.

    Not tasks but marks are the results of a run folder, in the files of the benchmark's own published scorer, where it
    has one (covebench); and ATIF, the trajectory format of Harbor, is what agents did in a run: a folder a sample
    with trajectory.json and its pictures.
    """
    from cutscore.authoring.harbor import VerifierSettings

    given = {"--data": data, "--item": names, "--where": where, "--without-media": without_media, "--recipe": recipe}
    given |= {"--input": input, "--mode": mode, "--judge": judge, "--wheel": wheel}
    _refuse_options({option for option, value in given.items() if value}, form)
    refuse_full(out)
    if form == "results":
        return _write_results(Path(bench), data, out)
    if form == "atif":
        from cutscore.cli.export_trajectories import export_trajectories

        return export_trajectories(Path(bench), out, items=names)
    found = benchmark(bench)
    if form == "harbor":
        check_judge(found.card, judge or found.card.judge.default, 0)
        if wheel and not wheel.is_file():
            how = "make one with 'pip wheel --no-deps cutscore'"
            raise BadInput(f"--wheel '{wheel}'", "there is no such file", how)
        marker = VerifierSettings(check_mode(found.card, mode) if mode else "", judge, wheel)
    picked = item_selection(names, where, None)
    with scratch_store() as store:
        items = load_items(found, store, data)
        if form == "harbor":
            gates = chosen(found, items, picked, data)
            asks = asked(found, items, input=input)
            with new_folder(out) as draft:
                _write_harbor(found, gates.items, asks, store, draft, marker=marker)
                for item in gates.items:
                    carry(data, draft / item.id / "tests/pack")
            return _describe_harbor(found, gates, out)
        wanted = picked.choose(items, bench=bench)
        with new_folder(out) as draft:
            files = _write_pack(found, wanted, store, draft, without_media=without_media, recipe=recipe)
            carry(data, draft, whole=picked == EVERY_ITEM)
        return _describe_pack(found, len(wanted), files, out, without_media=without_media)


def _refuse_options(given: set[str], form: str) -> None:
    for option in sorted(given - OPTIONS[form]):
        raise BadInput(option, f"means nothing for '{form}'", "leave it out")


def _write_results(run: Path, data: Path | None, out: Path) -> CommandOutput:
    files = make_result_files(run, data)
    with new_folder(out) as draft:
        for name, text in files.items():
            (draft / name).parent.mkdir(exist_ok=True)
            (draft / name).write_text(text, encoding="utf-8")
    return describe_results(files, run, out)


def chosen(found: Benchmark, items: Sequence[Item], picked: ItemSelection, data: Path | None) -> AdmittedItems:
    """Return the items of a selection that may be scored, and what their gates have to say.

    Raises:
        BrokenData: One that was named, or every one, failed a gate.
    """
    from cutscore.cells.admission import admit

    gates = admit(found, picked.choose(items, bench=found.name), data)
    for name in picked.items or ("",):
        gates.check(name)
    return gates


def carry(data: Path | None, pack: Path, *, whole: bool = False) -> None:
    """Let the gate card of a pack go with items of it; with the whole pack go all papers that lie beside its items."""
    from cutscore.authoring.packs import ARRAY_FILE, ITEMS_FILE
    from cutscore.core.gate import GATES_FILE

    papers = sorted(path for path in data.iterdir() if path.is_file() and not path.is_symlink()) if data else []
    for path in papers:
        if path.name == GATES_FILE or (whole and path.name not in (ITEMS_FILE, ARRAY_FILE)):
            shutil.copyfile(path, pack / path.name)


def asked(found: Benchmark, items: Sequence[Item], *, input: str = "") -> Mapping[str, Ask]:
    """Return what a subject gets of every item, or of a variant of it."""
    from cutscore.cells.inputs import make_asks
    from cutscore.prompts import load_prompts

    texts = load_prompts(found.folder / "prompts", benchmark=found.name)
    return make_asks(found, items, texts, frames="", input=input).asks


def refuse_full(out: Path) -> None:
    """Raise where something is in the way."""
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise BadInput(f"-o '{out}'", "there is something already", "name a new folder")


@contextmanager
def new_folder(out: Path) -> Iterator[Path]:
    """Return a folder to write to, which becomes `out` when all of it is written.

    Raises:
        NoRoom: The disk takes it not, or not all of it; then nothing of it is left there.
    """
    next_step = "nothing is left there; make room, or choose another -o"
    try:
        with fill_folder(out) as draft:
            yield draft
    except OSError as error:
        raise NoRoom.of(f"-o '{out}'", error, next_step) from error
    except NoRoom as full:
        raise NoRoom(f"-o '{out}'", full.fact, next_step) from full


def _write_harbor(
    found: Benchmark,
    items: Sequence[Item],
    asks: Mapping[str, Ask],
    store: Store,
    draft: Path,
    *,
    marker: VerifierSettings,
) -> None:
    from cutscore.authoring.harbor import write_task

    for item in items:
        write_task(draft / item.id, found, item, asks[item.id], store, marker=marker)


def _describe_harbor(found: Benchmark, gates: AdmittedItems, out: Path) -> CommandOutput:
    plain = {"form": "harbor", "benchmark": found.name, "out": str(out), "items": len(gates.items)}
    text = f"{out}: {count(len(gates.items), 'task')} of {found.name}\nnext: harbor run -p {quote(str(out))} -a oracle"
    return CommandOutput(plain, text, gates.remarks)


def _write_pack(
    found: Benchmark, items: Sequence[Item], store: Store, draft: Path, *, without_media: bool, recipe: str
) -> dict[str, str]:
    from cutscore.authoring.missing_media import strip_media
    from cutscore.authoring.pack_writer import write_pack
    from cutscore.core.bundle import Bundle

    if not without_media:
        return write_pack(draft, items, store)
    bundles = [item for item in items if isinstance(item, Bundle)]
    if len(bundles) < len(items):
        fact = f"items of '{found.name}' do not say where their files come from"
        raise BadInput("--without-media", fact, "pass the files on")
    left_out = {ref.name for item in bundles for ref in (*item.materials, *item.hidden)}
    return write_pack(draft, strip_media(bundles, recipe=recipe), store, without=left_out)


def _describe_pack(
    found: Benchmark, items: int, files: Mapping[str, str], out: Path, *, without_media: bool
) -> CommandOutput:
    plain = {"form": "pack", "benchmark": found.name, "out": str(out), "items": items, "files": len(files)}
    missing = f", not in it: {count(len(files), 'file')}" if without_media else f", {count(len(files), 'file')}"
    folder = quote(str(out))
    then = f"cutscore fetch {folder}" if without_media else f"cutscore check {folder} --bench {found.name}"
    text = f"{out}: {count(items, 'item')} of {found.name}{missing}\nnext: {then}"
    return CommandOutput({**plain, "without_media": without_media}, text)
