"""Each of the 227 reference cases is held by a test: how many of which kind there are, and where."""

from pathlib import Path

import pytest

TESTS = Path(__file__).parents[3]
EVALUATORS, BROWSER = "benchmarks/videowebarena/evaluators", "environments/browser"
HELD = {
    f"{EVALUATORS}/test_reference_cases.py": {
        "clean_answer": 6, "exact_match": 5, "must_include": 22, "must_exclude": 4, "str_to_int": 6,
        "compare_inequality": 7, "fuzzy_judge_reply": 4, "unachievable_judge_reply": 3, "url_match": 12,
        "string_match": 18,
    },
    f"{EVALUATORS}/test_live_cases.py": {"program_html": 25, "page_image_query": 8},
    f"{EVALUATORS}/test_helper_values.py": {"reddit_post_url": 4},
    "benchmarks/videowebarena/environment/test_helpers.py": {"page_helper": 13},
    f"{BROWSER}/test_grammar.py": {
        "parse_action": 40, "extract_action": 7, "action_history_text": 6, "is_equivalent": 9, "early_stop": 13,
    },
    f"{BROWSER}/test_marks.py": {"som_observation": 8},
    "media/test_plan.py": {"sample_frames": 7},
}  # fmt: skip


def test_every_reference_case_is_of_a_kind_that_a_test_holds(reference_cases):
    kinds = {kind: count for held in HELD.values() for kind, count in held.items()}
    assert {kind: len(cases) for kind, cases in reference_cases.items()} == kinds
    assert sum(kinds.values()) == 227
    for kind, count in sorted(kinds.items()):
        print(f"{count:5} {kind}")  # noqa: T201


@pytest.mark.parametrize("file", HELD)
def test_the_kinds_are_taken_where_it_says(file):
    text = (TESTS / file).read_text(encoding="utf-8")
    assert [kind for kind in HELD[file] if f'"{kind}"' not in text] == []


def test_the_cases_that_are_defects_of_the_released_code_are_these_two(reference_cases):
    flagged = [case["id"] for cases in reference_cases.values() for case in cases if case.get("reference_defect")]
    # Of the first, `reference` does the same and `strict` another; of the second, a frame a second is taken.
    assert sorted(flagged) == ["page_image_query-016", "sample_frames-008"]
