"""What a planned cell will cost, before anything is asked.

Finished samples tell it best. Without any, the requests themselves are put together as a run would, and counted: frames
by the provider's published rule, text and answers by what the card says or a stated guess. Nothing is sent, and no clip
is decoded.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import fmean
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from cutscore.core.errors import CutscoreError
from cutscore.ledger.forecast import FREE, CostForecast, RoleForecast, TokenCounts, forecast_from_costs
from cutscore.models.expected_call import ExpectedCall, expect_call
from cutscore.models.token_rules import CHARS_PER_TOKEN, TokenRule, token_rule
from cutscore.scoring.judges.request_counter import RequestCounter

if TYPE_CHECKING:
    from pathlib import Path

    from cutscore.bridge.run import PreparedCell
    from cutscore.cells.request import CellRequest
    from cutscore.core.row import Row
    from cutscore.core.usage import Usage
    from cutscore.ledger.prices import Prices
    from cutscore.settings import Settings

# A call with the tokens of its answer.
ForecastCall: TypeAlias = tuple[ExpectedCall, int]
Thing = TypeVar("Thing")

# Items that are counted of a subject's asks and of a judge's; more of them are taken to be like these.
MOST_ASKS, MOST_JUDGED = 200, 5
MORE_AROUND = "calls: one a sample; the conditions put something around the subject that may ask for more"
# Tokens of an answer where neither card nor finished samples say, and of a judge's for each question.
GUESSED_ANSWER, GUESSED_OPINION = 200, 60
# No text has fewer tokens than this many characters for each; what certainly has to be paid is counted so.
CERTAIN_CHARS_PER_TOKEN = 8
# Kinds of subject that ask their model once a sample.
ASKS_ONCE = ("model",)


@dataclass(frozen=True)
class CellToPrice:
    """What a price is asked for: a prepared cell, its earlier rows, and how many samples it has and still owes."""

    request: CellRequest
    prepared: PreparedCell
    rows: Sequence[Row]
    samples: int
    owed: int
    folder: Path


def forecast_cost(cell: CellToPrice, settings: Settings) -> CostForecast:
    """Return what a cell will cost, with every assumption; nothing is asked."""
    models = cell.prepared.models
    if not models or not cell.owed:
        return FREE
    prices = cell.prepared.prices(cell.folder, settings)
    roles, faults = _forecast_roles(cell, prices, settings)
    listed = f"{prices.source} of {prices.date}" if cell.prepared.cell.models else "as the profile says"
    unknown = [f"the price of '{model}' is not known" for model in models if model not in prices.models]
    costs = [row.cost_usd for row in cell.rows if row.cost_usd is not None]
    told = forecast_from_costs(costs, cell.owed)
    if told is not None:
        low, rest, high = told
        several = len(costs) > 1
        return CostForecast(
            rest_usd=rest,
            total_usd=rest + (cell.samples - cell.owed) * fmean(costs),
            low_usd=low if several else None,
            high_usd=high if several else None,
            least_usd=low if several else 0.0,
            basis=f"by what {len(costs):,} finished sample{'s' if several else ''} cost",
            prices=listed,
            roles=roles,
        )
    known = [role.usd for role in roles if role.usd is not None]
    whole = not faults and not unknown and len(known) == len(roles)
    rest_usd = sum(known) if whole else None
    return CostForecast(
        rest_usd=rest_usd,
        total_usd=None if rest_usd is None else rest_usd * cell.samples / cell.owed,
        least_usd=sum(role.least_usd for role in roles),
        basis="by what would be sent",
        prices=listed,
        roles=roles,
        because="; ".join([*unknown, *faults]),
    )


def _forecast_roles(
    cell: CellToPrice, prices: Prices, settings: Settings
) -> tuple[tuple[RoleForecast, ...], list[str]]:
    """Count the calls of subject and judge; what cannot be counted is said."""
    made = [_service_forecast(cell, prices, name) for name in cell.prepared.services]
    faults, own = [], cell.prepared.cell
    if own.called and own.subject.kind in ASKS_ONCE:
        made.append(_subject_forecast(cell, prices, settings))
    elif own.called:
        faults.append(f"how often subject '{own.subject.label}' asks its model is known when a few samples have run")
    faults += [f"calls of role '{role}' are known when a few samples have run" for role in own.roles]
    if own.judging.get("model"):
        try:
            made.append(_judge_forecast(cell, prices))
        except Exception as error:  # noqa: BLE001  # marking is the benchmark's code: what it raises here, a run will say
            faults.append(f"calls of judge '{own.judge}' cannot be counted: {type(error).__name__}: {error}")
    faults += [f"calls of judge role '{role}' are not counted" for role in own.judge_roles]
    return tuple(made), faults


def _subject_forecast(cell: CellToPrice, prices: Prices, settings: Settings) -> RoleForecast:
    from cutscore.core.subject import WorkContext
    from cutscore.models.provider import media_input
    from cutscore.registry import benchmark
    from cutscore.subjects.answerer import user_message

    own, store = cell.prepared.cell, cell.prepared.context.store
    takes = media_input(own.called, {name: each.takes for name, each in settings.models.items() if each.takes})
    context = WorkContext(store=store, make_workspace=_no_workspace, epoch=1, seed=0)
    answer, how = _answer_length(cell)
    items, counted, lost = cell.prepared.items, list[list[ForecastCall]](), ""
    for ask in cell.prepared.asks(set(_spread(items, MOST_ASKS))):
        try:
            said = [user_message(ask, context)]
            counted.append([(expect_call(said, path=store.path, frames=own.frames, takes=takes), answer)])
        except CutscoreError as error:  # the run will say it of that sample
            lost = str(error)
    notes = [how]
    if len(counted) < len(items):
        notes.append(f"items: {len(counted):,} of {len(items):,} were counted" + (f"; {lost}" if lost else ""))
    if benchmark(cell.request.benchmark).has_part("environment"):
        notes.append("calls: one a sample; a world may ask for more")
    if own.around:
        notes.append(MORE_AROUND)
    return _add_up("subject", own.called, counted, cell=cell, prices=prices, notes=notes)


def _service_forecast(cell: CellToPrice, prices: Prices, name: str) -> RoleForecast:
    """Return what a service will cost: a job a sample, with a video as long as its longest source."""
    from cutscore.models.expected_call import clip_length_s

    price, path = prices.models.get(name), cell.prepared.context.store.path
    per_call_usd, per_second_usd = (float(price.per_call_usd), float(price.per_video_second_usd)) if price else (0, 0)
    counted = set(_spread(cell.prepared.items, MOST_ASKS if per_second_usd else 0))
    lengths = [
        max((clip_length_s(ref, path(ref)) for ref in ask.files), default=0.0) for ask in cell.prepared.asks(counted)
    ]
    video_s = cell.owed * fmean(lengths) if lengths else 0.0
    assumptions = ["videos: each as long as its source"] if per_second_usd else []
    assumptions += [MORE_AROUND] if cell.prepared.cell.around else []
    return RoleForecast(
        role="subject",
        model=name,
        calls=cell.owed,
        frames=0,
        sizes=(),
        read_tokens=0,
        written_tokens=0,
        usd=cell.owed * per_call_usd + video_s * per_second_usd if price else None,
        least_usd=cell.owed * per_call_usd,
        assumptions=tuple(assumptions),
        video_s=video_s,
    )


def _answer_length(cell: CellToPrice) -> tuple[int, str]:
    """Return the tokens of an answer, and where that is from: finished samples, the card, or a guess."""
    from cutscore.registry import benchmark

    seen = [written for row in cell.rows if row.usage and (written := _written(row.usage)) is not None]
    if seen:
        return round(fmean(seen)), f"answers: {round(fmean(seen)):,} tokens, as in {len(seen):,} finished samples"
    card = benchmark(cell.request.benchmark).card
    length, how = card.answer_tokens or GUESSED_ANSWER, "as the card says" if card.answer_tokens else "a guess"
    most = card.condition_values(cell.request.conditions).get("max_tokens", "")
    if most.isdigit() and int(most) < length:
        length, how = int(most), "as max_tokens allows"
    return length, f"answers: {length:,} tokens each, {how}; hidden reasoning not counted"


def _written(usage: Usage) -> int | None:
    """Return the tokens that a model wrote, reasoning included; None when they are not known."""
    return None if usage.output is None else usage.output + (usage.reasoning or 0)


def _judge_forecast(cell: CellToPrice, prices: Prices) -> RoleForecast:
    own = cell.prepared.cell
    heard = _listen_to_marking(cell)
    counted = [[(call, GUESSED_OPINION * questions) for call, questions in each] for each in heard]
    notes = [
        f"opinions: {GUESSED_OPINION} tokens for each question, a guess",
        f"judge: asked as about {len(heard):,} perfect deliverable{'' if len(heard) == 1 else 's'}, at most",
    ]
    return _add_up("judge", str(own.judging["model"]), counted, cell=cell, prices=prices, notes=notes)


def _listen_to_marking(cell: CellToPrice) -> list[list[tuple[ExpectedCall, int]]]:
    """Return the requests that a judge would get for the oracle's work on a few items, with their questions counted."""
    from pathlib import Path

    from cutscore.authoring.loaded_benchmark import LoadedBenchmark
    from cutscore.core.judgement import JudgeSpec
    from cutscore.prompts import load_prompts
    from cutscore.registry import benchmark
    from cutscore.scoring.judges.choose import open_judge

    request, context = cell.request, cell.prepared.context
    found = benchmark(request.benchmark)
    items = context.items(found, request.data)
    files = {name: Path(file) for name, file in request.prompts.items()}
    spec = JudgeSpec(request.judge, request.votes, files, own_data=bool(request.data))
    judge = RequestCounter(open_judge(spec, found, items.by_id))
    loaded = LoadedBenchmark(
        found, context.store, items.items, load_prompts(found.folder / "prompts", benchmark=found.name), judge=judge
    )
    made = []
    for item in (items.by_id[each] for each in _spread(cell.prepared.items, MOST_JUDGED)):
        judge.heard.clear()
        loaded.mark(loaded.oracle_deliverable("perfect", item), item)
        made.append(list(judge.heard))
    return made


def _add_up(
    role: str,
    model: str,
    counted: Sequence[Sequence[ForecastCall]],
    *,
    cell: CellToPrice,
    prices: Prices,
    notes: Sequence[str],
) -> RoleForecast:
    """Add up the calls of counted items, and scale them to the samples that are owed."""
    rule, times = token_rule(model), Fraction(cell.owed, max(1, len(counted)))
    calls = [each for sample in counted for each in sample]
    everything = sum((call for call, _ in calls), ExpectedCall())
    tokens = [_tokens(call, written, rule) for call, written in calls]
    costs = [each.cost_usd(prices, model) for each in tokens]
    known = [cost for cost in costs if cost is not None]
    media = bool(everything.frames or everything.video_s or everything.audio_s)
    return RoleForecast(
        role=role,
        model=model,
        calls=round(times * len(calls)),
        frames=round(times * everything.frames.total()),
        sizes=tuple(sorted(everything.frames)),
        read_tokens=round(times * sum(each.read for each in tokens)),
        written_tokens=round(times * sum(each.written for each in tokens)),
        usd=float(times) * sum(known) if len(known) == len(costs) else None,
        least_usd=float(times) * sum(each.least_usd(prices, model) for each in tokens),
        assumptions=(
            *([f"frames: {rule.message}"] if media else []),
            f"text: {CHARS_PER_TOKEN} characters a token, a guess",
            *notes,
        ),
        video_s=float(times) * everything.video_s,
        audio_s=float(times) * everything.audio_s,
    )


def _tokens(call: ExpectedCall, written: int, rule: TokenRule) -> TokenCounts:
    certain = call.media_tokens(rule) if rule.published else 0
    return TokenCounts(call.input_tokens(rule), written, certain + call.chars // CERTAIN_CHARS_PER_TOKEN)


def _spread(things: Sequence[Thing], most: int) -> list[Thing]:
    """Choose at most so many, evenly over all of them."""
    from cutscore.media.plan import middle_numbers

    return [things[number] for number in middle_numbers(len(things), most)]


def _no_workspace() -> Path:
    raise AssertionError("nobody works before a run")
