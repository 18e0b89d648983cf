"""A benchmark with its items, prompts and judge: what the contract, the gates and tests mark with."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from cutscore.cells.chance import expected_chance
from cutscore.cells.known_work import KnownWork, PlayedWork, list_asks, play_sample
from cutscore.cells.marking import mark_or_raise
from cutscore.cells.world import SampleParts
from cutscore.core.ask import Ask
from cutscore.core.bundle import UnscorableBundle
from cutscore.core.deliverable import Deliverable
from cutscore.core.ending import Ending, ending_from_error
from cutscore.core.environment import ActionScript
from cutscore.core.errors import BrokenData, CutscoreError, Stopped
from cutscore.core.files import FileStore
from cutscore.core.finding import score_key
from cutscore.core.frozen import canonical_json, digest_of
from cutscore.core.item import Item
from cutscore.core.judgement import JUDGE_ROLE, CellJudge, JudgeSession, JudgeSpec
from cutscore.core.subject import SubjectSpec
from cutscore.prompts import Prompt, load_prompts
from cutscore.registry import Benchmark
from cutscore.scoring.judges.benchmark_judges import TRUTH_HOOK
from cutscore.scoring.judges.choose import open_judge


@dataclass(frozen=True)
class LoadedBenchmark:
    """A benchmark with its items loaded, ready to be checked.

    Args:
        data: Folder of a data pack, when the items are not the benchmark's own.
        judge: Who is asked where a benchmark wants opinions: the one that knows the truth, or somebody scripted.
        roles: Who sits in further roles of the judge.
        untold: How many items there are besides, whose truth nobody told.
    """

    found: Benchmark
    store: FileStore
    items: Sequence[Item]
    prompts: Mapping[str, Prompt]
    data: Path | None = None
    judge: CellJudge | None = None
    roles: Mapping[str, CellJudge] = field(default_factory=dict)
    untold: int = 0
    _oracle: dict[str, KnownWork] = field(default_factory=dict, repr=False, compare=False)
    _played: dict[str, PlayedWork] = field(default_factory=dict, repr=False, compare=False)

    def mark(self, known: KnownWork, item: Item, mode: str = "") -> Ending:
        """Mark as the scorer does, with evidence as a run records it; in its world, where the benchmark has one.

        A bug of the author's passes on, with the item in its notes.
        """
        who = SubjectSpec(kind="oracle", label="oracle")
        seated = {**({JUDGE_ROLE: self.judge} if self.judge else {}), **self.roles}
        judges = {role: each.for_sample(JudgeSession(item.id, who, _no_calls)) for role, each in seated.items()}
        with suppress(Stopped):  # which marking will say of each item
            self.found.part("mark")
        with _about(item):
            try:
                made = self.play(known, item)
            except CutscoreError as error:
                return ending_from_error(error)
            return mark_or_raise(
                self.found, made.deliverable, made.evidence, item, store=self.store, judges=judges, mode=mode
            )

    def play(self, known: KnownWork, item: Item) -> PlayedWork:
        """Return what comes of known work, and its evidence; the same work is played once.

        Where the world needs more than this machine may have, a benchmark keeps the evidence of items that it ships:
        `recorded` of its `oracle.py` returns that of the very item and work, and the world is not opened.
        """
        key = digest_of([item, known])
        if key not in self._played:
            self._played[key] = self._find_recorded(known, item) or play_sample(
                known, SampleParts(self.found, item, self.prompts), self.ask(item), self.store
            )
        return self._played[key]

    def _find_recorded(self, known: KnownWork, item: Item) -> PlayedWork | None:
        find = getattr(self.found.part("oracle"), "recorded", None)
        evidence = find(item, known, self.store) if find else None
        if evidence is None or not isinstance(known, Deliverable | ActionScript):
            return None
        return PlayedWork(known if isinstance(known, Deliverable) else known.deliverable, evidence)

    def ask(self, item: Item) -> Ask:
        """Return what a subject gets of an item, in the first turn."""
        with _about(item):
            return self.found.ask(item, self.prompts)

    def ask_bytes(self, item: Item) -> bytes:
        """Return the bytes of all that a subject gets; of several turns, of those who hand over nothing."""
        ask, parts = self.ask(item), SampleParts(self.found, item, self.prompts)
        with _about(item):
            return canonical_json(list_asks(parts, ask, self.store) if parts.has_turns else ask)

    def oracle_deliverable(self, name: str, item: Item) -> KnownWork:
        """Return what the benchmark's `oracle.py` hands over, or does; a film of it is made once."""
        key = digest_of([name, item])
        if key not in self._oracle:
            with _about(item):
                self._oracle[key] = getattr(self.found.part("oracle"), name)(item, self.store)
        return self._oracle[key]

    @property
    def modes(self) -> tuple[str, ...]:
        """Scoring modes of the card; one without a name where it lists none."""
        return self.found.card.modes or ("",)

    @property
    def chance(self) -> float | None:
        """What guessing gets of the headline: by the card, or on the items of a pack; None where nobody knows."""
        if self.data is None:
            return self.found.card.scores[self.headline].chance
        return expected_chance(self.found, self.items).get(self.headline)

    @property
    def headline(self) -> str:
        """Name of the score that a table shows."""
        return self.found.card.headline

    def headlines(self, endings: Sequence[Ending]) -> list[float]:
        """Return the headline values of those that were marked."""
        key = score_key(self.headline, self.modes[0])
        return [ending.scores[key] for ending in endings if key in ending.scores]


def load_benchmark(
    found: Benchmark, store: FileStore, *, data: Path | None = None, judge: CellJudge | None = None
) -> LoadedBenchmark:
    """Load a benchmark's items and prompts, and open the judge that knows the truth where there is one."""
    everything = found.part("dataset").items(store, data)
    items = scorable_items(everything)
    prompts = load_prompts(found.folder / "prompts", benchmark=found.name)
    if judge is None and found.card.takes_judge:
        knows = data is None and hasattr(found.part("oracle"), TRUTH_HOOK)
        if who := found.card.judge.default or ("truth" if knows else ""):
            judge = open_judge(JudgeSpec(who, own_data=data is not None), found, {item.id: item for item in items})
    untold = len(everything) - len(items)
    return LoadedBenchmark(
        found=found, store=store, items=items, prompts=prompts, data=data, judge=judge, untold=untold
    )


def scorable_items(items: Sequence[Item]) -> list[Item]:
    """Return the items whose truth is known; the others keep no promise about marks."""
    return [item for item in items if not isinstance(item, UnscorableBundle)]


@contextmanager
def _about(item: Item) -> Iterator[None]:
    """Note the item on whatever its benchmark's code raises."""
    try:
        yield
    except Exception as error:
        note = f"at item '{item.id}'"
        if not isinstance(error, CutscoreError) and note not in getattr(error, "__notes__", ()):
            error.add_note(note)
        raise


def _no_calls(_call: object) -> None:
    raise BrokenData("judge", "wants to call a model", "promises are checked without one")
