"""What planned cells will cost, as text: by cell what would be asked, then what is assumed, each thing once."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from cutscore.cli.text_tables import hang_text
from cutscore.ledger.forecast import CostForecast, ForecastCheck, RoleForecast, sum_checks
from cutscore.results.wording import count, usd

if TYPE_CHECKING:
    from cutscore.api.plans import CellPlan

# What assumptions are about, in the order in which they are written.
KINDS = ("frames", "text", "answers", "opinions")


def price_lines(plans: Sequence[CellPlan]) -> list[str]:
    """Write what each cell with a model would ask and cost; nothing where nothing is left to pay."""
    priced = [plan for plan in plans if plan.forecast.roles or plan.forecast.because]
    if not priced:
        return []
    lines = []
    for plan in priced:
        lines += ["", f"{plan.key}: {_sum_of(plan.forecast)}"]
        for role in plan.forecast.roles:
            lines += [f"  {role.role} {role.model}: {_calls(role)}", f"    {_tokens(role)}"]
        lines += [f"  {plan.forecast.because}"] if plan.forecast.because else []
    lists = dict.fromkeys(plan.forecast.prices for plan in priced)
    assumed = _assumptions([role for plan in priced for role in plan.forecast.roles])
    width = shutil.get_terminal_size().columns
    return [*lines, "", *(_hang(said, width) for said in (*assumed, f"prices: {' and '.join(lists)}"))]


def sum_text(whole: float | None, known: float | None) -> str:
    """Write a sum, or what is known of it.

    >>> sum_text(1.5, 1.5), sum_text(None, 1.5), sum_text(None, None)
    ('$1.50', '$1.50 + unknown', 'unknown')
    """
    return f"{usd(known)} + unknown" if whole is None and known else usd(whole)


def _hang(said: str, width: int) -> str:
    head, colon, text = said.partition(": ")
    return hang_text(head + colon, text, width=width)


def _sum_of(forecast: CostForecast) -> str:
    """Write the sum with its interval, and the total where part of it is paid."""
    if forecast.rest_usd is None:
        return sum_text(None, forecast.known_usd)
    spread = ""
    if forecast.low_usd is not None and forecast.high_usd is not None:
        spread = f" [{usd(forecast.low_usd)}, {usd(forecast.high_usd)}]"
    total = forecast.total_usd or 0.0
    rest = f" to go of {usd(total)}" if total > forecast.rest_usd * (1 + 1e-9) else ""
    return f"{usd(forecast.rest_usd)}{spread}{rest}, {forecast.basis}"


def _calls(role: RoleForecast) -> str:
    shown = [f"{count(role.frames, 'frame')} of {role.size}"] if role.frames else []
    shown += [f"{role.video_s:,.0f} s of video"] if role.video_s else []
    shown += [f"{role.audio_s:,.0f} s of sound"] if role.audio_s else []
    return ", ".join([count(role.calls, "call"), *shown])


def _tokens(role: RoleForecast) -> str:
    if not role.read_tokens and not role.written_tokens:  # a service, paid by the job or the second
        return usd(role.usd)
    return f"{role.read_tokens:,} tokens in, {role.written_tokens:,} out: {usd(role.usd)}"


def _assumptions(roles: Sequence[RoleForecast]) -> list[str]:
    """Write what is assumed, each once; of which models, where not of all."""
    asked = {role.model for role in roles}
    of: dict[str, dict[str, None]] = {}
    for role in roles:
        for said in role.assumptions:
            of.setdefault(said, {})[role.model] = None
    order = sorted(of, key=lambda said: [*KINDS, said.partition(":")[0]].index(said.partition(":")[0]))
    return [said if of[said].keys() == asked else f"{said} ({', '.join(of[said])})" for said in order]


def check_line(checks: Sequence[ForecastCheck]) -> str:
    """Write estimate beside cost, after a run; nothing where nothing could be estimated."""
    estimated, spent = sum_checks(checks)
    return f"estimated {usd(estimated)}, was {usd(spent)}" if checks and estimated is not None else ""


def check_json(checks: Sequence[ForecastCheck]) -> dict[str, Any]:
    """Return estimate and cost of this run as `run` prints them; nothing where no model was asked."""
    estimated, spent = sum_checks(checks)
    return {"estimated_usd": estimated, "spent_usd": spent} if checks else {}
