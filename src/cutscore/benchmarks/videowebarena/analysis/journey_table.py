"""Figure 7: one run of an agent, abridged: the task, what it said and did, what came of it, and the verdict."""

from collections.abc import Sequence

from cutscore.benchmarks.videowebarena.analysis.step_lines import STEPS
from cutscore.benchmarks.videowebarena.diagnosis import PREFIX, Reply, read_replies
from cutscore.core.finding import Finding, score_key
from cutscore.core.row import Row
from cutscore.core.table import Table
from cutscore.core.trajectory import Action, Step
from cutscore.results.benchmark import BenchmarkResult
from cutscore.results.stored_steps import read_stored_steps
from cutscore.results.tables.lines import plain_columns
from cutscore.results.tables.listings import Line, abridge, shorten
from cutscore.results.wording import count, number

FEWEST = 2  # actions of a run that is worth telling
FIRST, LAST = 8, 4  # actions of a listing; what lies between is counted
VERDICTS = 3  # checks of a listing


def journey_tables(result: BenchmarkResult) -> list[Table]:
    """Return the listing of one run; none where no model did a task."""
    score = score_key(result.card.headline, result.card.modes[0])
    runs = [(row, cell) for cell in result.cells for row in cell.rows if row.model and score in row.ending.scores]
    for row, cell in sorted(runs, key=lambda each: _rank(each[0], score)):
        if replies := read_replies(steps := read_stored_steps(row, cell.record.store)):
            return [_listing(row, steps, replies, score)]
    return []


def _rank(row: Row, score: str) -> tuple[bool, bool, int, str, str, int]:
    """Order runs as the paper chose: one that failed before one that did not, and of these the shortest to tell."""
    actions = int(str(row.environment.get(STEPS, 0)))
    return row.ending.scores[score] >= 1, actions < FEWEST, actions, row.cell, row.item, row.epoch


def _listing(row: Row, steps: Sequence[Step], replies: Sequence[Reply], score: str) -> Table:
    intent = row.ask.part("instruction") if row.ask else None
    acted = [(step, did) for step in steps for did in step.did]
    told = [_line(place, reply) for place, reply in enumerate(replies, start=1)]
    lines: list[Line] = [
        ("task", "", "", shorten(intent.text if intent else "")),
        *(("tutorial", "", "watch", _watched(did)) for _, did in acted if did.tool == "watch"),
        *abridge(told, first=FIRST, last=LAST, noun="action", at=2),
        *(
            ("question", shorten(step.said), "answer", "")
            for step in steps
            if any(d.tool == "answer" for d in step.did)
        ),
        *(("verdict", "", each.name, shorten(each.because)) for each in _verdicts(row)),
        *(("diagnosis", "", each.name.removeprefix(PREFIX), shorten(each.because)) for each in _diagnosis(row)),
    ]
    end = number(row.ending.scores[score], 0)
    return Table(
        id="journey",
        title=f"{row.subject} {row.model} on {row.item}: {end} after {count(len(replies), 'action')}",
        columns=plain_columns("step", "said", "did", "then"),
        rows=tuple(lines),
        note=f"{score}; the shortest run that failed, else the shortest; shortened",
        paper="Figure 7",
    )


def _line(place: int, reply: Reply) -> Line:
    said = reply.said.partition("```")[0]
    return f"#{place}", shorten(said), _write(reply.did, reply.before.saw), shorten(_outcome(reply))


def _write(action: Action, page: str) -> str:
    """Return an action in its own words, with those of the element that it was done to."""
    given = [f"[{each}]" for each in action.arguments.values() if isinstance(each, str | int) and each is not True]
    head = f"[{action.arguments['element']}] " if "element" in action.arguments else "\n"
    words = next((line.removeprefix(head) for line in page.splitlines() if line.startswith(head)), "")
    return shorten(" ".join([action.tool, *given, *([f"({words})"] if words else [])]))


def _outcome(reply: Reply) -> str:
    """Return what came of an action: what went wrong, or the first that is new on the page."""
    if reply.error or reply.changed_nothing:
        return reply.error or "the page stays as it is"
    before = set(_words(reply.before.saw))
    return " · ".join([each for each in _words(reply.after.saw) if each not in before][:FEWEST])


def _words(page: str) -> list[str]:
    """Return the lines of a page without their numbers."""
    return [line.partition("] ")[2] for line in page.splitlines()]


def _watched(did: Action) -> str:
    shown, at_s = did.arguments.get("sent_as", ""), did.arguments.get("at_s", [])
    return f"{count(len(at_s), 'frame')}" if isinstance(at_s, list) and at_s else str(shown)


def _verdicts(row: Row) -> list[Finding]:
    """Return the checks of a task, failed ones first: the scores of each mode only repeat them."""
    checks = [each for each in row.ending.findings if "/" in each.name and not each.name.startswith(PREFIX)]
    return sorted(checks, key=lambda each: each.value)[:VERDICTS]


def _diagnosis(row: Row) -> list[Finding]:
    return [each for each in row.ending.findings if each.name.startswith(PREFIX) and each.value]
