"""A model tells which weaknesses are the same: for published numbers."""

import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from pydantic import ValidationError

from cutscore.core.errors import Unscored
from cutscore.core.frozen import FrozenModel, digest_of
from cutscore.core.judgement import Weakness
from cutscore.core.matching import WeaknessPairs
from cutscore.core.strict_json import read_json
from cutscore.prompts import Prompt, load_prompts
from cutscore.scoring.judges.fence import Fence
from cutscore.scoring.judges.reply import json_object
from cutscore.scoring.judges.text_model import TextModel
from cutscore.scoring.matching.similarity import Similarity
from cutscore.stats.matching import maximum_matching

MATCHER_ROLE = "matcher"
FOLDER = Path(__file__).parent / "prompts"
MOST_ATTEMPTS = 3
# Below this cosine nothing is the same fault. Of 64 rewordings among our triples it keeps 61, and of unrelated pairs it
# drops 93% in English and a fifth in German; at 0.20 ten rewordings would be lost without a question.
PREFILTER_THRESHOLD = 0.10

_log = logging.getLogger(__name__)


class _PairsForm(FrozenModel):
    seal: str
    pairs: tuple[tuple[int, int], ...]
    plausible: tuple[int, ...] = ()


@dataclass(frozen=True)
class ModelMatcher:
    """A model in the role `matcher`, asked for pairs of numbers.

    A reply in another form, and one that claims pairs that cannot be, is asked for again; of the last one what can be
    is kept. Every pair that cannot be is refused and counted.

    Args:
        texts: Its prompts, by name.
        prefilter: What is less alike than the threshold is not asked about; None asks about everything.
    """

    model: TextModel
    texts: Mapping[str, Prompt] = field(default_factory=lambda: load_prompts(FOLDER))
    prefilter: Similarity | None = None
    approximate: bool = False

    @property
    def name(self) -> str:
        """The model's name."""
        return self.model.name

    @property
    def prompts(self) -> Mapping[str, str]:
        """Digest of each prompt, by name."""
        return {name: prompt.digest for name, prompt in self.texts.items()}

    def pair(
        self, reference: Sequence[Weakness], predicted: Sequence[Weakness], *, coverage: bool = False
    ) -> WeaknessPairs:
        """Pair two lists by asking; nobody is asked where nothing could be the same.

        Raises:
            Unscored: No reply could be read, or the provider gave up.
            BudgetReached: The money is spent.
        """
        rows, columns = self._alike_at_all(reference, predicted)
        if not rows or not columns:
            return WeaknessPairs()
        ours, theirs = [reference[row] for row in rows], [predicted[column] for column in columns]
        refused, problem = 0, ""
        for turn in range(1, MOST_ATTEMPTS + 1):
            system, words, seal = self._request(ours, theirs, problem, coverage=coverage)
            reply = self.model.reply_from_thread(system, words, turn=turn)
            said, problem = _read_pairs(reply.text, seal)
            if said is None:
                continue
            found = valid_pairs(said.pairs, said.plausible, (len(ours), len(theirs)), coverage=coverage)
            refused += found.refused
            if not found.refused or turn == MOST_ATTEMPTS:
                return WeaknessPairs(
                    tuple((rows[one], columns[other]) for one, other in found.pairs),
                    frozenset(columns[number] for number in found.plausible),
                    refused,
                )
            _log.info("matcher '%s' claimed %d pairs that cannot be; it is asked again", self.name, found.refused)
            problem = f"{found.refused} of its pairs name an entry that is not there or that has a partner already"
        fact = f"no reply of {MOST_ATTEMPTS} could be used: {problem}"
        raise Unscored(f"matcher '{self.name}'", fact, "try another model, or a matcher by wording")

    def _alike_at_all(
        self, reference: Sequence[Weakness], predicted: Sequence[Weakness]
    ) -> tuple[list[int], list[int]]:
        """Return which of either list have anybody on the other side that they could be the same as."""
        if self.prefilter is None or not reference or not predicted:
            return list(range(len(reference))), list(range(len(predicted)))
        table = self.prefilter([each.text for each in reference], [each.text for each in predicted])
        near = [(int(row), int(column)) for row, column in np.argwhere(table >= PREFILTER_THRESHOLD)]
        return sorted({row for row, _ in near}), sorted({column for _, column in near})

    def _request(
        self, ours: Sequence[Weakness], theirs: Sequence[Weakness], problem: str, *, coverage: bool
    ) -> tuple[str, str, str]:
        """Return our words, the two lists in their fence, and the seal of the reply."""
        lists = {"reference": [_plain(each) for each in ours], "predicted": [_plain(each) for each in theirs]}
        fence = Fence.of(digest_of({**lists, "prompts": self.prompts, "turn": problem}))
        partners = self.texts["matcher_coverage" if coverage else "matcher_single"].fill().strip()
        again = self.texts["matcher_again"].fill(problem=problem).strip() if problem else ""
        form = {"opening": fence.opening, "closing": fence.closing, "seal": fence.seal}
        system = self.texts["matcher"].fill(**form, partners=partners, again=again).strip()
        parts = [fence.opening]
        for heading, entries in lists.items():
            numbered = (
                json.dumps({"number": number, **entry}, ensure_ascii=False)
                for number, entry in enumerate(entries, start=1)
            )
            parts += [fence.heading(heading), *numbered]
        return system, "\n".join([*parts, fence.closing]), fence.seal


def valid_pairs(
    claimed: Sequence[tuple[int, int]], plausible: Sequence[int], sizes: tuple[int, int], *, coverage: bool
) -> WeaknessPairs:
    """Return what of a model's claims can be, and count what cannot; claims count from 1, what is returned from 0.

    A pair that is claimed twice is one. Where one-to-one is asked for and an entry has several partners, as many pairs
    as possible are kept.

    >>> valid_pairs([(1, 1), (1, 2), (9, 1)], [2], (1, 2), coverage=False)
    WeaknessPairs(pairs=((0, 0),), plausible=frozenset({1}), refused=2)
    """
    known = sorted({(one - 1, other - 1) for one, other in claimed if 0 < one <= sizes[0] and 0 < other <= sizes[1]})
    kept = tuple(known)
    if not coverage:
        kept = maximum_matching([[other for mine, other in known if mine == row] for row in range(sizes[0])])
    used = {other for _, other in kept}
    extras = frozenset(number - 1 for number in plausible if 0 < number <= sizes[1]) - used
    return WeaknessPairs(kept, extras, refused=len(set(claimed)) - len(kept))


def _read_pairs(text: str, seal: str) -> tuple[_PairsForm | None, str]:
    """Return what a reply says, or None and what is wrong with it, in our words."""
    try:
        said = _PairsForm.model_validate(read_json(json_object(text)))
    except ValidationError:
        return None, "it is not an object with exactly seal, pairs and plausible"
    except ValueError as fault:
        return None, f"it {fault}"
    return (said, "") if said.seal == seal else (None, "it does not repeat the seal of this request")


def _plain(weakness: Weakness) -> dict[str, object]:
    plain: dict[str, object] = {"text": weakness.text}
    if weakness.at is not None:
        plain["at"] = [float(weakness.at.start_s), float(weakness.at.end_s)]
    return {**plain, "code": weakness.code} if weakness.code else plain
