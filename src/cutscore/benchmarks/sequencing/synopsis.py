"""What a film tells, in a sentence or two: written beside it by a person, by a model that watched it, or its title."""

from dataclasses import dataclass
from pathlib import Path

from pydantic import Field, JsonValue

from cutscore.authoring.footage import Clip
from cutscore.authoring.writers import Writer
from cutscore.core.errors import BadInput
from cutscore.core.frozen import FrozenModel

SUFFIX = ".synopsis.md"
LONGEST = 600  # characters: two long sentences
PERSON, STAGE = "a person", "the stage"


class _Written(FrozenModel):
    synopsis: str = Field(min_length=20, max_length=LONGEST)


@dataclass(frozen=True)
class Synopsis:
    """The words, and who wrote them."""

    text: str
    author: str


def synopsis(clip: Clip, writer: Writer) -> Synopsis:
    """Tell what a film tells: NAME.synopsis.md beside it, else the model, else the title of a scene of the stage.

    Raises:
        BadInput: Nobody says it, or what is said is empty or too long.
    """
    if (written := beside(clip, SUFFIX, longest=LONGEST)) is not None:
        return Synopsis(written, PERSON)
    if writer.model:
        return Synopsis(writer.write(clip.ref, _written), writer.model)
    if clip.scene is not None:
        return Synopsis(clip.scene.title, STAGE)
    missing = f"write {_file(clip, SUFFIX).name} beside it, or add --model"
    raise BadInput(f"film '{clip.name}'", "nobody says what it tells", missing)


def beside(clip: Clip, suffix: str, *, longest: int) -> str | None:
    """Return what somebody wrote about a film in a file beside it, on one line; None where there is none.

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
