"""What a call does to pictures and films, as far as its words tell: it renders a film, checks one, or neither."""

import re
import shlex
from collections.abc import Iterator
from typing import Literal

from cutscore.core.trajectory import Action
from cutscore.results.behaviour.vocabulary import vocabulary

CallKind = Literal["render", "check"]
COMMANDS = ("command", "cmd", "commands")  # arguments under which shells take what they run
PATHS = ("path", "file_path", "filePath", "absolute_path", "paths", "image")
_FILM = re.compile(r"\.(mp4|mov|mkv|webm|m4v|avi|mpg|ts)$", re.IGNORECASE)
_PICTURE = re.compile(r"\.(png|jpe?g|webp|gif|bmp)$", re.IGNORECASE)
_ENDS = ";&|\n"


def call_kinds(call: Action) -> list[CallKind]:
    """Return what a call does, in order: a shell may render a film and then check it.

    >>> call_kinds(Action(tool="bash", arguments={"command": "ffmpeg -i a.mp4 -vf fps=24 b.mp4 && ffprobe b.mp4"}))
    ['render', 'check']
    >>> call_kinds(Action(tool="Read", arguments={"file_path": "frames/t_0001.jpg"}))
    ['check']
    """
    tools = vocabulary().tools
    if tools.has("view", call.tool):
        return ["check"]
    if tools.has("read", call.tool):
        return ["check"] if any(_PICTURE.search(path) for path in _texts(call, PATHS)) else []
    return [kind for text in _texts(call, COMMANDS) for words in split_commands(text) for kind in _kinds(words)]


def _texts(call: Action, names: tuple[str, ...]) -> Iterator[str]:
    for name in names:
        value = call.arguments.get(name)
        if isinstance(value, str):
            yield value
        elif isinstance(value, list):  # of a shell: ["bash", "-lc", "…"]
            yield from (each for each in value if isinstance(each, str))


def split_commands(text: str) -> list[list[str]]:
    """Return the commands of a shell text, each as its words; where quotes are not closed, spaces part them.

    >>> split_commands('ls; ffmpeg -filter_complex "[0]a;[1]b" out.mp4')
    [['ls'], ['ffmpeg', '-filter_complex', '[0]a;[1]b', 'out.mp4']]
    """
    text = text.replace("\\\n", " ")
    lexer = shlex.shlex(text, posix=True, punctuation_chars=_ENDS)
    lexer.whitespace, lexer.whitespace_split, lexer.commenters = " \t\r", True, ""
    try:
        words = list(lexer)
    except ValueError:
        return [line.split() for line in re.split(f"[{_ENDS}]", text) if line.strip()]
    commands: list[list[str]] = [[]]
    for word in words:
        if word.strip(_ENDS):
            commands[-1].append(word)
        else:
            commands.append([])
    return [command for command in commands if command]


def _kinds(words: list[str]) -> list[CallKind]:
    names = [word.rpartition("/")[2] for word in words]
    if "ffprobe" in names:
        return ["check"]
    if "ffmpeg" not in names:
        return []
    start = names.index("ffmpeg")
    made = [word for before, word in zip(words[start:], words[start + 1 :], strict=False) if before != "-i"]
    # What writes no film looks at one: frames, loudness, cuts.
    return ["render" if any(_FILM.search(word) for word in made) else "check"]
