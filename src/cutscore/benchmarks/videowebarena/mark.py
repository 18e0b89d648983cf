"""Marking: what a task ended in, and what was answered about its tutorial, in two modes.

`reference` marks as the released code does, on pages in the order in which it opens them; `strict` marks what the task
means, on the page where the subject stopped. Both are told, and where they differ that is a finding.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from cutscore.benchmarks.videowebarena.ask import start_state
from cutscore.benchmarks.videowebarena.ask_parts import INTERMEDIATE
from cutscore.benchmarks.videowebarena.dataset import WebItem
from cutscore.benchmarks.videowebarena.diagnosis import (
    diagnose_end,
    diagnose_evidence,
    diagnose_knowing,
    diagnose_replies,
)
from cutscore.benchmarks.videowebarena.evaluators.answers import AskedWords, match_answer
from cutscore.benchmarks.videowebarena.evaluators.judged import Jury
from cutscore.benchmarks.videowebarena.evaluators.page_checks import PageRecord
from cutscore.benchmarks.videowebarena.evaluators.section import FinalState, TypeOutcome, evaluate_section
from cutscore.benchmarks.videowebarena.evaluators.verdict import MODES, Mode, Verdict, invalid_task
from cutscore.benchmarks.videowebarena.released import EvalSection, IntermediateEval
from cutscore.core.deliverable import Deliverable
from cutscore.core.ending import ScoreGap
from cutscore.core.errors import CutscoreError, Unscored
from cutscore.core.evidence import Evidence
from cutscore.core.finding import Finding
from cutscore.core.judgement import Judges
from cutscore.core.timeline import Span
from cutscore.core.trajectory import Step, Trajectory

FINAL, QUESTION, JUDGED, DIFFERENCE = "final", "intermediate", "judged", "difference"


@dataclass(frozen=True)
class Marked:
    """What one score is in one mode, or why it is not there."""

    mode: Mode
    passed: bool = False
    checks: tuple[tuple[str, Verdict], ...] = ()
    unscored: str = ""

    @property
    def verdicts(self) -> list[tuple[str, bool]]:
        """What each check says, without its words."""
        return [(name, each.passed) for name, each in self.checks]

    @property
    def because(self) -> str:
        """Why it is what it is: the first check that failed, or that all passed."""
        failed = [(name, each) for name, each in self.checks if not each.passed]
        if self.passed and not failed:
            return f"all checks passed ({len(self.checks)})"
        if self.passed:
            return f"passed, though {failed[0][0]} did not: {failed[0][1].because}"
        return f"{failed[0][0]}: {failed[0][1].because}" if failed else "no check passed"


@dataclass
class _Score:
    """One score in all modes; `file` and `at` are where its checks can be looked up, where that is known."""

    name: str
    modes: list[Marked] = field(default_factory=list)
    file: str | None = None
    at: Span | None = None

    def findings(self) -> Iterator[Finding | ScoreGap]:
        """Return the score of each mode, its checks (once, where verdicts are the same), and what differs.

        Words do not count there: a clock on a page may move between two looks at it.
        """
        for each in self.modes:
            if each.unscored:
                yield ScoreGap(name=self.name, status="unscored", because=each.unscored, mode=each.mode)
            else:
                yield Finding(name=self.name, value=float(each.passed), because=each.because, mode=each.mode)
        first, *others = self.modes
        agree = all(other.verdicts == first.verdicts for other in others)
        for each in [first] if agree else self.modes:
            mode = "" if agree else each.mode
            for name, verdict in each.checks:
                yield Finding(
                    name=f"{self.name}/{name}",
                    value=float(verdict.passed),
                    because=verdict.because,
                    mode=mode,
                    file=self.file,
                    at=self.at,
                )
        yield from self._difference()

    def _difference(self) -> Iterator[Finding]:
        told = [f"{each.mode}: {each.unscored or f'{each.passed:d}, {each.because}'}" for each in self.modes]
        if len({(each.passed, bool(each.unscored)) for each in self.modes}) > 1:
            yield Finding(name=f"{DIFFERENCE}/{self.name}", value=0, because="; ".join(told))


def mark(
    deliverable: Deliverable, evidence: Evidence, item: WebItem, judges: Judges, *, options: Mapping[str, str]
) -> list[Finding | ScoreGap]:
    """Return `final` and, where the task has a question about its tutorial, `intermediate`, in both modes.

    `judged` is `final` again, for tasks of which a judge decides a part. What cannot be marked is unscored, with its
    reason: an invalid task, a read that failed or is not there, a judge that is missing. Beside the scores stands what
    was found about the steps of a run (`diagnosis.py`), which counts nowhere.
    """
    jury, overlay = Jury(judges, evidence), options["overlay"]
    checks = item.checks_under(overlay)
    records = [PageRecord(evidence, mode) for mode in MODES]
    final = _Score(FINAL, [_mark_final(deliverable.text, item, each, jury, overlay=overlay) for each in records])
    found = list(final.findings())
    found += _judged(final, checks.final)
    if checks.intermediate is not None:
        answered = [_mark_question(checks.intermediate, evidence, item, mode, jury) for mode in MODES]
        at = item.needed_spans[0].at if item.needed_spans and item.tutorial else None
        file = item.tutorial.name if at and item.tutorial else None
        found += _Score(QUESTION, answered, file, at).findings()
        found += _diagnose_knowing(final.modes, answered)
    return [*found, *_diagnose_steps(deliverable, evidence, item)]


def _diagnose_knowing(final: Sequence[Marked], answered: Sequence[Marked]) -> Iterator[Finding]:
    """Return what was known and done: once where the modes agree, and nothing of a mode that could not be marked."""
    cells = {
        did.mode: (knew.passed, did.passed)
        for did, knew in zip(final, answered, strict=True)
        if not did.unscored and not knew.unscored
    }
    agree = len(cells) == len(final) and len(set(cells.values())) == 1
    for mode, cell in list(cells.items())[: 1 if agree else None]:
        yield from diagnose_knowing(*cell, mode="" if agree else mode)


def _diagnose_steps(deliverable: Deliverable, evidence: Evidence, item: WebItem) -> Iterator[Finding]:
    steps = _read_steps(deliverable, evidence)
    needed = [(each.mark, each.at) for each in item.needed_spans]
    yield from diagnose_evidence(steps, needed, is_heard=item.groups.get("audio") == "yes")
    yield from diagnose_replies(steps, start_state(item).sites)
    yield from diagnose_end(deliverable, steps)


def _read_steps(deliverable: Deliverable, evidence: Evidence) -> tuple[Step, ...]:
    """Return the steps of a run; none where nobody recorded or kept them, which costs nobody a mark."""
    if deliverable.trajectory is None:
        return ()
    try:
        with evidence.store.path(deliverable.trajectory).open("rb") as lines:
            return Trajectory.from_jsonl(lines).steps
    except (CutscoreError, OSError, ValueError):
        return ()


def _mark_final(answer: str, item: WebItem, record: PageRecord, jury: Jury, *, overlay: str) -> Marked:
    mode = record.mode
    try:
        _, section = item.require_checks(overlay)
        state = FinalState(item.intent, answer, record, item.reference_images)
        made = evaluate_section(section, state, jury)
    except Unscored as error:
        return Marked(mode, unscored=str(error))
    return Marked(mode, all(each.outcome.passed for each in made), tuple(_named(made)))


def _named(made: Sequence[TypeOutcome]) -> Iterator[tuple[str, Verdict]]:
    for each in made:
        for number, verdict in enumerate(each.outcome.verdicts, start=1):
            yield f"{each.type}-{number}", verdict


def _mark_question(section: IntermediateEval, evidence: Evidence, item: WebItem, mode: Mode, jury: Jury) -> Marked:
    """Mark the answer to the question about the tutorial; where none was handed over it is wrong."""
    answer = evidence.text(INTERMEDIATE)
    if answer is None:
        nothing = Verdict(False, f"nothing was handed over as {INTERMEDIATE}")
        return Marked(mode, checks=((f"{QUESTION}-1", nothing),))
    words = AskedWords(item.intent, item.question, section.string_note)
    try:
        if not section.reference_answers and mode == "strict":
            raise invalid_task("intermediate_eval", "has no reference_answers")
        outcome = match_answer(section.reference_answers, answer, words, mode, jury)
    except Unscored as error:
        return Marked(mode, unscored=str(error))
    named = enumerate(outcome.verdicts, start=1)
    return Marked(mode, outcome.passed, tuple((f"string_match-{number}", each) for number, each in named))


def needs_judge(section: EvalSection) -> bool:
    """Return whether a judge decides a part of a section, if it comes to that."""
    kinds = {rule.kind for rule in section.reference_answers or ()} if "string_match" in section.uses else set()
    if "program_html" in section.uses:
        kinds |= {rule.kind for target in section.program_html for rule in target.required_contents}
    asks = "page_image_query" in section.uses and any(query.eval_vqa for query in section.page_image_query)
    return "fuzzy_match" in kinds or asks


def _judged(final: _Score, section: EvalSection | None) -> Iterator[Finding | ScoreGap]:
    if section is None or not needs_judge(section):
        yield ScoreGap(name=JUDGED, status="excluded", because="no judge decides any part of this task")
        return
    for each in final.modes:
        if each.unscored:
            yield ScoreGap(name=JUDGED, status="unscored", because=each.unscored, mode=each.mode)
        else:
            yield Finding(name=JUDGED, value=float(each.passed), because=each.because, mode=each.mode)
