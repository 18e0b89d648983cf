"""What an agent is told of a page: its text, cut off, addresses by public names, a picture by reference. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import JsonValue

from cutscore.core.ask import Ask
from cutscore.core.files import FileRef
from cutscore.core.frozen import FrozenModel
from cutscore.models.token_rules import CHARS_PER_TOKEN

# Of a page's text, as released. No vocabulary is part of the package, so a token counts as four characters.
MOST_TOKENS = 3_840


class SeenPage(FrozenModel):
    """A page as the world tells it.

    Args:
        url: Its address, with the placeholder of its site.
        picture: The marked screenshot; None where the page could not be shown.
        ended: Why no further action is taken.
    """

    text: str = ""
    url: str = ""
    picture: FileRef | None = None
    ended: str = ""

    @classmethod
    def of(cls, seen: JsonValue) -> "SeenPage":
        """Read what an action gave; whatever else a world tells is not for the agent."""
        told = seen if isinstance(seen, dict) else {}
        return cls.model_validate({name: told[name] for name in cls.model_fields if name in told})


@dataclass(frozen=True)
class PublicNames:
    """How agents call the sites of a task.

    >>> PublicNames({"reddit": "reddit.com"}).show("__REDDIT__/f/books")
    'http://reddit.com/f/books'
    """

    of_sites: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, ask: Ask) -> "PublicNames":
        """Read them from an ask."""
        return cls({str(part.value): part.text for part in ask.parts_of("public_name")})

    @property
    def addresses(self) -> str:
        """All of them, in words."""
        return ", ".join(f"http://{name}" for name in self.of_sites.values())

    def show(self, text: str) -> str:
        """Return a text with the address of every site instead of its placeholder."""
        for site, name in self.of_sites.items():
            text = text.replace(f"__{site.upper()}__", f"http://{name}")
        return text


def cut_text(text: str) -> str:
    """Return as much of a page's text as an agent is told."""
    return text[: MOST_TOKENS * CHARS_PER_TOKEN]
