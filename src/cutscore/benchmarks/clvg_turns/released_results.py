"""Released result files → counts: passes at each turn, cases that pass, and lines that are no verdict on a film.

One JSON object a line, in the order in which turns were judged: `case_id`, `turn`, `pass`, `reason`, and `raw`, what
the judge wrote, which is missing where no film was made. A case ends with its first fail, and cases that crashed are
not there at all, so a rate needs its denominator beside it: the cases that are present, or all of the file.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import Field, ValidationError

from cutscore.core.errors import BrokenData
from cutscore.core.frozen import FrozenModel
from cutscore.core.strict_json import first_fault, read_json
from cutscore.regular_file import open_regular

LARGEST_BYTES = 64_000_000


class ResultLine(FrozenModel):
    """One judged turn, as the released code writes it; a turn without `raw` has no film, and nobody judged it."""

    case_id: str
    turn: int = Field(ge=1)
    passed: bool = Field(alias="pass")
    reason: str = ""
    raw: str | None = None


@dataclass(frozen=True)
class TurnCount:
    """How one turn went: passes of all lines, and of those in which a judge's words could be read."""

    passed: int
    lines: int
    verdicts: int


@dataclass(frozen=True)
class ResultCounts:
    """What a result file holds.

    Args:
        turns: By turn.
        cases_passed: Cases whose every line is a pass, up to a last state.
    """

    turns: Mapping[int, TurnCount]
    cases: int
    cases_passed: int


def read_results(path: Path) -> list[ResultLine]:
    """Read a result file.

    Raises:
        BrokenData: A line is none of these, with its number.
    """
    found = []
    with open_regular(path) as stream:
        lines = stream.read(LARGEST_BYTES).decode("utf-8-sig", errors="replace").splitlines()
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                found.append(ResultLine.model_validate(read_json(line)))
            except (ValidationError, ValueError) as fault:
                fact = f"line {number}: {first_fault(fault)}"
                raise BrokenData(f"results '{path.name}'", fact, "write one JSON object a line") from None
    return found


def count_results(lines: Sequence[ResultLine], turns_of: Mapping[str, int]) -> ResultCounts:
    """Count passes and verdicts; `turns_of` says of each case how many turns it has, which a pass must reach."""
    by_turn: dict[int, list[ResultLine]] = defaultdict(list)
    by_case: dict[str, list[ResultLine]] = defaultdict(list)
    for line in lines:
        by_turn[line.turn].append(line)
        by_case[line.case_id].append(line)
    counts = {
        turn: TurnCount(sum(each.passed for each in mine), len(mine), sum(is_verdict(each) for each in mine))
        for turn, mine in sorted(by_turn.items())
    }
    whole = [
        id
        for id, mine in by_case.items()
        if all(each.passed for each in mine) and max(each.turn for each in mine) >= turns_of.get(id, 2)
    ]
    return ResultCounts(counts, len(by_case), len(whole))


def is_verdict(line: ResultLine) -> bool:
    """Return whether a judge has judged a film: it wrote something that could be read as a verdict."""
    if line.raw is None:
        return False
    try:
        said = read_json(_unfence(line.raw))
    except ValueError:
        return False
    return isinstance(said, dict) and isinstance(said.get("pass"), bool)


def _unfence(text: str) -> str:
    """Return the JSON of a reply, without the words and fences around it."""
    start, end = text.find("{"), text.rfind("}")
    return text[start : end + 1] if 0 <= start < end else text
