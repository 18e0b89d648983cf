"""The grammar against what the released code returned, and where ours is wider or mended."""

import json
from pathlib import Path
from typing import Any

import pytest

from cutscore.core.trajectory import Action
from cutscore.environments.browser.grammar import (
    NO_OP,
    UnreadableAction,
    are_equivalent,
    extract_action,
    find_early_stop,
    parse_action,
    write_action,
)

# How the released code calls our tools and their arguments.
KINDS = {
    "CLICK": "click",
    "HOVER": "hover",
    "CLEAR": "clear",
    "TYPE": "type",
    "KEY_PRESS": "press",
    "SCROLL": "scroll",
    "GOTO_URL": "goto",
    "NEW_TAB": "new_tab",
    "GO_BACK": "go_back",
    "GO_FORWARD": "go_forward",
    "PAGE_CLOSE": "close_tab",
    "PAGE_FOCUS": "tab_focus",
    "STOP": "stop",
}
PUBLIC = {"reddit.com": "__REDDIT__", "onestopmarket.com": "__SHOPPING__"}


@pytest.fixture(scope="module")
def cases(shared: Path) -> list[dict[str, Any]]:
    return json.loads((shared / "data/videowebarena/reference_cases.json").read_text())["cases"]


def wanted_action(expected: dict[str, Any]) -> Action:
    names = {"element_id": "element", "key_comb": "keys", "page_number": "tab"}
    given = {names.get(name, name): value for name, value in expected.items() if name != "action_type"}
    tool = KINDS[expected["action_type"]]
    if tool == "type":
        given["enter"] = given["text"].endswith("\n")
        given["text"] = given["text"].removesuffix("\n")
    if tool == "stop":
        given.setdefault("answer", "")
    return Action(tool=tool, arguments=given)


def read(text: str) -> Action:
    return NO_OP if text == "<none>" else parse_action(text)


def test_texts_are_read_as_the_released_code_reads_them(cases: list[dict[str, Any]]) -> None:
    own = [case for case in cases if case["kind"] == "parse_action"]
    assert len(own) == 40
    for case in own:
        if "error" in case["expected"]:
            with pytest.raises(UnreadableAction):
                parse_action(case["input"]["text"])
        else:
            assert parse_action(case["input"]["text"]) == wanted_action(case["expected"]), case["id"]


def test_replies_histories_equality_and_early_stops_are_the_released_ones(cases: list[dict[str, Any]]) -> None:
    seen = dict.fromkeys(("extract_action", "is_equivalent", "action_history_text", "early_stop"), 0)
    for case in cases:
        given, expected = case["input"], case["expected"]
        if case["kind"] not in seen:
            continue
        seen[case["kind"]] += 1
        if case["kind"] == "extract_action" and isinstance(expected, dict):
            with pytest.raises(UnreadableAction, match="no action between two fences"):
                extract_action(given["response"], PUBLIC)
        elif case["kind"] == "extract_action":
            assert extract_action(given["response"], PUBLIC) == expected, case["id"]
        elif case["kind"] == "is_equivalent":
            assert are_equivalent(read(given["a"]), read(given["b"])) is expected, case["id"]
        elif case["kind"] == "action_history_text":
            assert write_action(read(given["text"])) == expected, case["id"]
        else:
            ended = find_early_stop(
                [read(text) for text in given["actions"]],
                max_steps=given["max_steps"],
                max_unreadable=given["parsing_failure_th"],
                max_repeated=given["repeating_action_failure_th"],
            )
            assert (ended.reason if ended else "") == expected["reason"], case["id"]
    assert seen == {"extract_action": 7, "is_equivalent": 9, "action_history_text": 6, "early_stop": 13}


def test_clear_is_compared_where_the_released_code_fails() -> None:
    assert are_equivalent(read("clear [1]"), read("clear [1]"))
    assert not are_equivalent(read("clear [1]"), read("clear [2]"))
    ended = find_early_stop([read("clear [1]")] * 5)
    assert ended is not None
    assert ended.reason == "Same action for 5 times"


def test_three_unreadable_texts_in_a_row_end_a_run() -> None:
    ended = find_early_stop([read("click [1]"), NO_OP, NO_OP, NO_OP])
    assert ended is not None
    assert ended.reason == "Failed to parse actions for 3 times"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            "type [5] [one\ntwo] [0]",
            Action(tool="type", arguments={"element": "5", "text": "one\ntwo", "enter": False}),
        ),
        ("press [ctrl+a]", Action(tool="press", arguments={"keys": "Control+a"})),
        ("press [Shift + Tab]", Action(tool="press", arguments={"keys": "Shift+Tab"})),
        ("upload [7] [cat.png]", Action(tool="upload", arguments={"element": "7", "file": "cat.png"})),
        ("tab_close", Action(tool="close_tab")),
        ("stop [a\nb]", Action(tool="stop", arguments={"answer": "a\nb"})),
        ("stop", Action(tool="stop", arguments={"answer": ""})),
    ],
)
def test_the_wide_grammar_takes_more(text: str, wanted: Action) -> None:
    assert parse_action(text, "wide") == wanted
    try:
        narrow = parse_action(text)
    except UnreadableAction:
        narrow = NO_OP
    assert narrow != wanted or text == "stop"


def test_a_tab_with_thousands_of_digits_is_an_action_too() -> None:
    assert parse_action(f"tab_focus [{'1' * 5000}]").arguments == {"tab": int("1" * 18)}
