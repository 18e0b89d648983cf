"""`cutscore build`: which recipe, which options, what is told, what is kept; the recipe here is a plug-in."""

import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType

import pytest

from cutscore.authoring.build_folder import BuildFolder
from cutscore.authoring.footage import RefusedSource, SourceFootage
from cutscore.authoring.recipe_options import BuildOptions, BuildResult, RecipeOption
from cutscore.cli import build as command
from cutscore.core.errors import BudgetReached

CUTSCORE = (sys.executable, "-m", "cutscore")
SCENE = "stage:pancakes,length_s=4,height=90,rate=2"
BUILD = ("build", "lengths", SCENE, "-o", "pack")


@pytest.fixture(autouse=True)
def recipe(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A recipe that writes one line for each clip; `seen` is what it was told."""
    module = ModuleType("recipe_of_lengths")
    module.seen = []  # type: ignore[attr-defined]
    module.OPTIONS = {
        "unit": RecipeOption("what is counted", ("seconds", "frames")),
        "note": RecipeOption("goes on each line", ("",), free=True),
    }  # type: ignore[attr-defined]
    module.ROLES = ("writer",)  # type: ignore[attr-defined]

    def build(footage: SourceFootage, out: BuildFolder, options: BuildOptions) -> BuildResult:
        module.seen.append(options)  # type: ignore[attr-defined]
        if options.own["note"] == "stop":
            raise BudgetReached("run", "spent $1")
        out.draft.mkdir()
        lines = [f"{clip.name} {clip.length_s} {options.own['note']}" for clip in footage.clips]
        (out.draft / "items.jsonl").write_text("\n".join(lines))
        out.publish()
        failures = ("leaks: all of it",) if options.own["note"] == "leaky" else ()
        return BuildResult(
            items=len(lines),
            clips=len(lines),
            counts={"kind": {"length": len(lines)}},
            refused=(*footage.refused, RefusedSource(what="clip 'x'", because="has no steps")),
            warnings=("one cell is empty",),
            failures=failures,
        )

    module.build = build  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, module.__name__, module)
    entry = EntryPoint("lengths", module.__name__, "cutscore.recipes")
    monkeypatch.setattr(command, "plugins", lambda kind: {"lengths": entry})
    return module


def test_a_pack_is_built_and_said(cli, recipe) -> None:
    ran = cli(*BUILD)
    assert ran.code == 0
    assert ran.out.splitlines() == [
        "lengths: 1 item about 1 clip in pack",
        "by kind: length 1",
        "refused clip 'x': has no steps",
        "next: cutscore check pack --bench lengths",
    ]
    assert ran.events == [{"event": "step", "said": f"clip 1 of 1: {SCENE}"}]
    assert ran.said == ["warning: one cell is empty"]
    assert Path("pack/items.jsonl").read_text() == "pancakes 4 "
    (options,) = recipe.seen
    assert options.own == {"unit": "seconds", "note": ""}
    assert (options.model, options.roles, options.seed, options.baselines) == ("", {}, 0, ())


def test_a_defect_and_its_place_are_options_of_recipes_that_plant_some(cli, recipe) -> None:
    recipe.OPTIONS |= {name: RecipeOption("", ("",), free=True) for name in ("defect", "at")}
    assert cli(*BUILD, "--defect", "echo", "--at", "12-17").code == 0
    assert recipe.seen[-1].own == {"unit": "seconds", "note": "", "defect": "echo", "at": "12-17"}
    twice = cli("build", "lengths", SCENE, "-o", "other", "--at", "1-2", "--set", "at=3-4")
    assert (twice.code, twice.err) == (2, "error: --at: is also given as --set at=…; give it once\n")


def test_json(cli) -> None:
    ran = cli(*BUILD, "--json")
    assert ran.json["schema"] == "cutscore.build/1"
    facts = {name: ran.json[name] for name in ("recipe", "out", "items", "clips", "counts")}
    assert facts == {"recipe": "lengths", "out": "pack", "items": 1, "clips": 1, "counts": {"kind": {"length": 1}}}
    assert ran.json["refused"] == [{"what": "clip 'x'", "because": "has no steps"}]


def test_a_gate_that_is_not_passed_ends_with_1_and_the_pack_is_there(cli) -> None:
    ran = cli(*BUILD, "--set", "note=leaky")
    assert ran.code == 1
    assert ran.out.splitlines()[-2:] == ["FAILED leaks: all of it", "see pack/DATASHEET.md"]
    assert Path("pack/items.jsonl").exists()


def test_the_same_command_goes_on_and_another_one_is_refused(cli, recipe) -> None:
    stopped = cli(*BUILD, "--set", "note=stop")
    assert (stopped.code, Path("pack/items.jsonl").exists()) == (4, False)
    other = cli(*BUILD, "--set", "note=go")
    assert other.code == 2
    assert (
        other.err
        == "error: folder 'pack': holds a build with other settings (options); choose another -o, or delete it\n"
    )
    assert cli(*BUILD, "--set", "note=stop", "--cost-limit", "2").code == 4  # money is no setting of the build
    assert recipe.seen[-1].cost_limit_usd == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("build", "length", SCENE, "-o", "p"), "no recipe 'length'; did you mean 'lengths'?"),
        (("build", "covebenh", SCENE, "-o", "p"), "no recipe 'covebenh'; did you mean 'covebench'?"),
        (("build", "colorbars", SCENE, "-o", "p"), "no recipe 'colorbars'; known: "),
        ((*BUILD, "--set", "speed=2"), "no option 'speed'; recipe 'lengths' has unit, note"),
        ((*BUILD, "--set", "unit=miles"), "--set unit=miles: is no choice; write seconds or frames"),
        ((*BUILD, "--set", "unit"), "--set 'unit': is not NAME=VALUE; write --set NAME=VALUE"),
        ((*BUILD, "--defect", "echo"), "--defect: recipe 'lengths' plants no defects; leave it out"),
        ((*BUILD, "--at", "1-2"), "--at: recipe 'lengths' plants no defects; leave it out"),
        ((*BUILD, "--role", "reader=a/b"), "no role of recipe 'lengths' 'reader'; known: writer"),
        ((*BUILD, "--model", "gpt"), "model 'gpt': cannot be used: "),
        ((*BUILD, "--prompt", "steps=nowhere.md"), "--prompt steps=nowhere.md: there is no such file; name a Markdown"),
        ((*BUILD, "--baseline", "="), "--baseline '=': "),
        ((*BUILD, "--baseline", "model"), "--baseline 'model': does not say which; write PROVIDER/NAME instead"),
        ((*BUILD, "--baseline", "blnd"), "no subject 'blnd'; did you mean 'blind'?"),
        ((*BUILD, "--baseline", "nobody/x"), "model 'nobody/x': cannot be used: "),
        ((*BUILD, "--baseline", "blind", "--baseline", "blind"), "--baseline 'blind': is given twice; give it once"),
        (("build", "lengths", "-o", "p"), "cutscore build: missing argument 'FOOTAGE...'; see 'cutscore build -h'"),
        (("build", "lengths", SCENE), "cutscore build: missing option '-o'"),
    ],
)
def test_what_is_wrong_is_said_before_anything_is_made(cli, recipe, words: tuple[str, ...], said: str) -> None:
    ran = cli(*words)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"error: {said}"), ran.err
    assert not recipe.seen
    assert not Path("pack").exists()


def test_a_plug_in_without_a_function(cli, recipe) -> None:
    del recipe.build
    ran = cli(*BUILD)
    assert (ran.code, ran.err) == (
        2,
        "error: recipe 'lengths': has no function 'build'; name a module with one in its entry point\n",
    )


@pytest.mark.real
def test_a_build_that_is_killed_ends_like_one_that_is_not(tmp_path: Path) -> None:
    settings = "length_s=20,height=90,rate=2"
    words = (
        "build",
        "vidwork",
        f"stage:pancakes,{settings}",
        f"stage:soup,{settings}",
        f"stage:toast,{settings}",
        "-o",
    )
    subprocess.run((*CUTSCORE, *words, "whole"), cwd=tmp_path, check=True, capture_output=True)
    for sign in ("clip 2 of 3", "record 2 of 3", "questions: toast"):
        child = subprocess.Popen((*CUTSCORE, *words, "killed"), cwd=tmp_path, stderr=subprocess.PIPE, text=True)
        assert child.stderr is not None
        assert any(sign in line for line in child.stderr)
        child.kill()
        child.communicate()
        assert not (tmp_path / "killed/items.jsonl").exists() or sign == "questions: toast"
    subprocess.run((*CUTSCORE, *words, "killed"), cwd=tmp_path, check=True, capture_output=True)
    for name in ("items.jsonl", "pack.json", "DATASHEET.md"):
        assert (tmp_path / "killed" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
