"""What stacks took: Tables 8 and 9 by the paper's rule, effort and cost against score, and Figure 3.

The samples that the paper counts with zero tokens are so counted here alone, and flagged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import fsum
from statistics import median
from typing import TYPE_CHECKING

from cutscore.benchmarks.agenticvbench.families import FAMILY, SCORE, Family, in_family, merge_stacks
from cutscore.core.row import Row
from cutscore.core.table import Column, Scatter, Table, TableCell
from cutscore.results.behaviour.measures import behaviour_of
from cutscore.results.behaviour.vocabulary import archetype
from cutscore.results.tables.costs import (
    IN_BUCKETS,
    OUT_BUCKETS,
    SampleCost,
    cost_per_minute,
    count_tokens,
    sample_costs,
)
from cutscore.results.tables.lines import plain_columns
from cutscore.results.wording import count, usd

if TYPE_CHECKING:
    from cutscore.ledger.price_file import PriceFile

REPURPOSE, OTHERS = "repurpose", "other families"
FLAG = "the paper's rule: a sample without tokens in its agent's log counts as 0, and is counted under 'missing'"
Costs = dict[str, list[SampleCost]]  # by family


def whole_costs(families: Sequence[Family], prices: PriceFile) -> Costs:
    """Return what the samples of each family cost whose subject worked on the whole task."""
    made = {}
    for family in families:
        whole = {each.id for each in family.cells}
        made[family.name] = [each for each in sample_costs(family.result, prices) if each.row.cell in whole]
    return made


@dataclass(frozen=True)
class CostAudit:
    """Samples, tokens and dollars by the paper's rule, and dollars by what we saw.

    Args:
        extracted: Samples of which the agent's log tells tokens; the others are missing, and count as 0.
        unpriced: Extracted ones of unknown cost; they are in no sum.
    """

    rows: int
    extracted: int
    read_tokens: int
    written_tokens: int
    unpriced: int
    told_usd: float | None
    seen_usd: float | None

    @property
    def missing(self) -> int:
        """Count the samples without tokens."""
        return self.rows - self.extracted

    @property
    def figures(self) -> tuple[int, int, int]:
        """Return tokens read and written, and how many samples have no cost."""
        return self.read_tokens, self.written_tokens, self.unpriced

    @classmethod
    def of(cls, costs: Sequence[SampleCost]) -> CostAudit:
        """Add up some samples."""
        told = [each for each in costs if count_tokens(each.row.told_usage, (*IN_BUCKETS, *OUT_BUCKETS)) is not None]
        known = [each.told_usd for each in told if each.told_usd is not None]
        seen = [each.seen_usd for each in costs if each.seen_usd is not None]
        return cls(
            rows=len(costs),
            extracted=len(told),
            read_tokens=sum(count_tokens(each.row.told_usage, IN_BUCKETS) or 0 for each in told),
            written_tokens=sum(count_tokens(each.row.told_usage, OUT_BUCKETS) or 0 for each in told),
            unpriced=len(told) - len(known),
            told_usd=fsum(known) if known else None,
            seen_usd=fsum(seen) if seen else None,
        )


def audit_table(costs: Costs, prices: PriceFile) -> Table:
    """Return rows, tokens and costs by the paper's rule: of Repurpose, of the other families, and of all."""
    others = [each for name, own in costs.items() if name != REPURPOSE for each in own]
    slices = {OTHERS: others, REPURPOSE: costs.get(REPURPOSE, [])}
    found = {name: CostAudit.of(own) for name, own in slices.items() if own}
    whole = CostAudit.of([each for own in slices.values() for each in own])
    return Table(
        id="audit",
        title=f"{'No known cost' if whole.told_usd is None else usd(whole.told_usd)} by the agents' logs;"
        f" {count(whole.missing, 'sample')} without tokens"
        if found
        else "No audit: no model was asked",
        columns=(
            *plain_columns("slice", "rows", "extracted", "missing", "input tokens", "output tokens", "unpriced"),
            *(Column(name="cost", digits=2, unit="USD"), Column(name="seen cost", digits=2, unit="USD")),
        ),
        rows=tuple(
            (name, each.rows, each.extracted, each.missing, *each.figures, each.told_usd, each.seen_usd)
            for name, each in ({**found, "all": whole} if len(found) > 1 else found).items()
        ),
        note=f"{FLAG}; unpriced: extracted, but of unknown cost, and in no sum; seen cost: by the tokens that passed"
        f" our own endpoint, where known; prices: {prices.title}",
        paper="Table 8",
    )


def family_cost_table(costs: Costs, prices: PriceFile) -> Table:
    """Return rows, missing ones and costs by family and harness, by the paper's rule."""
    body: list[tuple[TableCell, ...]] = []
    dear: list[tuple[float, str]] = []
    for name, own in costs.items():
        for subject in sorted({each.row.subject for each in own}):
            samples = [each for each in own if each.row.subject == subject]
            found = CostAudit.of(samples)
            figures = found.rows, found.missing, found.unpriced, found.told_usd, found.seen_usd
            body.append((name, subject, *figures, cost_per_minute(samples)))
            dear += [] if found.told_usd is None else [(found.told_usd, f"{subject} on {name}")]
    return Table(
        id="family-costs",
        title=f"{max(dear)[1]} took most: {usd(max(dear)[0])}" if dear else "No cost is known",
        columns=(
            *plain_columns(FAMILY, "subject", "rows", "missing", "unpriced"),
            *(Column(name="cost", digits=2, unit="USD"), Column(name="seen cost", digits=2, unit="USD")),
            Column(name="a minute", digits=4, unit="USD"),
        ),
        rows=tuple(body),
        note=f"{FLAG}; rows are tasks × models × repetitions, which the paper's leave out; a minute: seen cost for each"
        f" minute of film among the materials; prices: {prices.title}",
        paper="Table 9",
    )


def effort_table(families: Sequence[Family], costs: Costs) -> Table:
    """Return turns, tokens and dollars of a sample, medians, beside the score that the stack reached."""
    scored = merge_stacks(families)
    by_stack: dict[tuple[str, str], list[SampleCost]] = {}
    for each in (one for own in costs.values() for one in own):
        by_stack.setdefault((each.row.subject, each.row.model), []).append(each)
    body: list[tuple[TableCell, ...]] = []
    for line in scored:
        own = by_stack.get((line.subject, line.model), [])
        if own:
            turns = _median(own, lambda each: _turns(each.row))
            tokens = _median(own, lambda each: count_tokens(each.row.usage, (*IN_BUCKETS, *OUT_BUCKETS)))
            dollars = _median(own, lambda each: each.seen_usd)
            means = [in_family(line, family.name).mean(SCORE) for family in families]
            whole = None if None in means else fsum(mean or 0.0 for mean in means) / len(means)
            taken = None if tokens is None else round(tokens)
            body.append((line.subject, line.model, len(own), turns, taken, dollars, cost_per_minute(own), whole))
    return Table(
        id="effort",
        title=f"What {count(len(body), 'stack')} took for a sample, beside what they reached",
        columns=(
            *plain_columns("subject", "model", "samples"),
            *(Column(name="turns", digits=1), Column(name="tokens", digits=0)),
            *(Column(name="cost", digits=4, unit="USD"), Column(name="a minute", digits=4, unit="USD")),
            Column(name="family mean"),
        ),
        rows=tuple(body),
        scatters=tuple(
            Scatter(across=name, up="family mean", labels=("subject", "model")) for name in ("cost", "turns", "tokens")
        ),
        note="medians over the samples of which it is known, by what passed our own endpoint; family mean: as in"
        " 'overall'",
    )


def _turns(row: Row) -> float | None:
    told = row.environment.get("turns")
    return float(told) if isinstance(told, int | float) else None


def _median(costs: Sequence[SampleCost], value: Callable[[SampleCost], float | None]) -> float | None:
    known = [found for each in costs if (found := value(each)) is not None]
    return float(median(known)) if known else None


def signature_table(families: Sequence[Family]) -> Table:
    """Return the median number of tool calls, the share of the top tool, and the score on Repurpose, by stack."""
    measured: dict[tuple[str, str], list[Counter[str]]] = {}
    for family in families:
        for row in (row for cell in family.cells for row in cell.rows):
            if (found := behaviour_of(row)) is not None:
                measured.setdefault((row.subject, row.model), []).append(Counter(found.tools))
    scores = {(line.subject, line.model): in_family(line, REPURPOSE).mean(SCORE) for line in merge_stacks(families)}
    body: list[tuple[TableCell, ...]] = []
    for who, samples in sorted(measured.items()):
        calls = float(median(each.total() for each in samples))
        tools = sum(samples, Counter[str]())
        tool, most = tools.most_common(1)[0] if tools else ("", 0)
        share = most / tools.total() if tools else None
        kind = "" if share is None else archetype(calls, share) or ""
        body.append((*who, len(samples), calls, tool, share, kind, scores.get(who)))
    kinds = Counter(str(row[6]) or "like none" for row in body)
    told = ", ".join(f"{number} {kind}" for kind, number in kinds.most_common())
    return Table(
        id="signature",
        title=f"{count(len(body), 'stack')}: {told}" if told else "No archetypes: nobody's calls are known",
        columns=(
            *plain_columns("subject", "model", "samples"),
            *(Column(name="calls", digits=1), Column(name="top tool"), Column(name="top share", digits=2)),
            *plain_columns("archetype", REPURPOSE),
        ),
        rows=tuple(body),
        scatters=(Scatter(across="calls", up="top share", labels=("subject", "model"), size=REPURPOSE),),
        note="over all families; calls: median of a sample; top share: of all calls; thresholds of archetypes are ours,"
        " the paper gives none",
        paper="Figure 3",
    )
