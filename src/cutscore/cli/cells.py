"""What was asked for → cells: subjects × models, checked before anybody is asked anything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cutscore.core.card import Card
from cutscore.core.errors import BadInput, UnknownName
from cutscore.core.subject import SubjectSpec
from cutscore.registry import benchmark

if TYPE_CHECKING:
    from cutscore.bridge.run import CellRequest

# Settings that `--ablate` can change; each value makes one more cell.
ABLATIONS = ("frames", "input")
# The subject that is an arm by itself: a model that is shown the transcript alone.
TRANSCRIPT = "transcript"


@dataclass(frozen=True)
class Asked:
    """The options of `run`, or one stack of a sweep.

    Args:
        options: Choices in scoring that are not the card's defaults.
        ablate: (setting, value) pairs; each adds the same cells once more with that setting.
    """

    benchmark: str
    subjects: Sequence[str] = ()
    models: Sequence[str] = ()
    roles: Mapping[str, str] = field(default_factory=dict)
    judge: str = ""
    votes: int = 0
    prompts: Mapping[str, str] = field(default_factory=dict)
    frames: str = ""
    data: Path | None = None
    mode: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    ablate: Sequence[tuple[str, str]] = ()


def wishes(asked: Asked) -> list[CellRequest]:
    """Return one wish for each cell, in the order in which they were asked for.

    Subjects that take a model are crossed with all models; a file of responses makes one for each model in it; the
    others come once.

    Raises:
        BadInput: Something does not fit together. Everything that can be known without running is said here.
    """
    from cutscore.bridge.run import CellRequest

    card = benchmark(asked.benchmark).card
    asked = replace(asked, judge=asked.judge or card.judge.default)
    _check(asked, card)
    base = CellRequest(
        benchmark=asked.benchmark,
        subject="",
        mode=asked.mode,
        frames=asked.frames,
        data=str(asked.data) if asked.data else "",
        prompts=asked.prompts,
        roles=asked.roles,
        options=asked.options,
        judge=asked.judge,
        votes=asked.votes,
    )
    plain = [
        _asking(base, subject, model)
        for named in _subjects(asked, card)
        for subject in _each(named, asked)
        for model in _models(subject, asked.models)
    ]
    return plain + [each for name, value in asked.ablate for each in _ablated(plain, name, value)]


def _asking(base: CellRequest, subject: str, model: str) -> CellRequest:
    spec = _spec(subject)
    if spec.kind != TRANSCRIPT:
        return replace(base, subject=subject, model=model, made_of=_made_of(model))
    who = f"{spec.label}=model" if model else subject
    return replace(base, subject=who, model=model, made_of=_made_of(model), input=TRANSCRIPT)


def _ablated(plain: Sequence[CellRequest], setting: str, value: str) -> list[CellRequest]:
    """Return the same wishes with another setting; those whose subject does not look have no input to change.

    Where nobody looks, frames can be changed all the same: that nothing follows from it can be what is to be shown.
    """
    from cutscore.subjects.choose import looks

    able = [wish for wish in plain if looks(_spec(wish.subject).kind) and not (setting == "input" and wish.input)]
    if setting == "frames":
        able = able or list(plain)
    if not able:
        who = ", ".join(dict.fromkeys(_spec(wish.subject).label for wish in plain))
        fact = f"nobody among the subjects ({who}) looks at an input that could be changed"
        raise BadInput(f"--ablate {setting}={value}", fact, "name a subject that looks, such as reader or model")
    changed: dict[str, Any] = {setting: value}
    return [replace(wish, **changed) for wish in able]


def _check(asked: Asked, card: Card) -> None:
    from cutscore.bridge.conditions import inputs_of
    from cutscore.media.plan import frames_of

    check_judge(card, asked.judge, asked.votes)
    if asked.mode:
        try:
            card.mode(asked.mode)
        except ValueError as error:
            raise BadInput(f"--mode '{asked.mode}'", str(error), "see 'cutscore list'") from None
    if asked.data is not None and not asked.data.is_dir():
        raise BadInput(f"--data '{asked.data}'", "there is no such folder", "name a folder with items.jsonl")
    for name, file in asked.prompts.items():
        if not Path(file).is_file():
            raise BadInput(f"--prompt {name}={file}", "there is no such file", "name a Markdown file")
    for name, value in asked.ablate:
        if name not in ABLATIONS:
            raise UnknownName.among("setting to ablate", name, ABLATIONS)
        if name == "input" and value not in inputs_of(card):
            raise UnknownName.among("input", value, inputs_of(card))
    for frames in [asked.frames, *(value for name, value in asked.ablate if name == "frames")]:
        if frames:
            frames_of(frames, card.frames)
    for role, model in [("", model) for model in asked.models] + list(asked.roles.items()):
        _check_model(model, "--model" if not role else f"--role {role}=")


def check_judge(card: Card, judge: str, votes: int) -> None:
    """Raise when a judge is named where none is asked, is missing where nothing can be said without one, or is odd."""
    if judge and not card.takes_judge:
        fact = f"benchmark '{card.name}' is marked by verifiers, no opinion is asked"
        raise BadInput(f"--judge '{judge}'", fact, "leave it out")
    if card.needs_judge and not judge:
        raise BadInput(f"benchmark '{card.name}'", "is marked by a judge", "name one with --judge; see 'cutscore list'")
    if votes and not judge:
        raise BadInput(f"--votes {votes}", "nobody votes without a judge", "add --judge")
    if votes and votes % 2 == 0:
        raise BadInput(
            f"--votes {votes}", "an even number of votes can be tied", f"ask {votes - 1} or {votes + 1} times"
        )


def _check_model(model: str, option: str) -> None:
    provider, slash, name = model.partition("/")
    if not (provider and slash and name):
        raise BadInput(f"{option} '{model}'", "is not PROVIDER/NAME", "write for example openai/gpt-x")


def _subjects(asked: Asked, card: Card) -> list[str]:
    from cutscore.subjects.choose import takes_model

    subjects = list(asked.subjects) or (["model"] if asked.models else [])
    if not subjects:
        known = ", ".join(card.subjects)
        raise BadInput(f"benchmark '{card.name}'", "nobody to run: name a --subject or a --model", f"it has {known}")
    specs = [_spec(subject) for subject in subjects]
    labels = [spec.label for spec in specs]
    if twice := next((label for label in labels if labels.count(label) > 1), None):
        raise BadInput(f"--subject '{twice}'", "is asked for twice", "give it once, or give each a LABEL=")
    takers = [spec.kind for spec in specs if takes_model(spec.kind)]
    if asked.models and not takers and TRANSCRIPT not in [spec.kind for spec in specs]:
        fact = f"nobody takes a model among the subjects ({', '.join(labels)})"
        raise BadInput(f"--model '{asked.models[0]}'", fact, "leave it out, or add --subject model")
    if takers and not asked.models:
        raise BadInput(f"--subject '{takers[0]}'", "needs a model", "add --model PROVIDER/NAME")
    return subjects


def _spec(text: str) -> SubjectSpec:
    try:
        return SubjectSpec.parse(text)
    except ValueError as error:
        raise BadInput(f"--subject '{text}'", str(error), "for example oracle or mine=folder:out") from None


def _each(subject: str, asked: Asked) -> Sequence[str]:
    """Return the subjects that one word means: a file of responses holds one for each model."""
    spec = _spec(subject)
    if spec.kind != "responses" or not spec.spec:
        return [subject]
    from cutscore.subjects.responses import by_model

    if asked.ablate:
        fact = "ready responses stay what they are, whatever is changed"
        raise BadInput(f"--ablate {asked.ablate[0][0]}=…", fact, "give the other responses as a file of their own")
    return by_model(spec)


def _models(subject: str, models: Sequence[str]) -> Sequence[str]:
    from cutscore.subjects.choose import takes_model

    kind = _spec(subject).kind
    return list(dict.fromkeys(models)) if takes_model(kind) or (kind == TRANSCRIPT and models) else [""]


def _made_of(model: str) -> str:
    from cutscore.models.fingerprint import fingerprint

    return fingerprint(model) if model else ""
