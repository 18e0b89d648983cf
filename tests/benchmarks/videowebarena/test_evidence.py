"""The plan of every released task: it tells nothing of what is wanted, and every check of the files is taken."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

from cutscore.benchmarks.videowebarena.dataset import WebItem
from cutscore.benchmarks.videowebarena.evaluators.helper_calls import HELPERS, parse_call
from cutscore.benchmarks.videowebarena.evaluators.page_checks import page_checks, require_readable
from cutscore.benchmarks.videowebarena.evidence import plan
from cutscore.benchmarks.videowebarena.released import EvalSection, MatchRule
from cutscore.benchmarks.videowebarena.task_checks import TaskChecks

SECRET = "wanted-value-4711"


def with_other_truth(section: EvalSection) -> EvalSection:
    """Return a section that wants something else everywhere, and looks at the same places."""
    answers = section.reference_answers
    targets = [
        target.model_copy(update={"required_contents": tuple(map(other, target.required_contents))})
        for target in section.program_html
    ]
    queries = [
        query.model_copy(
            update={"eval_vqa": tuple(each.model_copy(update={"answer": SECRET}) for each in query.eval_vqa)}
        )
        for query in section.page_image_query
    ]
    return section.model_copy(
        update={
            "reference_answers": None if answers is None else tuple(map(other, answers)),
            "reference_url": f"__HOMEPAGE__/{SECRET}" if section.reference_url else section.reference_url,
            "program_html": tuple(targets),
            "page_image_query": tuple(queries),
            "string_note": SECRET,
            "reference_answer_raw_annotation": SECRET,
        }
    )


def other(rule: MatchRule) -> MatchRule:
    return MatchRule(kind=rule.kind, wanted=SECRET if isinstance(rule.wanted, str) else (SECRET,))


@pytest.mark.real  # 2,021 plans, twice
def test_no_plan_changes_with_what_is_wanted(released_items: Mapping[str, WebItem]) -> None:
    assert len(released_items) == 2021
    for item in released_items.values():
        final = item.checks.final
        assert final is not None
        changed = item.model_copy(update={"checks": TaskChecks(final=with_other_truth(final), intermediate=None)})
        assert plan(changed) == plan(item), item.id
        assert SECRET not in plan(changed).model_dump_json()


def test_every_page_locator_helper_and_rule_of_the_files_is_taken(
    released_items: Mapping[str, WebItem], record_property: Any
) -> None:
    taken: Counter[str] = Counter()
    for item in released_items.values():
        section = (item.written_checks or item.checks).final
        if section is None:
            continue
        for check in page_checks(section):
            require_readable(check)
        for target in section.program_html:
            taken[
                f"page {'last' if target.url == 'last' else 'func' if target.url.startswith('func') else 'address'}"
            ] += 1
            start = target.locator.partition(":" if target.locator.startswith(("func", "lambda")) else ".query")[0]
            taken[f"locator {start or 'blank'}"] += 1
            taken.update(f"contents {rule.kind}" for rule in target.required_contents)
            taken.update(f"helper {parse_call(x).name}" for x in (target.url, target.locator) if x.startswith("func"))
        taken.update(f"answer {rule.kind}" for rule in section.reference_answers or ())
        taken.update(f"image {'vqa' if query.eval_vqa else 'match'}" for query in section.page_image_query)
    record_property("taken", dict(sorted(taken.items())))
    print("\n".join(f"{count:5} {name}" for name, count in sorted(taken.items())))  # noqa: T201
    assert (taken["page address"], taken["page last"], taken["page func"]) == (970, 307, 205)
    assert sum(count for name, count in taken.items() if name.startswith("locator document")) == 831
    assert (taken["locator blank"], taken["locator func"], taken["locator lambda"]) == (300, 326, 20)
    assert {name for name in taken if name.startswith("helper ")} == {f"helper {name}" for name in HELPERS}
    assert (taken["image vqa"], taken["image match"]) == (22, 28)
    assert (taken["contents must_include"], taken["contents exact_match"]) == (1122, 332)


def section_of(**fields: Any) -> EvalSection:
    return EvalSection.model_validate(fields)


def names(item: WebItem) -> list[str]:
    return [read.name for read in plan(item).reads]


@pytest.fixture
def item_with(released_items: Mapping[str, WebItem]) -> Any:
    any_item = next(iter(released_items.values()))

    def make(**fields: Any) -> WebItem:
        return any_item.model_copy(update={"checks": TaskChecks(final=section_of(**fields)), "reference_images": {}})

    return make


def test_reads_on_the_subjects_page_come_first_then_all_in_order(item_with: Any) -> None:
    wanted = {"exact_match": "x"}
    item = item_with(
        eval_types=["program_html", "url_match", "page_image_query"],
        reference_url="__MAP__",
        program_html=[
            {"url": "__MAP__/a", "locator": "", "required_contents": wanted},
            {"url": "last", "locator": "document.title", "required_contents": wanted},
            {"url": "last", "locator": "document.title", "required_contents": wanted, "prep_actions": ["f()"]},
        ],
        page_image_query=[
            {"eval_image_url": "last", "eval_image_class": ".a", "eval_fuzzy_image_match": "__MAP__/a.png |OR| b.png"}
        ],
    )
    assert names(item) == [
        "stop", "at_stop-2", "at_stop-5", "in_order-1", "in_order-2", "in_order-3", "in_order-4", "in_order-5",
        "reference-1",
    ]  # fmt: skip
    by_name = {read.name: read for read in plan(item).reads}
    assert by_name["in_order-3"].arguments == {"page": "last", "prep": ["f()"], "locator": "document.title"}
    assert by_name["in_order-4"].kind == "url"


@pytest.mark.parametrize(
    "target",
    [
        {"url": "func:open('x')", "locator": ""},
        {"url": "last", "locator": "func:eval(__page__, 'x')"},
        {"url": "last", "locator": "Document.title"},
    ],
)
def test_what_no_reader_takes_is_not_planned(item_with: Any, target: Mapping[str, str]) -> None:
    item = item_with(eval_types=["program_html"], program_html=[{**target, "required_contents": {"exact_match": "x"}}])
    assert names(item) == ["stop"]
