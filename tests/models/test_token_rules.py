"""Rules of providers against the examples that they publish themselves, and what has no rule."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutscore.models.token_rules import GUESS, RULES, fit_within, text_tokens, token_rule


@pytest.mark.parametrize(
    ("model", "size", "tokens"),
    [
        ("openai/gpt-4o", (1024, 1024), 765),  # 768×768: four tiles
        ("openai/gpt-4o", (2048, 4096), 1105),  # 768×1536: six tiles
        ("openai/gpt-4o", (512, 512), 255),
        ("openai/gpt-4o", (320, 180), 255),
        ("openai/gpt-4o-mini", (1024, 1024), 2833 + 4 * 5667),
        ("openai/gpt-5", (1024, 1024), 70 + 4 * 140),
        ("openai/gpt-4.1-mini", (1024, 1024), 1659),  # 1,024 patches × 1.62
        ("openai/gpt-4.1-mini", (1800, 2400), 2353),  # 1,452 patches × 1.62
        ("openai/o4-mini-2025-04-16", (64, 32), 4),
        ("anthropic/claude-sonnet-4-5", (1092, 1092), 1590),
        ("anthropic/claude-sonnet-4-5", (200, 200), 54),
        ("anthropic/claude-opus-4-7", (1000, 1000), 36 * 36),
        ("google/gemini-2.5-flash", (384, 384), 258),
        ("google/gemini-2.5-flash", (960, 540), 2 * 258),
    ],
)
def test_published_examples(model: str, size: tuple[int, int], tokens: int) -> None:
    assert token_rule(model).picture(*size) == tokens


def test_a_family_is_a_name_or_what_goes_on_after_a_hyphen() -> None:
    assert token_rule("openai/gpt-5-mini") is not token_rule("openai/gpt-5")
    assert token_rule("openai-api/router/gpt-4o-2024-11-20") is token_rule("openai/gpt-4o")
    for unknown in ("openai/gpt-5.9", "openai/gpt-4ox", "scripted/x.json", "none"):
        assert token_rule(unknown) is GUESS
    assert GUESS.message.endswith("a guess")
    assert token_rule("openai/gpt-4o").message.endswith("by the published rule of 2025-08")


def test_every_rule_has_source_and_month_and_no_family_has_two() -> None:
    families = [family for rule in RULES for family in rule.families]
    assert len(set(families)) == len(families)
    for rule in RULES:
        assert rule.published
        assert rule.source.startswith(("platform.openai.com", "docs.anthropic.com", "ai.google.dev"))
        assert len(rule.since) == len("2025-08")


@given(st.integers(1, 9000), st.integers(1, 9000))
def test_pictures_fit_and_are_never_enlarged(width: int, height: int) -> None:
    wide, high = fit_within(width, height, long=2048, short=768)
    assert wide <= width
    assert high <= height
    assert max(wide, high) <= 2048
    assert min(wide, high) <= 768
    for rule in (*RULES, GUESS):
        assert rule.picture(width, height) >= 1
    assert token_rule("openai/gpt-4.1-mini").picture(width, height) <= 1536 * 1.62 + 1


def test_text_is_guessed_by_its_characters() -> None:
    assert [text_tokens(chars) for chars in (0, 1, 4, 5, 400)] == [0, 1, 1, 2, 100]
