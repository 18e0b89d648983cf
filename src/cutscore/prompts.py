"""Every word a model reads comes from a file: its text, its digest, and who may replace it.

A prompt is Markdown with blanks, `{{question}}`. The user's own file stands before the benchmark's: first what the
command line names (`--prompt NAME=FILE`), then what `cutscore.toml` names under `[prompts]`, then `prompts/NAME.md`.
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Protocol, runtime_checkable

from cutscore.core.errors import BadInput, UnknownName
from cutscore.core.subject import Subject

# A prompt of a megabyte is a clip or a log that was given by mistake.
MAX_BYTES = 1_000_000

_BLANK = re.compile(r"\{\{ *([A-Za-z_][A-Za-z0-9_]*) *\}\}")
_NONE: Mapping[str, Path] = MappingProxyType({})


@dataclass(frozen=True)
class Prompt:
    """A prompt as it was read.

    Args:
        text: Its words, with a line feed at every end of line.
        digest: sha256 of that text in UTF-8, so that a checkout with other line ends is the same prompt.
    """

    name: str
    text: str
    digest: str

    @classmethod
    def of(cls, name: str, text: str) -> "Prompt":
        r"""Make a prompt from its words.

        >>> Prompt.of("ask", "Which colour?\r\n") == Prompt.of("ask", "Which colour?\n")
        True
        """
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        return cls(name, text, hashlib.sha256(text.encode()).hexdigest())

    def blanks(self) -> tuple[str, ...]:
        """Name the blanks, each once, in the order in which they first appear."""
        return tuple(dict.fromkeys(_BLANK.findall(self.text)))

    def fill(self, /, **blanks: str) -> str:
        """Return the text with every blank filled.

        Values go in once and are not looked at again: a value that holds `{{x}}` keeps it as plain letters, so no
        item, caption or file name can reach into the prompt.

        >>> Prompt.of("ask", "Say {{ word }}.").fill(word="{{word}}")
        'Say {{word}}.'
        """
        own, what = self.blanks(), f"prompt '{self.name}'"
        if missing := [_braced(blank) for blank in own if blank not in blanks]:
            given = ", ".join(_braced(blank) for blank in blanks)
            raise BadInput(what, f"nothing was given for {missing[0]}", f"use one of {given}" if given else "remove it")
        if unknown := [_braced(blank) for blank in blanks if blank not in own]:
            raise BadInput(what, f"has no blank {unknown[0]}", "add it to the text where it belongs")
        return _BLANK.sub(lambda match: blanks[match[1]], self.text)


@runtime_checkable
class PromptedSubject(Protocol):
    """A subject that reads prompts of the benchmark itself, beside the brief of an ask."""

    def with_prompts(self, prompts: Mapping[str, Prompt]) -> Subject:
        """Return the subject with the prompts of a cell, by name."""


def load_prompt(
    name: str,
    *,
    folder: Path,
    benchmark: str = "",
    flags: Mapping[str, Path] = _NONE,
    config: Mapping[str, Path] = _NONE,
) -> Prompt:
    """Read one prompt, from the first of its places.

    The folder, a benchmark's `prompts/`, has a `NAME.md`, which a replacement stands in for. Flags of the command line
    and config of `cutscore.toml` are keyed by `NAME` or `BENCHMARK/NAME`; the longer key counts more.
    """
    known = _names(folder)
    if name not in known:
        raise UnknownName.among("prompt", name, known)
    keys = (f"{benchmark}/{name}", name)
    for files, remedy in ((flags, f"correct --prompt {name}=FILE"), (config, "correct [prompts] in cutscore.toml")):
        for key in keys:
            if key in files:
                return _read(name, files[key], remedy)
    return _read(name, folder / f"{name}.md", "restore the benchmark's own file")


def load_prompts(
    folder: Path, *, benchmark: str = "", flags: Mapping[str, Path] = _NONE, config: Mapping[str, Path] = _NONE
) -> dict[str, Prompt]:
    """Read all prompts of a benchmark, by name; none when it has no folder of prompts.

    A replacement for a prompt that the benchmark does not have is an error, or a typing error would measure the
    wrong words. A bare name in `config` may be meant for another benchmark and is let pass.
    """
    known, prefix = _names(folder), f"{benchmark}/"
    asked = [*flags, *(key for key in config if benchmark and key.startswith(prefix))]
    for key in asked:
        if key.removeprefix(prefix) not in known:
            raise UnknownName.among("prompt", key.removeprefix(prefix), known)
    return {name: load_prompt(name, folder=folder, benchmark=benchmark, flags=flags, config=config) for name in known}


def _names(folder: Path) -> list[str]:
    return sorted(file.stem for file in folder.glob("*.md"))


def _read(name: str, file: Path, remedy: str) -> Prompt:
    what = f"prompt '{name}'"
    try:
        if file.exists() and not file.is_file():  # opening a pipe would wait for ever
            raise BadInput(what, f"{file} is not a file", remedy)
        with file.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise BadInput(what, f"{file} cannot be read ({error.strerror})", remedy) from error
    if len(data) > MAX_BYTES:
        raise BadInput(what, f"{file} is larger than 1 MB", remedy)
    try:
        prompt = Prompt.of(name, data.decode("utf-8-sig"))  # some editors begin a file with a mark; no model reads it
    except UnicodeDecodeError as error:
        raise BadInput(what, f"{file} is not UTF-8 text", "save it as UTF-8") from error
    if not prompt.text.strip():
        raise BadInput(what, f"{file} is empty", remedy)
    # `{{ the answer }}` would be shown to the model as it stands.
    head, stray, _ = _BLANK.sub("_", prompt.text).partition("{{")
    if stray:
        where = f"line {head.count(chr(10)) + 1}"
        raise BadInput(what, f"{file} has braces on {where} that hold no name", "write a blank as {{name}}")
    return prompt


def _braced(blank: str) -> str:
    return "{{" + blank + "}}"
