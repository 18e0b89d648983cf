"""What a model takes: whole clips, frames, or words only."""

from collections.abc import Mapping
from typing import Literal

Takes = Literal["video", "frames", "text"]

# Providers whose Inspect adapter hands ContentVideo on, by reading the pinned release. The others raise on it or were
# not tried, so they get frames; `takes` in cutscore.toml says otherwise for one model.
TAKES_VIDEO = frozenset({"google", "vertex"})


def takes(model: str, own: Mapping[str, Takes] | None = None) -> Takes:
    """Describe how clips reach a model.

    Args:
        model: Inspect name, `provider/name`.
        own: What the user's settings say, by full name; it wins.

    >>> takes("google/gemini-x"), takes("openai/gpt-x"), takes("vllm/m", {"vllm/m": "text"})
    ('video', 'frames', 'text')
    """
    if own and model in own:
        return own[model]
    return "video" if model.partition("/")[0] in TAKES_VIDEO else "frames"
