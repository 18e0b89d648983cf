"""Why something that was handed in counts nothing: one name for tables, one sentence for the reader."""

from dataclasses import dataclass

# Rules whose breach means that nobody can read the file.
UNREADABLE = frozenset({"not JSON", "not a film", "not a video"})


@dataclass(frozen=True)
class Refusal:
    """A verifier's no to a file as a whole. The subject caused it, so it is marked, with 0.

    Args:
        name: Which rule was broken, the same words every time (`duplicate`, `not JSON`), to count by.
        reason: What is the case in this file. Text of the file is quoted with `repr`, which leaves no character in it
            that could steer a terminal or turn a line around.
    """

    name: str
    reason: str

    @property
    def unreadable(self) -> bool:
        """Whether nobody can read the file."""
        return self.name in UNREADABLE


def refuse_missing(name: str, failure: str = "") -> Refusal:
    """Refuse a file that is not there; where it was handed in and not taken (a link), with the reason for that.

    >>> refuse_missing("a.mp4").reason, refuse_missing("a.mp4", "refused: 'a.mp4' is a link; 'b' is a pipe").reason
    ('a.mp4 was not delivered', "a.mp4 was not taken in; refused: 'a.mp4' is a link")
    """
    refused = failure.removeprefix("refused: ").split("; ") if failure.startswith("refused: ") else []
    why = next((each for each in refused if each.startswith(f"{name!r} ")), None)
    return Refusal("missing file", f"{name} was not taken in; refused: {why}" if why else f"{name} was not delivered")


LONGEST_QUOTE = 40


def quote(text: str) -> str:
    r"""Return the start of a stranger's text, safe to print.

    >>> quote("a\u202eb"), quote("a" * 50) == repr("a" * 40 + "…")
    ("'a\\u202eb'", True)
    """
    return repr(text if len(text) <= LONGEST_QUOTE else f"{text[:LONGEST_QUOTE]}…")
