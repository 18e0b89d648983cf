"""solution.json: the forms that are read, and everything else refused by name."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cutscore.core.evidence import MAX_TEXT_BYTES
from cutscore.scoring.verifiers.refusal import Refusal
from cutscore.scoring.verifiers.solution import LONGEST, read_order_file, read_slot_file

CLIPS = ["a.mp4", "b.mp4", "c.mp4"]
SLOTS = ["s1", "s2"]


def refused(found: object) -> Refusal:
    assert isinstance(found, Refusal), found
    return found


@pytest.mark.parametrize(
    "plain",
    [
        ["c.mp4", "a.mp4", "b.mp4"],
        ["c", "a", "b"],
        ["clips/c.mp4", "/workspace/materials/a.mp4", "C:\\work\\b"],
        {"order": ["c.mp4", "a.mp4", "b.mp4"]},
        {"anything": ["c", "a", "b"], "notes": "by the light", "confidence": 0.3, "sure": True, "cost": None},
    ],
)
def test_the_published_forms_of_an_order_are_read(plain: object) -> None:
    assert read_order_file(json.dumps(plain), CLIPS) == ["c.mp4", "a.mp4", "b.mp4"]


def test_a_byte_order_mark_in_front_is_let_pass_and_one_alone() -> None:
    assert read_order_file('\ufeff["a"]', CLIPS) == ["a.mp4"]
    assert refused(read_order_file('\ufeff\ufeff["a"]', CLIPS)).name == "not JSON"


def test_completeness_is_for_the_score_to_say() -> None:
    assert read_order_file('["a", "a.mp4", "x/a.mp4"]', CLIPS) == ["a.mp4"] * 3
    assert read_order_file("[]", CLIPS) == []


@pytest.mark.parametrize(
    ("text", "name", "because"),
    [
        (None, "missing file", "solution.json was not delivered"),
        ("", "not JSON", "solution.json is not JSON from character 1 on"),
        ("[" + " " * LONGEST, "too long", "solution.json has more than 100,000 characters"),
        ('```json\n["a"]\n```', "not JSON", "solution.json is not JSON from character 1 on"),
        ('["a"] ["b"]', "not JSON", "solution.json is not JSON from character 7 on"),
        ("['a']", "not JSON", "solution.json is not JSON from character 2 on"),
        ('["a",]', "not JSON", "solution.json is not JSON"),
        ('{"order": ["a"], "order": ["b"]}', "not JSON", "solution.json has the key 'order' twice"),
        ("[NaN]", "not JSON", "solution.json has the number NaN"),
        ("[Infinity]", "not JSON", "solution.json has the number Infinity"),
        ("[1e999]", "not JSON", "solution.json has the number 1e999"),
        ("[" + "9" * 9000 + "]", "not JSON", "solution.json "),
        ("[" * 5000 + "]" * 5000, "not JSON", "solution.json is nested too deeply"),
        ("null", "shape", "solution.json is neither a list nor an object with exactly one"),
        ('"a"', "shape", ""),
        ("true", "shape", ""),
        ("{}", "shape", ""),
        ('{"order": "a.mp4 b.mp4 c.mp4"}', "shape", ""),
        ('{"first": ["a"], "second": ["b"]}', "shape", ""),
        ('{"order": ["a"], "more": {"order": ["b"]}}', "shape", ""),
        ('{"order": {"order": ["a"]}}', "shape", ""),
        ("[3, 1, 2]", "wrong type", "entry 1 of solution.json is not a text but int"),
        ("[true]", "wrong type", "entry 1 of solution.json is not a text but bool"),
        ('["a", null]', "wrong type", "entry 2 of solution.json is not a text but NoneType"),
        ('[["a", "b", "c"]]', "wrong type", "entry 1 of solution.json is not a text but list"),
        ('[{"file": "a.mp4"}]', "wrong type", "entry 1 of solution.json is not a text but dict"),
        ('["d.mp4"]', "unknown", "entry 1 of solution.json, 'd.mp4', is none of the clips"),
        ('["A.mp4"]', "unknown", ""),
        ('["a.mov"]', "unknown", ""),
        ('["a.mp4.mp4"]', "unknown", ""),
        ('["a.mp4 "]', "unknown", ""),
        ('[""]', "unknown", ""),
        ('["/"]', "unknown", ""),
        ('["."]', "unknown", ""),
        ('["a.mp4/"]', "unknown", ""),
        ('["a.mp4\\u0000"]', "unknown", "entry 1 of solution.json, 'a.mp4\\x00', is none of the clips"),
        ('["\\u0430.mp4"]', "unknown", ""),  # a Cyrillic letter
        ('["\\uff41.mp4"]', "unknown", ""),  # a wide one
        ('["a\\u200b.mp4"]', "unknown", "entry 1 of solution.json, 'a\\u200b.mp4', is none of the clips"),
        ('["\\ud800"]', "unknown", "entry 1 of solution.json, '\\ud800', is none of the clips"),
        ('["concat:a.mp4"]', "unknown", ""),
    ],
)
def test_other_orders_are_refused_by_name(text: str | None, name: str, because: str) -> None:
    found = refused(read_order_file(text, CLIPS))
    assert found.name == name
    assert found.reason.startswith(because)
    assert found.reason.isprintable()


def test_a_file_that_evidence_cut_off_is_always_too_long() -> None:
    assert LONGEST < MAX_TEXT_BYTES / 4  # no character takes more bytes


@pytest.mark.parametrize(
    ("given", "clips", "meant"),
    [
        ("clip", ["clip", "clip.mp4"], "clip"),  # the very name wins
        ("x/clip", ["clip", "clip.mp4"], None),
        ("clip.mp4", ["one/clip.mp4", "two/clip.mp4"], None),
        ("two/clip", ["one/clip.mp4", "two/clip.mp4"], "two/clip.mp4"),
        ("/w/two/clip.mp4", ["one/clip.mp4", "two/clip.mp4"], "two/clip.mp4"),
        ("three/clip.mp4", ["one/clip.mp4"], None),
        ("clip", ["clip.mp4", "clip.mov"], None),
        ("shot.1", ["shot.1.mp4", "shot.2.mp4"], "shot.1.mp4"),  # .1 is no ending of a video file
        ("shot", ["shot.1.mp4"], None),
        ("cafe\u0301.mp4", ["caf\u00e9.mp4"], "caf\u00e9.mp4"),
        ("shot_07.mp4", ["shot_07"], "shot_07"),
    ],
)
def test_a_name_is_resolved_only_where_it_can_mean_one_clip(given: str, clips: list[str], meant: str | None) -> None:
    found = read_order_file(json.dumps([given]), clips)
    assert found == [meant] if meant else refused(found).name in ("ambiguous", "unknown")


def test_an_ambiguous_name_says_between_which() -> None:
    found = refused(read_order_file('["clip"]', ["clip.mp4", "clip.mov"]))
    assert found == Refusal("ambiguous", "entry 1 of solution.json, 'clip', may be 'clip.mp4' or 'clip.mov'")


@pytest.mark.parametrize(
    "plain",
    [
        {"s1": "c", "s2": None},
        {"s1": "x/c.mp4"},
        {"slots": {"s1": "c.mp4"}, "notes": "one is not there"},
        ["c.mp4", None],
        {"solution": ["c", None]},
    ],
)
def test_the_published_forms_of_a_manifest_are_read(plain: object) -> None:
    assert read_slot_file(json.dumps(plain), SLOTS, CLIPS) == {"s1": "c.mp4", "s2": None}


@pytest.mark.parametrize("text", ["{}", '{"slots": {}}'])
def test_an_empty_manifest_leaves_every_slot_empty(text: str) -> None:
    assert read_slot_file(text, SLOTS, CLIPS) == {"s1": None, "s2": None}


def test_the_same_clip_in_two_slots_is_read_as_it_is() -> None:
    assert read_slot_file('{"s1": "a", "s2": "a"}', SLOTS, CLIPS) == {"s1": "a.mp4", "s2": "a.mp4"}


@pytest.mark.parametrize(
    ("text", "name", "because"),
    [
        (None, "missing file", "solution.json was not delivered"),
        ("null", "shape", "solution.json is neither slot → clip nor a list"),
        ('"s1"', "shape", ""),
        ("[]", "shape", "solution.json lists 0 clips for 2 slots"),
        ('["a"]', "shape", "solution.json lists 1 clips for 2 slots"),
        ('["a", "b", "c"]', "shape", ""),
        ('{"s1": {"clip": "a"}, "s2": {"clip": "b"}}', "shape", ""),
        ('{"s1": ["a", "b"], "s2": "c"}', "shape", ""),
        ('{"s1": ["a", "b"]}', "shape", ""),
        ('{"s1": {"s1": "a"}}', "shape", ""),
        ('{"slots": {"s1": {"s1": "a"}}}', "shape", ""),
        ('{"one": ["a", "b"], "two": ["b", "a"]}', "shape", ""),
        ('{"s1": "a", "s3": "b"}', "unknown slot", "solution.json fills 's3', which is none of the slots"),
        ('{"S1": "a"}', "unknown slot", ""),
        ('{"s1": "a", "s1": "b"}', "not JSON", "solution.json has the key 's1' twice"),
        ('{"s1": true}', "wrong type", "slot 's1' of solution.json is not a text but bool"),
        ('{"s1": 1}', "wrong type", ""),
        ('{"s1": "d"}', "unknown", "slot 's1' of solution.json, 'd', is none of the clips"),
        ('["a", {"clip": "b"}]', "wrong type", ""),
    ],
)
def test_other_manifests_are_refused_by_name(text: str | None, name: str, because: str) -> None:
    found = refused(read_slot_file(text, SLOTS, CLIPS))
    assert found.name == name
    assert found.reason.startswith(because)


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=5) | st.sampled_from(CLIPS),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(SLOTS) | st.text(max_size=3), inner, max_size=4)
    ),
    max_leaves=8,
)


@settings(max_examples=40)
@given(JSON | st.text())
def test_whatever_is_sent_is_read_or_refused(plain: object) -> None:
    for text in (json.dumps(plain), str(plain)):
        order, slots = read_order_file(text, CLIPS), read_slot_file(text, SLOTS, CLIPS)
        assert order.reason if isinstance(order, Refusal) else set(order) <= set(CLIPS)
        assert slots.reason if isinstance(slots, Refusal) else set(slots) == set(SLOTS)
