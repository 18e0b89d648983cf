"""What a delivered film is: whether it is what the brief asked for, and whether it shows what its manifest says."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from cutscore.core.bundle import Delivery
from cutscore.core.errors import BadInput
from cutscore.core.evidence import Evidence
from cutscore.core.finding import Finding
from cutscore.scoring.verifiers.delivery import broken_rules
from cutscore.scoring.verifiers.refusal import Refusal
from cutscore.scoring.verifiers.rendered import ClipRun


@dataclass(frozen=True)
class FilmReport:
    """What a film is: findings about it, why strict marking refuses it, and the stretches that it shows."""

    findings: tuple[Finding, ...]
    refusal: Refusal | None
    runs: tuple[ClipRun, ...] = ()


def verify_film(
    evidence: Evidence,
    wanted: Delivery,
    order: Sequence[str] | Refusal | None,
    *,
    manifest: str,
    watched: Callable[[Path], tuple[ClipRun, ...]],
    unlike: Callable[[Sequence[ClipRun], Sequence[str]], Refusal | None],
) -> FilmReport:
    """Look at a film and give the findings `rendered` and `delivery`; they cost nothing by themselves.

    `order` is that of the clips as the manifest names them, or anything else when there is none to compare with;
    `watched` gives the stretches of a film, and `unlike` says why these are not that order.
    """
    name = wanted.name
    if evidence.file(name) is None:
        return _no_film(Refusal("missing file", f"{name} was not delivered"), None)
    path = evidence.path(name)
    try:
        broken = broken_rules(path, wanted)
        runs = watched(path)
    except BadInput as fault:  # the subject's file; what this machine lacks is another error
        return _no_film(Refusal("not a film", f"{name} {fault.fact}"), name)
    asked = Finding(
        name="delivery",
        value=float(not broken),
        because=f"{name} {'; '.join(broken)}" if broken else f"{name} is as the brief asks",
        file=name,
    )
    if order is None or isinstance(order, Refusal):
        refusal: Refusal | None = Refusal("no order", f"{manifest} has no order")
    else:
        refusal = unlike(runs, order)
    shown = Finding(
        name="rendered",
        value=float(refusal is None),
        because=f"{refusal.name}: {refusal.reason}" if refusal else f"{name} shows the clips as {manifest} says",
        file=name,
    )
    return FilmReport((shown, asked), refusal, runs)


def _no_film(refusal: Refusal, file: str | None) -> FilmReport:
    because = f"{refusal.name}: {refusal.reason}"
    return FilmReport(
        tuple(Finding(name=name, value=0, because=because, file=file) for name in ("rendered", "delivery")), refusal
    )
