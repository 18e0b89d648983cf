"""Items: three pictures and what is said; `DIR/where` says which of them has the word.

`said`: the texts. `seen`: the last picture. `mute`: the last picture, and nothing is said at all.
"""

from pathlib import Path
from typing import Annotated

from cutscore.core.files import FileRef, FileStore
from cutscore.core.item import TRUTH, Item

WORDS = ("apple", "cloud", "glove", "honey")
CLIPS = 16


class Word(Item):
    """One question about one clip."""

    pictures: tuple[FileRef, ...]
    said: FileRef | None
    answer: Annotated[str, TRUTH]


def items(store: FileStore, data: Path | None = None) -> list[Word]:
    """Give all items; nothing is said in the last clip in any case."""
    where = (data / "where").read_text().strip() if data else "said"
    return [_item(store, number, where, WORDS[number % len(WORDS)]) for number in range(CLIPS)]


def _item(store: FileStore, number: int, where: str, word: str) -> Word:
    name = f"clip-{number:02d}"
    last = "nothing" if where == "said" else word
    shown = [f"picture {place} of {name}: {last if place == 2 else 'dark'}".encode() for place in range(3)]
    pictures = (store.put_bytes(data, name=f"{place}.jpg", media_type="image/jpeg") for place, data in enumerate(shown))
    text = f"somebody says in {name}: {word if where == 'said' else 'nothing'}".encode()
    heard = where != "mute" and number < CLIPS - 1
    said = store.put_bytes(text, name="transcript.vtt", media_type="text/vtt") if heard else None
    return Word(id=name, cluster=name, pictures=tuple(pictures), said=said, answer=word)
