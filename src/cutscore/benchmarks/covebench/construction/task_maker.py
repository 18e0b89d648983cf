"""One video → one task: caption, instruction, second reader, checklist, and a judge's look at the source.

What a model is given of a stranger's words is a JSON string: nothing in it can end it.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import Field, JsonValue

from cutscore.authoring.footage import RefusedSource, SourceClip
from cutscore.authoring.recipe import RecipeItems
from cutscore.authoring.source_facts import read_note
from cutscore.benchmarks.covebench.checklist import Checklist, EditPoint
from cutscore.benchmarks.covebench.construction.categoriser import compare_categories, read_categories
from cutscore.benchmarks.covebench.construction.checklists import (
    ChecklistReader,
    list_edits,
    renumber_questions,
    shuffle_options,
)
from cutscore.benchmarks.covebench.construction.combinations import draw_combinations, list_combinations
from cutscore.benchmarks.covebench.construction.instructions import InstructionDraft, PlainText, read_instruction
from cutscore.benchmarks.covebench.construction.record import ConstructionRecord
from cutscore.benchmarks.covebench.construction.source_judge import SourceJudge
from cutscore.benchmarks.covebench.construction.writers import TaskWriters
from cutscore.benchmarks.covebench.dataset import EditTask, complexity
from cutscore.core.errors import BadInput
from cutscore.core.frozen import FrozenModel, digest_of
from cutscore.media.source import shown_name

CAPTION, LONGEST_CAPTION = ".caption.txt", 4_000
PERSON = "a person"
FEWEST_EDITS = 2
LONGEST_QUOTE = 200
FAULTY = "question that breaks a rule twice"

Made = RecipeItems[EditTask]


class _CaptionReply(FrozenModel):
    caption: PlainText = Field(min_length=80, max_length=LONGEST_CAPTION)


@dataclass(frozen=True)
class ClipCaption:
    """A description of a video, and whose it is."""

    text: str
    author: str


@dataclass(frozen=True)
class TaskMaker:
    """Makes the tasks of a build; `turns` has the writers of each clip, by its name."""

    turns: Mapping[str, TaskWriters]
    judge: SourceJudge | None
    seed: int

    def make(self, film: SourceClip, made: Made) -> None:
        """Add the task of one video; raise BadInput where none can be made."""
        writers = self.turns[film.name]
        caption = describe_video(film, writers)
        draft, record = self.write_instruction(film, caption, writers, [item.instruction for item in made.items])
        reader = ChecklistReader(draft)
        checklist = writers.checklist.write(
            None,
            reader,
            caption=_quote(caption.text),
            instruction=_quote(draft.instruction),
            edits=list_edits(draft.edits),
        )
        if reader.dropped:
            made.dropped[FAULTY] += len(reader.dropped)
        item = self.make_item(film, draft, checklist).model_copy(
            update={"description": caption.text, "construction": record}
        )
        passed = self.judge.find_passed(item) if self.judge else []
        kept = drop_points(item, passed)
        made.refused += [
            RefusedSource(what=f"{film.name}, '{point.target}'", because="the source passes it as it is")
            for point in passed
        ]
        made.add(kept, film, author=record.drafted_by)

    def write_instruction(
        self, film: SourceClip, caption: ClipCaption, writers: TaskWriters, earlier: list[str]
    ) -> tuple[InstructionDraft, ConstructionRecord]:
        """Let a writer ask for edits, and another reader say from its words alone what they ask for."""
        offered = draw_combinations(self.seed, film.ref.sha256)
        draft = writers.instruction.write(
            film.ref,
            lambda reply: read_instruction(reply, offered, earlier),
            caption=_quote(caption.text),
            combinations=list_combinations(offered),
        )
        heard = writers.category.write(None, read_categories, instruction=_quote(draft.instruction))
        found = compare_categories(draft.dimensions, heard)
        if found.unheard:
            words, lost = shown_name(draft.instruction, most=LONGEST_QUOTE), " and ".join(found.unheard)
            fact = f"'{words}' was written to ask for {lost}, which {writers.category.model} does not find in it"
            raise BadInput("instruction", fact)
        record = ConstructionRecord(
            captioned_by=caption.author,
            drafted_by=writers.instruction.model,
            checklist_by=writers.checklist.model,
            categorised_by=writers.category.model,
            combination=offered[draft.combination - 1].types,
            unclaimed=found.unclaimed,
        )
        return draft, record

    def make_item(self, film: SourceClip, draft: InstructionDraft, checklist: Checklist) -> EditTask:
        """Return the task with its options laid."""
        laid = shuffle_options(checklist, f"{self.seed} {film.ref.sha256}")
        return EditTask(
            id=f"edit-{digest_of([film.ref.sha256, self.seed])[:8]}",
            cluster=film.name,
            groups=complexity(draft.instruction, laid),
            source=film.ref,
            instruction=draft.instruction,
            edits=laid.instructions,
            target=draft.target,
            checklist=laid,
        )


def describe_video(film: SourceClip, writers: TaskWriters) -> ClipCaption:
    """Return what is seen in a video: by the file beside it, else by a model."""
    written = read_note(film, CAPTION, longest=LONGEST_CAPTION)
    if written is not None:
        return ClipCaption(written, PERSON)
    return ClipCaption(writers.caption.write(film.ref, _read_caption), writers.caption.model)


def _read_caption(reply: JsonValue) -> str:
    return _CaptionReply.model_validate(reply).caption


def drop_points(item: EditTask, passed: Sequence[EditPoint]) -> EditTask:
    """Return a task without the edit points that its source passes.

    Raises:
        BadInput: Fewer than two would be left.
    """
    if not passed:
        return item
    points = [point for point in item.checklist.points if point not in passed]
    if sum(bool(point.objective) for point in points) < FEWEST_EDITS:
        names = ", ".join(f"'{point.target}'" for point in passed)
        raise BadInput("source", f"passes {names} as it is, and fewer than {FEWEST_EDITS} edits are left")
    left = renumber_questions(points)
    changed = {"checklist": left, "edits": left.instructions, "groups": complexity(item.instruction, left)}
    return item.model_copy(update=changed)


def _quote(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
