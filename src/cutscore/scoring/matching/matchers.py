"""Which matcher a name means, and many lists matched side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from anyio import from_thread

from cutscore.core.errors import BadInput, UnknownName
from cutscore.core.judgement import Wait, Weakness
from cutscore.core.matching import Matcher, MatchMode, MatchResult, MatchWeaknesses
from cutscore.scoring.matching.feedback import match
from cutscore.scoring.matching.similarity import CHARACTERS, EMBEDDING, CodeMatcher, embedding_similarity

if TYPE_CHECKING:
    from cutscore.scoring.judges.call_folder import CallFolder

# For whoever lists them: how a user writes each, and one line about it.
MATCHERS: Mapping[str, str] = MappingProxyType(
    {
        "PROVIDER/NAME": "a model that is asked for pairs, for numbers to publish",
        "code": "equal codes of a closed catalogue whose times meet",
        "embedding": "likeness of embeddings, approximate; needs the extra 'embed'",
        "characters": "likeness of runs of letters, approximate; what votes and cards use unless told",
    }
)
_KEYLESS: Mapping[str, Matcher] = MappingProxyType(
    {"code": CodeMatcher(), EMBEDDING.name: EMBEDDING, CHARACTERS.name: CHARACTERS}
)
DEFAULT_MATCHER: Matcher = CHARACTERS


def open_matcher(
    name: str,
    calls: CallFolder | None = None,
    *,
    prompts: Mapping[str, Path] = MappingProxyType({}),
    prefilter: bool = False,
    wait: Wait = from_thread.run,
) -> Matcher:
    """Return the matcher that a name means.

    Args:
        name: One of `MATCHERS`.
        calls: Where a model's replies are kept and paid; only a model needs it.
        prompts: Files that stand in for a model's prompts, by name.
        prefilter: Do not ask a model about what embeddings say cannot be the same; needs the extra `embed`.
        wait: Where a model's calls are made, see `TextModel`.
    """
    if name in _KEYLESS:
        return _KEYLESS[name]
    if "/" not in name:
        raise UnknownName.among("matcher", name, MATCHERS)
    if calls is None:
        raise BadInput(f"matcher '{name}'", "is a model, and its replies have no place", "name a folder for them")
    from cutscore.prompts import load_prompts
    from cutscore.scoring.judges.text_model import open_text_model
    from cutscore.scoring.matching.model_matcher import FOLDER, MATCHER_ROLE, ModelMatcher

    texts = load_prompts(FOLDER, flags=prompts)
    model = open_text_model(name, MATCHER_ROLE, calls, wait=wait)
    return ModelMatcher(model, texts, embedding_similarity if prefilter else None)


@contextmanager
def open_matching(
    name: str,
    *,
    mode: MatchMode = "paper",
    coverage: bool = False,
    folder: str | Path | CallFolder | None = None,
    cost_limit_usd: float | None = None,
    prefilter: bool = False,
) -> Iterator[MatchWeaknesses]:
    """Open a matcher with all options settled, and for a model an event loop to ask it in, from any thread.

    The folder keeps a model's replies, and the limit is of what is spent in it; see `open_call_folder`.
    """
    if name in _KEYLESS:
        yield partial(match, matcher=_KEYLESS[name], mode=mode, coverage=coverage)
        return
    from anyio.from_thread import start_blocking_portal

    from cutscore.scoring.judges.call_folder import open_call_folder

    with open_call_folder(folder, cost_limit_usd=cost_limit_usd) as calls, start_blocking_portal() as portal:
        matcher = open_matcher(name, calls, prefilter=prefilter, wait=portal.call)
        yield partial(match, matcher=matcher, mode=mode, coverage=coverage)


async def match_many(
    matching: MatchWeaknesses,
    lists: Sequence[tuple[Sequence[Weakness], Sequence[Weakness]]],
    *,
    concurrency: int = 8,
    on_result: Callable[[MatchResult], None] = lambda result: None,
) -> list[MatchResult]:
    """Match many pairs of lists (people's first), in their order, so many of them at one time."""
    from anyio import CapacityLimiter, create_task_group, to_thread

    limiter = CapacityLimiter(concurrency)
    made: dict[int, MatchResult] = {}

    async def work(number: int) -> None:
        made[number] = await to_thread.run_sync(matching, *lists[number], limiter=limiter)
        on_result(made[number])

    async with create_task_group() as group:
        for number in range(len(lists)):
            group.start_soon(work, number)
    return [made[number] for number in range(len(lists))]
