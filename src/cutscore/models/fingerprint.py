"""What a model is made of, where we can know it: a script is a file, and other words in it are another model."""

import hashlib
from pathlib import Path

PROVIDER = "scripted/"


def fingerprint(model: str) -> str:
    """Return the sha256 of the script behind `scripted/PATH.json`; nothing for every other model.

    A script that cannot be read gives nothing, too: whoever starts the model says what is wrong with it.

    >>> fingerprint("openai/gpt-x"), fingerprint("scripted/hello")
    ('', '')
    """
    name = model.removeprefix(PROVIDER)
    if name == model or not name.endswith(".json"):
        return ""
    try:
        return hashlib.sha256(Path(name).read_bytes()).hexdigest()
    except OSError:
        return ""
