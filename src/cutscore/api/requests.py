"""What a run is asked for → one request for each cell: subjects × models, checked before anybody is asked anything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from cutscore.api.items import check_mode, find_data
from cutscore.cells.request import CellRequest
from cutscore.core.card import Card
from cutscore.core.condition import GENERATION
from cutscore.core.errors import BadInput, UnknownName
from cutscore.core.subject import Subject, SubjectSpec
from cutscore.registry import benchmark

# Settings that `--ablate` can change beside the conditions of work; each value makes one more cell.
ABLATIONS = ("frames", "input")
# The subject that is an arm by itself: a model that is shown the transcript alone.
TRANSCRIPT = "transcript"


def cell_requests(
    base: CellRequest,
    *,
    subjects: Sequence[str] = (),
    models: Sequence[str] = (),
    ablate: Sequence[tuple[str, str]] = (),
    workers: Mapping[str, Subject] = MappingProxyType({}),
) -> list[CellRequest]:
    """Return one request for each cell, in the order in which they were asked for.

    Subjects that take a model are crossed with all models; a file of responses makes one for each model in it; the
    others come once.

    Args:
        base: What all cells share; its subject and model do not count.
        subjects: `[LABEL=]KIND[@VERSION][:SPEC]` each; the model when there are none.
        models: Inspect names.
        ablate: (setting, value) pairs; each adds the same cells once more with that setting.
        workers: Subjects that are objects of the caller's, by the label that `subjects` has for them.

    Raises:
        BadInput: Something does not fit together. Everything that can be known without running is said here.
    """
    found = benchmark(base.benchmark)
    card, data = found.card, find_data(found, Path(base.data) if base.data else None)
    base = replace(base, judge=base.judge or card.judge.default, conditions=check_conditions(card, base.conditions))
    base = replace(base, data=str(data or ""))
    _check(base, card, models, ablate)
    plain = [
        _with_conditions(_request(base, subject, model, workers), base.conditions, card)
        for named in _subjects(subjects, models, card)
        for subject in _subjects_in(named, ablate)
        for model in _models(subject, models)
    ]
    for name, value in base.conditions.items():
        if not any(_takes(request, name, card) for request in plain):
            raise _means_nothing(f"--set {name}={value}", name, plain)
    return plain + [each for name, value in ablate for each in _ablated(plain, name, value, card)]


def check_conditions(card: Card, asked: Mapping[str, str]) -> dict[str, str]:
    """Return the conditions of work that differ from the card's defaults; raise at an unknown name or value."""
    try:
        return card.changed_conditions(asked)
    except ValueError as error:
        raise BadInput("conditions", str(error), f"see 'cutscore list --json' for those of '{card.name}'") from None


def _request(base: CellRequest, subject: str, model: str, workers: Mapping[str, Subject]) -> CellRequest:
    from cutscore.models.provider import script_digest

    spec = _spec(subject)
    asked = replace(base, subject=subject, model=model, source_digest=script_digest(model) if model else "")
    if spec.kind != TRANSCRIPT:
        return replace(asked, worker=workers.get(spec.label))
    return replace(asked, subject=f"{spec.label}=model" if model else subject, input=TRANSCRIPT)


def _takes(request: CellRequest, name: str, card: Card) -> bool:
    """Return whether a condition means anything to the subject of a request."""
    from cutscore.subjects.choose import is_ready

    kind, wanted = _spec(request.subject).kind, card.all_conditions[name].subjects
    if wanted:
        return kind in wanted
    return bool(request.model) if name in GENERATION else not is_ready(kind)


def _with_conditions(request: CellRequest, conditions: Mapping[str, str], card: Card) -> CellRequest:
    """Return a request under conditions: those that mean something to its subject.

    A condition that names a model is a role of that name, so that the model is priced, reached and booked like others.
    """
    mine = {name: value for name, value in conditions.items() if _takes(request, name, card)}
    models = {name: value for name, value in mine.items() if card.all_conditions[name].kind == "model" and value}
    roles = {name: model for name, model in request.roles.items() if request.conditions.get(name) != model}
    if taken := next((name for name in models if name in roles), None):
        fact = f"the condition '{taken}' names the model of that role"
        raise BadInput(f"--role {taken}={roles[taken]}", fact, "give one of the two")
    return replace(request, conditions=mine, roles={**roles, **models})


def _means_nothing(what: str, name: str, plain: Sequence[CellRequest]) -> BadInput:
    who = ", ".join(dict.fromkeys(_spec(request.subject).label for request in plain))
    wanted = "a subject that takes a model" if name in GENERATION else "a subject that does its work now"
    return BadInput(what, f"it means nothing to any of the subjects ({who})", f"name {wanted}, or leave it out")


def _ablated(plain: Sequence[CellRequest], setting: str, value: str, card: Card) -> list[CellRequest]:
    """Return the same requests with another setting; those whose subject does not look have no input to change.

    Where nobody looks, frames and conditions can be changed all the same: that nothing follows from it can be what is
    to be shown.
    """
    from cutscore.subjects.choose import looks_at_input

    if setting not in ABLATIONS:
        takers = [request for request in plain if _takes(request, setting, card)]
        if not takers:
            raise _means_nothing(f"--ablate {setting}={value}", setting, plain)
        able = [request for request in takers if looks_at_input(_spec(request.subject).kind)] or takers
        return [
            _with_conditions(request, check_conditions(card, {**request.conditions, setting: value}), card)
            for request in able
        ]
    able = [
        request
        for request in plain
        if looks_at_input(_spec(request.subject).kind) and not (setting == "input" and request.input)
    ]
    if setting == "frames":
        able = able or list(plain)
    if not able:
        who = ", ".join(dict.fromkeys(_spec(request.subject).label for request in plain))
        fact = f"nobody among the subjects ({who}) looks at an input that could be changed"
        raise BadInput(f"--ablate {setting}={value}", fact, "name a subject that looks, such as reader or model")
    changed: dict[str, Any] = {setting: value}
    return [replace(request, **changed) for request in able]


def _check(base: CellRequest, card: Card, models: Sequence[str], ablate: Sequence[tuple[str, str]]) -> None:
    from cutscore.cells.inputs import inputs_of
    from cutscore.media.plan import canonical_plan

    check_judge(card, base.judge, base.votes)
    check_mode(card, base.mode)
    for name, file in base.prompts.items():
        if not Path(file).is_file():
            raise BadInput(f"--prompt {name}={file}", "there is no such file", "name a Markdown file")
    for name, value in ablate:
        if name not in (*ABLATIONS, *card.all_conditions):
            raise UnknownName.among("setting to ablate", name, (*ABLATIONS, *card.all_conditions))
        if name not in ABLATIONS:
            check_conditions(card, {name: value})
        if name == "input" and value not in inputs_of(card):
            raise UnknownName.among("input", value, inputs_of(card))
    for frames in [base.frames, *(value for name, value in ablate if name == "frames")]:
        if frames:
            canonical_plan(frames, card.frames)
    named = [("--model", model) for model in models]
    # Whoever sits in a role of the judge is any judge, and is opened like one.
    others = {role: model for role, model in base.roles.items() if role not in card.judge.roles}
    for option, model in [*named, *((f"--role {role}=", model) for role, model in others.items())]:
        provider, slash, name = model.partition("/")
        if not (provider and slash and name):
            raise BadInput(f"{option} '{model}'", "is not PROVIDER/NAME", "write for example openai/gpt-x")


def check_judge(card: Card, judge: str, votes: int) -> None:
    """Raise when a judge is named and none is asked, is needed and missing, or has an even number of votes."""
    if judge and not card.takes_judge:
        fact = f"benchmark '{card.name}' is marked by verifiers, no opinion is asked"
        raise BadInput(f"--judge '{judge}'", fact, "leave it out")
    if card.needs_judge and not judge:
        raise BadInput(f"benchmark '{card.name}'", "is marked by a judge", "name one with --judge; see 'cutscore list'")
    if votes and not judge:
        raise BadInput(f"--votes {votes}", "nobody votes without a judge", "add --judge")
    if votes and votes % 2 == 0:
        odd = f"ask {votes - 1} or {votes + 1} times"
        raise BadInput(f"--votes {votes}", "an even number of votes can be tied", odd)


def _subjects(named: Sequence[str], models: Sequence[str], card: Card) -> list[str]:
    from cutscore.subjects.choose import takes_model

    subjects = list(named) or (["model"] if models else [])
    if not subjects:
        known = ", ".join(card.subjects)
        raise BadInput(f"benchmark '{card.name}'", "nobody to run: name a --subject or a --model", f"it has {known}")
    specs = [_spec(subject) for subject in subjects]
    labels = [spec.label for spec in specs]
    if twice := next((label for label in labels if labels.count(label) > 1), None):
        raise BadInput(f"--subject '{twice}'", "is asked for twice", "give it once, or give each a LABEL=")
    takers = [spec.kind for spec in specs if takes_model(spec.kind)]
    if models and not takers and TRANSCRIPT not in [spec.kind for spec in specs]:
        fact = f"nobody takes a model among the subjects ({', '.join(labels)})"
        raise BadInput(f"--model '{models[0]}'", fact, "leave it out, or add --subject model")
    if takers and not models:
        raise BadInput(f"--subject '{takers[0]}'", "needs a model", "add --model PROVIDER/NAME")
    return subjects


def _spec(text: str) -> SubjectSpec:
    try:
        return SubjectSpec.parse(text)
    except ValueError as error:
        raise BadInput(f"--subject '{text}'", str(error), "for example oracle or mine=folder:out") from None


def _subjects_in(subject: str, ablate: Sequence[tuple[str, str]]) -> Sequence[str]:
    """Return the subjects that one word means: a file of responses holds one for each model."""
    spec = _spec(subject)
    if spec.kind != "responses" or not spec.spec:
        return [subject]
    from cutscore.subjects.responses import split_by_model

    if ablate:
        fact = "ready responses stay what they are, whatever is changed"
        raise BadInput(f"--ablate {ablate[0][0]}=…", fact, "give the other responses as a file of their own")
    return split_by_model(spec)


def _models(subject: str, models: Sequence[str]) -> Sequence[str]:
    from cutscore.subjects.choose import takes_model

    kind = _spec(subject).kind
    return list(dict.fromkeys(models)) if takes_model(kind) or (kind == TRANSCRIPT and models) else [""]
