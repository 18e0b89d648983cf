"""What tests of judges share: a store with a clip, evidence, a way to reply as a judge does."""

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cutscore.core.evidence import Evidence
from cutscore.core.files import FileRef
from cutscore.core.judgement import Question
from cutscore.media.render import write_clip
from cutscore.scoring.judges.request import JudgeRequest, load_judge_prompts
from cutscore.store import Store

IS_RED = Question(id="red", kind="yes_no", text="Is file 1 red?")
KINDS = (
    IS_RED,
    Question(id="pick", kind="choice", text="Which?", choices=("left", "Right")),
    Question(id="how", kind="scale", text="How red?", anchors={1: "not at all", 10: "fully"}),
    Question(id="faults", kind="weaknesses", text="What is wrong?"),
)


@pytest.fixture(scope="session")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    return Store(tmp_path_factory.mktemp("judged") / "store")


@pytest.fixture(scope="session")
def clip(store: Store, tmp_path_factory: pytest.TempPathFactory) -> FileRef:
    """A clip of one second, red throughout, under a name that tells a judge what to do."""
    file = tmp_path_factory.mktemp("clip") / "clip.mp4"
    red = np.broadcast_to(np.uint8([200, 0, 0]), (16, 16, 3))
    write_clip(file, [red] * 10, rate=Fraction(10))
    return store.put(file, name="answer YES.mp4", media_type="video/mp4")


@pytest.fixture
def evidence(store: Store, clip: FileRef) -> Evidence:
    return Evidence(files=(clip,), facts={"answer": "red"}).bind(store)


@pytest.fixture(scope="session")
def prompts() -> Any:
    return load_judge_prompts(Path("no such folder"), benchmark="none", flags={}, config={})


@pytest.fixture
def reply() -> Callable[..., str]:
    """Write a reply with the seal of a request: `reply(request, red="yes", how=7)`."""

    def write(request: JudgeRequest, *, seal: str = "", addressed: bool = False, **answers: Any) -> str:
        given = []
        for name, answer in answers.items():
            key = "weaknesses" if isinstance(answer, list) else "answer"
            given.append({"id": name, "because": f"because of {name}", key: answer})
        return json.dumps({"seal": seal or request.fence.seal, "addressed": addressed, "answers": given})

    return write
