"""What a narrator told, for whoever listens.

account     six steps of four seconds, of which the third and the sixth are not told
"""

from fractions import Fraction

import pytest

from cutscore.perception.account import Account
from cutscore.perception.narration import Told
from cutscore.scoring.verifiers.words import content_words

LINES = {
    0: "How to bake a cake",
    4: "Crack 3 eggs into the bowl",
    8: "Whisk the batter with the fork",
    16: "Pour the batter into the pan",
    20: "Turn on the oven",
    28: "The cake is ready",
}


@pytest.fixture
def account() -> Account:
    sentences = [Told(Fraction(at_s), text, text[:3] not in ("How", "The")) for at_s, text in LINES.items()]
    sentences.insert(2, Told(Fraction(5), "Eggs hold it together", explains=1))
    return Account(sentences, content_words)
