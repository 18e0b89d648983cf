"""Who needs no key: `blind` guesses from the question, `transcript` listens, the reader listens and looks."""

import re
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from random import Random

from cutscore.benchmarks.vidwork.account import Account
from cutscore.benchmarks.vidwork.descriptions import bears_out
from cutscore.benchmarks.vidwork.narration import told
from cutscore.benchmarks.vidwork.stature import clothes, colour_of, contents_of, how_many, known_noun, side_of
from cutscore.benchmarks.vidwork.tableau import Tableau, tableau
from cutscore.benchmarks.vidwork.words import content_words, words
from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable
from cutscore.core.errors import BrokenData
from cutscore.core.files import FileRef, FileStore
from cutscore.core.manifest import FrameManifest
from cutscore.core.subject import WorkContext
from cutscore.core.timeline import Span, timecode
from cutscore.core.trajectory import Action
from cutscore.media.frames import Frame, decoder, manifest
from cutscore.media.kept import kept_frames
from cutscore.media.pictures import read_picture
from cutscore.media.plan import FramePlan
from cutscore.media.stills import still
from cutscore.media.transcript import read_transcript

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

CLIPS = 64  # whose tableaux are kept
PICTURES, PIECES = 4, 5  # that the steps tell of
# As our prompts write it.
BOTH = re.compile(r"^A: (?P<first>.+)\nB: (?P<second>.+)$", re.MULTILINE)
DESCRIBED = re.compile(r"like this:\n(?P<description>.+?)\n\n", re.DOTALL)
QUESTION = re.compile(r"^.*\?\s*$", re.MULTILINE)
PART = re.compile(r"\b(?P<side>before|after)\b[^\"“\n]*[\"“](?P<step>.+?)[\"”]", re.IGNORECASE)
QUOTED = re.compile(r"[\"“](?P<step>.+?)[\"”]")
SKIPPED = re.compile(r"\b(skip\w*|left out|omitted|without|not done|missing)\b", re.IGNORECASE)
BESIDE = re.compile(r"side of the (?P<other>[\w -]+?) is the (?P<noun>[\w -]+?)(?: at | in |[,?])")


def blind(ask: Ask, seed: int, store: FileStore) -> Deliverable:
    """Answer from the prompt alone: a coin for closed questions, else what is usual in the domain.

    Which kind of question it is shows in the name of the prompt. Equal seeds guess alike.
    """
    if ask.choices:
        return Deliverable(text=f"ANSWER: {Random(seed).choice(ask.choices)}")
    domain = next((name for name in TEMPLATES if f"({name}" in ask.brief), "cooking")  # as our prompts write it
    if "steps" in ask.prompts:
        return _listed(TEMPLATES[domain])
    return Deliverable(text=Random(seed).choice(LOOKS) if "cross_modal" in ask.prompts else REASONS[domain])


def transcript(ask: Ask, context: WorkContext) -> Deliverable:
    """Answer as the reader does, by what is said alone."""
    return reader(ask.model_copy(update={"files": tuple(ref for ref in ask.files if _is_text(ref))}), context)


def reader(ask: Ask, context: WorkContext) -> Deliverable:
    """Answer by what is said and by the frames of the plan; what neither tells is guessed, as `blind` does.

    It looks only where the answer is to be seen: it cannot name what it sees as a narrator would.
    """
    account = _heard(ask, context)
    looks = _seen(ask, context) if "cross_modal" in ask.prompts else ()
    answer = _answer(ask, account, looks, context.seed)
    given = blind(ask, context.seed, context.store) if answer is None else answer
    told = "\n".join(_found(text, account) for text in _texts(ask.brief))
    why = "Nothing that was heard or seen decides it, so this is a guess." if answer is None else ""
    context.steps.add(why, did=Action(tool="answer", arguments={"text": given.text}), saw=told)
    return given


def _texts(brief: str) -> list[str]:
    """Return the steps that a question is about, as far as it quotes them."""
    both = BOTH.search(brief)
    return [both["first"], both["second"]] if both else [quoted["step"] for quoted in QUOTED.finditer(brief)]


def _found(text: str, account: Account) -> str:
    """Describe where a step was told of."""
    step = account.find(text)
    return f"“{text}”: {'nobody tells of it' if step is None else f'told at {timecode(step.at_s)}, “{step.text}”'}"


def _answer(ask: Ask, account: Account, looks: Sequence[Tableau], seed: int) -> Deliverable | None:
    """Return the answer as far as something was heard or seen that bears on it; None for a guess."""
    question = next(reversed(QUESTION.findall(ask.brief)), "").strip()
    if "order" in ask.prompts:
        return _order(ask, account)
    if "error" in ask.prompts:
        return _error(ask, account)
    if "steps" in ask.prompts:
        steps = _steps(ask.brief, account)
        return _listed(steps) if steps else None
    answer = _sight(question, account, looks, seed) if "cross_modal" in ask.prompts else _cause(question, account)
    return None if answer is None else Deliverable(text=answer)


def _listed(steps: Sequence[str]) -> Deliverable:
    return Deliverable(text="\n".join(f"{number}. {step}" for number, step in enumerate(steps, 1)))


def _steps(brief: str, account: Account) -> list[str]:
    """Return the steps that were told, or those before or after one that the question quotes."""
    part = PART.search(brief)
    at_s = account.when(part["step"]) if part else None
    if part is None or at_s is None:
        return [step.text for step in account.steps]
    is_before, own = part["side"].lower() == "before", account.find(part["step"])
    return [step.text for step in account.steps if step is not own and (step.at_s <= at_s) == is_before]


def _order(ask: Ask, account: Account) -> Deliverable | None:
    steps = BOTH.search(ask.brief)
    is_before = account.is_before(steps["first"], steps["second"]) if steps else None
    return None if is_before is None else Deliverable(text=f"ANSWER: {'before' if is_before else 'after'}")


def _error(ask: Ask, account: Account) -> Deliverable | None:
    described = DESCRIBED.search(ask.brief)
    holds = bears_out(account, described["description"]) if described else None
    return None if holds is None else Deliverable(text=f"ANSWER: {'correct' if holds else 'incorrect'}")


def _cause(question: str, account: Account) -> str | None:
    """Return what was said right after the step, or what may have needed it."""
    quoted = QUOTED.search(question)
    about = quoted["step"] if quoted else question
    if SKIPPED.search(question.replace(about, "") if quoted else question):
        blocked = account.blocked_without(about)
        return f"{blocked.text}." if blocked is not None else None
    reason = account.reason(about)
    return f"{reason}." if reason is not None else None


# ── what is seen ─────────────────────────────────────────────────────────────────────────────────────────────────


def _sight(question: str, account: Account, looks: Sequence[Tableau], seed: int) -> str | None:
    """Answer a question about what is to be seen, by the colours and the build of what stands there."""
    plain = words(question)
    if not looks:
        return None
    if "beginning" in plain or "start" in plain:
        looks = looks[: max(1, len(looks) // 4)]
    elif "end" in plain:
        looks = looks[::-1][: max(1, len(looks) // 4)]
    if plain[:2] == ["how", "many"]:
        return str(how_many(looks[0]))
    beside = BESIDE.search(question)
    if beside is not None:
        noun, other = (known_noun(words(beside[name])) for name in ("noun", "other"))
        return side_of(noun, other, looks[0]) or Random(seed).choice(("left", "right"))
    if "colour" in plain or "color" in plain:
        return _colour(plain, account, looks)
    return None


def _colour(plain: Sequence[str], account: Account, looks: Sequence[Tableau]) -> str | None:
    if {"shirt", "clothes", "wearing", "wear", "body", "jacket", "dress"} & set(plain):
        return clothes(looks) or colour_of("person", looks)
    if {"counter", "table", "worktop"} & set(plain):
        return next((look.lowest.name for look in looks if look.lowest.name is not None), None)
    noun = known_noun(plain)
    if {"contents", "content", "inside", "in", "filled", "liquid"} & set(plain):
        return contents_of(noun, looks)
    spoken = [
        Span(start_s=each.at_s, end_s=each.at_s) for each in account.sentences if noun and noun in words(each.text)
    ]
    return colour_of(noun, looks, told=spoken)


# ── files ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _is_text(ref: FileRef) -> bool:
    return ref.media_type.startswith("text/")


def _heard(ask: Ask, context: WorkContext) -> Account:
    """Return what is told; nothing when there is no transcript, or none that can be read."""
    for ref in filter(_is_text, ask.files):
        try:
            account = _account(context.store.path(ref))
        except BrokenData as error:
            context.tally.warn(f"'{ref.name}' was not heard: {error.fact}")
            continue
        steps = [f"{timecode(each.at_s)} {each.text}" for each in account.steps]
        heard = f"{len(account.sentences)} sentences, of which these {len(steps)} are steps:"
        context.steps.add(did=Action(tool="listen", arguments={"file": ref.name}), saw="\n".join([heard, *steps]))
        return account
    return Account((), content_words)


@lru_cache(maxsize=CLIPS)
def _account(path: Path) -> Account:
    return Account(told(read_transcript(path)), content_words)


def _seen(ask: Ask, context: WorkContext) -> Sequence[Tableau]:
    """Look at the frames of the clip, or at the pictures that are shown instead, in the order in which they come."""
    for clip in (ref for ref in ask.files if ref.media_type.startswith("video/")):
        plan, path = FramePlan.parse(context.frames), context.store.path(clip)
        frames = kept_frames(path, plan, sha256=clip.sha256)
        context.tally.saw(manifest(clip, plan, frames))
        looks = _looked(path, clip.sha256, plan)
        shot = still(context.store, "looks.jpg", [frames[number].pixels for number in _few(len(frames))])
        saw = _sights([(timecode(each.at_s), each) for each in looks])
        context.steps.add(did=Action(tool="look", arguments={"clip": clip.name}), saw=saw, media=(shot,))
        return looks
    pictures = [ref for ref in ask.files if ref.media_type.startswith("image/")]
    found = []
    for number, ref in enumerate(pictures):
        try:
            found.append((ref.name, _looked_at(context.store.path(ref), Fraction(number))))
            context.tally.saw(FrameManifest(clip=ref, plan="whole", decoder=decoder(), sent_as="image"))
        except BrokenData as error:
            context.tally.warn(f"'{ref.name}' was not seen: {error.fact}")
    if pictures:
        context.steps.add(did=Action(tool="look", arguments={"pictures": len(pictures)}), saw=_sights(found))
    return [look for _, look in found]


def _few(count: int) -> range:
    """Return the numbers of a few of so many, from the first on and evenly spread.

    >>> list(_few(10)), list(_few(2))
    ([0, 3, 6, 9], [0, 1])
    """
    return range(0, count, max(1, -(-count // PICTURES)))


def _sights(looks: Sequence[tuple[str, Tableau]]) -> str:
    """Describe what a few looks show, each with its place: the colours of the largest pieces."""
    few = [looks[number] for number in _few(len(looks))]
    return "\n".join(
        f"{where} {', '.join(each.colour.name or 'no named colour' for each in look.pieces[:PIECES])}"
        for where, look in few
    )


@lru_cache(maxsize=CLIPS)
def _looked(path: Path, sha256: str, plan: FramePlan) -> tuple[Tableau, ...]:
    """Look at a clip once for all questions about it. It is the item's own, so it may be decoded here."""
    return tuple(tableau(frame) for frame in kept_frames(path, plan, sha256=sha256))


@lru_cache(maxsize=8 * CLIPS)
def _looked_at(path: Path, at_s: Fraction) -> Tableau:
    return tableau(Frame(at_s, read_picture(path)))
