"""The gates of tasks, run with a bar and told as tables."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from cutscore.cli.progress import progress_style, show_progress
from cutscore.cli.text_tables import align_columns
from cutscore.core.gate import GATES, GateCard, ItemGates, Trial
from cutscore.results.wording import count

if TYPE_CHECKING:
    from cutscore.authoring.loaded_benchmark import LoadedBenchmark

LINE_EVERY_S = 10.0  # a task of real footage takes minutes, and a submission seconds
WORDS = {"passed": "ok", "failed": "FAILED", "pending": "pending"}


def checked_gates(bench: LoadedBenchmark, *, engine: str, again: bool = False) -> GateCard | None:
    """Put all tasks through their gates, and leave the card in the pack; None when the benchmark has no tasks.

    Those of a pack that are through already are not checked `again` unless somebody asks for it.
    """
    from cutscore.authoring.gates.card import check_all, has_gates, write_card
    from cutscore.settings import load_settings

    if not has_gates(bench):
        return None
    with show_progress(
        f"gates of {bench.found.name}",
        total=len(bench.items),
        done=0,
        style=progress_style(),
        line_every_s=LINE_EVERY_S,
    ) as listener:
        card = check_all(
            bench,
            engine=engine if len(bench.items) > 1 else "inline",
            workers=load_settings().workers,
            again=again,
            tell=listener,
        )
    if bench.data:
        write_card(bench.data, card)
    return card


def gate_summary(card: GateCard) -> list[str]:
    """Tell a line a task, and what is wrong or open."""
    rows = [("item", *GATES, "hostile"), *(_row(item) for item in card.items)]
    return [align_columns(rows), *_faults(card)]


def gate_details(card: GateCard) -> list[str]:
    """Tell what hostile submissions, honest variants and shortcuts got."""
    return [*_hostile(card), *_noise(card), *_shortcuts(card)]


def gate_verdict(card: GateCard) -> str:
    """Tell how many tasks may be scored."""
    if any(each.fault for each in card.shortcuts):
        return "no task may be scored"
    closed = sum(any(gate.state == "failed" for gate in item.gates) for item in card.items)
    return f"{len(card.items) - closed} of {count(len(card.items), 'task')} may be scored"


def _shortcuts(card: GateCard) -> list[str]:
    """Tell each solver, and of those that guess blindly the best alone: it is chance."""
    told = [f"{each.verdict:<7} {each.summary}" for each in card.shortcuts if not each.guess]
    return [*told, *filter(None, [card.chance_summary])]


def _row(item: ItemGates) -> tuple[str, ...]:
    broken = sum(bool(trial.fault) for trial in item.hostile)
    tried = f"{len(item.hostile) - broken} of {len(item.hostile)} held" if item.hostile else ""
    return (item.title, *(WORDS[item.gate(name).state] for name in GATES), tried)


def _faults(card: GateCard) -> list[str]:
    """Name what is wrong with each task, and what they wait for, which is mostly the same."""
    said = [
        f"{item.title}: {gate.name} failed: {fault}"
        for item in card.items
        for gate in item.gates
        for fault in gate.faults
        if gate.state == "failed"
    ]
    open_ones = [gate for item in card.items for gate in item.gates if gate.state == "pending"]
    waits = Counter(f"{gate.name} is pending: {gate.faults[0]}" for gate in open_ones)
    return [*said, *(f"{what} ({count(times, 'task')})" for what, times in waits.items())]


def _hostile(card: GateCard) -> list[str]:
    """List hostile submissions that got something: the highest score that any task gave them, and the reason there."""
    by_name: dict[str, list[Trial]] = {}
    for item in card.items:
        for trial in item.hostile:
            by_name.setdefault(trial.name, []).append(trial)
    if not by_name:
        return []
    above = sum(bool(trial.fault) for trials in by_name.values() for trial in trials)
    tried = sum(map(len, by_name.values()))
    head = f"hostile submissions: {len(by_name)} kinds, {tried:,} tried, {above:,} got more than they may"
    paid = {name: trials for name, trials in by_name.items() if any(map(_is_paid, trials))}
    nothing = len(by_name) - len(paid)
    kinds = [_kind(name, trials) for name, trials in paid.items()]
    table = [align_columns([("", "at most", "because"), *kinds])] if kinds else []
    rest = [f"{count(nothing, 'kind')} got nothing from any task; --json tells the reason of each"] if nothing else []
    return [head, *table, *rest]


def _is_paid(trial: Trial) -> bool:
    return bool(trial.fault) or any(trial.scores.values())


def _kind(name: str, trials: list[Trial]) -> tuple[str, str, str]:
    worst = max(trials, key=lambda trial: (bool(trial.fault), *trial.scores.values()))
    scores = {mode: max(trial.scores.get(mode, 0.0) for trial in trials) for mode in worst.limit}
    told = ", ".join(f"{mode} {value:.3g}".strip() for mode, value in scores.items())
    because = f"FAILED: {worst.fault}" if worst.fault else worst.because
    return name, told, because + (f" [{worst.spared}]" if worst.spared and any(scores.values()) else "")


def _noise(card: GateCard) -> list[str]:
    spreads = [(mode, spread) for item in card.items for mode, spread in item.noise.items()]
    lines = []
    for mode in dict.fromkeys(mode for mode, _ in spreads):
        own = [spread for each, spread in spreads if each == mode]
        low, high, n = min(each.low for each in own), max(each.high for each in own), sum(each.n for each in own)
        name = f" in {mode}" if mode else ""
        lines.append(f"instrument's noise{name}: honest variants score {low:.3f} to {high:.3f} (n={n})")
    return lines
