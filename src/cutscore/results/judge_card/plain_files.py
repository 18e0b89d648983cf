"""Labels of plain files → what a judge is asked about them, as about the deliverables of a run."""

from collections.abc import Sequence
from pathlib import Path

from cutscore.core.errors import BadInput, BrokenData
from cutscore.core.evidence import Evidence
from cutscore.core.files import FileRef, FileStore
from cutscore.core.judge_view import JudgeView, Shown
from cutscore.core.judgement import Question
from cutscore.core.label import Label, LabelledFiles
from cutscore.labels.files import LabelKey, label_key
from cutscore.labels.split import join_clusters
from cutscore.results.judge_card.verdicts import JudgeCase

PROMPT, VIDEO, REFERENCE = "prompt", "video", "reference"


def file_cases(
    labels: Sequence[Label], questions: Sequence[Question], *, root: Path, store: FileStore
) -> list[JudgeCase]:
    """Return a case for every video that labels are about, in their order; labels without files have none.

    A judge is shown the words of the context as `prompt`, its pictures and clips as `reference 1` …, and the `video`.

    Args:
        labels: A label without a question is about the only one.
        questions: What is asked about each video.
        root: The folder that paths of labels are in.
        store: Takes the files in, or remembers where they are.

    Raises:
        BadInput: A file is not there.
        BrokenData: A file is not the one that the label names, or two labels of one video name different files.
    """
    found: dict[LabelKey, tuple[LabelledFiles, str]] = {}
    for label, cluster in zip(labels, join_clusters(labels), strict=True):
        about = label_key(label)._replace(question="")
        if label.files is None:
            continue
        if found.setdefault(about, (label.files, cluster))[0] != label.files:
            raise BrokenData(f"item '{label.item}'", "labels name different files for it", "give each its own item")
    return [
        _case(about, files, questions, root, store).model_copy(update={"cluster": cluster})
        for about, (files, cluster) in found.items()
    ]


def _case(
    about: LabelKey, files: LabelledFiles, questions: Sequence[Question], root: Path, store: FileStore
) -> JudgeCase:
    names = {path: f"{REFERENCE} {number}" for number, path in enumerate(files.references, start=1)}
    names[files.video] = VIDEO
    kept = {path: _put(files, path, name, root, store) for path, name in names.items()}
    words = (Shown(label=PROMPT, fact=PROMPT),) if files.prompt else ()
    shown = (*words, *(Shown(label=name, file=kept[path].name) for path, name in names.items()))
    return JudgeCase(
        benchmark=about.benchmark,
        item=about.item,
        subject=about.subject,
        epoch=about.epoch,
        deliverable=kept[files.video].sha256,
        questions=tuple(questions),
        evidence=Evidence(files=tuple(kept.values()), facts={PROMPT: files.prompt} if files.prompt else {}).bind(store),
        view=JudgeView(shown=shown),
        words=(),
    )


def _put(files: LabelledFiles, path: str, name: str, root: Path, store: FileStore) -> FileRef:
    if not (root / path).is_file():
        raise BadInput(f"file '{root / path}'", "is not there, and labels are about it", "name the folder of the files")
    ref = store.put(root / path, name=f"{name.replace(' ', '-')}{Path(path).suffix}")
    if path in files.sha256 and ref.sha256 != files.sha256[path]:
        fact = f"has sha256 {ref.sha256[:12]}…, its label says {files.sha256[path][:12]}…"
        raise BrokenData(f"file '{root / path}'", fact, "label the file that is there, or fetch the other one")
    return ref
