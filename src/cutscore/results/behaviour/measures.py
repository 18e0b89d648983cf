"""Steps of one sample → what its agent did, in counts that can be added up and compared.

It is measured when the sample ends and rides in the row (`row.environment["behaviour"]`): the agent's own log is whole
then, while a stored trajectory is bounded, and tables are made of rows alone. Shares and archetypes follow from the
counts and are not stored, so other thresholds need no new run.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from pydantic import Field, ValidationError

from cutscore.core.frozen import FrozenModel
from cutscore.core.row import Row
from cutscore.core.trajectory import Action, Step
from cutscore.core.usage import Usage
from cutscore.results.behaviour.commands import call_kinds
from cutscore.results.behaviour.vocabulary import vocabulary

FACT = "behaviour"
MOST_TOOLS, MOST_NAME_CHARS = 40, 80
OTHERS = "(others)"


class Behaviour(FrozenModel):
    """What the agent of one sample did. None stands for what nobody can tell.

    Args:
        tools: Calls of the main agent by tool.
        turns: Answers that the main agent got.
        reasoning_turns: Those of them that took tokens for reasoning; None where the model does not tell these apart.
        planning_calls: Calls of tools that write a plan.
        pictures: Pictures that came back from its calls.
        pictures_before_plan: Those before the first planning call; None without one.
        rechecks: Calls that probe or look after the last film was rendered; None where no rendering was noticed.
        media_calls: Calls of tools made for a medium (`image`, `tts`).
        sub_agent_calls: Calls that its sub-agents made.
        sub_model_requests: Requests to models beside its own turns.
        all_input, cached: Tokens that it read in turns that tell both, and those of them from a cache.
        cache_turns: How many turns that are.
    """

    tools: dict[str, int] = Field(default_factory=dict)
    turns: int = 0
    reasoning_turns: int | None = None
    planning_calls: int = 0
    pictures: int = 0
    pictures_before_plan: int | None = None
    rechecks: int | None = None
    media_calls: int = 0
    sub_agent_calls: int = 0
    sub_model_requests: int | None = None
    all_input: int = 0
    cached: int = 0
    cache_turns: int = 0

    @property
    def calls(self) -> int:
        """Count its calls."""
        return sum(self.tools.values())

    @property
    def reasoning_per_action(self) -> float | None:
        """Return turns with reasoning for each call (the paper's reasoning-to-action ratio)."""
        return self.reasoning_turns / self.calls if self.reasoning_turns is not None and self.calls else None

    @property
    def cache_hit_rate(self) -> float | None:
        """Return the share of its input that came from a cache."""
        return self.cached / self.all_input if self.all_input else None

    @property
    def cache_reads_per_turn(self) -> float | None:
        """Return tokens from a cache, for each turn."""
        return self.cached / self.cache_turns if self.cache_turns else None


def measure_behaviour(
    steps: Iterable[Step],
    *,
    answers: Sequence[Usage | None] | None = None,
    sub_model_requests: int | None = None,
    rendered_at_s: float | None = None,
) -> Behaviour:
    """Measure the steps of one sample.

    Args:
        steps: All of them, sub-agents' too.
        answers: Tokens of each answer to the main agent, as the endpoint saw them; those of the steps when left out.
        sub_model_requests: Requests of sub-agents and other helpers, as the endpoint saw them.
        rendered_at_s: When the last film among its outputs was written; taken where no command tells of a rendering.
    """
    known = list(steps)
    main = [step for step in known if step.parent is None]
    calls = [(step, call) for step in main for call in step.did]
    usages = [step.usage for step in main if step.by == "model"] if answers is None else answers
    told = [usage for usage in usages if usage is not None and None not in (usage.input, usage.cached)]
    thought = [usage.reasoning for usage in usages if usage is not None and usage.reasoning is not None]
    tools = vocabulary().tools
    return Behaviour(
        tools=count_tools(call.tool for _, call in calls),
        turns=len(usages),
        reasoning_turns=sum(tokens > 0 for tokens in thought) if thought else None,
        planning_calls=sum(is_planning(call) for _, call in calls),
        pictures=sum(_pictures(step) for step in main),
        pictures_before_plan=_pictures_before_plan(main),
        rechecks=count_rechecks(calls, rendered_at_s),
        media_calls=sum(tools.has("media", call.tool) for _, call in calls),
        sub_agent_calls=sum(len(step.did) for step in known if step.parent is not None),
        sub_model_requests=sub_model_requests,
        all_input=sum((usage.input or 0) + (usage.cached or 0) + (usage.cache_write or 0) for usage in told),
        cached=sum(usage.cached or 0 for usage in told),
        cache_turns=len(told),
    )


def count_tools(names: Iterable[str]) -> dict[str, int]:
    """Count calls by tool, the most used first; a model may make up names, so of the rarest only their sum is kept."""
    counted = Counter(name[:MOST_NAME_CHARS] for name in names).most_common()
    rest = sum(number for _, number in counted[MOST_TOOLS:])
    return dict(counted[:MOST_TOOLS]) | ({OTHERS: rest} if rest else {})


def is_planning(call: Action) -> bool:
    """Return whether a call writes a plan, or asks a sub-agent for one."""
    return vocabulary().tools.has("planning", call.tool) or call.arguments.get("subagent_type") == "Plan"


def count_rechecks(calls: Sequence[tuple[Step, Action]], rendered_at_s: float | None = None) -> int | None:
    """Count the calls that probe or look at something after the last film was rendered."""
    done = [(place, kind) for place, (_, call) in enumerate(calls) for kind in call_kinds(call)]
    renders = [number for number, (_, kind) in enumerate(done) if kind == "render"]
    if renders:
        after = done[renders[-1] + 1 :]
    elif rendered_at_s is not None:
        after = [(place, kind) for place, kind in done if (calls[place][0].at_s or 0.0) > rendered_at_s]
    else:
        return None
    return len({place for place, _ in after})


def _pictures(step: Step) -> int:
    return sum(ref.media_type.startswith("image/") for ref in step.media) if step.by == "tool" else 0


def _pictures_before_plan(main: Sequence[Step]) -> int | None:
    first = next((place for place, step in enumerate(main) if any(map(is_planning, step.did))), None)
    return None if first is None else sum(_pictures(step) for step in main[:first])


def behaviour_of(row: Row) -> Behaviour | None:
    """Return what was measured of a row; None where nothing was, or another version wrote it."""
    plain = row.environment.get(FACT)
    try:
        return None if plain is None else Behaviour.model_validate(plain)
    except ValidationError:
        return None
