"""Gates as text: luck over few tasks is not called ok, and of blind guesses the best one is told as chance."""

from cutscore.cli.gates import gate_details
from cutscore.core.gate import GateCard, Shortcut


def test_shortcuts_are_told_with_their_verdict_and_guesses_as_chance() -> None:
    made = [
        Shortcut(name=name, n=1, mean=mean, low=None, chance=0.1, limit=0.15, guess=name != "the input")
        for name, mean in (("the input", 1.0), ("comb a", 0.5), ("comb b", 0.25))
    ]
    card = GateCard(
        benchmark="repair", version="2", scoring="x", cutscore="0", decoder="x", items=(), shortcuts=tuple(made)
    )
    assert gate_details(card)[-2:] == [
        "unclear shortcut 'the input' scores 1.000 over 1 task; chance and margin are 0.150,"
        " over too few tasks to tell that from luck",
        "chance on these tasks is 0.500 (n=1), which the best of 2 blind guesses gets, 'comb a';"
        " the benchmark's card says 0.100",
    ]
