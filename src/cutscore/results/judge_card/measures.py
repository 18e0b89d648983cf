"""How far a judge agrees with people, by kind of question: every figure with its interval by cluster."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations

from pydantic import JsonValue

from cutscore.core.estimate import Estimate
from cutscore.core.judgement import QuestionKind, fold_answer
from cutscore.core.matching import MatchWeaknesses
from cutscore.labels.files import HIGHEST, LOWEST, PREFERENCES, LabelKey
from cutscore.results.judge_card.pairing import LabelledVerdict
from cutscore.results.judge_card.resampling import DEFAULT_RESAMPLING, Resampling
from cutscore.results.judge_card.verdicts import OPEN_ENDED, JudgeVerdict, is_same_answer
from cutscore.stats.agreement import cohen_kappa
from cutscore.stats.confusion import confusion_figures
from cutscore.stats.correlation import spearman_rho
from cutscore.stats.detection import detection
from cutscore.stats.proportion import proportion
from cutscore.stats.ratios import ratio

BaseRates = dict[str, tuple[float, float]]
# Kappa compares how often two raters use the same few categories; memory grows with their square.
MOST_CATEGORIES = 20


def measures(
    kind: QuestionKind,
    pairs: Sequence[LabelledVerdict],
    *,
    unread: int = 0,
    match: MatchWeaknesses,
    draws: Resampling = DEFAULT_RESAMPLING,
) -> tuple[tuple[Estimate, ...], BaseRates]:
    """Return what can be said about one kind of question, and how often people and judge use each answer.

    Agreement comes first. `yes_no`: kappa, sensitivity, specificity, MCC. `choice`, `pairwise`, `short`: kappa.
    `scale`: kappa with quadratic weights on whole points, Spearman, bias (judge minus people, in points), mean error.
    `weaknesses`: the same as for `yes_no` on whether there are some, the share of people's faults that it found and of
    its faults that people have, and fractional MCC, as `match` pairs them. What cannot be computed (one class only, a
    judge that always says the same) is undefined and says why. Questions that the judge left unread widen the bounds of
    agreement.
    """
    units = [pair.verdict.unit for pair in pairs]
    agreed = [float(is_same_answer(kind, pair.people.answer, pair.verdict.judgement.answer)) for pair in pairs]
    agreement = draws.mean(agreed, units, name="agreement", unscored=unread)
    rates: BaseRates = {}
    if kind == "scale":
        found = _scale(pairs, units, draws)
    else:
        found, rates = _categories(kind, pairs, units, draws)
    if kind in ("yes_no", "weaknesses"):
        found += _yes_no(pairs, units, draws)
    if kind == "weaknesses":
        found += _faults(pairs, units, match, draws)
    return (agreement, *found), rates


def flip_rate(verdicts: Sequence[JudgeVerdict], *, draws: Resampling = DEFAULT_RESAMPLING) -> Estimate:
    """Return the chance that two answers to the same question differ, with its interval by cluster.

    Answers are the votes of one verdict, and the verdicts of several epochs whose deliverable is the very same. A
    question weighs 1, however often it was asked. What could not be read is left out; undefined when nothing was asked
    twice.
    """
    said: dict[tuple[LabelKey, str], list[JsonValue]] = defaultdict(list)
    about: dict[tuple[LabelKey, str], JudgeVerdict] = {}
    for verdict in verdicts:
        # A verdict whose deliverable is not known stands for itself.
        repeats = verdict.about._replace(epoch=1) if verdict.deliverable else verdict.about
        key = (repeats, verdict.deliverable)
        said[key] += verdict.judgement.votes or (verdict.judgement.answer,)
        about[key] = verdict
    rates, units = [], []
    for key, answers in said.items():
        read = [answer for answer in answers if answer is not None]
        pairs = [float(not is_same_answer(about[key].kind, one, other)) for one, other in combinations(read, 2)]
        if pairs:
            rates.append(sum(pairs) / len(pairs))
            units.append(about[key].unit)
    found = draws.mean(rates, units, name="flip rate")
    return found if rates else found.model_copy(update={"method": "undefined: nothing was asked twice"})


def _categories(
    kind: QuestionKind, pairs: Sequence[LabelledVerdict], units: Sequence[str], draws: Resampling
) -> tuple[tuple[Estimate, ...], BaseRates]:
    category = fold_answer if kind == "short" else str
    true = [category(pair.people.answer) for pair in pairs]
    said = [category(pair.verdict.judgement.answer) for pair in pairs]
    known = PREFERENCES if kind == "pairwise" else sorted({*true, *said}) if kind in OPEN_ENDED else ("yes", "no")
    if len(known) > MOST_CATEGORIES:
        return (undefined_agreement("kappa", len(pairs), len(set(units))),), {}
    found = cohen_kappa(true, said, units, categories=known, **draws.options)
    return (found.kappa,), found.base_rates


def _yes_no(pairs: Sequence[LabelledVerdict], units: Sequence[str], draws: Resampling) -> tuple[Estimate, ...]:
    true = [pair.people.answer == "yes" for pair in pairs]
    said = [pair.verdict.judgement.answer == "yes" for pair in pairs]

    def share(name: str, wanted: bool) -> Estimate:
        rows = [place for place, truth in enumerate(true) if truth == wanted]
        return proportion([said[row] == wanted for row in rows], [units[row] for row in rows], name=name)

    found = detection(true, said, units, **draws.options)
    return (share("sensitivity", True), share("specificity", False), found.mcc.model_copy(update={"name": "MCC"}))


def _scale(pairs: Sequence[LabelledVerdict], units: Sequence[str], draws: Resampling) -> tuple[Estimate, ...]:
    true = [_points(pair.people.answer) for pair in pairs]
    said = [_points(pair.verdict.judgement.answer) for pair in pairs]
    width = float(HIGHEST - LOWEST)
    off = [one - other for one, other in zip(said, true, strict=True)]

    def mean(name: str, values: Sequence[float], bottom: float) -> Estimate:
        return draws.mean(values, units, name=name, scale=(bottom, width))

    kappa = cohen_kappa(
        [_whole(each) for each in true],
        [_whole(each) for each in said],
        units,
        categories=[str(point) for point in range(LOWEST, HIGHEST + 1)],
        weights="quadratic",
        name="weighted kappa",
        **draws.options,
    )
    return (
        kappa.kappa,
        spearman_rho(true, said, units, **draws.options),
        mean("bias", off, -width),
        mean("mean error", [abs(each) for each in off], 0.0),
    )


def _faults(
    pairs: Sequence[LabelledVerdict], units: Sequence[str], match: MatchWeaknesses, draws: Resampling
) -> tuple[Estimate, ...]:
    found = [match(pair.people.weaknesses, pair.verdict.judgement.weaknesses) for pair in pairs]
    how = next((f", by {each.basis}" for each in found), "")

    def of(name: str, parts: Sequence[int], wholes: Sequence[int]) -> Estimate:
        return ratio(list(map(float, parts)), list(map(float, wholes)), units, name=name + how, **draws.options)

    true, named = [len(each.reference) for each in found], [len(each.predicted) for each in found]
    covered = [len({one for one, _ in each.pairs}) for each in found]
    used = [len({other for _, other in each.pairs}) for each in found]
    mcc = confusion_figures([each.confusion for each in found], units, kind="fractional", **draws.options).mcc
    return (
        of("faults found", covered, true),
        of("faults that people have", used, named),
        mcc.model_copy(update={"name": f"fractional MCC{how}"}),
    )


def undefined_agreement(name: str, n: int, clusters: int) -> Estimate:
    """Return the undefined agreement of questions that each have choices of their own: chance has no one value."""
    method = f"undefined: questions have more than {MOST_CATEGORIES} different answers; chance is not one and the same"
    return Estimate(name=name, value=None, n=n, clusters=clusters, scale=(-1.0, 1.0), method=method)


def _points(answer: object) -> float:
    return float(answer) if isinstance(answer, int | float) else float("nan")


def _whole(points: float) -> str:
    """Return the nearest point of the scale; halves, which come from medians, go up."""
    return str(int(points + 0.5))
