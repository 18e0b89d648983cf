"""covebench: what is left of a task when its source passes some of its groups, and whose turn it is to write."""

import re
from pathlib import Path

import pytest

from cutscore.authoring.build_folder import BuildFolder
from cutscore.authoring.recipe_options import BuildOptions, parse_options
from cutscore.benchmarks.covebench.construction.lint import lint_checklist
from cutscore.benchmarks.covebench.construction.recipe import OPTIONS
from cutscore.benchmarks.covebench.construction.source_judge import open_source_judge
from cutscore.benchmarks.covebench.construction.task_maker import drop_points
from cutscore.benchmarks.covebench.construction.writers import open_rotation
from cutscore.benchmarks.covebench.dataset import items
from cutscore.core.errors import BadInput, UnknownName
from cutscore.store import Store


def options(model: str = "", seed: int = 0, **own: str) -> BuildOptions:
    return BuildOptions(model=model, seed=seed, own=parse_options(own, OPTIONS, recipe="covebench"))


def test_a_task_goes_on_without_a_group_that_its_source_passes(tmp_path: Path) -> None:
    item = items(Store(tmp_path))[0]
    first, *others = item.checklist.edit_points
    left = drop_points(item, [first])
    assert left.edits == item.edits[1:]
    assert [point.target for point in left.checklist.edit_points] == [point.target for point in others]
    assert left.groups["edit_points"] == "2"
    assert [question.id for question in left.checklist.questions][:2] == ["Q1", "Q2"]
    assert lint_checklist(left.instruction, left.checklist) == ()
    assert drop_points(item, []) is item


def test_a_task_of_which_one_edit_would_be_left_is_refused(tmp_path: Path) -> None:
    item = items(Store(tmp_path))[0]
    passed = item.checklist.edit_points[:2]
    expected = r"source: passes 'Colour of the ball', 'Removal of the bench' as it is, and fewer than 2 edits are left"
    with pytest.raises(BadInput, match=expected):
        drop_points(item, passed)


def test_writers_take_turns_and_the_next_one_categorises(tmp_path: Path) -> None:
    rotation = open_rotation(BuildFolder(tmp_path), options(writers="scripted/a,scripted/b, scripted/c"))
    turns = [rotation.for_clip(number) for number in range(4)]
    assert [each.instruction.model for each in turns] == ["scripted/a", "scripted/b", "scripted/c", "scripted/a"]
    assert [each.category.model for each in turns] == ["scripted/b", "scripted/c", "scripted/a", "scripted/b"]
    assert turns[1].caption.model == turns[1].checklist.model == "scripted/b"
    later = open_rotation(BuildFolder(tmp_path), options(seed=1, writers="scripted/a,scripted/b"))
    assert later.for_clip(0).instruction.model == "scripted/b"


def test_one_model_does_it_all_unless_others_are_named(tmp_path: Path) -> None:
    alone = open_rotation(BuildFolder(tmp_path), options("scripted/m")).for_clip(5)
    assert {each.model for each in (alone.caption, alone.instruction, alone.category, alone.checklist)} == {
        "scripted/m"
    }
    some = open_rotation(BuildFolder(tmp_path), options("scripted/m", checklist_writers="scripted/x,scripted/y"))
    assert [some.for_clip(number).checklist.model for number in (0, 1)] == ["scripted/x", "scripted/y"]


def test_without_a_writer_or_with_an_unknown_prompt_nothing_begins(tmp_path: Path) -> None:
    out = BuildFolder(tmp_path)
    with pytest.raises(BadInput, match="nobody writes the instructions; add --model M, or --set writers=M,N"):
        open_rotation(out, options())
    with pytest.raises(BadInput, match="model 'nobody/x': cannot be used"):
        open_rotation(out, options(writers="nobody/x"))
    given = options("scripted/m")
    with pytest.raises(UnknownName, match="no prompt 'instructions'; did you mean 'instruction'"):
        open_rotation(out, BuildOptions(model=given.model, own=given.own, prompts={"instructions": tmp_path}))


@pytest.mark.parametrize("name", ["stage", "truth", "people:labels.jsonl", "answers:said.json"])
def test_a_judge_that_goes_by_items_cannot_answer_before_there_are_any(name: str, tmp_path: Path) -> None:
    out = BuildFolder(tmp_path)
    ledger = open_rotation(out, options("scripted/m")).caller.ledger
    expected = f"--set judge={name}: '{name.partition(':')[0]}' answers by what is known of the items"
    with pytest.raises(BadInput, match=re.escape(expected)), open_source_judge(name, out, ledger):
        pass
