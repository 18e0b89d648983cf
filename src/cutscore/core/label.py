"""What people said: one schema for every kind of question."""

from typing import Annotated

from pydantic import AfterValidator, Field, JsonValue

from cutscore.core.frozen import FrozenModel, Sha256, digest_of
from cutscore.core.judgement import QuestionKind, Weakness


def _check_inner_path(path: str) -> str:
    parts = path.replace("\\", "/").split("/")
    if ".." in parts or not all(part.strip() for part in parts) or ":" in parts[0] or "\0" in path:
        raise ValueError(f"{path!r:.80} is no path within a folder")
    return path


# A path that stays within whatever folder it is looked up in.
InnerPath = Annotated[str, AfterValidator(_check_inner_path)]


class LabelledFiles(FrozenModel):
    """Plain files that a label is about, where there is no run: a video, and the context that it was made from.

    Args:
        video: Path within the folder of the labels, or within another that whoever reads them names.
        prompt: The words of the context.
        references: Paths of its pictures and clips, likewise, in order.
        sha256: By path, where it is known.
    """

    video: InnerPath
    prompt: str = ""
    references: tuple[InnerPath, ...] = ()
    sha256: dict[str, Sha256] = Field(default_factory=dict)

    @property
    def paths(self) -> tuple[str, ...]:
        """All files, the video first."""
        return self.video, *self.references

    @property
    def context(self) -> str:
        """Digest of what the video was made from; empty where nothing is known of it."""
        known = [self.sha256.get(path, path) for path in self.references]
        return digest_of([self.prompt, *known]) if self.prompt or known else ""

    @property
    def footage(self) -> str:
        """What two copies of one video have in common: their hash, or where it is not known their path."""
        return self.sha256.get(self.video, self.video)


class Label(FrozenModel):
    """One answer by one person to one question about one deliverable.

    Args:
        benchmark, item, question: What was asked; `question` may be empty for a label of the whole item.
        subject: Whose deliverable was looked at; empty when the label is about the item itself.
        person: Pseudonym; stable within a file, never a real name.
        expected: The right answer, where the question has one. Rates are then those of right answers, not of yes.
        groups: Named strata of the item (`{"axis": "causal_reasoning"}`), for tables.
        files: Plain files that were looked at, where there is no run.
        split: `train`, `dev` or `test`, so that a prompt is never tuned on what measures it.
    """

    benchmark: str
    item: str
    question: str = ""
    kind: QuestionKind = "yes_no"
    subject: str = ""
    epoch: int = Field(default=1, ge=1)
    person: str = Field(min_length=1)
    answer: JsonValue = None
    expected: JsonValue = None
    weaknesses: tuple[Weakness, ...] = ()
    because: str = ""
    groups: dict[str, str] = Field(default_factory=dict)
    files: LabelledFiles | None = None
    split: str = ""
    seconds_spent: float | None = Field(default=None, ge=0)
