"""A judge's verdicts beside what people said of the same deliverables; whatever finds no partner is counted."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cutscore.core.errors import BadInput
from cutscore.core.judgement import QuestionKind
from cutscore.core.label import Label
from cutscore.labels.consensus import Consensus, consensus
from cutscore.labels.files import LabelKey
from cutscore.results.judge_card.verdicts import JudgeVerdict


@dataclass(frozen=True)
class LabelledVerdict:
    """One question that both answered."""

    people: Consensus
    verdict: JudgeVerdict


@dataclass(frozen=True)
class LabelPairing:
    """Labels and verdicts of one kind of question of one benchmark.

    Args:
        unread: People agree, and the judge gave no answer that could be read.
        undecided: People do not agree, so there is nothing to compare with.
        unjudged: Labelled, and the judge was not asked.
        tuned: Left out, because a prompt may have been tuned on them.
    """

    benchmark: str
    kind: QuestionKind
    pairs: tuple[LabelledVerdict, ...]
    unread: int
    undecided: int
    unjudged: int
    tuned: int


def has_held_out(labels: Sequence[Label]) -> bool:
    """Return whether some labels are kept from tuning."""
    return any(label.split == "test" for label in labels)


def pair_with_labels(labels: Sequence[Label], verdicts: Iterable[JudgeVerdict]) -> list[LabelPairing]:
    """Put verdicts beside labels, by benchmark and kind of question.

    Where labels are split, only those of `test` count. A label without a question is about the one question that the
    judge was asked about that deliverable.
    """
    given: dict[LabelKey, JudgeVerdict] = {}
    for verdict in verdicts:
        if given.setdefault(verdict.about, verdict) is not verdict:
            what = f"question '{verdict.about.question}' of item '{verdict.item}'"
            raise BadInput(what, f"was judged twice for subject '{verdict.subject}'", "give the answers of one run")
    alone: dict[LabelKey, list[JudgeVerdict]] = defaultdict(list)
    for about, verdict in given.items():
        alone[about._replace(question="")].append(verdict)
    only_test = has_held_out(labels)
    sorted_in: dict[tuple[str, QuestionKind], list[tuple[Consensus, JudgeVerdict | None]]] = defaultdict(list)
    for people in consensus(labels):
        of_whole = alone[people.about] if not people.about.question else []
        found = given.get(people.about) or (of_whole[0] if len(of_whole) == 1 else None)
        if found is not None and found.kind != people.kind:
            what = f"question '{people.about.question}' of item '{people.about.item}'"
            fact = f"is of kind '{people.kind}' in the labels and '{found.kind}' for the judge"
            raise BadInput(what, fact, "correct the labels")
        sorted_in[people.about.benchmark, people.kind].append((people, found))
    made = [_pairing(*key, sorted_in[key], only_test=only_test) for key in sorted(sorted_in)]
    if not any(each.pairs or each.unread for each in made):
        raise BadInput(
            "labels", _nothing_matches(labels, list(given.values())), "judge the labelled deliverables first"
        )
    return made


def _pairing(
    benchmark: str, kind: QuestionKind, both: Sequence[tuple[Consensus, JudgeVerdict | None]], *, only_test: bool
) -> LabelPairing:
    kept = [(people, verdict) for people, verdict in both if not only_test or people.split == "test"]
    judged = [(people, verdict) for people, verdict in kept if verdict is not None]
    decided = [(people, verdict) for people, verdict in judged if people.answer is not None]
    pairs = [LabelledVerdict(people, verdict) for people, verdict in decided if verdict.judgement.answer is not None]
    return LabelPairing(
        benchmark=benchmark,
        kind=kind,
        pairs=tuple(pairs),
        unread=len(decided) - len(pairs),
        undecided=len(judged) - len(decided),
        unjudged=len(kept) - len(judged),
        tuned=len(both) - len(kept),
    )


def _nothing_matches(labels: Sequence[Label], verdicts: Sequence[JudgeVerdict]) -> str:
    if not labels or not verdicts:
        return f"there are {len(labels)} labels and {len(verdicts)} verdicts"
    one, other = consensus(labels)[0].about, verdicts[0].about
    return f"none of them is about what was judged (labels have {tuple(one)}, verdicts {tuple(other)})"
