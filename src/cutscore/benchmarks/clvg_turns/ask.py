"""The public view of an item, turn by turn: a given script first, then a brief, what was so far, and an answer."""

from collections.abc import Mapping, Sequence

from cutscore.benchmarks.clvg_turns.dataset import SCRIPTED, InteractionCase
from cutscore.benchmarks.clvg_turns.film_names import film_name
from cutscore.core.ask import Ask, AskPart, RequestedFile
from cutscore.core.files import FileRef
from cutscore.core.subject import WorkContext
from cutscore.core.turn import Feedback, Turn
from cutscore.prompts import Prompt

VIDEOS = "text+videos"


def ask(item: InteractionCase, prompts: Mapping[str, Prompt]) -> Ask:
    """Return what is asked in the first turn: a film of the given script."""
    return _make_ask(item, prompts, 1, item.opening)


async def next_ask(item: InteractionCase, prompts: Mapping[str, Prompt], context: WorkContext) -> Feedback:
    """Return what the viewer does after the last film, whatever it shows, and the ask for the next one."""
    said = item.feedback[context.conditions.get("user") or SCRIPTED]
    turn = len(context.turns)
    if turn > len(said):
        return Feedback()
    words = {
        "role": item.role,
        "history": describe_history(item.opening, context.turns, said),
        "feedback": said[turn - 1],
        "turn": str(turn + 1),
    }
    parts = [AskPart(role="role", text=item.role), AskPart(role="feedback", text=said[turn - 1])]
    if context.conditions.get("assistant"):
        parts.append(AskPart(role="assistant", text=prompts["assistant"].fill(**words)))
    shown = _earlier_films(context.turns) if context.conditions.get("history") == VIDEOS else ()
    asked = _make_ask(item, prompts, turn + 1, prompts["turn"].fill(**words), parts=parts, films=shown)
    used = {name: prompts[name].digest for name in ("turn", *(("assistant",) if len(parts) > 2 else ()))}
    return Feedback(text=said[turn - 1], ask=asked.model_copy(update={"prompts": {**asked.prompts, **used}}))


def describe_history(opening: str, turns: Sequence[Turn], said: Sequence[str]) -> str:
    """Return what was so far: the given script, later ones where somebody wrote them, and what the viewer did.

    The released code repeats its own earlier requests here, each within the next; ours says everything once.
    """
    lines = []
    for turn, feedback in zip(turns, said, strict=False):
        script = opening if turn.number == 1 else turn.deliverable.text
        lines += [f"Film {turn.number}: {script.strip()}"] if script.strip() else []
        lines.append(f"After film {turn.number}, the viewer: {feedback}")
    return "\n".join(lines[:-1])  # the last answer is what is asked about


def _earlier_films(turns: Sequence[Turn]) -> tuple[FileRef, ...]:
    """Return the films so far, the last one first."""
    made = [turn.deliverable.file(film_name(turn.number)) for turn in reversed(turns)]
    return tuple(each for each in made if each is not None)


def _make_ask(
    item: InteractionCase,
    prompts: Mapping[str, Prompt],
    turn: int,
    instruction: str,
    *,
    parts: Sequence[AskPart] = (),
    films: Sequence[FileRef] = (),
) -> Ask:
    prompt, name = prompts["ask"], film_name(turn)
    return Ask(
        item=item.id,
        brief=prompt.fill(instruction=instruction.strip(), film=name),
        files=tuple(films),
        wanted=(RequestedFile(name=name, about=f"the film of turn {turn}"),),
        parts=(
            AskPart(role="instruction", text=instruction.strip()),
            AskPart(role="turn", text=str(turn)),
            *parts,
            *(AskPart(role="earlier" if number else "source", file=film.name) for number, film in enumerate(films)),
        ),
        prompts={"ask": prompt.digest},
    )
