"""Can a model be asked from here? Known before the first sample, not after the last one failed."""

import re

from cutscore.core.errors import BadInput, CutscoreError, Stopped

# Providers that load weights or start a server as soon as somebody names them; they are tried when they are needed.
LOADING = frozenset({"hf", "vllm", "sglang", "transformer_lens", "nnterp"})

# Inspect writes its sentences for a terminal: [bold]pip install openai[/bold].
_MARKUP = re.compile(r"\[/?[a-z]+\]")


def refuse_unreachable(model: str) -> None:
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
