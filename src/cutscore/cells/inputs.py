"""What of its input a subject is shown: all of it, an arm of a shortcut audit, or a variant of the benchmark's own.

    question        no file at all: the words of the question alone
    transcript      texts alone, no picture and no sound
    frames          no text and no sound: pictures alone
    contradicted    everything, but the text is that of another clip
    shuffled        everything, but the frames are in another order

A subject that does as well without something did not need it. An arm is made of the asks themselves, before anybody
sees them, so that whatever a subject does, it cannot look at what was left out. The words of the question stay.

A variant has a name in the card (`inputs`): a hint before the brief, or a field left out of it. The benchmark's
`ask.variant` makes it, and what there is to leave out or to add only the benchmark knows.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from random import Random
from types import MappingProxyType

from cutscore.core.ask import Ask
from cutscore.core.card import Card
from cutscore.core.errors import BadInput, UnknownName
from cutscore.core.files import FileRef
from cutscore.core.item import Item
from cutscore.media.plan import FramePlan, Shuffled, shuffled_order
from cutscore.prompts import Prompt
from cutscore.registry import Benchmark

# Each arm, and what is said where it has nothing to change.
ARMS: Mapping[str, str] = {
    "question": "no item has a file that could be left out",
    "transcript": "no item has a text beside its pictures",
    "frames": "no item has a text beside its pictures",
    "shuffled": "no item has more than one frame",
    "contradicted": "no two clips have different texts",
}
UNCHANGED = "the item has nothing that this input leaves out; it was shown as it is"


class NothingToChange(BadInput):
    """An arm that would show every item as it is."""


@dataclass(frozen=True)
class ShownAsks:
    """What subjects are shown, by item; `unchanged` are those that the input leaves as they are."""

    asks: Mapping[str, Ask]
    frames: str
    unchanged: frozenset[str] = frozenset()


def make_asks(
    found: Benchmark,
    items: Sequence[Item],
    texts: Mapping[str, Prompt],
    *,
    frames: str,
    input: str = "",
    only: Sequence[Item] | None = None,
    conditions: Mapping[str, str] = MappingProxyType({}),
) -> ShownAsks:
    """Ask items of a benchmark, and show of each what the frame plan and the input say.

    The items are all there are, since an arm may show something of one to those who are asked another; `only` are those
    that are asked, where the others do not matter. Everything is shown where the input, an arm or a variant, is empty.
    Conditions are given where one of the card's own is set.
    """
    if input and input not in inputs_of(found.card):
        raise UnknownName.among("input", input, inputs_of(found.card))
    if input in ARMS and found.has_turns:
        fact = f"benchmark '{found.name}' asks in turns, and later asks are made when the first was answered"
        raise BadInput(f"input '{input}'", fact, "leave this input out")
    wanted = items if input in ARMS or only is None else only
    asks = {item.id: limit_pictures(found.ask(item, texts, conditions), frames) for item in wanted}
    if not input:
        return ShownAsks(asks, frames)
    if input in found.card.inputs:
        made = {item.id: found.variant(item, texts, input) for item in wanted}
        changed = {item: limit_pictures(ask, frames) for item, ask in made.items() if ask is not None}
        if not changed:
            raise NothingToChange(f"input '{input}'", "no item has anything for it", "leave this input out")
        return ShownAsks({**asks, **changed}, frames, frozenset(asks) - changed.keys())
    return apply_arm(asks, input, frames=frames, cluster_of={item.id: item.cluster for item in items})


def inputs_of(card: Card) -> tuple[str, ...]:
    """Name every input that a benchmark can be shown with: the variants of its own, then the arms of all."""
    return (*card.inputs, *ARMS)


def apply_arm(asks: Mapping[str, Ask], arm: str, *, frames: str, cluster_of: Mapping[str, str]) -> ShownAsks:
    """Return the asks of an arm; raise NothingToChange where every item would be shown as it is."""
    changed = _CHANGES[arm](asks, frames, cluster_of)
    alone = frozenset(asks) - changed.keys()
    if len(alone) == len(asks):
        raise NothingToChange(f"input '{arm}'", ARMS[arm], "leave this input out")
    plan = str(Shuffled(FramePlan.parse(frames))) if arm == "shuffled" and frames else frames
    return ShownAsks({**asks, **changed}, plan, alone)


def limit_pictures(ask: Ask, frames: str) -> Ask:
    """Return an ask whose pictures are no more than the frame plan has frames: they are the frames of its clip."""
    pictures = [ref for ref in ask.files if _is(ref, "image")]
    if not (frames and pictures):
        return ask
    kept = {pictures[number].name for number in FramePlan.parse(frames).among(len(pictures))}
    return ask.with_files([ref for ref in ask.files if not _is(ref, "image") or ref.name in kept])


def _alone(
    asks: Mapping[str, Ask], wanted: Callable[[FileRef], bool], kept: Callable[[FileRef], bool]
) -> dict[str, Ask]:
    """Keep files of one kind. An item without any is left with none; if no item has any, there is nothing to show."""
    if not any(wanted(ref) for ask in asks.values() for ref in ask.files):
        return {}
    made = {item: ask.with_files([ref for ref in ask.files if kept(ref)]) for item, ask in asks.items()}
    return {item: ask for item, ask in made.items() if ask != asks[item]}


def _contradicted(asks: Mapping[str, Ask], frames: str, cluster_of: Mapping[str, str]) -> dict[str, Ask]:
    """Swap every text for one of another clip, drawn by the item's id; an equal text contradicts nothing."""
    texts = [(cluster_of[item], ref) for item, ask in asks.items() for ref in ask.files if ref.is_text]
    contents = dict(sorted({(cluster, ref.sha256): ref for cluster, ref in texts}.items()))
    made = {}
    for item, ask in asks.items():
        mine = {ref.sha256 for ref in ask.files if ref.is_text}
        others = [ref for (cluster, sha256), ref in contents.items() if cluster != cluster_of[item]]
        others = [ref for ref in others if ref.sha256 not in mine]
        if mine and others:
            draw = Random(f"contradicted {item}")
            made[item] = ask.with_files([_under(draw.choice(others), ref) if ref.is_text else ref for ref in ask.files])
    return made


def _shuffled(asks: Mapping[str, Ask], frames: str, cluster_of: Mapping[str, str]) -> dict[str, Ask]:
    """Put pictures in another order; the frames of a clip are shuffled by the plan when it is shown."""
    several = not frames or len(FramePlan.parse(frames).among(2)) > 1
    made = {}
    for item, ask in asks.items():
        pictures = [ref for ref in ask.files if _is(ref, "image")]
        if len({ref.sha256 for ref in pictures}) > 1:
            made[item] = _reordered(ask, pictures)
        elif frames and several and any(_is(ref, "video") for ref in ask.files):
            made[item] = ask
    return made


def _reordered(ask: Ask, pictures: Sequence[FileRef]) -> Ask:
    """Let pictures change places and leave the names where they were, since a name tells when it was."""
    seeds = (f"{ask.item} {turn}" for turn in count())
    orders = ([pictures[place] for place in shuffled_order(len(pictures), seed)] for seed in seeds)
    # Some pictures may be equal, and two of these changing places is no other order.
    order = next(order for order in orders if [ref.sha256 for ref in order] != [ref.sha256 for ref in pictures])
    content = iter(order)
    return ask.with_files([_under(next(content), ref) if _is(ref, "image") else ref for ref in ask.files])


def _under(content: FileRef, name: FileRef) -> FileRef:
    return content.model_copy(update={"name": name.name})


def _is(ref: FileRef, *families: str) -> bool:
    return ref.media_type.partition("/")[0] in families


_CHANGES: Mapping[str, Callable[[Mapping[str, Ask], str, Mapping[str, str]], dict[str, Ask]]] = {
    "question": lambda asks, *_: {item: ask.with_files([]) for item, ask in asks.items() if ask.files},
    "transcript": lambda asks, *_: _alone(asks, lambda ref: ref.is_text, lambda ref: ref.is_text),
    # What is neither text nor sound stays, so that a clip of a type that nobody knows is not lost.
    "frames": lambda asks, *_: _alone(
        asks, lambda ref: _is(ref, "video", "image"), lambda ref: not (ref.is_text or _is(ref, "audio"))
    ),
    "shuffled": _shuffled,
    "contradicted": _contradicted,
}
