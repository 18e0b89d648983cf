"""How a task is marked, and why it cannot be where the files leave something out."""

from typing import get_args

from cutscore.benchmarks.videowebarena.released import EvalSection, IntermediateEval, UrlNote
from cutscore.core.frozen import FrozenModel


class TaskChecks(FrozenModel):
    """All that marking a task needs of the files: `final` for the headline, `intermediate` for the question."""

    final: EvalSection | None
    intermediate: IntermediateEval | None = None

    @property
    def fault(self) -> str:
        """Why the final state cannot be marked; empty when it can."""
        return find_fault(self.final)


def find_fault(section: EvalSection | None) -> str:
    """Return why a section cannot be marked as it is written, empty when it can.

    The reference crashes on such a task, or gives it full marks whatever happened; here it is invalid: counted, shown
    and unscored.
    """
    if section is None:
        return "has no 'eval'"
    if not section.eval_types:
        return "names no type of evaluation"
    find = {
        "string_match": _find_answer_fault,
        "url_match": _find_url_fault,
        "program_html": _find_html_fault,
        "page_image_query": _find_image_fault,
    }
    return next((fault for kind in section.eval_types if (fault := find[kind](section))), "")


def _find_answer_fault(section: EvalSection) -> str:
    return "" if section.reference_answers else "is marked by its answer, and has no reference_answers"


def _find_url_fault(section: EvalSection) -> str:
    if not section.reference_url:
        return "is marked by its address, and has no reference_url"
    note = section.url_note
    known = note is None or note in get_args(UrlNote)
    return "" if known else f"is marked by its address, and url_note {str(note)[:40]!r} is no rule"


def _find_html_fault(section: EvalSection) -> str:
    if not section.program_html:
        return "is marked by what pages show, and program_html is empty"
    whole = all(target.required_contents for target in section.program_html)
    return "" if whole else "has a target of program_html without required_contents"


def _find_image_fault(section: EvalSection) -> str:
    if not section.page_image_query:
        return "is marked by images, and page_image_query is empty"
    whole = all(query.eval_vqa or query.eval_fuzzy_image_match for query in section.page_image_query)
    return "" if whole else "has an image query without a question or an image to compare with"
