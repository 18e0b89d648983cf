"""Which model writes what: the writers of instructions and of checklists take turns, video by video."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from cutscore.authoring.build_folder import BuildFolder
from cutscore.authoring.model_writer import ModelCaller, ModelWriter
from cutscore.authoring.recipe_options import BuildOptions
from cutscore.core.errors import BadInput
from cutscore.media.plan import FramePlan
from cutscore.models.provider import require_reachable
from cutscore.prompts import Prompt, load_prompts
from cutscore.scoring.judges.choose import asks_model

PROMPTS = Path(__file__).parents[1] / "prompts" / "build"
ROLES = ("caption", "category")


@dataclass(frozen=True)
class TaskWriters:
    """Who writes the parts of one task."""

    caption: ModelWriter
    instruction: ModelWriter
    category: ModelWriter
    checklist: ModelWriter


@dataclass(frozen=True)
class WriterRotation:
    """All models of a build.

    Args:
        instruction, checklist: Who takes turns.
        caption, category: Who does it for all videos; empty for the writer of the instruction, and for the one whose
            turn is next.
        seed: Whose turn it is first.
    """

    instruction: tuple[str, ...]
    checklist: tuple[str, ...]
    caption: str
    category: str
    seed: int
    frames: str
    prompts: Mapping[str, Prompt]
    caller: ModelCaller

    def for_clip(self, number: int) -> TaskWriters:
        """Return who writes about the clip of a number, from 0."""
        turn = number + self.seed
        writer, other = (self.instruction[at % len(self.instruction)] for at in (turn, turn + 1))
        return TaskWriters(
            caption=self._open("caption", self.caption or writer),
            instruction=self._open("instruction", writer),
            category=self._open("category", self.category or other),
            checklist=self._open("checklist", self.checklist[turn % len(self.checklist)]),
        )

    def _open(self, task: str, model: str) -> ModelWriter:
        return ModelWriter(model, self.frames, self.prompts[task], self.caller)

    @property
    def settings(self) -> dict[str, str]:
        """What the datasheet says of them."""
        return {f"prompt for {name}": prompt.digest for name, prompt in self.prompts.items()}


def open_rotation(out: BuildFolder, options: BuildOptions) -> WriterRotation:
    """Return the writers of a build, and refuse what would else be refused once for each video."""
    FramePlan.parse(options.own["frames"])
    writers = _split_models(options.own["writers"]) or tuple(filter(None, (options.model,)))
    if not writers:
        raise BadInput("recipe 'covebench'", "nobody writes the instructions", "add --model M, or --set writers=M,N")
    checklist = _split_models(options.own["checklist_writers"]) or writers
    caption = options.roles.get("caption", options.model)
    category = options.roles.get("category", "")
    judge = options.own["judge"] if asks_model(options.own["judge"]) else ""
    for model in (*writers, *checklist):
        require_reachable(model)
    models = tuple(dict.fromkeys(filter(None, (*writers, *checklist, caption, category, judge))))
    caller = ModelCaller(out, models, options.cost_limit_usd)
    caller.refuse_unpriced()
    prompts = load_prompts(PROMPTS, flags=options.prompts)
    return WriterRotation(writers, checklist, caption, category, options.seed, options.own["frames"], prompts, caller)


def _split_models(text: str) -> tuple[str, ...]:
    """Split a list of models.

    >>> _split_models("openai/a, anthropic/b")
    ('openai/a', 'anthropic/b')
    """
    return tuple(filter(None, (name.strip() for name in text.split(","))))
