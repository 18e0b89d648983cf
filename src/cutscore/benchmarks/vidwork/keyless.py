"""Subjects without a key: `blind` guesses from the words alone."""

from random import Random

from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable
from cutscore.core.files import Shelf

# What such procedures usually contain: the answer of somebody who has not seen the clip.
TEMPLATES = {
    "cooking": ("Gather the ingredients", "Prepare and cut them", "Heat the pan", "Cook and stir", "Season", "Serve"),
    "repair": ("Gather the tools", "Open the device", "Remove the broken part", "Insert the new part", "Close", "Test"),
    "first aid": ("Check the scene", "Call for help", "Check the person", "Give first aid", "Wait for help"),
}
REASONS = {
    "cooking": "So that it cooks evenly, tastes better and does not burn or stick.",
    "repair": "So that the part fits, holds tightly and does not get damaged.",
    "first aid": "To keep the person safe, stop the bleeding and prevent an infection.",
}
LOOKS = ("white", "black", "silver", "blue", "red", "a bowl", "a knife", "a table")


def blind(ask: Ask, seed: int, shelf: Shelf) -> Deliverable:
    """Answer from the prompt alone: a coin for closed questions, else what is usual in the domain.

    Which kind of question it is shows in the name of the prompt. Equal seeds guess alike.
    """
    if ask.choices:
        return Deliverable(text=f"ANSWER: {Random(seed).choice(ask.choices)}")
    domain = next((name for name in TEMPLATES if f"({name}" in ask.brief), "cooking")  # as our prompts write it
    if "steps" in ask.prompts:
        return Deliverable(text="\n".join(f"{number}. {step}" for number, step in enumerate(TEMPLATES[domain], 1)))
    return Deliverable(text=Random(seed).choice(LOOKS) if "cross_modal" in ask.prompts else REASONS[domain])
