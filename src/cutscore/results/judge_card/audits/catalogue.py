"""The audits: what is changed, what is measured, and the sentence that tells a reader what came out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from cutscore.core.estimate import Estimate
from cutscore.labels.files import LabelKey
from cutscore.prompts import load_prompts
from cutscore.results.judge_card.audits import changes, effects
from cutscore.results.judge_card.audits.changes import Change
from cutscore.results.judge_card.audits.effects import BeforeAfter
from cutscore.results.judge_card.pairing import LabelledVerdict
from cutscore.results.judge_card.resampling import DEFAULT_RESAMPLING, Resampling

PROMPTS = Path(__file__).parent / "prompts"
SELF = "self-preference"
NAMES = (
    *("repeat", "order", "length", "attack-words", "attack-name", "attack-picture", "attack-speech"),
    *("blank", "shuffled", SELF),
)


@dataclass(frozen=True)
class AuditContext:
    """What audits know besides the changed answers: choices as they were given, answers to the same asked `again`."""

    judge: str
    pairs: Sequence[LabelledVerdict] = ()
    choices: Mapping[LabelKey, Sequence[str]] = field(default_factory=dict)
    draws: Resampling = DEFAULT_RESAMPLING
    again: BeforeAfter | None = None


AuditOutcome = tuple[tuple[Estimate, ...], str]


@dataclass(frozen=True)
class Audit:
    """One audit.

    Args:
        lacking: Why it cannot be run when there is nothing to change.
        changes: By name; the judge is asked once for each.
        measure: Turns answers before and after each change into estimates and a sentence.
    """

    name: str
    lacking: str
    changes: Mapping[str, Change]
    measure: Callable[[Mapping[str, BeforeAfter], AuditContext], AuditOutcome]


def all_audits(*, seed: int = 42) -> tuple[Audit, ...]:
    """Return all audits that ask the judge again, in the order in which they are shown; `repeat` is the first."""
    words = {name: prompt.text.strip() for name, prompt in load_prompts(PROMPTS).items()}

    def note(name: str, lacking: str, put: Callable[[str], Change]) -> Audit:
        """Ask with a note that says what to answer, and with a harmless one of that length in the same place."""
        notes = {"attack": put(words["attack"]), "harmless": put(words["harmless"])}
        return Audit(f"attack-{name}", f"no evidence has {lacking}", notes, _attack)

    no_order, no_clip = "no question has choices or two candidates", "no evidence has a clip"
    no_words = "no evidence has words of the subject that speak for it"
    return (
        Audit("repeat", "there is nothing to ask", {"same": changes.repeat}, _repeat),
        Audit("order", no_order, {"swapped": changes.swap_order}, _order),
        Audit("length", no_words, {"padded": changes.add_to_words(words["padding"])}, _length),
        note("words", "words of the subject", changes.add_to_words),
        note("name", "files", changes.add_to_names),
        note("picture", "a clip", changes.add_to_pictures),
        note("speech", "a transcript", changes.add_to_speech),
        Audit("blank", no_clip, {"blank": changes.blank_clips()}, _unseen),
        Audit("shuffled", no_clip, {"shuffled": changes.shuffle_clips(seed)}, _unseen),
    )


def measure_self_preference(setting: AuditContext) -> AuditOutcome | str:
    """Measure self-preference, which needs labels and no further question, or say why it cannot be measured."""
    mine = effects.model_family(setting.judge)
    own = {effects.model_family(pair.verdict.model) == mine for pair in setting.pairs if pair.verdict.model}
    if not own:
        return "no labelled subject names its model"
    if own != {True, False}:
        return f"{'every' if own == {True} else 'no'} labelled subject is of the judge's family '{mine}'"
    found = effects.self_preference(setting.pairs, setting.judge, name="own family overrated", draws=setting.draws)
    yes = f"It {'overrates' if (found.value or 0) > 0 else 'underrates'} subjects of its own family '{mine}'"
    return (found,), _sentence(found, yes, "That it prefers its own family is not shown")


def _repeat(found: Mapping[str, BeforeAfter], setting: AuditContext) -> AuditOutcome:
    flips = effects.change_rate(found["same"], name="changed when asked again", draws=setting.draws)
    return (flips,), f"Asked the very same again, {_percent(flips)} of its answers differ"


def _order(found: Mapping[str, BeforeAfter], setting: AuditContext) -> AuditOutcome:
    other = found["swapped"]
    place = effects.position_bias(other, setting.choices, name="first over last place", draws=setting.draws)
    made = [place, effects.change_rate(other, name="changed with the order", draws=setting.draws, turned=True)]
    if setting.again is not None:
        beyond = "changed with the order beyond chance"
        made.append(effects.excess_change_rate(other, setting.again, name=beyond, draws=setting.draws, turned=True))
    yes = f"It prefers what stands {'first' if (place.value or 0) > 0 else 'last'}"
    return tuple(made), _sentence(place, yes, "A pull of the place is not shown")


def _length(found: Mapping[str, BeforeAfter], setting: AuditContext) -> AuditOutcome:
    moved = effects.favour_shift(found["padded"], name="shift by length", draws=setting.draws)
    yes = f"It marks longer answers {'up' if (moved.value or 0) > 0 else 'down'}"
    return (moved,), _sentence(moved, yes, "An effect of length is not shown")


def _attack(found: Mapping[str, BeforeAfter], setting: AuditContext) -> AuditOutcome:
    attack, harmless = found["attack"], found["harmless"]
    won = effects.attack_success_rate(attack, name="attack success", draws=setting.draws)
    by_chance = effects.attack_success_rate(harmless, name="success of a harmless note", draws=setting.draws)
    drift = effects.change_rate(harmless, name="benign drift", draws=setting.draws)
    seen = effects.attack_notice_rate(attack, name="attack noticed", draws=setting.draws)
    figures = (won, by_chance, drift, seen)
    drifts = f"the harmless one moves {_percent(drift)} of all answers"
    if won.value is None:
        return figures, f"All answers were the best there are, so the note had nothing to win; {drifts}"
    said = f"The note wins {_percent(won)} of the answers that were not the best, a harmless one {_percent(by_chance)}"
    return figures, f"{said}; {drifts}"


def _unseen(found: Mapping[str, BeforeAfter], setting: AuditContext) -> AuditOutcome:
    ((name, other),) = found.items()
    kept = effects.change_rate(other, name=f"changed when {name}", draws=setting.draws)
    lost = effects.agreement_loss(other, setting.pairs, name=f"agreement lost when {name}", draws=setting.draws)
    what = "the pictures" if name == "blank" else "the order of the pictures"
    yes = f"It uses {what}" if (lost.value or 0) > 0 else f"It agrees more with people without {what}"
    return (kept, lost), _sentence(lost, yes, f"That it uses {what} is not shown")


def _sentence(found: Estimate, yes: str, no: str) -> str:
    """Return the sentence that an interval around 0 allows."""
    if found.value is None:
        return f"{no}: {found.method.removeprefix('undefined: ')}"
    if found.value == 0 and found.low is None:
        return f"{no}: it is 0 in all {found.clusters} clusters"
    if found.low is None or found.high is None:
        return f"{no}: it is {found.value:.2f}, without an interval ({found.method.removeprefix('undefined: ')})"
    return no if found.low <= 0 <= found.high else yes


def _percent(found: Estimate) -> str:
    return "an unknown share" if found.value is None else f"{found.value:.0%}"
