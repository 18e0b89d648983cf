"""What is read when a subject has stopped: pages, locators, helpers and images of a task's checks.

First all targets on the subject's own page, then every check in task order, each where the one before it left the
browser. What is wanted there (contents, answers, addresses to end on) is not among it.
"""

from cutscore.benchmarks.videowebarena.dataset import WebItem
from cutscore.benchmarks.videowebarena.evaluators.page_checks import (
    STOP,
    PageCheck,
    page_checks,
    reference_name,
    require_readable,
)
from cutscore.benchmarks.videowebarena.released import EvalSection
from cutscore.core.environment import EvidencePlan, EvidenceRead
from cutscore.core.errors import Unscored


def plan(item: WebItem) -> EvidencePlan:
    """Return what is read for an item; of one that is invalid, where its subject stopped."""
    stop = EvidenceRead(name=STOP, kind="page_state")
    section = item.checks.final
    if section is None or item.checks.fault:
        return EvidencePlan(reads=(stop,))
    checks = [check for check in page_checks(section) if _is_readable(check)]
    return EvidencePlan(
        reads=(
            stop,
            *(check.read("at_stop") for check in checks if check.is_read_at_stop),
            *(check.read("in_order") for check in checks),
            *_reference_reads(section, item),
        )
    )


def _reference_reads(section: EvalSection, item: WebItem) -> list[EvidenceRead]:
    """Return the reads of images to compare with that lie on a site and are not in the user's folder."""
    reads: dict[str, EvidenceRead] = {}
    for query in section.page_image_query if "page_image_query" in section.uses else ():
        for address in query.match_images:
            if address.startswith("__") and address not in item.reference_images:
                name = reference_name(section.reference_images, address)
                reads[name] = EvidenceRead(name=name, kind="reference_image", arguments={"address": address})
    return list(reads.values())


def _is_readable(check: PageCheck) -> bool:
    """Return whether a check can be read at all; marking says why where it cannot."""
    try:
        require_readable(check)
    except Unscored:
        return False
    return True
