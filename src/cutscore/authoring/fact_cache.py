"""Facts that take long to measure: once on a machine, then taken from a cache."""

import logging
from collections.abc import Callable
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

from cutscore.atomic import replace_file
from cutscore.settings import load_settings

Fact = TypeVar("Fact")
logger = logging.getLogger(__name__)


def remembered(folder: str, key: str, kind: type[Fact], make: Callable[[], Fact]) -> Fact:
    """Return a fact that this machine may know already.

    A cache that cannot be read or written, or was damaged, costs time and nothing else.

    Args:
        folder: Of the cache.
        key: A name that promises an equal fact wherever it is equal; safe as a file name.
        kind: What the fact is.
        make: Finds it out.
    """
    file, read = load_settings().cache_dir / folder / f"{key}.json", TypeAdapter(kind)
    try:
        return read.validate_json(file.read_bytes())
    except (OSError, ValidationError):
        fact = make()
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with replace_file(file) as draft:
            draft.write_bytes(read.dump_json(fact))
    except OSError as error:
        logger.info("cache %s cannot be written: %s", file.parent, error.strerror)
    return fact
