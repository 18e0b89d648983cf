"""Topics of source videos: as somebody wrote them down, or else by words of their descriptions."""

import json
import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from cutscore.core.errors import BrokenData

TOPICS_FILE = "topics.json"  # {"TASK": ["TOPIC", …]}, beside the tasks


def read_topics(data: Path | None) -> dict[str, list[str]]:
    """Return the topics of tasks that somebody wrote down, none where there is no such file."""
    if data is None or not (file := data / TOPICS_FILE).is_file():
        return {}
    how = 'write {"TASK": ["TOPIC"]}'
    try:
        plain = json.loads(file.read_text(encoding="utf-8"))
    except (ValueError, OSError) as fault:
        raise BrokenData(f"file '{file}'", f"cannot be read: {fault}", how) from None
    if not isinstance(plain, dict) or not all(isinstance(each, list) for each in plain.values()):
        raise BrokenData(f"file '{file}'", "is not an object of lists", how)
    return {str(task): [str(topic) for topic in topics] for task, topics in plain.items()}


def find_topics(description: str) -> set[tuple[str, str]]:
    """Return the topics of a description by its words, each with its kind.

    >>> sorted(find_topics("A woman slices bread in a kitchen."))
    [('setting', 'Indoor'), ('subject', 'Food'), ('subject', 'People')]
    """
    said = description.lower()
    return {topic for topic, words in topic_words().items() if any(re.search(rf"\b{word}\b", said) for word in words)}


@cache
def _words_file() -> Mapping[str, Any]:
    with (Path(__file__).parent / "topics.toml").open("rb") as stream:
        return tomllib.load(stream)


def stop_words() -> frozenset[str]:
    """Return words of grammar, and those that every instruction has."""
    return frozenset(str(_words_file()["stop_words"]).split())


@cache
def topic_words() -> Mapping[tuple[str, str], tuple[str, ...]]:
    """Return the words of every topic, by its kind and name."""
    kinds = {kind: topics for kind, topics in _words_file().items() if isinstance(topics, dict)}
    return {(kind, topic): tuple(words) for kind, topics in kinds.items() for topic, words in topics.items()}
