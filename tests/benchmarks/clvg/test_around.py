"""clvg: generators' profiles, and scripts that a model writes."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from cutscore.benchmarks.clvg.around import ANY, FittedGenerator, make_from, with_script, wrap
from cutscore.benchmarks.clvg.ask import ask, ask_under
from cutscore.benchmarks.clvg.dataset import GenerationCase
from cutscore.benchmarks.clvg.generators.profile import known_profiles, read_profile
from cutscore.bridge.rows import read_rows
from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable
from cutscore.core.errors import BadInput, UnknownName
from cutscore.core.subject import WorkContext
from cutscore.prompts import Prompt, load_prompts
from cutscore.registry import benchmark
from cutscore.store import Store

CASE = GenerationCase(id="a", cluster="a", subcategory="mechanics", instruction="Let {{it}} fall.", length_s=2.5)


def prompts() -> dict[str, Prompt]:
    return dict(load_prompts(benchmark("clvg").folder / "prompts", benchmark="clvg"))


class Keeps:
    """A generator that remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[Ask] = []

    async def work(self, ask: Ask, context: WorkContext) -> Deliverable:
        self.asked.append(ask)
        return Deliverable()


def context(tmp_path: Path) -> WorkContext:
    return WorkContext(store=Store(tmp_path), make_workspace=lambda: tmp_path, epoch=1, seed=1)


def test_the_papers_eight_baselines_are_in_their_groups() -> None:
    groups = {name: read_profile(name).group for name in known_profiles()}
    assert len(groups) == 8
    assert {name for name, group in groups.items() if group == "image"} == {
        "hunyuanvideo-13b",
        "seedance-1.5",
        "veo-3.1-fast",
        "wan-2.2-14b",
    }
    assert read_profile("veo-3.1-fast").takes.media == {"text", "image"}


def test_a_profile_of_the_users_is_a_file(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text('title = "Mine"\nmedia = ["image"]\nlengths_s = [5, 10]\nrate = 24\n')
    assert read_profile(str(mine)).fit(6) == {"length_s": 5.0, "rate": 24.0, "frames": 120}
    mine.with_name("bad.toml").write_text('title = "Bad"\nmedia = ["smell"]\n')
    with pytest.raises(BadInput, match="media"):
        read_profile(str(mine.with_name("bad.toml")))
    with pytest.raises(UnknownName, match="did you mean 'sora-2'"):
        read_profile("sora2")


def test_what_is_asked_for_is_fitted_and_said(tmp_path: Path) -> None:
    own = tmp_path / "mine.toml"
    own.write_text('title = "Mine"\nmedia = []\nlengths_s = [4, 8]\nrate = 16\nevery = 4\n')
    maker, place = Keeps(), context(tmp_path)
    asyncio.run(FittedGenerator(maker, str(own)).work(ask(CASE, prompts()), place))
    parts = {part.role: part.text for part in maker.asked[0].parts}
    assert (parts["length_s"], parts["frames"]) == ("4", "65")
    done = place.steps.trajectory()
    assert done is not None
    assert [call.tool for step in done.steps for call in step.did] == ["fit request"]


def test_without_conditions_nothing_is_put_around() -> None:
    maker = Keeps()
    assert wrap(maker, {"generator": ANY, "script": ""}) is maker


def test_a_written_script_stands_where_the_instruction_stood() -> None:
    told = ask_under(CASE, prompts(), {"generator": ANY, "script": "lab/writer"})
    assert "Let {{it}} fall." in next(part.text for part in told.parts if part.role == "script_request")
    assert "script" in told.prompts
    made = with_script(told, CASE.instruction, "It drops to the floor.")
    assert "It drops to the floor." in made.brief
    assert "Let {{it}} fall." not in made.brief
    assert [part.role for part in made.parts] == ["instruction", "length_s"], "no generator sees the writer's request"
    assert ask_under(CASE, prompts(), {"generator": ANY, "script": ""}) == ask(CASE, prompts())


def test_a_script_by_which_nothing_was_made_is_kept_and_is_no_video(tmp_path: Path) -> None:
    made = asyncio.run(make_from("It drops.", Keeps(), ask(CASE, prompts()), context(tmp_path)))
    assert (made.text, made.failure_class) == ("It drops.", "nothing")


@pytest.mark.real
def test_a_writer_is_shown_the_clip_as_frames_and_its_call_is_booked(tmp_path: Path, cli: Any) -> None:
    script = {"otherwise": ["Remove the noise from the clip."], "usage": {"input": 100, "output": 5}}
    (tmp_path / "writer.json").write_text(json.dumps(script))
    words = ("--subject", "reader", "--item", "denoise-road", "--set", "script=scripted/writer.json")
    done = cli("run", "clvg", *words)
    assert done.code == 0, done.err
    (row,) = read_rows(tmp_path / "logs")
    assert row.ending.scores["passed"] == 1
    assert row.usage is not None
    assert row.usage.input == 100
    assert row.cost_usd is None, "a model without a price is unknown, and not free"
    assert row.deliverable.text == "Remove the noise from the clip.", "the page shows it beside the plain one"
    (seen,) = row.seen
    assert len(seen.frames) == 5, "two frames a second of 2.4 s"
    booked = [json.loads(line) for line in (tmp_path / "logs" / "ledger.jsonl").read_text().splitlines()]
    assert [line["role"] for line in booked if line["state"] == "sent"] == ["script"]
