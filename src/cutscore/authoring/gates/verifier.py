"""Verifier: does the golden submission get everything, nothing get nothing, and no attack more than nothing?

Every submission is a folder, taken in as `cutscore score` takes one, and marked once; all modes are read from that.
"""

import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from cutscore.authoring.faults import try_author_code
from cutscore.authoring.gates.tried import TellTried
from cutscore.authoring.hostile import FEWEST, HonestSubmission, HostileSubmission
from cutscore.authoring.loaded_benchmark import LoadedBenchmark
from cutscore.cells.known_work import KnownWork
from cutscore.cells.progress import SubmissionTried
from cutscore.core.bundle import Bundle
from cutscore.core.deliverable import Deliverable
from cutscore.core.ending import Ending
from cutscore.core.errors import CutscoreError
from cutscore.core.finding import Finding
from cutscore.core.gate import Gate, Spread, Trial, TrialKind, make_gate
from cutscore.core.tally import ignore
from cutscore.submissions import read_submission

TINY = 1e-9  # what the order of a sum may add


def check_verifier(
    bench: LoadedBenchmark, item: Bundle, tell: TellTried = ignore
) -> tuple[Gate, tuple[Trial, ...], dict[str, Spread]]:
    """Try every submission whose mark is known, and give the gate, the trials and the instrument's noise.

    Each is told as its turn comes.
    A task whose golden submission nobody knows, or that only a judge could mark who is not here, is pending.
    """
    if not (bench.found.folder / "hostile.py").is_file():
        return make_gate("verifier", ["the family has no hostile.py"]), (), {}
    if bench.found.card.takes_judge and bench.judge is None:
        return _pending_gate("its verifier asks a judge, and none is known that needs no key"), (), {}
    try:
        golden = _try_known(bench, item, "golden", bench.oracle_deliverable("perfect", item))
    except CutscoreError as error:
        return _pending_gate(f"no golden submission is known: {error.fact or error.what}"), (), {}
    if bench.found.card.takes_judge and not golden.scores:
        return _pending_gate(f"its judge cannot mark the golden submission: {golden.because}"), (golden,), {}
    part = bench.found.part("hostile")
    attacks: Sequence[HostileSubmission] = part.hostile(item, bench.store)
    variants: Sequence[HonestSubmission] = part.honest(item, bench.store) if hasattr(part, "honest") else ()
    trials = [golden, _try_known(bench, item, "null", Deliverable())]
    known: list[HostileSubmission | HonestSubmission] = [*attacks, *variants]
    for number, each in enumerate(known, 1):
        tell(SubmissionTried(item.id, each.name, number, len(known)))
        trials.append(
            try_hostile(bench, item, each) if isinstance(each, HostileSubmission) else try_honest(bench, item, each)
        )
    faults = [*_attack_list_faults(attacks), *(f"{trial.name}: {trial.fault}" for trial in trials if trial.fault)]
    return make_gate("verifier", faults), tuple(trials), _noise(bench, trials)


def _pending_gate(because: str) -> Gate:
    return Gate(name="verifier", state="pending", faults=(because,))


def _attack_list_faults(attacks: Sequence[HostileSubmission]) -> list[str]:
    names = Counter(each.name for each in attacks)
    twice = [f"two hostile submissions are called '{name}'" for name, times in names.items() if times > 1]
    few = [f"{len(attacks)} hostile submissions are known, {FEWEST} are the fewest"] if len(attacks) < FEWEST else []
    return [*few, *twice]


def _try_known(bench: LoadedBenchmark, item: Bundle, kind: TrialKind, made: KnownWork) -> Trial:
    card = bench.found.card.scores[bench.headline]
    golden = kind == "golden"
    wanted = dict.fromkeys(bench.modes, card.ceiling if golden else card.floor)
    trial = _trial(bench, item, kind, f"the {kind} submission", made, limit=wanted)
    wrong = [
        mode for mode, value in trial.scores.items() if (value < wanted[mode] if golden else value != wanted[mode])
    ]
    if trial.fault or not wrong:
        return trial
    got = f"gets {trial.scores[wrong[0]]:g}{_in_mode(wrong[0])}, not {wanted[wrong[0]]:g}"
    return _with_fault(trial, f"{got}: {trial.because}")


def try_hostile(bench: LoadedBenchmark, item: Bundle, hostile: HostileSubmission) -> Trial:
    """Mark a hostile submission and see that it gets no more than it may, with a reason."""
    floor = bench.found.card.scores[bench.headline].floor
    limit = {mode: hostile.most.get(mode, floor) for mode in bench.modes}
    trial = _trial(bench, item, "hostile", hostile.name, _read_folder(bench, item, hostile.write), limit=limit)
    trial = trial.model_copy(update={"spared": hostile.spared})
    for mode, value in trial.scores.items():
        if value > limit[mode] + TINY:
            got = f"gets {value:.3f}{_in_mode(mode)}, at most {limit[mode]:g} is allowed"
            return _with_fault(trial, f"{got}: {trial.because}")
    return trial if trial.fault or trial.because else _with_fault(trial, "gets nothing and no reason says why")


def try_honest(bench: LoadedBenchmark, item: Bundle, honest: HonestSubmission) -> Trial:
    """Mark an honest variant of the golden submission: it scores like it, or meets the refusal that was announced."""
    limit = dict.fromkeys(bench.modes, honest.least)
    trial = _trial(bench, item, "honest", honest.name, _read_folder(bench, item, honest.write), limit=limit)
    if honest.announced and trial.because.startswith(honest.announced):
        return trial.model_copy(update={"limit": {}})  # nothing was promised to it
    low = [f"gets {value:.3f}{_in_mode(mode)}" for mode, value in trial.scores.items() if value < honest.least]
    return trial if trial.fault or not low else _with_fault(trial, f"{low[0]}, honest work gets {honest.least:g}")


def _read_folder(bench: LoadedBenchmark, item: Bundle, write: Callable[[Path], None]) -> Deliverable:
    with tempfile.TemporaryDirectory(prefix="cutscore-") as scratch:
        folder = Path(scratch) / "in" / item.id
        folder.mkdir(parents=True)
        write(folder)
        return read_submission(folder.parent, item.id, store=bench.store)


def _trial(
    bench: LoadedBenchmark, item: Bundle, kind: TrialKind, name: str, made: KnownWork, *, limit: Mapping[str, float]
) -> Trial:
    """Mark a submission, and read the headline in every mode and the reason where it is lowest."""
    ending, bug = try_author_code(lambda: bench.mark(made, item), bench.found.folder)
    if ending is None:
        return Trial(kind=kind, name=name, limit=dict(limit), fault=f"breaks the verifier: {bug}")
    if ending.status != "marked":
        fault = f"is {ending.status}: {ending.because}"
        return Trial(kind=kind, name=name, limit=dict(limit), because=ending.because, fault=fault)
    failure = made.failure if isinstance(made, Deliverable) else ""
    by_mode = {mode: _headline_finding(bench, ending, mode) for mode in bench.modes}
    if not any(by_mode.values()):
        return Trial(kind=kind, name=name, limit=dict(limit), because=failure, fault="has no headline")
    scores = {mode: value for mode, finding in by_mode.items() if finding and (value := finding.score) is not None}
    lost = [mode for mode in bench.modes if mode not in scores]
    lowest = min((finding for finding in by_mode.values() if finding is not None), key=lambda each: each.value)
    fault = f"has no headline{_in_mode(lost[0])}" if lost else ""
    because = "; ".join(filter(None, (lowest.because, failure)))
    return Trial(kind=kind, name=name, scores=scores, limit=dict(limit), because=because, fault=fault)


def _headline_finding(bench: LoadedBenchmark, ending: Ending, mode: str) -> Finding | None:
    named = (each for each in ending.findings if each.name == bench.headline)
    return next((each for each in named if each.mode in ("", mode)), None)


def _noise(bench: LoadedBenchmark, trials: Sequence[Trial]) -> dict[str, Spread]:
    """Return the spread of honest variants, without those that met an announced refusal."""
    promised = [trial for trial in trials if trial.kind == "honest" and trial.limit]
    found = {}
    for mode in bench.modes:
        if values := [trial.scores[mode] for trial in promised if mode in trial.scores]:
            found[mode] = Spread(low=min(values), high=max(values), n=len(values))
    return found


def _with_fault(trial: Trial, fault: str) -> Trial:
    return trial.model_copy(update={"fault": fault})


def _in_mode(mode: str) -> str:
    return f" in {mode}" if mode else ""
