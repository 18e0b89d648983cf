"""Who needs no key: `blind` guesses from the words of a task, the reader does again what a tutorial shows.

The reader finds clicks in the tutorial's frames, looks for what was clicked on the live page, and clicks there; where
that is a link of which the task says nothing, and it names another link of the page, it clicks that one. It goes as far
as the sentence of the transcript that has most in common with the task. It understands neither task nor page.
"""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from random import Random

from cutscore.benchmarks.videowebarena.marked_page import ListedElement, number_at, read_elements
from cutscore.benchmarks.videowebarena.tutorial_reading import TypedText, find_sentence, read_typed, stem_words, watch
from cutscore.core.ask import Ask, AskPart
from cutscore.core.deliverable import Deliverable
from cutscore.core.environment import Environment
from cutscore.core.errors import BrokenData, MissingExtra
from cutscore.core.files import FileRef, FileStore
from cutscore.core.subject import WorkContext
from cutscore.core.trajectory import Action
from cutscore.media.images import read_picture
from cutscore.media.transcript import Segment, read_transcript
from cutscore.perception.clicks import SeenClick
from cutscore.perception.patch_match import find_patch
from cutscore.subjects.web.page import SeenPage

FIELDS = ("INPUT", "TEXTAREA", "SELECT")
MOST_GUESSED = 10
_QUOTED = re.compile(r"[\"'“](.+?)[\"'”]")
_HOW_MANY = re.compile(r"\bhow (?:many|much|often)\b|\bnumber\b", re.I)
_NAME = re.compile(r"(?<![.?!] )(?<!^)\b[A-Z]\w+(?: [A-Z]\w+)*")


def blind(ask: Ask, seed: int, store: FileStore) -> Deliverable:
    """Answer from the words alone, and look at no page: a number, a name or quoted words of the task, else N/A."""
    task, question = ask.part("instruction"), ask.part("question")
    guess = Random(seed)
    files = (_put_answer(question, _guess(question.text, guess), store),) if question else ()
    return Deliverable(text=_guess(task.text if task else "", guess), files=files)


def _guess(words: str, guess: Random) -> str:
    if _HOW_MANY.search(words):
        return str(guess.randint(1, MOST_GUESSED))
    named = _QUOTED.findall(words) or _NAME.findall(words)
    return guess.choice(named) if named else "N/A"


async def reader(ask: Ask, context: WorkContext) -> Deliverable:
    """Do again what the tutorial shows, and answer with the sentence of it that is most like what is asked.

    Without a tutorial it does nothing. What it cannot find or read it says in its steps.
    """
    from anyio import to_thread

    part, question = ask.part("tutorial"), ask.part("question")
    tutorial = ask.file(part.file) if part and part.file else None
    if tutorial is None or context.environment is None:
        context.steps.add("There is no tutorial, and I know nothing else to go by.")
        return Deliverable()
    said, task = _read_said(ask, context), ask.part("instruction")
    about = find_sentence(said, task.text if task else "")
    clicks = await to_thread.run_sync(watch, context.store.path(tutorial))
    until_s = said[about + 1].start_s if about is not None and about + 1 < len(said) else None
    shown = [click for click in clicks if until_s is None or click.at_s < until_s]
    how_far = f"as far as '{said[about].text}'" if about is not None else "to its end"
    context.steps.add(f"I see {len(clicks)} clicks in the tutorial, and do {len(shown)} again, {how_far}.")
    replay = _Replay(context, context.environment, context.store.path(tutorial), task.text if task else "")
    await replay.play(shown)
    files = (_put_answer(question, _sentence(said, question.text), context.store),) if question else ()
    return Deliverable(text=_sentence(said, task.text if task else ""), files=files)


def _read_said(ask: Ask, context: WorkContext) -> Sequence[Segment]:
    """Return what is said in the tutorial, where it comes with a transcript that can be read."""
    part = ask.part("transcript")
    file = ask.file(part.file) if part else None
    try:
        return read_transcript(context.store.path(file)).segments if file else ()
    except BrokenData as error:
        context.steps.add(error=str(error))
        return ()


def _sentence(said: Sequence[Segment], words: str) -> str:
    number = find_sentence(said, words)
    return "" if number is None else said[number].text


def _put_answer(question: AskPart, text: str, store: FileStore) -> FileRef:
    return store.put_bytes(text.encode(), name=str(question.value), media_type="text/plain")


def find_named_link(task: str, shown: ListedElement, listed: Iterable[ListedElement]) -> ListedElement | None:
    """Return the link whose words are all in a task, where the shown one is a link that has none of its words.

    A tutorial shows a skill on one thing, and the task asks for it on another: lamps there, umbrellas here.
    """
    asked = stem_words(task)
    if shown.tag != "A" or stem_words(shown.words) & asked:
        return None
    named = [each for each in listed if each.tag == "A" and (words := stem_words(each.words)) and words <= asked]
    return max(named, key=lambda each: len(stem_words(each.words)), default=None)


class _Replay:
    """Clicks of a tutorial, done again on the live page."""

    def __init__(self, context: WorkContext, world: Environment, tutorial: Path, task: str) -> None:
        self.context, self.world, self.tutorial, self.task = context, world, tutorial, task
        self.page = SeenPage.of(getattr(world, "seen", None))

    async def play(self, clicks: Sequence[SeenClick]) -> None:
        """Do what can be found, in order, until the world ends the run."""
        from anyio import to_thread

        for click in clicks:
            found = await to_thread.run_sync(self._find, click)
            if isinstance(found, str):
                self.context.steps.add(f"The click at {float(click.at_s):.1f} s: {found}.")
                continue
            element, why = found
            for verb in await to_thread.run_sync(self._verbs, click, element):
                said = f"{why} ```{verb}```"
                self.page = SeenPage.of(await self.world.act(Action(tool="text", arguments={"text": said})))
                if self.page.ended:
                    return

    def _find(self, click: SeenClick) -> tuple[ListedElement, str] | str:
        """Return the element that was clicked, and why it is that; or what is lacking."""
        if self.page.picture is None:
            return "there is no picture of this page"
        screen = read_picture(self.context.store.path(self.page.picture))
        place = find_patch(screen, click.target, click.inside, usual=click.point)
        if place is None:
            return "nothing on this page looks like what was clicked"
        elements = read_elements(self.page.text)
        number = number_at(screen, place.point, [*elements])
        if not number:
            return f"what was clicked is at {place.point.x}, {place.point.y}, and no box is around it"
        element = elements[number]
        where = f"at {place.point.x}, {place.point.y} (likeness {place.likeness:.2f})"
        why = f"What was clicked at {float(click.at_s):.1f} s is {where}: {element.words!r}."
        if named := find_named_link(self.task, element, elements.values()):
            return named, f"{why} The task names {named.words!r}."
        return element, why

    def _verbs(self, click: SeenClick, element: ListedElement) -> list[str]:
        """Return what to do with the element, in the words of an agent."""
        typed = self._typed(click) if element.tag in FIELDS else TypedText()
        new, number = typed.new.replace("]", ")").replace("\n", " "), element.number
        if not (new or typed.old):
            return [f"click [{number}]"]
        replaced = bool(typed.old) and not new.startswith(typed.old) and element.tag != "SELECT"
        enter = click.turned_s is not None or element.tag == "SELECT"
        typing = f"type [{number}] [{new.removeprefix(typed.old).strip()}] [{enter:d}]"
        return [*([f"clear [{number}]"] if replaced else []), *([typing] if new else [])]

    def _typed(self, click: SeenClick) -> TypedText:
        try:
            return read_typed(self.tutorial, click)
        except MissingExtra as error:
            self.context.steps.add(error=f"What was typed at {float(click.at_s):.1f} s cannot be read: {error}")
            return TypedText()
