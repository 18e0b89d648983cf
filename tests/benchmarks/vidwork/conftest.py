"""A pack of three clips in three domains, 31 items on all axes, and the benchmark opened on it.

lines       the items as they are written, by id
pack        a folder with them; keyframes of two clips and the video of one are placeholders that nobody decodes
vidwork     the benchmark, its items read from that folder
"""

import functools
import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from cutscore import registry
from cutscore.authoring.loaded_benchmark import LoadedBenchmark, load_benchmark
from cutscore.benchmarks.vidwork.dataset import ERROR_TYPES
from cutscore.benchmarks.vidwork.reader.narration import NarratedSentence, Narration
from cutscore.store import Store

CLIPS: dict[str, dict[str, Any]] = {
    "omelette": {
        "domain": "cooking",
        "duration_s": 44,
        "steps": ["Crack three eggs into a bowl", "Whisk the eggs", "Melt butter in the pan", "Pour the eggs in"],
        "why": ("Why is the butter melted?", "It keeps the eggs from sticking to the pan."),
        "seen": ("What colour is the bowl?", "The bowl is blue.", ["blue"]),
    },
    "tyre": {
        "domain": "repair_manufacturing",
        "duration_s": 170,
        "steps": ["Loosen the nuts with a wrench", "Lift the car with a jack", "Pull the wheel off"],
        "why": ("What would happen if the jack were left out?", "The wheel would still carry the weight of the car."),
        "seen": ("What lies beside the wheel?", "A yellow glove lies on the ground.", []),
    },
    "burn": {
        "domain": "first_aid_safety",
        "duration_s": None,
        "steps": ["Hold the hand under cold water", "Dry the hand with a cloth", "Cover the burn with a dressing"],
        "why": ("Why is water used?", "Cooling stops the heat from damaging more skin."),
        "seen": ("Where does the helper stand?", "Left of a white sink.", []),
    },
}


def _written() -> dict[str, dict[str, Any]]:
    made: dict[str, dict[str, Any]] = {}
    for number, (name, clip) in enumerate(CLIPS.items()):
        shown = {"clip": "tyre.mp4"} if name == "tyre" else {"keyframes": f"frames/{name}"}
        said = {"made_by": "hand", "segments": [{"start_s": 0, "end_s": "5/2", "text": "Hello and welcome"}]}
        common = {
            "cluster": name,
            "domain": clip["domain"],
            "duration_s": clip["duration_s"],
            "transcript": "burn.srt" if name == "burn" else said,
            **shown,
        }

        def add(key: str, axis: str, common: dict[str, Any] = common, name: str = name, **fields: Any) -> None:
            made[f"{name}-{key}"] = {"id": f"{name}-{key}", "axis": axis, **common, **fields}

        first, second, *_ = clip["steps"]
        add("s", "step_recognition", question="Which steps are done?", steps=clip["steps"], at=[0, 40])
        asked = {"question": "Did A happen before or after B?", "pair": f"{name}-1"}
        add("o1", "temporal_ordering", first=first, second=second, gold="before", **asked)
        add("o2", "temporal_ordering", first=second, second=first, gold="after", **asked)
        add("c", "causal_reasoning", question=clip["why"][0], reference=clip["why"][1])
        question, reference, terms = clip["seen"]
        add("x", "cross_modal_grounding", question=question, reference=reference, key_terms=terms)
        for place, kind in enumerate(ERROR_TYPES):
            if place % len(CLIPS) == number:
                fields = {"question": "Is this description correct?", "error_type": kind, "pair": f"{name}-{kind}"}
                add(
                    f"e{place}a",
                    "error_detection",
                    description=f"First: {second}.",
                    change="two steps swapped",
                    **fields,
                )
                add(f"e{place}b", "error_detection", description=f"First: {first}.", wrong=False, **fields)
    return made


@pytest.fixture
def lines() -> dict[str, dict[str, Any]]:
    return _written()


@pytest.fixture
def write_pack(tmp_path: Path) -> Callable[..., Path]:
    """Give a function that writes items to a pack: objects, or lines of text as they are."""
    return functools.partial(_write, tmp_path / "pack")


def _write(folder: Path, items: list[Any], *, array: bool = False) -> Path:
    for name in ("omelette", "burn"):
        (folder / "frames" / name).mkdir(parents=True, exist_ok=True)
        for second in range(10):
            (folder / "frames" / name / f"{second:04d}.jpg").write_bytes(f"{name} {second}".encode())
    (folder / "tyre.mp4").write_bytes(b"tyre")
    (folder / "burn.srt").write_text(
        "1\n00:00:00,000 --> 00:00:02,500\nHello and welcome\n\n2\n00:00:03,000 --> 00:00:05,000\nLet us go\n"
    )
    if array:
        (folder / "items.json").write_text(json.dumps(items))
    else:
        text = "\n".join(each if isinstance(each, str) else json.dumps(each) for each in items)
        (folder / "items.jsonl").write_text(text)
    return folder


@pytest.fixture(scope="session")
def vidwork(tmp_path_factory: pytest.TempPathFactory) -> LoadedBenchmark:
    folder = tmp_path_factory.mktemp("vidwork")
    return load_benchmark(
        registry.benchmark("vidwork"), Store(folder / "store"), data=_write(folder / "pack", list(_written().values()))
    )


LINES = {
    0: "How to bake a cake",
    4: "Crack 3 eggs into the bowl",
    8: "Whisk the batter with the fork",
    16: "Pour the batter into the pan",
    20: "Turn on the oven",
    28: "The cake is ready",
}


@pytest.fixture
def narration() -> Narration:
    sentences = [NarratedSentence(Fraction(at_s), text, text[:3] not in ("How", "The")) for at_s, text in LINES.items()]
    sentences.insert(2, NarratedSentence(Fraction(5), "Eggs hold it together", explains=1))
    return Narration(sentences)
