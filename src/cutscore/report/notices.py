"""A text on a page that may be long: its start, and how much was left out."""

from dataclasses import dataclass

from cutscore.results.wording import count


@dataclass(frozen=True)
class Told:
    """A text that may be long."""

    text: str
    left: int

    @property
    def long(self) -> bool:
        return len(self.text) > 1200 or self.text.count("\n") > 16

    @property
    def size(self) -> str:
        return count(len(self.text) + self.left, "character")
