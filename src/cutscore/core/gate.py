"""The four gates that a task passes before it is scored, and the card that says how it fared.

A card belongs to items with certain digests and to a verifier with certain code. Whoever changes either has an
unchecked task again, not a failed one.
"""

from collections.abc import Iterator
from typing import Literal, get_args

from pydantic import Field

from cutscore.core.frozen import Finite, FrozenModel, SafeName

GATES_FILE = "gates.json"

GateName = Literal["authoring", "asset", "expert", "verifier"]
GATES: tuple[GateName, ...] = get_args(GateName)

GateState = Literal["passed", "failed", "pending"]
TrialKind = Literal["golden", "null", "hostile", "honest"]


class Gate(FrozenModel):
    """How a task fared at one gate, and what is wrong or missing, a sentence each; *pending* stops nothing."""

    name: GateName
    state: GateState = "passed"
    faults: tuple[str, ...] = ()


def make_gate(name: GateName, faults: Iterator[str] | list[str]) -> Gate:
    """Return a gate that is failed when there is a fault."""
    found = tuple(faults)
    return Gate(name=name, state="failed" if found else "passed", faults=found)


class Trial(FrozenModel):
    """A submission whose mark was known beforehand, and what the verifier made of it.

    Args:
        scores: The headline by mode; empty when it was not marked.
        limit: What it had to get by mode: at least that for `golden` and `honest`, at most that for the others; empty
            for an honest variant that met a refusal which the brief announces.
        spared: Why the paper's own rule gives a hostile submission something.
        fault: What is wrong with the verifier; empty when it held.
    """

    kind: TrialKind
    name: str
    scores: dict[str, Finite] = Field(default_factory=dict)
    limit: dict[str, Finite] = Field(default_factory=dict)
    because: str = ""
    spared: str = ""
    fault: str = ""


class Spread(FrozenModel):
    """The instrument's noise: what honest variants of the golden submission score."""

    low: Finite
    high: Finite
    n: int


class ItemGates(FrozenModel):
    """One task at its gates, by the digest of its content; noise is by mode, where the family knows honest variants.

    Source is the clip that it was made of, as its author knows it.
    """

    item: SafeName
    source: str = ""
    content: str
    gates: tuple[Gate, ...]
    trials: tuple[Trial, ...] = ()
    noise: dict[str, Spread] = Field(default_factory=dict)

    @property
    def title(self) -> str:
        """Its name, and the clip that it was made of."""
        return f"{self.item} ({self.source})" if self.source else self.item

    def gate(self, name: GateName) -> Gate:
        """Return how it fared at a gate."""
        return next(gate for gate in self.gates if gate.name == name)

    @property
    def hostile(self) -> tuple[Trial, ...]:
        """The submissions that were built to win without doing the work."""
        return tuple(trial for trial in self.trials if trial.kind == "hostile")


class Shortcut(FrozenModel):
    """A solver that understands nothing, over all tasks of a pack.

    Args:
        mean: Of the headline in the first mode.
        low: One-sided 95% bound below the mean; None when there are too few tasks to say.
        limit: Chance plus the stated margin. A bound above it fails the pack.
        printed: Why it may beat chance all the same; then it is printed and fails nothing.
        guess: It guesses blindly, and what the best guess of a pack gets is chance there: it fails nothing.
    """

    name: str
    n: int
    mean: Finite
    low: Finite | None
    chance: Finite
    limit: Finite
    printed: str = ""
    guess: bool = False

    @property
    def beats_chance(self) -> bool:
        """Whether the bound below its mean lies above chance and margin."""
        return self.low is not None and self.low > self.limit

    @property
    def fault(self) -> str:
        """What is wrong with the pack; empty when nothing is."""
        if not self.beats_chance or self.printed or self.guess:
            return ""
        result = f"{self.mean:.3f} on average over {self.n} tasks, at least {self.low:.3f} with 95%"
        return f"shortcut '{self.name}' scores {result}; chance and margin are {self.limit:.3f}"

    @property
    def verdict(self) -> Literal["FAILED", "printed", "unclear", "ok"]:
        """In a word; *unclear* is what lies above the limit, over too few tasks to tell it from luck."""
        if self.fault:
            return "FAILED"
        if self.beats_chance or (self.printed and self.mean > self.limit):
            return "printed"
        return "unclear" if self.mean > self.limit else "ok"

    @property
    def summary(self) -> str:
        """What it got and what it may get, in a sentence."""
        bound = f" (at least {self.low:.3f} with 95%)" if self.low is not None else ""
        few = ", over too few tasks to tell that from luck" if self.verdict == "unclear" else ""
        why = f": {self.printed}" if self.verdict == "printed" and self.printed else ""
        tasks = f"{self.n} task{'' if self.n == 1 else 's'}"
        got = f"shortcut '{self.name}' scores {self.mean:.3f} over {tasks}{bound}"
        return f"{got}; chance and margin are {self.limit:.3f}{few}{why}"


class GateCard(FrozenModel):
    """What `cutscore check` found out about a pack; lies in it as `gates.json`."""

    record: Literal["cutscore.gates/1"] = Field(default="cutscore.gates/1", alias="schema")
    benchmark: str
    version: str
    scoring: str
    cutscore: str
    decoder: str
    items: tuple[ItemGates, ...]
    shortcuts: tuple[Shortcut, ...] = ()

    @property
    def best_guess(self) -> Shortcut | None:
        """The blind guess that gets most on average: its mean is chance on these tasks; None where nobody guesses."""
        return max((each for each in self.shortcuts if each.guess), key=lambda each: each.mean, default=None)

    @property
    def chance_summary(self) -> str:
        """What blind guessing gets on these tasks, in a sentence; empty where nobody guesses."""
        best = self.best_guess
        if best is None:
            return ""
        tried = sum(each.guess for each in self.shortcuts)
        told = f"chance on these tasks is {best.mean:.3f} (n={best.n}), which the best of {tried} blind guesses gets"
        card = "" if best.chance == best.mean else f"; the benchmark's card says {best.chance:.3f}"
        return f"{told}, '{best.name}'{card}"

    @property
    def failed(self) -> bool:
        """Whether an item failed a gate, or a shortcut beats chance."""
        return any(gate.state == "failed" for item in self.items for gate in item.gates) or any(
            each.fault for each in self.shortcuts
        )

    def refusals(self, digests: dict[str, str], *, scoring: str) -> dict[str, str]:
        """Return why items must not be scored, by id.

        A failure holds as long as the item is the one that was checked; one at the verifier gate also only for the
        verifier that was checked.
        """
        same = scoring == self.scoring
        whole = next((each.fault for each in self.shortcuts if each.fault), "") if same else ""
        found = {}
        for item in self.items:
            if digests.get(item.item) != item.content:
                continue
            failed = [gate for gate in item.gates if gate.state == "failed" and (same or gate.name != "verifier")]
            if failed:
                found[item.item] = f"failed the {failed[0].name} gate: {failed[0].faults[0]}"
            elif whole:
                found[item.item] = f"failed the verifier gate: {whole}"
        return found
