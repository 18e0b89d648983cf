"""The checks of a task that look at pages, in task order, and what was read for each.

    stop          where the session stands when the subject has stopped
    at_stop-N     check N on the subject's own page, before anything was opened; for targets with url `last`
    in_order-N    check N on the live page, after all checks before it: the reference marks so, addresses included
    reference-N   an image to compare with that lies on a site

A target with prep actions is not read at stop: they change the page, and would be made twice.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cutscore.benchmarks.videowebarena.evaluators.helper_calls import PREFIX, parse_call
from cutscore.benchmarks.videowebarena.evaluators.verdict import Mode
from cutscore.benchmarks.videowebarena.released import EvalSection, EvalType, HtmlTarget, PageImageQuery
from cutscore.core.environment import EvidenceRead
from cutscore.core.errors import Unscored
from cutscore.core.evidence import Evidence

STOP = "stop"
LAST = "last"
MOST_HTML_BYTES = 512 << 20
LOCATORS = ("document.", "[...document.", "lambda:", PREFIX)


@dataclass(frozen=True)
class PageCheck:
    """One check that looks at a page; `number` counts from 1 over all of a task."""

    number: int
    type: EvalType
    target: HtmlTarget | None = None
    query: PageImageQuery | None = None

    @property
    def url(self) -> str:
        """The page, as the task writes it."""
        return self.target.url if self.target else self.query.eval_image_url if self.query else LAST

    @property
    def is_read_at_stop(self) -> bool:
        """Whether it is also read on the subject's own page."""
        is_last = self.url == LAST and self.type != "url_match"
        return is_last and not (self.target and self.target.prep_actions)

    def read(self, when: str) -> EvidenceRead:
        """Return what is to be read for it; nothing of what is wanted there."""
        name = f"{when}-{self.number}"
        if self.target:
            prep = list(self.target.prep_actions)
            given: dict[str, Any] = {"page": _page(self.url), "prep": prep, "locator": self.target.locator}
            return EvidenceRead(name=name, kind="locate", arguments=given)
        if self.query:
            given = {"page": _page(self.url), "class": self.query.eval_image_class}
            return EvidenceRead(name=name, kind="images", arguments=given)
        return EvidenceRead(name=name, kind="url")


def _page(url: str) -> str | dict[str, str]:
    return {"call": url} if url.startswith("func") else url


def page_checks(section: EvalSection) -> list[PageCheck]:
    """Return the checks of a section that look at pages, in the order in which they are made."""
    checks: list[PageCheck] = []
    for kind in section.eval_types:
        if kind == "url_match":
            checks.append(PageCheck(len(checks) + 1, kind))
        for target in section.program_html if kind == "program_html" else ():
            checks.append(PageCheck(len(checks) + 1, kind, target=target))
        for query in section.page_image_query if kind == "page_image_query" else ():
            checks.append(PageCheck(len(checks) + 1, kind, query=query))
    return checks


def require_readable(check: PageCheck) -> None:
    """Raise Unscored for a page, locator or class that no reader takes."""
    if check.url.startswith("func"):
        parse_call(check.url)
    locator = check.target.locator if check.target else ""
    if locator.startswith(PREFIX):
        parse_call(locator)
    elif locator.strip() and not locator.startswith(LOCATORS):
        raise Unscored(f"locator '{locator[:80]}'", f"starts with none of {', '.join(LOCATORS)}", "mend the task")
    shown = check.query.eval_image_class.strip() if check.query else ""
    if shown and not shown.startswith("."):
        raise Unscored(f"eval_image_class '{shown[:80]}'", "is neither empty nor a class with its dot", "mend the task")


def reference_name(images: Sequence[str], address: str) -> str:
    """Return the name of the read of an image to compare with."""
    return f"reference-{list(images).index(address) + 1}"


@dataclass(frozen=True)
class PageRecord:
    """What was recorded for the checks of a task, as a mode looks at it."""

    evidence: Evidence
    mode: Mode

    def fact(self, check: PageCheck) -> Mapping[str, Any]:
        """Return what was read for a check; Unscored where that failed or is not there."""
        at_stop = self.mode == "strict" and check.is_read_at_stop
        return self.named(f"{'at_stop' if at_stop else 'in_order'}-{check.number}")

    def url(self, check: PageCheck) -> str:
        """Return the address for a check of it: at stop, or after all that was opened before."""
        name = STOP if self.mode == "strict" else f"in_order-{check.number}"
        url = self.named(name).get("url")
        if not isinstance(url, str):
            raise Unscored(f"evidence '{name}'", "has no url", "run the cell again")
        return url

    def named(self, name: str) -> Mapping[str, Any]:
        """Return a fact by its name; Unscored where the page gave none."""
        fact = self.evidence.fact(name)
        if not isinstance(fact, Mapping):
            raise Unscored(f"evidence '{name}'", "is not an object", "run the cell again")
        if fact.get("error"):
            raise Unscored(f"evidence '{name}'", str(fact["error"])[:300], "run the cell again")
        return fact

    def html(self, name: object) -> str:
        """Return a recorded page, whole."""
        if not isinstance(name, str) or self.evidence.file(name) is None:
            raise Unscored(f"page '{str(name)[:80]}'", "was not recorded", "run the cell again")
        with self.evidence.path(name).open("rb") as stream:
            return stream.read(MOST_HTML_BYTES).decode("utf-8", errors="replace")
