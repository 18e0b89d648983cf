"""The public view of an item."""

from collections.abc import Mapping

from cutscore.core.ask import Ask
from cutscore.prompts import Prompt
from planted_bench.dataset import WORDS, Word


def ask(item: Word, prompts: Mapping[str, Prompt]) -> Ask:
    """Give all that a subject ever gets."""
    return Ask(
        item=item.id,
        brief=prompts["ask"].fill(),
        files=(*item.pictures, *([item.said] if item.said else [])),
        choices=WORDS,
        prompts={"ask": prompts["ask"].digest},
    )


def variant(item: Word, prompts: Mapping[str, Prompt], name: str) -> Ask | None:
    """Tell the word beforehand, where there is something to hear."""
    plain = ask(item, prompts)
    return plain.model_copy(update={"brief": f"It is {item.answer}.\n\n{plain.brief}"}) if item.said else None
