"""What a film tells, in a sentence or two: written beside it by a person, by a model that watched it, or its title."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import Field, JsonValue

from cutscore.builders.asking import Asking, Request
from cutscore.builders.footage import Clip
from cutscore.core.errors import BadInput
from cutscore.core.noun import Noun
from cutscore.prompts import Prompt, load_prompt

SUFFIX = ".synopsis.md"
LONGEST = 600  # characters: two long sentences
PERSON, STAGE = "a person", "the stage"


class _Written(Noun):
    synopsis: str = Field(min_length=20, max_length=LONGEST)


@dataclass(frozen=True)
class Synopsis:
    """The words, and who wrote them."""

    text: str
    author: str


@dataclass(frozen=True)
class Writer:
    """A model that writes what nobody wrote, and how it is shown a film; nobody when the name is empty."""

    model: str
    frames: str
    prompt: Prompt
    asking: Asking


def synopsis_prompt(flags: Mapping[str, Path]) -> Prompt:
    """Give the prompt, ours or the one that the user names."""
    return load_prompt("synopsis", folder=Path(__file__).parent / "prompts", flags=flags)


def synopsis(clip: Clip, writer: Writer) -> Synopsis:
    """Tell what a film tells: NAME.synopsis.md beside it, else the model, else the title of a scene of the stage.

    Raises:
        BadInput: Nobody says it, or what is said is empty or too long.
    """
    if (written := beside(clip, SUFFIX, longest=LONGEST)) is not None:
        return Synopsis(written, PERSON)
    if writer.model:
        request = Request("synopsis", writer.model, writer.prompt.text, (clip.ref,), writer.frames)
        return Synopsis(writer.asking.ask(request, _written), writer.model)
    if clip.scene is not None:
        return Synopsis(clip.scene.title, STAGE)
    missing = f"write {_file(clip, SUFFIX).name} beside it, or add --model"
    raise BadInput(f"film '{clip.name}'", "nobody says what it tells", missing)


def beside(clip: Clip, suffix: str, *, longest: int) -> str | None:
    """Give what somebody wrote about a film in a file beside it, on one line; None where there is none.

    Raises:
        BadInput: It is empty or has too many characters.
    """
    file = _file(clip, suffix)
    if clip.scene is not None or not file.is_file():
        return None
    with file.open("rb") as stream:
        text = " ".join(stream.read(4 * longest + 1).decode("utf-8", "replace").split())
    if not 0 < len(text) <= longest:
        what = suffix.strip(".").partition(".")[0]
        raise BadInput(f"file '{file.name}'", f"its {what} has {len(text)} characters", f"write 1 to {longest}")
    return text


def _file(clip: Clip, suffix: str) -> Path:
    return Path(clip.source).with_name(f"{Path(clip.source).stem}{suffix}")


def _written(reply: JsonValue) -> str:
    return " ".join(_Written.model_validate(reply).synopsis.split())
