"""How providers count pictures, clips and sound as tokens, where they have published it.

Facts of the providers' documentation, each with its source and the month in which it said so. A model that no rule
names is counted by a guess, which is said. Text is counted by a guess, too: vocabularies are not part of the package.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

CHARS_PER_TOKEN = 4  # of English text, as OpenAI and Google both put it
# Of a model without a published rule: about what Claude, Qwen and the patches of OpenAI take.
GUESSED_PIXELS_PER_TOKEN = 750

OPENAI = "platform.openai.com/docs/guides/images-vision"
ANTHROPIC = "docs.anthropic.com/en/docs/build-with-claude/vision"
GOOGLE = "ai.google.dev/gemini-api/docs/tokens"

CountPicture = Callable[[int, int], int]


@dataclass(frozen=True)
class TokenRule:
    """How one family of models counts what it is shown.

    Args:
        families: Names of models; one that goes on after a hyphen is of the family, too.
        picture: Tokens of a picture of that width and height.
        about: The rule for pictures in a few words.
        video_tokens_per_s, audio_tokens_per_s: Of whole clips; None where the provider takes none.
        since: Month in which the source said so.
    """

    families: tuple[str, ...]
    picture: CountPicture
    about: str
    source: str = ""
    since: str = ""
    video_tokens_per_s: float | None = None
    audio_tokens_per_s: float | None = None

    @property
    def published(self) -> bool:
        """Return whether a provider says so; else it is our guess."""
        return bool(self.source)

    @property
    def message(self) -> str:
        """Name the rule as an assumption of a price."""
        return f"{self.about}, by the published rule of {self.since}" if self.published else f"{self.about}, a guess"


def fit_within(width: int, height: int, *, long: float, short: float = math.inf) -> tuple[int, int]:
    """Scale a picture down until its sides are within the limits; it is never enlarged.

    >>> fit_within(4096, 2048, long=2048, short=768), fit_within(640, 360, long=2048, short=768)
    ((1536, 768), (640, 360))
    """
    scale = min(1.0, long / max(width, height), short / min(width, height))
    return max(1, round(width * scale)), max(1, round(height * scale))


def _by_tiles(base: int, tile: int) -> CountPicture:
    def count(width: int, height: int) -> int:
        wide, high = fit_within(width, height, long=2048, short=768)
        return base + tile * math.ceil(wide / 512) * math.ceil(high / 512)

    return count


def _by_patches(multiplier: float, *, most: int = 1536) -> CountPicture:
    def count(width: int, height: int) -> int:
        patches = math.ceil(width / 32) * math.ceil(height / 32)
        if patches > most:
            scale = math.sqrt(32 * 32 * most / (width * height))
            wide, high = width * scale / 32, height * scale / 32
            scale *= min(math.floor(wide) / wide, math.floor(high) / high)
            patches = min(most, math.ceil(width * scale / 32) * math.ceil(height * scale / 32))
        return math.ceil(patches * multiplier)

    return count


def _by_area(*, long: int, most: int) -> CountPicture:
    def count(width: int, height: int) -> int:
        wide, high = fit_within(width, height, long=long)
        return min(most, math.ceil(wide * high / 750))

    return count


def _by_squares(*, long: int, most: int) -> CountPicture:
    def count(width: int, height: int) -> int:
        wide, high = fit_within(width, height, long=long)
        return min(most, math.ceil(wide / 28) * math.ceil(high / 28))

    return count


def _gemini_tiles(width: int, height: int) -> int:
    small = width <= 384 and height <= 384
    return 258 if small else 258 * math.ceil(width / 768) * math.ceil(height / 768)


def _tiles(base: int, tile: int, *families: str) -> TokenRule:
    about = f"{base:,} tokens a frame and {tile:,} a tile of 512 px"
    return TokenRule(families, _by_tiles(base, tile), about, OPENAI, "2025-08")


def _patches(multiplier: float, *families: str) -> TokenRule:
    about = f"{multiplier:g} tokens a patch of 32 px, at most 1,536 patches a frame"
    return TokenRule(families, _by_patches(multiplier), about, OPENAI, "2025-08")


RULES: tuple[TokenRule, ...] = (
    _tiles(85, 170, "gpt-4o", "gpt-4.1", "gpt-4.5-preview", "gpt-4-turbo"),
    _tiles(2833, 5667, "gpt-4o-mini"),
    _tiles(70, 140, "gpt-5"),
    _tiles(75, 150, "o1", "o3"),
    _tiles(65, 129, "computer-use-preview"),
    _patches(1.62, "gpt-4.1-mini", "gpt-5-mini"),
    _patches(2.46, "gpt-4.1-nano", "gpt-5-nano"),
    _patches(1.72, "o4-mini"),
    TokenRule(
        ("claude-3", "claude-3.5", "claude-3.7", "claude-opus-4", "claude-sonnet-4", "claude-haiku-4"),
        _by_area(long=1568, most=1600),
        "a token for 750 pixels of a frame within 1568 px, at most 1,600",
        ANTHROPIC,
        "2025-10",
    ),
    TokenRule(
        ("claude-opus-4-7", "claude-opus-4-8"),
        _by_squares(long=2576, most=4784),
        "a token for a square of 28 px of a frame within 2576 px, at most 4,784",
        ANTHROPIC,
        "2026-04",
    ),
    TokenRule(
        ("gemini-2.0", "gemini-2.5"),
        _gemini_tiles,
        "258 tokens a tile of 768 px, 263 a second of video, 32 a second of sound",
        GOOGLE,
        "2025-06",
        video_tokens_per_s=263,
        audio_tokens_per_s=32,
    ),
)
GUESS = TokenRule(
    (),
    lambda width, height: math.ceil(width * height / GUESSED_PIXELS_PER_TOKEN),
    f"a token for {GUESSED_PIXELS_PER_TOKEN} pixels of a frame, 263 a second of video, 32 of sound",
    video_tokens_per_s=263,
    audio_tokens_per_s=32,
)


def token_rule(model: str) -> TokenRule:
    """Return the rule of a model, by Inspect's name; the guess where none is known.

    Of several families that fit, the longest name counts.

    >>> token_rule("openai/gpt-4o-2024-11-20").picture(1280, 720), token_rule("openai/gpt-5.9").published
    (1105, False)
    """
    name = model.rpartition("/")[2].casefold()
    fitting = [
        (len(family), rule)
        for rule in RULES
        for family in rule.families
        if name == family or name.startswith(f"{family}-")
    ]
    return max(fitting, key=lambda each: each[0])[1] if fitting else GUESS


def text_tokens(chars: int) -> int:
    """Guess how many tokens a text is.

    >>> text_tokens(10)
    3
    """
    return math.ceil(chars / CHARS_PER_TOKEN)
