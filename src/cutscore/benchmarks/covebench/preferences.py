"""How far each metric agrees with people who compared two edited videos, as the paper prints it (Table 4, G.2)."""

from cutscore.benchmarks.covebench.analysis.published_tables import published
from cutscore.results.preferences import PublishedAgreement


def published_agreement() -> PublishedAgreement:
    """Return the printed agreements as shares, for `cutscore agreement LABELS --run RUN`."""
    printed = published()
    shares = zip(printed["columns_4"], printed["table_4"]["agreement"], strict=True)
    return PublishedAgreement("Table 4", {name: percent / 100 for name, percent in shares})
