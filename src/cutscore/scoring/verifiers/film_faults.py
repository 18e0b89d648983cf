"""What a viewer would send back of a film that is made of given clips, with the seconds at which it shows.

The clips are the measure: a film is blurred where it is less sharp than they are, black or still where they are not,
and its sound is what theirs would be. So nothing that was in a clip already counts against who put it into a film.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from cutscore.core.finding import Finding
from cutscore.core.timeline import Span
from cutscore.media import deliverable
from cutscore.media.deliverable import Probe
from cutscore.scoring.verifiers.rendered import ClipRun

HDR = ("smpte2084", "arib-std-b67")
# Sides of a picture are even, so a scaled one may be a pixel off.
_ASPECT_WITHIN = Fraction(1, 20)


@dataclass(frozen=True)
class FilmFault:
    """A fault by its name (`blurred`, `silent` …), where it shows, and what is the case, beginning with a verb."""

    name: str
    at: Span
    because: str


def find_label_faults(film: Path, clips: Sequence[Path], length_s: Fraction) -> Iterator[FilmFault]:
    """Return what the labels of a file make a player do: stretch the picture, or show it with colours of HDR."""
    shown, *given = (deliverable.probe(each, scan=False) for each in (film, *clips))
    whole = Span(start_s=Fraction(0), end_s=length_s)
    if not any(_same_aspect(shown.display_aspect, each.display_aspect) for each in given):
        aspects = (
            f"{float(shown.display_aspect):.3f} times as wide as high, the clips {float(given[0].display_aspect):.3f}"
        )
        yield FilmFault("aspect", whole, f"is shown {aspects}")
    yield from find_false_hdr(shown, given, whole)


def find_false_hdr(shown: Probe, given: Sequence[Probe], whole: Span) -> Iterator[FilmFault]:
    """Return whether a film is labelled as HDR and none of what it is made of is."""
    if shown.colour.transfer in HDR and all(each.colour.transfer not in HDR for each in given):
        yield FilmFault("hdr", whole, f"is labelled as HDR ({shown.colour.transfer}), what it is made of is not")


def _same_aspect(one: Fraction, other: Fraction) -> bool:
    return abs(one / other - 1) <= _ASPECT_WITHIN


def intact_share(faults: Sequence[FilmFault], length_s: Fraction) -> float:
    """Return the share of a film without a fault, each second counted once.

    >>> faults = [FilmFault("black", Span(start_s=1, end_s=3), ""), FilmFault("still", Span(start_s=2, end_s=4), "")]
    >>> intact_share(faults, Fraction(12))
    0.75
    """
    lost_s, until_s = Fraction(0), Fraction(0)
    for span in sorted((fault.at for fault in faults), key=lambda at: at.start_s):
        end_s = min(span.end_s, length_s)
        lost_s += max(Fraction(0), end_s - max(span.start_s, until_s))
        until_s = max(until_s, end_s)
    return float(1 - lost_s / length_s) if length_s else 0.0


def charge_faults(finding: Finding, faults: Sequence[FilmFault], length_s: Fraction, file: str) -> Finding:
    """Return a finding about a film with what its faults cost; who is below 0 gains nothing by them."""
    if not faults or finding.value <= 0:
        return finding
    intact, first = intact_share(faults, length_s), faults[0]
    because = f"{finding.because}; {intact:.0%} of the film is without fault, it {first.because}"
    update = {"value": finding.value * intact, "because": because, "file": file, "at": first.at}
    return finding.model_copy(update=update)


def fault_findings(faults: Sequence[FilmFault], file: str) -> list[Finding]:
    """Return a finding for each fault: its value is 0, and it costs nothing by itself."""
    return [
        Finding(name=f"fault/{fault.name}", value=0, because=f"{file} {fault.because}", file=file, at=fault.at)
        for fault in faults
    ]


def shown_clips(runs: Sequence[ClipRun], clips: Mapping[str, Path]) -> dict[str, Path]:
    """Return those of the clips that a film shows."""
    return {run.clip: clips[run.clip] for run in runs if run.clip is not None}
