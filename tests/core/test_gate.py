"""Shortcuts in words: what is above its limit is never called ok, and blind guesses are chance."""

import pytest

from cutscore.core.gate import GateCard, Shortcut


def shortcut(mean: float, low: float | None, *, n: int = 3, printed: str = "", guess: bool = False) -> Shortcut:
    return Shortcut(
        name=f"scores {mean:g}", n=n, mean=mean, low=low, chance=0.1, limit=0.15, printed=printed, guess=guess
    )


@pytest.mark.parametrize(
    ("found", "verdict", "told"),
    [
        (shortcut(0.9, 0.8), "FAILED", " over 3 tasks (at least 0.800 with 95%); chance and margin are 0.150"),
        (shortcut(0.9, 0.8, printed="it may"), "printed", "; chance and margin are 0.150: it may"),
        (
            shortcut(0.6, None, n=2, printed="shots run on"),
            "printed",
            "over 2 tasks; chance and margin are 0.150: shots run on",
        ),
        (shortcut(0.9, 0.8, guess=True), "printed", "; chance and margin are 0.150"),
        (shortcut(0.12, 0.1), "ok", " (at least 0.100 with 95%); chance and margin are 0.150"),
        (shortcut(0.5, 0.1), "unclear", "margin are 0.150, over too few tasks to tell that from luck"),
        (
            shortcut(1.0, None, n=1),
            "unclear",
            "scores 1.000 over 1 task; chance and margin are 0.150, over too few tasks to tell that from luck",
        ),
        (shortcut(0.0, None, n=2), "ok", "scores 0.000 over 2 tasks; chance and margin are 0.150"),
    ],
)
def test_what_is_above_its_limit_is_never_called_ok(found: Shortcut, verdict: str, told: str) -> None:
    assert found.verdict == verdict
    assert found.summary.endswith(told)
    assert bool(found.fault) == (verdict == "FAILED")


def card(*shortcuts: Shortcut) -> GateCard:
    return GateCard(
        benchmark="repair", version="2", scoring="x", cutscore="0", decoder="x", items=(), shortcuts=shortcuts
    )


def test_the_best_blind_guess_is_chance() -> None:
    found = card(shortcut(0.9, 0.8, printed="it may"), shortcut(0.3, None, guess=True), shortcut(0.5, 0.4, guess=True))
    assert not found.failed
    assert found.chance_summary == (
        "chance on these tasks is 0.500 (n=3), which the best of 2 blind guesses gets, 'scores 0.5';"
        " the benchmark's card says 0.100"
    )
    assert card(shortcut(0.2, 0.1)).chance_summary == ""
    own = shortcut(0.5, 0.4, guess=True).model_copy(update={"chance": 0.5})  # of a pack: no card tells of it
    assert card(own).chance_summary.endswith("which the best of 1 blind guesses gets, 'scores 0.5'")
