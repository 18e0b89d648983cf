"""Films whose weaknesses are known, and the verifier's labels of them: what simulations have where people would be."""

from collections.abc import Iterable, Mapping

from cutscore.benchmarks.clvg.staged.registry import find_kind, list_cases
from cutscore.benchmarks.clvg.taxonomy import find_subcategory
from cutscore.benchmarks.clvg.weaknesses import find_weakness, read_catalogue
from cutscore.core.judgement import Weakness
from cutscore.core.label import Label
from cutscore.core.row import Row


def films_to_make(family: str) -> Mapping[str, list[str]]:
    """Return cases of a family by the subject that films them: `oracle` rightly, the others with one weakness each."""
    cases = [case for case in list_cases() if find_subcategory(case.subcategory).family == family]
    planted = {
        f"planted:{code}": [case.name for case in cases if code in find_kind(case.kind).plants]
        for code in read_catalogue()
    }
    return {"oracle": [case.name for case in cases], **{who: able for who, able in planted.items() if able}}


def label_films(rows: Iterable[Row]) -> list[Label]:
    """Return what was found in each film when it was marked, as labels of the judge `stage`."""
    return [
        Label(
            benchmark=row.benchmark,
            item=row.item,
            subject=row.subject,
            question="weaknesses",
            kind="weaknesses",
            person="stage",
            weaknesses=tuple(
                Weakness(code=code, text=find_weakness(code).says)
                for code in sorted({weak.code for said in row.judgements for weak in said.weaknesses})
            ),
        )
        for row in rows
        if row.ending.status == "marked"
    ]
