"""What a delivered film is: whether it is what the brief asked for, and whether it shows what its manifest says."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cutscore.core.bundle import Delivery
from cutscore.core.errors import BadInput
from cutscore.core.evidence import Evidence
from cutscore.core.finding import Finding
from cutscore.scoring.verifiers.delivery import broken_rules
from cutscore.scoring.verifiers.film_faults import (
    FilmFault,
    charge_faults,
    fault_findings,
    find_label_faults,
    shown_clips,
)
from cutscore.scoring.verifiers.picture_faults import find_picture_faults
from cutscore.scoring.verifiers.refusal import Refusal, refuse_missing
from cutscore.scoring.verifiers.rendered import ClipRun
from cutscore.scoring.verifiers.sound_faults import find_sound_faults


@dataclass(frozen=True)
class FilmReport:
    """What a film is: findings about it, why strict marking refuses it, the stretches that it shows, and its faults."""

    findings: tuple[Finding, ...]
    refusal: Refusal | None
    runs: tuple[ClipRun, ...] = ()
    faults: tuple[FilmFault, ...] = ()
    name: str = ""

    def charge_faults(self, finding: Finding) -> Finding:
        """Return a finding about the film with what its faults cost."""
        return charge_faults(finding, self.faults, self.runs[-1].end_s, self.name) if self.faults else finding


def verify_film(
    evidence: Evidence,
    wanted: Delivery,
    order: Sequence[str] | Refusal | None,
    clips: Mapping[str, Path],
    *,
    manifest: str,
    watched: Callable[[Path], tuple[ClipRun, ...]],
    unlike: Callable[[Sequence[ClipRun], Sequence[str]], Refusal | None],
    failure: str = "",
) -> FilmReport:
    """Look at a film and give the findings `rendered` and `delivery`, and one for each of its faults.

    They cost nothing by themselves. Faults are looked for in a film that is not refused, and measured by the `clips`.
    `order` is that of the clips as the manifest names them, or anything else when there is none to compare with;
    `watched` gives the stretches of a film, `unlike` says why these are not that order, and `failure` why files were
    not taken in.
    """
    name = wanted.name
    if evidence.file(name) is None:
        return _no_film(refuse_missing(name, failure), None)
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
    faults = () if refusal else _find_faults(path, runs, shown_clips(runs, clips))
    return FilmReport((shown, asked, *fault_findings(faults, name)), refusal, runs, faults, name)


def _find_faults(path: Path, runs: Sequence[ClipRun], clips: Mapping[str, Path]) -> tuple[FilmFault, ...]:
    if not clips:
        return ()
    return (
        *find_label_faults(path, list(clips.values()), runs[-1].end_s),
        *find_picture_faults(path, runs, clips),
        *find_sound_faults(path, runs, clips),
    )


def _no_film(refusal: Refusal, file: str | None) -> FilmReport:
    because = f"{refusal.name}: {refusal.reason}"
    return FilmReport(
        tuple(Finding(name=name, value=0, because=because, file=file) for name in ("rendered", "delivery")), refusal
    )
