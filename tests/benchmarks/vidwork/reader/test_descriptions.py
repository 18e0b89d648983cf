"""Descriptions that agree with what was told, that contradict it, and that nobody can judge who only listened."""

import pytest

from cutscore.benchmarks.vidwork.reader.descriptions import check_description
from cutscore.benchmarks.vidwork.reader.narration import Narration


@pytest.mark.parametrize(
    "holds",
    [
        "Crack 3 eggs into the bowl, then whisk the batter with the fork, then turn on the oven.",
        "Crack 3 eggs into the bowl. The very next step is this: whisk the batter with the fork.",
        "These come directly one after another: crack 3 eggs into the bowl; whisk the batter with the fork. This one"
        " does not come between them: turn on the oven.",
        "At another time, crack 3 eggs into the bowl; but directly one after another, pour the batter into the pan,"
        " turn on the oven.",
        "Crack 3 eggs into the bowl, not 4.",
        "It is not 4 here: crack 3 eggs into the bowl.",
        "Do not stir but whisk the batter with the fork.",
        "Whisk the batter with the fork; the spoon is not used for it.",
        "Not with the spoon but like this: whisk the batter with the fork.",
        "One reason why this can be done (pour the batter into the pan) is that this was done: crack 3 eggs into the"
        " bowl.",
        "Crack 3 eggs into the bowl: that works even without this step: turn on the oven.",
        "One may leave out this step, turn on the oven, and can still do this one: crack 3 eggs into the bowl.",
    ],
)
def test_what_agrees_with_what_was_told_is_borne_out(narration: Narration, holds: str) -> None:
    assert check_description(narration, holds) is True


@pytest.mark.parametrize(
    "false",
    [
        "Crack 3 eggs into the bowl, then turn on the oven, then whisk the batter with the fork.",
        "Crack 3 eggs into the bowl. The very next step is this: turn on the oven.",
        # Here nobody told of anything in between, but there was time for it.
        "Between these two there is no other step: first whisk the batter with the fork, then pour the batter into the"
        " pan.",
        "With no other step in between: crack 3 eggs into the bowl; pour the batter into the pan. At another time than"
        " that: whisk the batter with the fork.",
        "Turn on the oven, straight after that pour the batter into the pan; it is not between them that this is done:"
        " crack 3 eggs into the bowl.",
        "Crack 4 eggs into the bowl, not 3.",
        "It is not 3 here: crack 4 eggs into the bowl.",
        "Do not whisk but stir the batter with the fork.",
        "Whisk the batter with the spoon; the fork is not used for it.",
        "Not with the fork but like this: whisk the batter with the spoon.",
        "Whisk the batter with the spoon.",
        "At some point, peel the carrot; at no point, turn on the oven.",
        "This is not one of them: pour the batter into the pan.",
        "One reason why this can be done (crack 3 eggs into the bowl) is that this was done: turn on the oven.",
        "Turn on the oven; that makes another step possible: crack 3 eggs into the bowl.",
        "Turn on the oven: that works even without this step: crack 3 eggs into the bowl.",
        "One may leave out this step, crack 3 eggs into the bowl, and can still do this one: turn on the oven.",
    ],
)
def test_what_disagrees_with_what_was_told_is_not(narration: Narration, false: str) -> None:
    assert check_description(narration, false) is False


@pytest.mark.parametrize(
    "unknown",
    ["Peel the carrot, then grate the cheese.", "At no point, peel the carrot.", "Grate 3 carrots, not 4.", "", "?!"],
)
def test_what_nobody_told_of_is_open(narration: Narration, unknown: str) -> None:
    assert check_description(narration, unknown) is None
    assert check_description(Narration(()), unknown) is None


def test_a_description_may_be_long(narration: Narration) -> None:
    assert check_description(narration, "batter pan " * 5000) in (True, False, None)
