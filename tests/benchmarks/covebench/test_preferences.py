"""covebench: what the paper prints of its agreement with people stands beside ours."""

import pytest

from cutscore.benchmarks.covebench.analysis.published_tables import published_tables
from cutscore.registry import benchmark


def test_the_printed_agreements_are_found_by_score() -> None:
    found = benchmark("covebench")
    printed = found.part("preferences").published_agreement()
    assert printed.paper == "Table 4"
    assert printed.shares["sem"] == pytest.approx(0.933)
    assert {"sem", "msm", "ssim"} <= set(found.card.scores) & set(printed.shares)
    (table,) = [each for each in published_tables({}) if each.id == "published-agreement"]
    assert table.rows == (("agreement", 93.3, 85.7, 90.0, 91.4, 85.7, 91.4, 85.0, 85.7),)
