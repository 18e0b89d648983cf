import math
import operator
from collections.abc import Iterator

import pytest

from cutscore.core.errors import BadInput, MissingExtra, UnknownName
from cutscore.engines import Job, Outcome, run_jobs


def interrupt() -> None:
    raise KeyboardInterrupt


def silent() -> None:
    raise LookupError


def test_outcomes_come_in_order_and_a_failure_is_one_of_them() -> None:
    jobs = [
        Job("a", math.sqrt, (9,)),
        Job("b", operator.truediv, (1, 0)),
        Job("c", silent),
        Job("d", exit, (3,)),
        Job("e", len, ("four",)),
    ]
    assert list(run_jobs(jobs)) == [
        Outcome("a", 3.0),
        Outcome("b", error="ZeroDivisionError: division by zero"),
        Outcome("c", error="LookupError"),
        Outcome("d", error="SystemExit: 3"),
        Outcome("e", 4),
    ]


def test_jobs_are_taken_one_at_a_time() -> None:
    taken: list[int] = []

    def jobs() -> Iterator[Job]:
        for number in range(10):
            taken.append(number)
            yield Job(str(number), abs, (-number,))

    outcomes = run_jobs(jobs())
    assert taken == []
    assert next(outcomes).value == 0
    assert next(outcomes).value == 1
    assert taken == [0, 1]


def test_an_interrupt_is_nobody_s_failure() -> None:
    outcomes = run_jobs([Job("a", interrupt), Job("b", abs, (1,))])
    with pytest.raises(KeyboardInterrupt):
        next(outcomes)


def test_engines_that_are_not_here_are_named_at_once() -> None:
    with pytest.raises(UnknownName, match=r"no engine 'process'; did you mean 'processes'\?"):
        run_jobs([], engine="process")
    with pytest.raises(MissingExtra, match=r"engine 'ray' needs an extra: pip install 'cutscore\[ray\]'"):
        run_jobs([], engine="ray")
    with pytest.raises(BadInput, match="engine: has 0 workers; give at least 1"):
        run_jobs([], engine="processes", workers=0)
