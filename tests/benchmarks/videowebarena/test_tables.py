"""Tables of videowebarena: the mean over all tasks, and the released code's, which leaves out what crashed."""

from cutscore import registry
from cutscore.benchmarks.videowebarena.tables import tables
from cutscore.core.deliverable import FailureClass
from cutscore.core.ending import Ending
from cutscore.core.estimate import Estimate
from cutscore.core.row import Row

CARD = registry.benchmark("videowebarena").card


def row(item: str, ending: Ending) -> Row:
    who = {"benchmark": "videowebarena", "version": "1", "cell": "c", "subject": "agent", "model": "m", "epoch": 1}
    return Row.model_validate({**who, "item": item, "cluster": item, "groups": {"set": "vwa"}, "ending": ending})


def marked(final: float, failure_class: FailureClass | None = None) -> Ending:
    return Ending(status="marked", scores={"final@reference": final}, failure_class=failure_class)


def test_what_crashed_is_nothing_in_one_mean_and_left_out_of_the_other() -> None:
    endings = [marked(1.0), marked(0.0, "limit"), marked(0.0, "crash"), marked(0.0, "exit_code")]
    endings.append(Ending(status="unscored", because="the site is gone"))
    made = tables([row(f"vwa-x-{number}", ending) for number, ending in enumerate(endings)], CARD)
    means = made[0]
    assert "difficulty" not in [each.id for each in made]  # no task tells how difficult it is
    assert means.title == "Over all tasks, and over finished ones: 2 crashed"
    over_all, finished = means.rows[0][3:]
    assert isinstance(over_all, Estimate)
    assert isinstance(finished, Estimate)
    assert (over_all.value, over_all.n, over_all.unscored) == (0.25, 4, 1)
    assert (finished.value, finished.n) == (0.5, 2)
