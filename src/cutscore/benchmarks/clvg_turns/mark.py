"""Marking: a judge looks at every turn from the second on; turn 1 follows a given script and is not judged.

Who judges is part of what a verdict is. In `reference` a judge sees the film of the turn alone, as the released one
does; in `strict` the last of three answers must also hold with the earlier films in view. Turns after the first fail
are not asked about: they count nothing, and with `stop=first-fail` they are not made.
"""

from collections.abc import Sequence

from cutscore.benchmarks.clvg_turns.dataset import InteractionCase
from cutscore.benchmarks.clvg_turns.questions import continuity_question, turn_questions
from cutscore.benchmarks.clvg_turns.verdicts import TurnVerdict, score_case
from cutscore.benchmarks.clvg_turns.walked import failure_of, recorded_film, walked_user
from cutscore.core.deliverable import Deliverable
from cutscore.core.ending import ScoreGap
from cutscore.core.evidence import Evidence
from cutscore.core.finding import Finding
from cutscore.core.judge_view import JudgeView, Shown
from cutscore.core.judgement import Judge, Judgement, Judges
from cutscore.scoring.verifiers.video_file import refuse_video

REFERENCE, STRICT = "reference", "strict"
NOBODY = "nobody judged it; name a --judge"


def mark(
    deliverable: Deliverable, evidence: Evidence, item: InteractionCase, judges: Judges
) -> list[Finding | ScoreGap]:
    """Return the scores of the case in both modes, every answer of the judge, and what kept a turn from a verdict."""
    user = walked_user(item, evidence)
    found: list[Finding | ScoreGap] = []
    verdicts: dict[str, list[TurnVerdict]] = {REFERENCE: [], STRICT: []}
    for turn in range(2, len(item.paths[user]) + 1):
        refused = leave_open(evidence, turn) or refuse_turn(evidence, turn)
        said = [] if refused else ask_about(judges.get("judge"), evidence, item, user, turn)
        for mode, own in verdicts.items():
            # Without the earlier films, the last question is not among those that decide.
            own.append(refused or decide(said if mode == STRICT else said[:3], evidence, turn))
        found += _describe(said, evidence, turn, verdicts[REFERENCE][-1])
        if any(each.outcome == "fail" for each in verdicts[REFERENCE]):
            left = range(turn + 1, len(item.paths[user]) + 1)
            for own in verdicts.values():
                own += [TurnVerdict(each, "fail", f"not asked: turn {turn} failed") for each in left]
            break
    return [*(each for mode, own in verdicts.items() for each in score_case(own, mode)), *found]


def find_failure(evidence: Evidence, item: InteractionCase, judges: Judges) -> str:
    """Return why turns after the last one count nothing: it failed in `reference`; empty where it did not.

    The same questions as in `mark`, about one turn, so that whoever pays for the answers pays once.
    """
    turn, user = len(evidence.turns), walked_user(item, evidence)
    if turn < 2:
        return ""
    verdict = refuse_turn(evidence, turn)
    verdict = verdict or decide(ask_about(judges.get("judge"), evidence, item, user, turn)[:3], evidence, turn)
    return f"turn {turn} failed: {verdict.because}" if verdict.outcome == "fail" else ""


def leave_open(evidence: Evidence, turn: int) -> TurnVerdict | None:
    """Return that nobody can say how a turn ends that was not made, though by this judge it is reached."""
    why = next((each.not_made for each in evidence.turns if each.number == turn), "")
    if not why:
        return None
    because = f"it was not made, as {why}; for a judge who says otherwise, run it without stop=first-fail"
    return TurnVerdict(turn, "none", because, cause="not made")


def refuse_turn(evidence: Evidence, turn: int) -> TurnVerdict | None:
    """Return the fail of a turn that has no film, without a question to anybody; None where there is one."""
    name, (failure_class, failure) = recorded_film(evidence, turn), failure_of(evidence, turn)
    refusal = refuse_video(evidence, name, failure=failure)
    if refusal is None:
        return None
    is_there = evidence.file(name) is not None
    because = refusal.reason if is_there or not failure else failure
    return TurnVerdict(
        turn,
        "fail",
        f"{refusal.name}: {because}",
        cause=failure_class if failure_class and not is_there else refusal.name,
        file=name if is_there else None,
        unreadable=refusal.unreadable,
    )


def ask_about(
    judge: Judge | None, evidence: Evidence, item: InteractionCase, user: str, turn: int
) -> Sequence[Judgement]:
    """Return three answers on a turn, and a fourth that is given with the earlier films in view.

    The fourth is not asked for where one of the three is no yes: it could change nothing.
    """
    if judge is None:
        return []
    state = item.state(item.paths[user][turn - 1])
    facts = {"role": item.role, "script": state.video_gen_prompt, "answer": item.feedback[user][turn - 2]}
    shown = evidence.model_copy(update={"facts": {**evidence.facts, **facts}})
    said = list(judge.ask(turn_questions(turn), shown, view=view_turn(evidence, turn)))
    if all(each.answer == "yes" for each in said):
        view = view_turn(evidence, turn, earlier=True)
        said += judge.ask([continuity_question(turn)], shown, view=view)
    return said


def view_turn(evidence: Evidence, turn: int, *, earlier: bool = False) -> JudgeView:
    """Return what a judge is shown: brief, script and answer, the earlier films where they matter, and the film."""
    films = [(each, recorded_film(evidence, each)) for each in range(1, turn if earlier else 1)]
    return JudgeView(
        prompt="judge_turns" if earlier else "judge_turn",
        shown=(
            Shown(label="brief", fact="role"),
            Shown(label="script of this turn", fact="script"),
            Shown(label="answer of the viewer", fact="answer"),
            *(
                Shown(label=f"film of turn {each}", file=name)
                for each, name in films
                if refuse_video(evidence, name) is None
            ),
            Shown(label="film of this turn", file=recorded_film(evidence, turn)),
        ),
    )


def decide(said: Sequence[Judgement], evidence: Evidence, turn: int) -> TurnVerdict:
    """Return the verdict on a turn: a fail where one answer is no, a pass where all are yes."""
    name = recorded_film(evidence, turn)
    if not said:
        return TurnVerdict(turn, "none", NOBODY, cause="judge", file=name)
    if wrong := next((each for each in said if each.answer == "no"), None):
        return TurnVerdict(turn, "fail", f"{_dimension(wrong)}: {wrong.message}", file=name)
    if open_ := next((each for each in said if each.answer != "yes"), None):
        return TurnVerdict(turn, "none", open_.message, cause="judge", file=name)
    return TurnVerdict(turn, "pass", f"all {len(said)} hold", file=name)


def _describe(
    said: Sequence[Judgement], evidence: Evidence, turn: int, verdict: TurnVerdict
) -> list[Finding | ScoreGap]:
    name = recorded_film(evidence, turn)
    answered = [each for each in said if each.answer is not None]
    found: list[Finding | ScoreGap] = [
        Finding(name=each.question, value=float(each.answer == "yes"), because=each.message, file=name, at=each.at)
        for each in answered
    ]
    if verdict.cause:
        found.append(
            Finding(
                name=f"cause/{verdict.cause}", value=1.0, because=f"turn {turn}: {verdict.because}", file=verdict.file
            )
        )
    return found


def _dimension(said: Judgement) -> str:
    return said.question.partition("/")[2]
