"""A made-up record in which everything is as a task wants it: whether a task can be passed at all, without its sites.

Pages hold the wanted words and nothing else. Whoever marks such a record and finds less than full marks has found a
task that contradicts itself, or a rule that nobody can satisfy.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from pydantic import JsonValue

from cutscore.benchmarks.videowebarena.ask_parts import INTERMEDIATE
from cutscore.benchmarks.videowebarena.dataset import WebItem
from cutscore.benchmarks.videowebarena.evaluators.inequalities import holds
from cutscore.benchmarks.videowebarena.evaluators.page_checks import STOP, PageCheck, page_checks
from cutscore.benchmarks.videowebarena.evidence import plan
from cutscore.benchmarks.videowebarena.released import OR, EvalSection, MatchRule
from cutscore.core.deliverable import Deliverable
from cutscore.core.environment import EvidenceRead
from cutscore.core.evidence import Evidence
from cutscore.core.files import FileRef, FileStore
from cutscore.core.frozen import digest_of

SEPARATOR = " ; "


@dataclass
class RecordMaker:
    """Makes the records of one store.

    Args:
        picture: A PNG; every image of a page is this one, and so is every image to compare with.
        filler: What stands on every page that is read as a whole, before what is wanted.
    """

    store: FileStore
    picture: bytes
    filler: str = ""
    files: list[FileRef] = field(default_factory=list)

    def make(self, item: WebItem) -> tuple[Deliverable, Evidence]:
        """Return what a perfect subject would leave behind; for a task that is invalid, nothing but its address."""
        self.files = []
        section = item.checks.final if not item.checks.fault else None
        question = item.checks.intermediate
        if question is not None:
            self._put(INTERMEDIATE, satisfy(question.reference_answers).encode())
        checks = {check.number: check for check in page_checks(section)} if section else {}
        reads = plan(item).reads
        facts = {read.name: self._fact(read, checks, section) for read in reads}
        answers = section.reference_answers if section and "string_match" in section.uses else None
        evidence = Evidence(
            files=tuple(self.files), facts=facts, reads={read.name: digest_of(read) for read in reads}
        ).bind(self.store)
        return Deliverable(text=satisfy(answers or ())), evidence

    def _fact(self, read: EvidenceRead, checks: dict[int, PageCheck], section: EvalSection | None) -> JsonValue:
        url = section.reference_urls[0] if section and "url_match" in section.uses else "__HOMEPAGE__/"
        if read.name == STOP or read.kind == "url":
            return {"url": url, "tabs": [{"url": url, "title": "", "active": True}]}
        if read.kind == "reference_image":
            return {
                "src": str(read.arguments["address"]),
                "file": self._put(f"{read.name}.png", self.picture),
                "error": "",
            }
        check = checks[int(read.name.rpartition("-")[2])]
        fact: dict[str, JsonValue] = {"url_before": url, "url_after": url, "error": ""}
        if check.target is None:
            image = self._put(f"{read.name}-1.png", self.picture)
            return fact | {"images": [{"src": "", "file": image, "width": 8, "height": 8, "error": ""}]}
        text = satisfy(check.target.required_contents)
        if not check.target.locator.strip():
            page = f"<html><body>{self.filler}<p> {text} </p></body></html>"
            return fact | {"html": self._put(f"{read.name}.html", page.encode())}
        return fact | {"raw": text, "text": text}

    def _put(self, name: str, data: bytes) -> str:
        self.files.append(self.store.put_bytes(data, name=name))
        return name


def satisfy(rules: Sequence[MatchRule]) -> str:
    """Return a text that satisfies all rules: the first alternative of each, a number for inequalities.

    >>> satisfy([MatchRule(kind="must_include", wanted=("red |OR| blue", "5 km"))])
    'red ; 5 km'
    """
    return SEPARATOR.join(part for rule in rules for part in _parts(rule))


def _parts(rule: MatchRule) -> list[str]:
    if rule.kind == "must_exclude":
        return ["-"]
    if rule.kind == "required_values":
        return [str(_satisfying_number(rule.texts))]
    if rule.kind == "one_of":
        return list(rule.texts[:1])
    return [text.split(OR)[0] if rule.kind != "exact_match" else text for text in rule.texts]


def _satisfying_number(inequalities: Sequence[str]) -> int:
    bounds = [int(float(each.strip("<>= "))) for entry in inequalities for each in entry.split(OR)]
    tried = sorted({bound + step for bound in bounds for step in (-1, 0, 1)})
    good = [n for n in tried if all(any(holds(n, x, "strict") for x in entry.split(OR)) for entry in inequalities)]
    return good[0] if good else tried[0]
