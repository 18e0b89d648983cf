"""What is known of a model by its name: how it takes clips, what it is made of, whether it can be asked from here."""

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from cutscore.core.errors import BadInput, CutscoreError, Stopped

MediaInput = Literal["video", "frames", "text"]

# Providers whose Inspect adapter hands ContentVideo on, by reading the pinned release. The others raise on it or were
# not tried, so they get frames; `takes` in cutscore.toml says otherwise for one model, and then OpenAI-compatible
# servers get clips as `video_url`.
TAKES_VIDEO = frozenset({"google", "vertex"})
SCRIPTED = "scripted/"

# Providers that load weights or start a server as soon as somebody names them; they are tried when they are needed.
LOADING = frozenset({"hf", "vllm", "sglang", "transformer_lens", "nnterp"})

# Inspect writes its sentences for a terminal: [bold]pip install openai[/bold].
_MARKUP = re.compile(r"\[/?[a-z]+\]")


def media_input(model: str, own: Mapping[str, MediaInput] | None = None) -> MediaInput:
    """Return how clips reach a model.

    >>> media_input("google/gemini-x"), media_input("openai/gpt-x"), media_input("vllm/m", {"vllm/m": "text"})
    ('video', 'frames', 'text')
    """
    if own and model in own:
        return own[model]
    return "video" if model.partition("/")[0] in TAKES_VIDEO else "frames"


def find_script(name: str) -> Path:
    """Return the file of a script: the user's own, else one of that name that ships with cutscore.

    >>> find_script("sequencing.json").parent.name, find_script("mine.json")
    ('scripts', PosixPath('mine.json'))
    """
    own, ours = Path(name), Path(__file__).parent / "scripts" / Path(name).name
    return ours if own.name == name and not own.exists() and ours.is_file() else own


def script_digest(model: str) -> str:
    """Return the sha256 of the script behind `scripted/PATH.json`; nothing for every other model.

    A script that cannot be read gives nothing, too: whoever starts the model says what is wrong with it.

    >>> script_digest("openai/gpt-x"), script_digest("scripted/hello")
    ('', '')
    """
    name = model.removeprefix(SCRIPTED)
    if name == model or not name.endswith(".json"):
        return ""
    try:
        return hashlib.sha256(find_script(name).read_bytes()).hexdigest()
    except OSError:
        return ""


def require_reachable(model: str) -> None:
    """Raise unless the provider of a model is known and has what it needs here (package, key). Nothing is sent.

    Raises:
        BadInput: No provider has that name, or the model's own file is wrong.
        Stopped: A package or a key is missing.
    """
    from inspect_ai.model import get_model

    what = f"model '{model}'"
    if model.partition("/")[0] in LOADING:
        return
    try:
        get_model(model)
    except CutscoreError:
        raise
    except ValueError as error:
        raise BadInput(what, f"cannot be used: {error}".rstrip("."), "write PROVIDER/NAME as Inspect does") from error
    except Exception as error:
        if type(error).__name__ != "PrerequisiteError":  # Inspect has no public name for it
            raise
        said = " ".join(_MARKUP.sub("", str(error)).removeprefix("ERROR: ").split())
        raise Stopped(what, said, "see 'cutscore doctor'") from error
