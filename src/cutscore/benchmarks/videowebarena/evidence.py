"""What is read when a subject has stopped: pages, locators, helpers and images of a task's checks.

First all targets on the subject's own page, then every check in task order, each where the one before it left the
browser. What is wanted there (contents, answers, addresses to end on) is not among it.
"""

from collections.abc import Collection

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
    section = item.checks.final if not item.checks.fault else None
    return EvidencePlan(
        reads=(EvidenceRead(name=STOP, kind="page_state"), *section_reads(section, item.reference_images))
    )


def section_reads(section: EvalSection | None, at_hand: Collection[str]) -> list[EvidenceRead]:
    """Return the reads for a section; images to compare with that are at hand need none."""
    if section is None:
        return []
    checks = [check for check in page_checks(section) if _is_readable(check)]
    return [
        *(check.read("at_stop") for check in checks if check.is_read_at_stop),
        *(check.read("in_order") for check in checks),
        *_reference_reads(section, at_hand),
    ]


def _reference_reads(section: EvalSection, at_hand: Collection[str]) -> list[EvidenceRead]:
    """Return the reads of images to compare with that lie on a site."""
    wanted = section.reference_images if "page_image_query" in section.uses else ()
    return [
        EvidenceRead(name=reference_name(wanted, each), kind="reference_image", arguments={"address": each})
        for each in wanted
        if each.startswith("__") and each not in at_hand
    ]


def _is_readable(check: PageCheck) -> bool:
    """Return whether a check can be read at all; marking says why where it cannot."""
    try:
        require_readable(check)
    except Unscored:
        return False
    return True
