"""Reference cases on pages: a real Chromium reads what the plan asks for, and the record is marked.

Cases whose output is a defect of the released code, and what we do instead:

    page_image_query-016   the last of two queries alone counts: `reference` does the same, in `strict` both count
"""

import base64
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from web_fixtures import PageServer, live

from cutscore.benchmarks.videowebarena.environment.helpers import LiveHelpers
from cutscore.benchmarks.videowebarena.evaluators.judged import Jury
from cutscore.benchmarks.videowebarena.evaluators.page_checks import STOP, PageRecord
from cutscore.benchmarks.videowebarena.evaluators.section import FinalState, evaluate_section
from cutscore.benchmarks.videowebarena.evaluators.verdict import Mode
from cutscore.benchmarks.videowebarena.evidence import section_reads
from cutscore.benchmarks.videowebarena.released import EvalSection
from cutscore.benchmarks.videowebarena.sites import SiteAddresses
from cutscore.core.environment import EvidenceRead
from cutscore.core.errors import Unscored
from cutscore.core.evidence import Evidence
from cutscore.core.judgement import Judgement
from cutscore.environments.browser.reads import SessionReader
from cutscore.environments.browser.session import BrowserSession
from cutscore.store import Store

pytestmark = pytest.mark.real

SIGN = "png-base64:"


@dataclass
class ConstantReply:
    """Says the same of every image, and finds every text right or wrong."""

    captions: str | None
    right: bool
    name: str = "constant"

    def ask(self, questions: Any, evidence: Evidence, *, view: Any) -> list[Judgement]:
        (question,) = questions
        said = self.captions if question.kind == "short" else "correct" if self.right else "incorrect"
        return [Judgement(question=question.id, judge=self.name, answer=said)]


@dataclass
class LivePages:
    """Serves a case's pages, reads them by the plan of its section, and marks the record."""

    site: PageServer
    session: BrowserSession
    store: Store

    def mark(self, case: Mapping[str, Any], mode: Mode) -> float:
        given = case["input"]
        self.site.pages = {
            path: base64.b64decode(page.removeprefix(SIGN)) if page.startswith(SIGN) else page
            for path, page in given["pages"].items()
        }
        section = EvalSection.model_validate(_with_site(given["eval"]))
        evidence = self.record(section, given["current_path"], mode)
        judge = ConstantReply(given.get("captioner_always_answers"), given.get("judge_returns", {}).get("fuzzy") == 1.0)
        state = FinalState("INTENT", "", PageRecord(evidence, mode), {})
        made = evaluate_section(section, state, Jury({"judge": judge}, evidence))
        return float(all(each.outcome.passed for each in made))

    def record(self, section: EvalSection, path: str, mode: Mode) -> Evidence:
        sites = SiteAddresses.of({"shopping": self.site.address})
        helpers = LiveHelpers(sites, self.session.options.guard)
        reader = SessionReader(self.session, helpers, expand=sites.expand, plain=sites.contract)
        live(self.session.open(f"{self.site.address}{path}"))
        reads = [EvidenceRead(name=STOP, kind="page_state"), *section_reads(section, ())]
        if mode == "reference":  # what it never looks at takes a minute
            reads = [read for read in reads if not read.name.startswith((STOP, "at_stop"))]
        made = {read.name: live(reader.read(read, self.store)) for read in reads}
        files = tuple(file for each in made.values() for file in each.files)
        facts = {name: each.fact for name, each in made.items() if not each.error}
        errors = {name: each.error for name, each in made.items() if each.error}
        return Evidence(files=files, facts=facts, errors=errors).bind(self.store)


def _with_site(value: Any) -> Any:
    if isinstance(value, str):
        return value.replace("__BASE__", "__SHOPPING__")
    if isinstance(value, dict):
        return {name: _with_site(each) for name, each in value.items()}
    return [_with_site(each) for each in value] if isinstance(value, list) else value


@pytest.fixture
def pages(site: PageServer, open_browser: Callable[..., BrowserSession], tmp_path: Any) -> LivePages:
    return LivePages(site, open_browser(viewport=(1280, 720)), Store(tmp_path / "store"))


@pytest.mark.parametrize(("kind", "count"), [("program_html", 25), ("page_image_query", 8)])
def test_marks_live_pages_as_the_released_code_did(
    kind: str, count: int, pages: LivePages, reference_cases: Mapping[str, Any]
) -> None:
    cases = reference_cases[kind]
    assert len(cases) == count
    for case in cases:
        if "error" in case["expected"]:
            with pytest.raises(Unscored):
                pages.mark(case, "reference")
        else:
            assert pages.mark(case, "reference") == case["expected"]["score"], case["id"]


def test_strict_counts_every_image_query(pages: LivePages, reference_cases: Mapping[str, Any]) -> None:
    defects = [case for case in reference_cases["page_image_query"] if case.get("reference_defect")]
    assert [case["id"] for case in defects] == ["page_image_query-016"]
    assert pages.mark(defects[0], "strict") == 0.0
