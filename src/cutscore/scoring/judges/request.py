"""Questions, evidence and prompts → one request, with its digest and its fence."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cutscore.core.errors import UnknownName
from cutscore.core.frozen import digest_of
from cutscore.core.judge_view import JudgeView
from cutscore.core.judgement import Question
from cutscore.prompts import Prompt, load_prompt, load_prompts
from cutscore.scoring.judges.exhibits import Exhibit
from cutscore.scoring.judges.fence import Fence

if TYPE_CHECKING:
    from inspect_ai.model import ChatMessage, Content

FOLDER = Path(__file__).parent / "prompts"
JUDGE, FORM, AGAIN, CLOSE = NAMES = ("judge", "judge_form", "judge_again", "judge_close")
# The form of a kind of question that came later: read where such a question is asked, and not in other digests.
SHORT = "judge_short"


@dataclass(frozen=True)
class Attempt:
    """Which vote and attempt a request is, both from 1, and what was wrong with the attempt before, in our words."""

    vote: int = 1
    number: int = 1
    problem: str = ""


@dataclass(frozen=True)
class JudgeRequest:
    """What goes to a model.

    Args:
        key: Digest of everything that can change the reply; the journal is kept by it.
        system: The rules, the questions and the form of the reply. Nothing of the submission is in it.
    """

    key: str
    fence: Fence
    questions: tuple[Question, ...]
    system: str
    shown: tuple[Exhibit, ...]
    close: str


def make_request(
    questions: Sequence[Question],
    shown: tuple[Exhibit, ...],
    *,
    terms: Mapping[str, Any],
    prompts: Mapping[str, Prompt],
    attempt: Attempt = Attempt(),  # noqa: B008  frozen
) -> JudgeRequest:
    """Put a request together."""
    asked = [_plain(question) for question in questions]
    names = (*NAMES, SHORT) if any(question.kind == "short" for question in questions) else NAMES
    key = digest_of(
        {
            "terms": dict(terms),
            "prompts": {name: prompts[name].digest for name in names},
            "questions": asked,
            "shown": [each.plain() for each in shown],
            "turn": [attempt.vote, attempt.number, attempt.problem],
        }
    )
    fence = Fence.of(key)
    form = prompts[FORM].fill(
        opening=fence.opening,
        closing=fence.closing,
        seal=fence.seal,
        questions="\n".join(json.dumps(each, ensure_ascii=False) for each in asked),
        again=prompts[AGAIN].fill(problem=attempt.problem) if attempt.problem else "",
    )
    kinds = f"\n{prompts[SHORT].fill().strip()}\n" if SHORT in names else ""
    system = f"{prompts[JUDGE].fill().strip()}\n\n{form.strip()}\n{kinds}"
    return JudgeRequest(key, fence, tuple(questions), system, shown, prompts[CLOSE].fill(seal=fence.seal).strip())


def load_judge_prompts(
    folder: Path | None, *, benchmark: str, flags: Mapping[str, Path], config: Mapping[str, Path]
) -> dict[str, Prompt]:
    """Read the judge's prompts: the user's file, else the benchmark's, else ours.

    A file in the benchmark's `prompts/`, the folder, with the name of one of ours replaces it. Other `judge_*.md` there
    are for views that name them.
    """
    ours = load_prompts(FOLDER, flags=_replacements((*NAMES, SHORT), folder, benchmark, flags, config))
    own = sorted(file.stem for file in folder.glob("judge_*.md") if file.stem not in ours) if folder else []
    theirs = _replacements(own, folder, benchmark, flags, config)
    return {**ours, **{name: load_prompt(name, folder=folder, flags=theirs) for name in own if folder}}


def _replacements(
    names: Sequence[str], folder: Path | None, benchmark: str, *sources: Mapping[str, Path]
) -> dict[str, Path]:
    """Return the file of each name: the first of the sources that has it, there the one that names the benchmark."""
    theirs = {name: file for name in names if folder and (file := folder / f"{name}.md").is_file()}
    for files in reversed(sources):
        for name in names:
            if key := next((key for key in (f"{benchmark}/{name}", name) if key in files), ""):
                theirs[name] = files[key]
    return theirs


def prompts_of_view(prompts: Mapping[str, Prompt], view: JudgeView) -> Mapping[str, Prompt]:
    """Return the prompts of a call: those that a view names stand in for `judge` and `judge_form`."""
    named = {JUDGE: view.prompt, FORM: view.form}
    for name in filter(None, named.values()):
        if name not in prompts:
            raise UnknownName.among("judge prompt", name, prompts)
    return {**prompts, **{usual: prompts[name] for usual, name in named.items() if name}}


def _plain(question: Question) -> dict[str, Any]:
    plain: dict[str, Any] = {"id": question.id, "kind": question.kind, "text": question.text}
    if question.choices:
        plain["choices"] = list(question.choices)
    if question.anchors:
        plain["anchors"] = {str(number): text for number, text in sorted(question.anchors.items())}
    if question.kind == "short":
        plain["max_chars"] = question.max_chars
    return plain


def chat_messages(request: JudgeRequest) -> list[ChatMessage]:
    """Return the request as a conversation; media are references."""
    from inspect_ai.model import ChatMessageSystem, ChatMessageUser, ContentText

    content: list[Content] = [ContentText(text=request.fence.opening)]
    for each in request.shown:
        content += _content(each, request.fence)
    content += [ContentText(text=request.fence.closing), ContentText(text=request.close)]
    return [ChatMessageSystem(content=request.system), ChatMessageUser(content=content)]


def _content(exhibit: Exhibit, fence: Fence) -> list[Content]:
    from inspect_ai.model import ContentText

    from cutscore.models.references import content_for

    heading = ContentText(text=fence.heading(exhibit.name))
    if exhibit.media:
        return [heading, content_for(exhibit.media, sound=exhibit.sound)]
    return [heading, ContentText(text=exhibit.text or "(empty)")]
