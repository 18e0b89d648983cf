"""Labels and what they are about → labelled samples in three splits; whatever finds no place there is counted."""

import mimetypes
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from cutscore.core.errors import BadInput
from cutscore.core.judgement import JUDGE_ROLE, Question, QuestionKind
from cutscore.core.label import Label
from cutscore.labels.consensus import Consensus, consensus
from cutscore.labels.files import SPLITS
from cutscore.labels.split import split_labels
from cutscore.optimize.problem import LabelledQuestion, LabelledSample
from cutscore.results.judge_card.verdicts import JudgeCase, favour

TRAIN, DEV, TEST = SPLITS
# Kinds whose answers speak for or against a deliverable by themselves; others do where labels tell the right answer.
KINDS: tuple[QuestionKind, ...] = ("weaknesses", "yes_no")


@dataclass(frozen=True)
class SampleSplits:
    """Labelled samples by split.

    Args:
        labels: What was split, in the splits that hold.
        left_out: How many questions or labels are in no split, by reason.
        leaks: Clusters that are in more than one split.
    """

    by_split: Mapping[str, tuple[LabelledSample, ...]]
    labels: tuple[Label, ...]
    left_out: Mapping[str, int] = field(default_factory=dict)
    leaks: tuple[str, ...] = ()

    def prevalence(self, split: str) -> float | None:
        """Return the share of answers that name a weakness; None without any."""
        cases = [question.has_weakness for each in self.by_split[split] for question in each.questions]
        return sum(cases) / len(cases) if cases else None


def choose_family(labels: Sequence[Label], family: Mapping[str, str]) -> list[Label]:
    """Return the labels of a family, by the groups that they name; all of them without one."""
    kept = [each for each in labels if all(each.groups.get(name) == value for name, value in family.items())]
    if labels and not kept:
        named = ", ".join(f"{name}={value}" for name, value in family.items())
        known = sorted({f"{name}={value}" for each in labels for name, value in each.groups.items()})
        fact = f"no label has these groups; there are {', '.join(known[:8])}" if known else "labels have no groups"
        raise BadInput(f"--family {named}", fact, "name a group of the labels")
    return kept


def split_samples(labels: Sequence[Label], cases: Sequence[JudgeCase], *, seed: int) -> SampleSplits:
    """Put every labelled deliverable into its split; labels without any split are split in thirds, by cluster."""
    cluster_of = {(case.benchmark, case.item): case.cluster or case.item for case in cases}
    split = list(labels)
    if not any(each.split for each in labels):
        split = split_labels(
            [each for each in labels if (each.benchmark, each.item) in cluster_of],
            seed=seed,
            cluster_of=lambda label: cluster_of[label.benchmark, label.item],
        )
    said, left_out = _decided(split)
    made: dict[str, list[LabelledSample]] = {name: [] for name in SPLITS}
    # In an order of their own: logs have that in which samples were done, and equal seeds must draw equal batches.
    for case in sorted(cases, key=lambda case: (case.benchmark, case.item, case.subject, case.epoch)):
        found = [(question, said.pop(key)) for key, question in _keyed(case, said)]
        homes = {people.split for _, people in found}
        for home in homes & set(SPLITS):
            questions = tuple(_labelled(people, question) for question, people in found if people.split == home)
            made[home].append(_sample(case, questions))
        left_out["no split"] += sum(people.split not in SPLITS for _, people in found)
    left_out["no such deliverable"] += len(said)
    return SampleSplits(
        {name: tuple(samples) for name, samples in made.items()},
        tuple(split),
        {reason: times for reason, times in left_out.items() if times},
        _leaks(made),
    )


def _decided(labels: Sequence[Label]) -> tuple[dict[tuple[str, ...], Consensus], Counter[str]]:
    """Return what people agree on, by question, and count the rest."""
    kept, left_out = {}, Counter[str]()
    for people in consensus(labels):
        if people.kind not in KINDS and people.expected is None:
            left_out[f"kind '{people.kind}'"] += 1
        elif people.answer is None:
            left_out["people do not agree"] += 1
        else:
            kept[tuple(map(str, people.about))] = people
    return kept, left_out


def _keyed(case: JudgeCase, said: Mapping[tuple[str, ...], Consensus]) -> list[tuple[tuple[str, ...], Question]]:
    """Return the questions of a case that people answered; a label without a question is about the only one."""
    found = []
    for about, question in case.keyed_questions():
        keys = [about, *([about._replace(question="")] if len(case.questions) == 1 else [])]
        key = next((key for each in keys if (key := tuple(map(str, each))) in said), None)
        if key is not None:
            found.append((key, question))
    return found


def _labelled(people: Consensus, question: Question) -> LabelledQuestion:
    named = people.weaknesses if people.kind == "weaknesses" else None
    return LabelledQuestion(
        id=question.id,
        has_weakness=favour(people.kind, people.answer, people.expected) == 0,
        weaknesses=named,
        text=question.text,
        answer=str(people.answer) if named is None else "",
        expected=people.expected,
    )


def _sample(case: JudgeCase, questions: tuple[LabelledQuestion, ...]) -> LabelledSample:
    name = "/".join(filter(None, (case.benchmark, case.item, case.subject)))
    name += f"@{case.epoch}" if case.epoch > 1 else ""
    return LabelledSample(name, questions, f"{case.benchmark}/{case.cluster or case.item}", case, _film(case))


def _film(case: JudgeCase) -> str:
    """Return where the film lies that a judge is shown last, or whatever file that is; empty where it sees none."""
    kept = [each.name for each in case.evidence.files]
    shown = [each.file for each in case.view.shown if each.file in kept] or kept
    films = [name for name in shown if (mimetypes.guess_type(name)[0] or "").startswith("video/")]
    return str(case.evidence.path((films or shown)[-1]).resolve()) if shown else ""


def _leaks(made: Mapping[str, Sequence[LabelledSample]]) -> tuple[str, ...]:
    homes: dict[str, set[str]] = defaultdict(set)
    for split, samples in made.items():
        for each in samples:
            homes[each.cluster].add(split)
    return tuple(sorted(cluster for cluster, splits in homes.items() if len(splits) > 1))


def prompt_of_cases(cases: Sequence[JudgeCase], wanted: str = "") -> str:
    """Return the name of the prompt that a judge of these cases reads, and that is to be improved.

    Raises:
        BadInput: They read several and none of them is wanted.
    """
    names = sorted({case.view.prompt or JUDGE_ROLE for case in cases})
    if wanted and wanted in names:
        return wanted
    if wanted or len(names) != 1:
        fact = f"judges of these deliverables read {', '.join(names)}" if names else "nothing here is judged"
        raise BadInput(f"prompt '{wanted}'" if wanted else "prompt", fact, "name one of them with --prompt NAME=FILE")
    return names[0]
