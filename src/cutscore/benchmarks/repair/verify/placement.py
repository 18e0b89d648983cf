"""A repaired clip placed between the broken and the golden one: AgenticVBench, Appendix H.1.

    s      = clip((M_out − M_broken) / (M_golden − M_broken), 0, 1)        for each measurement M
    s_in   = the measurements inside the defect's window, by their weights; s_out likewise for everything else
    reward = 0.9 · s_in + 0.1 · s_out

Anchors are measured when a task is built. Inside the window 0 is the broken input; outside, where that input is
clean, 0 is a stated floor of damage. Golden is measured after one good delivery encode, so both anchors are finite.
The paper gives no weights for the measurements of one window: a bundle states its own.

Swapped shots are compared whole and pay a length penalty (H.1.2) "if the output is more than 10% shorter or longer than
the golden"; the paper does not say how large. Ours is the shorter over the longer length, so that what is missing or
added costs its share. The factor jumps where it sets in: at exactly 10% it is 1, and right behind 10/11 for a longer
output and 9/10 for a shorter one.
"""

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Literal, Self

from pydantic import Field, model_validator

from cutscore.core.errors import Unscored
from cutscore.core.frozen import Finite, FrozenModel
from cutscore.core.timeline import At

Mode = Literal["paper", "precision", "strict", "table2"]
Where = Literal["in", "out"]

INSIDE, OUTSIDE = 0.9, 0.1  # H.1.1
FREE = Fraction(1, 10)  # of golden's length, itself included: what a length may differ at no cost
FORMAT, LOCALISATION, EDIT = 0.05, 0.35, 0.60  # Table 2, which disagrees with H.1


class Measure(FrozenModel):
    """One measurement that a bundle declares, with its anchors.

    Args:
        name: The metric, as its file in `scoring/metrics` calls it.
        broken: Its value where s is 0: on the broken input, or outside the window the floor of damage.
        golden: Its value where s is 1.
        weight: Its share of s_in or s_out before shares are made to add up to 1. What does not apply to a bundle
            (intelligibility on music) is not declared there.
        smaller_is_better: The paper's "sign flipped". The line from broken to golden is the same either way, so this
            decides nothing but which anchors make sense.
        noise: How far two good encodes of one clip may lie apart. Anchors no further apart than this cannot be told
            from each other.
    """

    name: str = Field(min_length=1)
    where: Where = "in"
    broken: Finite
    golden: Finite
    weight: Finite = Field(default=1.0, gt=0)
    smaller_is_better: bool = False
    noise: Finite = Field(default=0.0, ge=0)

    @property
    def gap(self) -> float:
        """How much better golden is than broken, in the measure's own unit."""
        return self.broken - self.golden if self.smaller_is_better else self.golden - self.broken


class PlacedMeasure(FrozenModel):
    """One measurement of the output, as the blob of H.1.5 has it: its value there, s, and its share of its side."""

    measure: Measure
    out: Finite | Literal["inf", "-inf"] | None
    score: Finite = Field(ge=0, le=1)
    share: Finite = Field(gt=0, le=1)


class RepairReward(FrozenModel):
    """The blob of H.1.5: the reward and everything that it was made of.

    A side has None where a gate closed before anything was measured, or where nothing is declared on it. `gate` is the
    hard gate that closed; empty when all are open.
    """

    reward: Finite = Field(ge=0, le=1)
    mode: Mode
    s_in: Finite | None = None
    s_out: Finite | None = None
    window: At = None
    measures: tuple[PlacedMeasure, ...] = ()
    gate: str = ""
    because: str = Field(min_length=1)

    @model_validator(mode="after")
    def _a_closed_gate_pays_nothing(self) -> Self:
        if self.gate and self.reward:
            raise ValueError(f"gate '{self.gate}' closed, and the reward is {self.reward:g}")
        return self


def place(out: float | None, measure: Measure) -> float:
    """Return s of one measurement, by its value on the output.

    Infinities lie beyond one of the anchors (PSNR of equal pictures). NaN or None counts 0: the measure had a value on
    both anchors, so that it has none here is the output's doing. Where golden is not better than broken by more than
    the noise, no place between them means anything, and the item is unscored.

    >>> place(30.0, Measure(name="psnr", broken=20, golden=40))
    0.5
    """
    if measure.gap <= measure.noise:
        raise Unscored(
            f"measure '{measure.name}'",
            f"golden has {measure.golden:g}, broken {measure.broken:g}, better by no more than the noise of"
            f" {measure.noise:g}",
            "leave it out of the bundle, or make the defect stronger",
        )
    if out is None or math.isnan(out):
        return 0.0
    if math.isinf(out):
        return float((out > 0) != measure.smaller_is_better)
    better = measure.broken - out if measure.smaller_is_better else out - measure.broken
    return min(1.0, max(0.0, better / measure.gap))


def place_all(
    outs: Mapping[str, float | None], measures: Sequence[Measure], *, where: Where
) -> tuple[PlacedMeasure, ...]:
    """Place every measurement that is declared for one side of the window.

    A value that is not among `outs` is our failure, not the subject's: it is None where the output has no value.
    """
    side = [measure for measure in measures if measure.where == where]
    names = [measure.name for measure in side]
    if len(set(names)) != len(names):
        raise Unscored("repair", f"a measure is declared twice {where}side the window")
    if lacking := [name for name in names if name not in outs]:
        raise Unscored("repair", f"'{lacking[0]}' was not measured {where}side the window")
    whole = math.fsum(measure.weight for measure in side)
    return tuple(
        PlacedMeasure(
            measure=measure,
            out=_json_number(outs[measure.name]),
            score=place(outs[measure.name], measure),
            share=measure.weight / whole,
        )
        for measure in side
    )


def composite(placed: Sequence[PlacedMeasure]) -> float | None:
    """Return s_in or s_out: the mean of scores by weight, or None without any. Only full scores everywhere give 1."""
    if not placed:
        return None
    weights = [each.measure.weight for each in placed]
    # Divided once, at the end: shares that were rounded before would not add up to 1.
    return math.fsum(each.score * each.measure.weight for each in placed) / math.fsum(weights)


def window_reward(
    inside: Sequence[PlacedMeasure],
    outside: Sequence[PlacedMeasure],
    *,
    window: At = None,
    mode: Literal["paper", "strict"] = "paper",
    mended: float = 1.0,
    floor: float = 0.0,
) -> RepairReward:
    """Return 0.9 · s_in + 0.1 · s_out.

    s_in is no more than `mended`, how much of the defect is gone by its strength (`residual`): similarities are high
    while half of it is still there. `paper` gives the broken input 0.1 for a rest that nobody touched. In `strict` an
    s_in up to the `floor`, which encodes of the broken input and filters over all of it reach, is 0, and so is the
    reward: whoever repairs nothing gets nothing for leaving the rest alone.

    Without measurements inside there is nothing to reward, and the item is unscored. Without any outside (the window
    is the whole clip) s_in is the reward, since weights are shared out among what is declared.
    """
    s_in, s_out = composite(inside), composite(outside)
    if s_in is None:
        raise Unscored("repair", "nothing is measured inside the window", "declare a measure for it")
    told = f"inside the window {min(s_in, mended):.3f}" + ("" if s_out is None else f", outside {s_out:.3f}")
    if mended < s_in:
        told += f"; measures give {s_in:.3f} inside, but {1 - mended:.0%} of the defect is left"
    s_in = min(s_in, mended)
    if mode == "strict" and s_in <= floor:
        told += f"; {s_in:.3f} counts nothing, encodes and filters without knowledge reach {floor:.3f}"
        s_in, s_out = 0.0, None if s_out is None else 0.0
    reward = s_in if s_out is None else INSIDE * s_in + OUTSIDE * s_out
    placed = (*inside, *outside)
    return RepairReward(reward=reward, mode=mode, s_in=s_in, s_out=s_out, window=window, measures=placed, because=told)


def length_factor(out_s: Fraction, golden_s: Fraction, *, free: Fraction = FREE) -> Fraction:
    """Return what the score is multiplied by, 0 … 1; a share `free` of golden's length may be missing or more.

    >>> length_factor(Fraction(55), Fraction(50)), length_factor(Fraction(40), Fraction(50))
    (Fraction(1, 1), Fraction(4, 5))
    """
    if golden_s <= 0:
        raise Unscored("golden", f"lasts {float(golden_s):g} s")
    if out_s <= 0:
        return Fraction(0)
    if abs(out_s - golden_s) <= free * golden_s:
        return Fraction(1)
    return min(out_s, golden_s) / max(out_s, golden_s)


def table2_reward(*, format_ok: float, localised: float, edited: float, window: At = None) -> RepairReward:
    """Return the named alternative `table2`: 5% format, 35% localisation, 60% edit, each 0 … 1.

    A right format alone is worth nothing: whoever neither finds nor mends anything gets 0, as in the other modes.
    """
    parts = (FORMAT * format_ok, LOCALISATION * localised, EDIT * edited)
    told = f"format {format_ok:.3f} · 5%, localisation {localised:.3f} · 35%, edit {edited:.3f} · 60%"
    if not localised and not edited:
        return RepairReward(reward=0.0, mode="table2", window=window, because=f"nothing located or mended: {told}")
    return RepairReward(reward=math.fsum(parts), mode="table2", window=window, because=told)


def gated_reward(gate: str, because: str, *, mode: Mode = "paper", window: At = None) -> RepairReward:
    """Return the reward of an output that a hard gate of H.1.4 stopped: 0, and why."""
    return RepairReward(reward=0.0, mode=mode, window=window, gate=gate, because=because)


def _json_number(out: float | None) -> float | Literal["inf", "-inf"] | None:
    """Return a value as JSON can hold it."""
    if out is None or math.isnan(out):
        return None
    return out if math.isfinite(out) else "inf" if out > 0 else "-inf"
