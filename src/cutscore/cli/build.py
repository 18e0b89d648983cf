"""`cutscore build`: footage in, a data pack out; the same command again resumes."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from shlex import quote
from types import ModuleType
from typing import TYPE_CHECKING, Any

import click

import cutscore
from cutscore.cli.command import PATH, pairs, subcommand
from cutscore.cli.output import CommandOutput, OutputPrinter, is_terminal
from cutscore.cli.task_stats import describe_folder
from cutscore.core.errors import GATE_FAILED, OK, BadInput, BrokenData, UnknownName
from cutscore.core.subject import SubjectSpec
from cutscore.registry import benchmarks, plugins
from cutscore.results.wording import count

if TYPE_CHECKING:
    from cutscore.authoring.recipe_options import BuildOptions, BuildResult, RecipeOption

EXAMPLES = """
  cutscore build vidwork stage:kitchen -o pack          scenes of ours, whose truth is known
  cutscore build vidwork films -o pack                  own footage, with NAME.procedure.json beside each clip
  cutscore build vidwork films -o pack --model PROVIDER/NAME --licence CC-BY-4.0
  cutscore build repair my.mp4 --defect echo --at 12-17 -o pack
  cutscore build videowebarena VISIT.json --url http://127.0.0.1:8000 -o tasks     a tutorial of a website, with tasks
  cutscore build videowebarena my.json --record --set site=trac --url http://127.0.0.1:8000 -o tasks   shown by a person
  cutscore build covebench pack --stats                 what the tasks of a finished pack are made of
"""

MOST_REFUSALS = 12  # on the screen
_BUILDS = re.compile(r"^def build\(|^from .* import .*\bbuild\b", re.MULTILINE)  # a recipe, there or elsewhere


@subcommand("build", examples=EXAMPLES)
@click.argument("recipe")
@click.argument("footage", nargs=-1, required=True)
@click.option("-o", "--out", type=PATH, metavar="DIR", help="The pack; new, or left by the same build.")
@click.option("--model", default="", metavar="M", help="Who writes what nobody wrote: PROVIDER/NAME.")
@click.option("--role", "roles", multiple=True, metavar="NAME=M", help="Another model for one task of the recipe.")
@click.option("--prompt", "prompts", multiple=True, metavar="NAME=FILE", help="A prompt file instead of ours.")
@click.option("--baseline", "baselines", multiple=True, metavar="S", help="Whose right answers make an item too easy.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, metavar="N")
@click.option("--licence", default="", metavar="TEXT", help="Of footage that has none beside it.")
@click.option("--defect", default="", metavar="KIND", help="What is planted, where a recipe plants defects; or all.")
@click.option("--at", default="", metavar="START-END", help="Where it is planted, in seconds of the clip.")
@click.option("--url", default="", metavar="ADDRESS", help="Where the site is that a visit goes to.")
@click.option("--record", is_flag=True, help="A person visits the site, and FOOTAGE is the file that it is written to.")
@click.option("--set", "sets", multiple=True, metavar="NAME=VALUE", help="An option of the recipe.")
@click.option("--cost-limit", type=click.FloatRange(min=0, min_open=True), metavar="USD", help="Stop when it is spent.")
@click.option("--stats", is_flag=True, help="Build nothing: FOOTAGE is a folder of tasks, and its statistics are told.")
def command(
    *,
    recipe: str,
    footage: tuple[str, ...],
    out: Path | None,
    model: str,
    roles: tuple[str, ...],
    prompts: tuple[str, ...],
    baselines: tuple[str, ...],
    seed: int,
    licence: str,
    defect: str,
    at: str,
    url: str,
    record: bool,
    sets: tuple[str, ...],
    cost_limit: float | None,
    stats: bool,
) -> CommandOutput:
    """Items from own footage; the same command again resumes.

    FOOTAGE is a video, a folder of videos, or what is rendered here: stage:NAME[,seed=N,length_s=L,height=H,rate=R],
    also stage:TAG for several scenes. DIR may hold an unfinished build of the same settings, which goes on.
    """
    from cutscore.authoring.build_folder import open_build_folder
    from cutscore.authoring.footage import keep_scene, read_footage
    from cutscore.authoring.recipe_options import BuildOptions
    from cutscore.models.provider import require_reachable

    if stats:
        return describe_folder(recipe, footage)
    if out is None:
        raise click.MissingParameter(ctx=click.get_current_context(), param_hint="'-o'", param_type="option")
    chosen = _recipe(recipe)
    options = BuildOptions(
        model=model,
        roles=_models(roles, chosen, recipe),
        prompts=_files(prompts),
        baselines=_subjects(baselines),
        seed=seed,
        own=_own({"defect": defect, "at": at}, sets, getattr(chosen, "OPTIONS", {}), recipe=recipe),
        url=url,
        record=record,
        cost_limit_usd=cost_limit,
        tell=_tell,
    )
    if (url or record) and not hasattr(chosen, "read_sources"):
        raise BadInput("--url" if url else "--record", f"recipe '{recipe}' goes to no site", "leave it out")
    for each in filter(None, (model, *options.roles.values())):
        require_reachable(each)
    with open_build_folder(out, _identity(recipe, footage, licence, options)) as output:
        if hasattr(chosen, "read_sources"):
            taken = chosen.read_sources(footage, output, options, licence=licence)
        else:
            staging = partial(chosen.staging, seed=seed) if hasattr(chosen, "staging") else keep_scene
            taken = read_footage(footage, output, licence=licence, tell=options.tell, staging=staging)
        built: BuildResult = chosen.build(taken, output, options)
    return _answer(recipe, out, built)


def _recipe(name: str) -> Any:
    """Return what makes packs of that name: a benchmark's `build.py`, or a plug-in."""
    offered = plugins("recipes")
    own = benchmarks()
    if name in own and (own[name].folder / "build.py").is_file():
        part: ModuleType = own[name].part("build")
        if hasattr(part, "build"):
            return part
    if name in offered:
        loaded = offered[name].load()
        if not callable(getattr(loaded, "build", None)):
            raise BrokenData(f"recipe '{name}'", "has no function 'build'", "name a module with one in its entry point")
        return loaded
    known = [each for each, found in own.items() if _BUILDS.search(_text(found.folder / "build.py"))]
    raise UnknownName.among("recipe", name, [*known, *offered])


def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8") if file.is_file() else ""


def _own(
    flags: Mapping[str, str], sets: tuple[str, ...], offered: Mapping[str, RecipeOption], *, recipe: str
) -> dict[str, str]:
    """Put flags that only some recipes know among the recipe's own options."""
    from cutscore.authoring.recipe_options import parse_options

    given = pairs("--set", sets)
    for name, value in flags.items():
        if not value:
            continue
        if name not in offered:
            raise BadInput(f"--{name}", f"recipe '{recipe}' plants no defects", "leave it out")
        if name in given:
            raise BadInput(f"--{name}", f"is also given as --set {name}=…", "give it once")
        given = {**given, name: value}
    return parse_options(given, offered, recipe=recipe)


def _models(words: tuple[str, ...], chosen: Any, recipe: str) -> Mapping[str, str]:
    roles = pairs("--role", words, "NAME=PROVIDER/NAME")
    for name in roles:
        if name not in getattr(chosen, "ROLES", ()):
            raise UnknownName.among(f"role of recipe '{recipe}'", name, getattr(chosen, "ROLES", ()))
    return roles


def _files(words: tuple[str, ...]) -> Mapping[str, Path]:
    given = {name: Path(file) for name, file in pairs("--prompt", words, "NAME=FILE").items()}
    for name, file in given.items():
        if not file.is_file():
            raise BadInput(f"--prompt {name}={file}", "there is no such file", "name a Markdown file")
    return given


def _subjects(words: tuple[str, ...]) -> tuple[str, ...]:
    """Check baselines: subjects as `run` takes them, or models by their names."""
    from cutscore.models.provider import require_reachable
    from cutscore.subjects.choose import require_kind

    for word in words:
        try:
            kind = SubjectSpec.parse(word).kind
        except ValueError as error:
            raise BadInput(f"--baseline '{word}'", str(error), "for example blind, or PROVIDER/NAME") from None
        if kind == "model":
            raise BadInput(f"--baseline '{word}'", "does not say which", "write PROVIDER/NAME instead")
        if "/" in kind:
            require_reachable(word)
        else:
            require_kind(kind)
    if twice := next((word for word in words if words.count(word) > 1), None):
        raise BadInput(f"--baseline '{twice}'", "is given twice", "give it once")
    return words


def _identity(recipe: str, footage: tuple[str, ...], licence: str, options: BuildOptions) -> dict[str, Any]:
    """Return all that decides what is built; what it may cost and who listens does not."""
    return {
        "schema": "cutscore.building/1",
        "cutscore": cutscore.__version__,
        "recipe": recipe,
        "footage": list(footage),
        "model": options.model,
        "roles": dict(options.roles),
        "prompts": {name: _text(file) for name, file in options.prompts.items()},
        "baselines": list(options.baselines),
        "seed": options.seed,
        "licence": licence,
        "options": dict(options.own),
    }


def _tell(line: str) -> None:
    """Describe what is being done: in words to a person, as one object a line to a program."""
    OutputPrinter("build").tell(line if is_terminal(sys.stderr) else json.dumps({"event": "step", "said": line}))


def _answer(recipe: str, out: Path, built: BuildResult) -> CommandOutput:
    plain = {"recipe": recipe, "out": str(out), **built.model_dump(mode="json")}
    lines = [f"{recipe}: {count(built.items, 'item')} about {count(built.clips, 'clip')} in {out}"]
    for stratum, counts in built.counts.items():
        lines.append(f"by {stratum}: " + ", ".join(f"{name} {n}" for name, n in counts.items()))
    lines += [f"dropped {n}: {reason}" for reason, n in built.dropped.items()]
    lines += [f"refused {each.what}: {each.because}" for each in built.refused[:MOST_REFUSALS]]
    if len(built.refused) > MOST_REFUSALS:
        lines.append(f"refused {len(built.refused) - MOST_REFUSALS} more; DATASHEET.md has all of them")
    lines += [f"FAILED {failure}" for failure in built.failures]
    then = f"next: cutscore check {quote(str(out))} --bench {recipe}"
    lines.append(then if not built.failures else f"see {out / 'DATASHEET.md'}")
    return CommandOutput(plain, "\n".join(lines), built.warnings, code=GATE_FAILED if built.failures else OK)
