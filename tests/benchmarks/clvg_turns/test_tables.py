"""clvg_turns: rates by turn with the counts behind them, causes, costs, and what the paper prints."""

from cutscore.benchmarks.clvg_turns.tables import published, tables
from cutscore.benchmarks.clvg_turns.verdicts import Outcome, TurnVerdict, score_case
from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable
from cutscore.core.ending import fold_findings
from cutscore.core.estimate import Estimate
from cutscore.core.evidence import Evidence
from cutscore.core.finding import Finding
from cutscore.core.row import Row
from cutscore.core.table import Table
from cutscore.core.turn import Turn
from cutscore.registry import benchmark

CARD = benchmark("clvg_turns").card
ASK = Ask(item="x", brief="x")


def row(item: int, *outcomes: Outcome, arm: str = "", cause: str = "", judge: str = "stage") -> Row:
    """Return the row of a case whose judged turns ended so; the cause is that of the last one."""
    last = len(outcomes) + 1
    verdicts = [
        TurnVerdict(turn, each, "why", cause=cause if turn == last else "")
        for turn, each in enumerate(outcomes, start=2)
    ]
    asked = [Finding(name=f"turn{each.turn}/branch", value=1, because="b") for each in verdicts if not each.cause]
    told = [Finding(name=f"cause/{cause}", value=1, because="c")] if cause else []
    scores = [each for mode in CARD.modes for each in score_case(verdicts, mode)]
    turns = [Turn(number=n, ask=ASK, deliverable=Deliverable(), cost_usd=0.1 * n) for n in range(1, last + 1)]
    return Row(
        benchmark="clvg_turns",
        version="1",
        cell=f"cell-{arm}-{judge}",
        subject="mine",
        model="",
        item=f"case_{item}",
        epoch=1,
        cluster=f"family {item // 2}",
        groups={"field": "edu", "turns": str(last)},
        conditions={"assistant": arm} if arm else {},
        judge=judge,
        deliverable=Deliverable(),
        evidence=Evidence(turns=tuple(turns)),
        ending=fold_findings([*scores, *asked, *told], CARD.score_keys("reference")),
    )


VANILLA = [
    row(1, "pass", "pass"),
    row(2, "pass", "fail", cause="refused"),
    row(3, "fail", "fail"),
    row(4, "pass", "none", cause="judge"),
    row(5, "fail", "fail", "fail"),
]
ASSISTED = [row(number, "pass", "pass", arm="lab/writer") for number in range(1, 6)]


def find(made: list[Table], id: str) -> Table:
    return next(each for each in made if each.id == id)


def test_counts_say_what_each_rate_is_a_share_of() -> None:
    made = tables([*VANILLA, *ASSISTED], CARD)
    counts = find(made, "counts-reference-verifier")
    vanilla = [line[3:] for line in counts.rows if not line[2]]
    # turn, cases, reached, passed, with a verdict, no verdict
    assert vanilla == [(2, 5, 5, 3, 5, 0), (3, 5, 2, 1, 1, 1), (4, 1, 0, 0, 0, 0)]
    arms = {line[2] for line in counts.rows}
    assert arms == {"", "assistant lab/writer"}


def test_both_arms_stand_side_by_side_with_intervals_by_family() -> None:
    made = tables([*VANILLA, *ASSISTED], CARD)
    turns = find(made, "turns-reference-verifier")
    (cell,) = [line[3] for line in turns.rows if not line[2]]
    assert isinstance(cell, Estimate)
    assert (cell.value, cell.n, cell.clusters) == (0.6, 5, 3)
    whole = find(made, "cases-strict-verifier")
    assert [line[3].value for line in whole.rows if isinstance(line[3], Estimate)] == [0.25, 1.0]
    assert (turns.paper, whole.paper) == ("Figure 4b", "Figure 4c")


def test_sources_of_verdicts_are_never_mixed() -> None:
    made = tables([*VANILLA, row(1, "pass", judge="lab/judge")], CARD)
    assert find(made, "causes-verifier").rows == (
        ("mine", "", "", "judge", 1, 5),
        ("mine", "", "", "refused", 1, 5),
    )
    assert len(find(made, "counts-reference-judge-lab-judge").rows) == 1


def test_a_turn_has_its_cost() -> None:
    cost = find(tables(VANILLA, CARD), "cost-by-turn")
    assert [line[3:5] for line in cost.rows] == [(1, 5), (2, 5), (3, 5), (4, 1)]
    assert [round(float(line[5]), 3) for line in cost.rows if isinstance(line[5], float)] == [0.1, 0.2, 0.3, 0.4]


def test_what_the_paper_prints_stands_beside_with_its_slips() -> None:
    made = tables(VANILLA, CARD)
    counts = find(made, "published-counts")
    assert counts.rows[0][:3] == ("Seedance 1.5", 2, 48)
    assert all(slip in counts.note for slip in published()["slips"])
    assert find(made, "published-assisted").rows == (("Seedance 1.5", 26), ("Seedance 2.0", 34))
