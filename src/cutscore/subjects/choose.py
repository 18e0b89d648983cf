"""Which subject a spec means: `[LABEL=]KIND[@VERSION][:SPEC]` → somebody who can be asked."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from cutscore.cells.scoring_code import part_digest
from cutscore.core.errors import BadInput, UnknownName
from cutscore.core.item import Item
from cutscore.core.resources import Resources
from cutscore.core.subject import Subject, SubjectSpec
from cutscore.registry import Benchmark, benchmarks, load_plugin, plugins
from cutscore.settings import load_settings
from cutscore.subjects.answerer import ModelSubject
from cutscore.subjects.command import open_command
from cutscore.subjects.folder import MatchFiles, open_folder
from cutscore.subjects.function import FunctionSubject, open_function
from cutscore.subjects.harness.catalogue import HARNESSES, open_harness
from cutscore.subjects.http import open_http
from cutscore.subjects.references import BlindSubject, KnownAnswerSubject
from cutscore.subjects.responses import open_responses
from cutscore.subjects.web.agent import WEB_AGENTS, open_web_agent
from cutscore.subjects.web.person import PersonSubject


@dataclass(frozen=True)
class SubjectKind:
    """A kind of subject.

    Args:
        spec: What follows its colon.
        looks: It looks at its input, so that some can be left out.
        ready: What it hands over was made before, so that no condition of work means anything to it.
    """

    about: str
    takes_model: bool = False
    spec: str = ""
    looks: bool = True
    ready: bool = False


KINDS: Mapping[str, SubjectKind] = {
    "oracle": SubjectKind("hands over what gets full marks", looks=False),
    "blind": SubjectKind("guesses from the words alone"),
    "null": SubjectKind("does no work", looks=False),
    "reader": SubjectKind("looks at pixels and sound without a model, where a benchmark has one"),
    "transcript": SubjectKind(
        "sees the transcript and no picture: the --model, or without one what a benchmark has for it"
    ),
    "model": SubjectKind("a model that answers", takes_model=True),
    "folder": SubjectKind("deliverables that are ready: DIR/ITEM[/EPOCH]/files", spec="DIR", looks=False, ready=True),
    "responses": SubjectKind("what models said elsewhere, as JSON lines", spec="FILE[#MODEL]", looks=False, ready=True),
    "python": SubjectKind("a function of (ask, context)", spec="pkg.mod:fn"),
    "http": SubjectKind("a video service that takes jobs", spec="URL or PROFILE.toml"),
    **{
        name: SubjectKind(f"the agent {each.package} at its command line, in a box", takes_model=True)
        for name, each in HARNESSES.items()
    },
    "video": SubjectKind("a web agent that sees the whole tutorial at every step", takes_model=True),
    "frames": SubjectKind("a web agent that sees frames of the tutorial and reads its words", takes_model=True),
    "summary": SubjectKind("a web agent that reads a summary of the tutorial", takes_model=True),
    "human": SubjectKind("a person who does web tasks by hand, on a page of this machine"),
    "command": SubjectKind("a program, once a sample or as a worker that stays", spec="PROGRAM {source} {output}"),
}


def kinds() -> tuple[str, ...]:
    """Name every kind that can be asked for here: ours, those that benchmarks plant, those of installed packages."""
    return tuple(dict.fromkeys((*KINDS, *planted_kinds(), *plugins("subjects"))))


@cache
def planted_kinds() -> Mapping[str, str]:
    """Return the kinds with known faults that benchmarks bring, and what each does."""
    return {name: about for found in benchmarks().values() for name, about in found.card.planted.items()}


def takes_model(kind: str) -> bool:
    """Return whether `--model` means anything to a kind; a plug-in says so with an attribute of that name."""
    require_kind(kind)
    if kind in planted_kinds():
        return False
    return KINDS[kind].takes_model if kind in KINDS else bool(getattr(_plugin(kind), "takes_model", False))


def looks_at_input(kind: str) -> bool:
    """Return whether a kind looks at what it is shown; that of a plug-in does."""
    return KINDS[kind].looks if kind in KINDS else kind not in planted_kinds()


def is_ready(kind: str) -> bool:
    """Return whether what a kind hands over was made before."""
    return kind in KINDS and KINDS[kind].ready


def require_kind(kind: str) -> None:
    """Raise unless there is such a kind."""
    if kind not in kinds():
        raise UnknownName.among("subject", kind, kinds())


def open_subject(spec: SubjectSpec, found: Benchmark, items: Mapping[str, Item]) -> Subject:
    """Return the subject that a spec means, for one benchmark.

    Some are in the benchmark's own folder (`oracle.py`, `keyless.py`). Only the oracle and `null` get to see items,
    since they measure the benchmark, not a subject.

    A package may offer more kinds under the entry point `cutscore.subjects`: a callable that takes the spec and
    returns a subject. It cannot replace a kind of ours.
    """
    require_kind(spec.kind)
    _check_spec(spec)
    makers: dict[str, Callable[[], Subject]] = {
        "oracle": lambda: KnownAnswerSubject(found.part("oracle").perfect, items, part_digest(found, "oracle")),
        "null": lambda: KnownAnswerSubject(found.part("oracle").empty, items, part_digest(found, "oracle")),
        "blind": lambda: BlindSubject(_keyless(found, "blind"), part_digest(found, "keyless")),
        "reader": lambda: _open_reader(found, "reader"),
        "transcript": lambda: _open_reader(found, "transcript"),
        "model": lambda: ModelSubject({name: own.takes for name, own in load_settings().models.items() if own.takes}),
        "folder": lambda: open_folder(spec.spec, items, bench=found.name, match=_file_matcher(found)),
        "responses": lambda: open_responses(spec.spec, frozenset(items)),
        "python": lambda: open_function(spec.spec),
        "command": lambda: open_command(spec.spec),
        "http": lambda: open_http(spec.spec),
        **{name: lambda: open_harness(spec) for name in HARNESSES},
        **{name: partial(open_web_agent, name, found) for name in WEB_AGENTS},
        "human": PersonSubject,
    }
    if spec.kind in planted_kinds():
        return _open_planted(spec, found, items)
    return makers[spec.kind]() if spec.kind in makers else _open_plugin(spec)


def _open_planted(spec: SubjectSpec, found: Benchmark, items: Mapping[str, Item]) -> Subject:
    if spec.kind not in found.card.planted:
        fact = f"benchmark '{found.name}' has none"
        raise BadInput(f"subject '{spec.kind}'", fact, f"it has {', '.join(found.card.subjects)}")
    plant = found.part("oracle").PLANTED[spec.kind]
    return KnownAnswerSubject(lambda item, store: plant(item, store, spec.spec), items, part_digest(found, "oracle"))


def _check_spec(spec: SubjectSpec) -> None:
    if spec.kind not in KINDS:
        return
    wanted = KINDS[spec.kind].spec
    if wanted and not spec.spec:
        raise BadInput(f"subject '{spec}'", "lacks what follows the colon", f"write {spec.kind}:{wanted}")
    if spec.spec and not wanted:
        raise BadInput(f"subject '{spec}'", f"'{spec.kind}' takes nothing after a colon", f"write {spec.kind}")


def _open_reader(found: Benchmark, name: str) -> Subject:
    digest = part_digest(found, "keyless")
    return FunctionSubject(name, _keyless(found, name), digest, in_turn=True, needs=Resources(processors=1))


def _keyless(found: Benchmark, name: str) -> Callable[..., Any]:
    call = getattr(found.part("keyless"), name, None)
    if call is None:
        fact = f"benchmark '{found.name}' has none"
        raise BadInput(f"subject '{name}'", fact, f"it has {', '.join(found.card.subjects)}")
    return call  # type: ignore[no-any-return]


def _file_matcher(found: Benchmark) -> MatchFiles | None:
    """Return how a benchmark tells whose file is whose by its name, where it was published with such a rule."""
    return getattr(found.part("release"), "match_files", None) if found.has_part("release") else None


def _plugin(kind: str) -> Any:
    return load_plugin(f"subject '{kind}'", plugins("subjects")[kind])


def _open_plugin(spec: SubjectSpec) -> Subject:
    made = _plugin(spec.kind)(spec)
    if not callable(getattr(made, "work", None)):
        fact = f"its package made a {type(made).__name__} without work(ask, context)"
        raise BadInput(f"subject '{spec.kind}'", fact, "see cutscore.core.subject.Subject")
    return made  # type: ignore[no-any-return]
