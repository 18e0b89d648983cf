"""What several people together say, by a stated rule."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from pydantic import JsonValue

from cutscore.core.judgement import QuestionKind, Weakness
from cutscore.core.label import Label
from cutscore.labels.files import LabelKey, label_key, label_verdict


@dataclass(frozen=True)
class Consensus:
    """What people together say to one question; None when they do not agree, `"yes"` when there are weaknesses.

    `expected` is the right answer, where there is one.
    """

    about: LabelKey
    kind: QuestionKind
    answer: JsonValue
    weaknesses: tuple[Weakness, ...]
    people: int
    split: str
    reason: str
    expected: JsonValue = None


def consensus(labels: Iterable[Label]) -> list[Consensus]:
    """Return what people together say to each question, in the order in which questions first appear.

    More than half of those who answered decide; on a scale it is their median. Where there is no majority the answer
    is None: the question is left out and counted, since a coin would be no label. For weaknesses the majority says
    whether there are some; then every fault counts that one of them named, each wording once.
    """
    together: dict[LabelKey, list[Label]] = defaultdict(list)
    for label in labels:
        together[label_key(label)].append(label)
    return [_agree(key, labels_of) for key, labels_of in together.items()]


def _agree(key: LabelKey, labels: Sequence[Label]) -> Consensus:
    kind, split = labels[0].kind, labels[0].split
    said = [answer for answer in map(label_verdict, labels) if answer is not None]
    answer: JsonValue = None
    if not said:
        because = "nobody gave an answer"
    elif kind == "scale":
        answer = float(median(float(each) for each in said if isinstance(each, int | float)))
        because = f"median of {len(said)}"
    else:
        winner, votes = Counter(map(str, said)).most_common(1)[0]
        answer = winner if votes * 2 > len(said) else None
        because = f"{votes} of {len(said)} say '{winner}'" + ("" if answer else ", which is no majority")
    once: dict[str, Weakness] = {}
    for label in labels if kind == "weaknesses" and answer == "yes" else ():
        for each in label.weaknesses:
            once.setdefault(" ".join(each.text.casefold().split()), each)
    return Consensus(key, kind, answer, tuple(once.values()), len(said), split, because, labels[0].expected)
