"""clvg_turns: what a generator is asked, turn by turn, under every condition."""

import asyncio
from collections.abc import Mapping
from pathlib import Path

import pytest

from cutscore.authoring.leaks import find_truth_leaks
from cutscore.benchmarks.clvg_turns.ask import ask, next_ask
from cutscore.benchmarks.clvg_turns.dataset import InteractionCase, items
from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable
from cutscore.core.frozen import canonical_json
from cutscore.core.subject import WorkContext
from cutscore.core.turn import Feedback, Turn
from cutscore.prompts import Prompt, load_prompts
from cutscore.registry import benchmark
from cutscore.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store")


@pytest.fixture
def case(store: Store) -> InteractionCase:
    return next(item for item in items(store) if item.id == "sums-b")


def prompts() -> dict[str, Prompt]:
    return dict(load_prompts(benchmark("clvg_turns").folder / "prompts", benchmark="clvg_turns"))


def walk(
    case: InteractionCase, store: Store, made: Mapping[int, Deliverable] | None = None, **conditions: str
) -> list[Ask | str]:
    """Return all asks and answers of a sample; what is handed over is told by turn."""
    asked, turns = ask(case, prompts()), list[Turn]()
    said: list[Ask | str] = [asked]
    while True:
        number = len(turns) + 1
        turns.append(Turn(number=number, ask=asked, deliverable=(made or {}).get(number, Deliverable())))
        context = WorkContext(
            store=store, make_workspace=Path, epoch=1, seed=1, turns=tuple(turns), conditions=conditions
        )
        feedback: Feedback = asyncio.run(next_ask(case, prompts(), context))
        said.append(feedback.text)
        turns[-1] = turns[-1].model_copy(update={"feedback": feedback.text})
        if feedback.ask is None:
            return said
        asked = feedback.ask
        said.append(asked)


def test_the_first_turn_is_given_and_later_ones_have_to_be_worked_out(case: InteractionCase, store: Store) -> None:
    first, said, second, *_ = walk(case, store)
    assert isinstance(first, Ask)
    assert isinstance(second, Ask)
    assert first.part("instruction").text == case.opening  # type: ignore[union-attr]
    assert first.wanted[0].name == "turn_1.mp4"
    assert said == "The child picks the card with 6."
    assert second.wanted[0].name == "turn_2.mp4"
    for words in (case.role, case.opening, said):
        assert words in second.brief
    wrong = case.state("wrong_6").video_gen_prompt
    assert wrong not in canonical_json(second).decode(), "its script is what a generator has to find"
    assert second.part("feedback").text == said  # type: ignore[union-attr]


def test_a_later_turn_tells_everything_once(case: InteractionCase, store: Store) -> None:
    last = walk(case, store)[-2]
    assert isinstance(last, Ask)
    for words in (case.role, case.opening, *case.feedback["scripted"]):
        assert last.brief.count(words) == 1


def test_what_is_said_does_not_depend_on_what_was_handed_over(case: InteractionCase, store: Store) -> None:
    film = store.put_bytes(b"a film", name="turn_1.mp4")
    refused = Deliverable(failure="it shows a face", failure_class="refused")
    assert walk(case, store) == walk(case, store, {1: Deliverable(files=(film,)), 2: refused})


def test_earlier_films_are_given_where_they_are_asked_for(case: InteractionCase, store: Store) -> None:
    films = {n: store.put_bytes(b"film %d" % n, name=f"turn_{n}.mp4") for n in (1, 3)}
    made = {number: Deliverable(files=(film,)) for number, film in films.items()}
    last = walk(case, store, made, history="text+videos")[-2]
    assert isinstance(last, Ask)
    assert [(part.role, part.file) for part in last.parts if part.file] == [
        ("source", "turn_3.mp4"),
        ("earlier", "turn_1.mp4"),
    ]
    without = walk(case, store, made)[-2]
    assert isinstance(without, Ask)
    assert not without.files


def test_the_sampled_user_says_what_the_case_has_drawn(store: Store) -> None:
    for item in items(store):
        said = [each for each in walk(item, store, user="sampled") if isinstance(each, str)]
        assert tuple(said) == (*item.feedback["sampled"], "")


@pytest.mark.parametrize(
    "conditions", [{}, {"user": "sampled"}, {"history": "text+videos"}, {"assistant": "lab/writer"}]
)
def test_truth_reaches_no_turn(store: Store, conditions: dict[str, str]) -> None:
    found = items(store)[:6]
    assert find_truth_leaks(found, lambda item: canonical_json(walk(item, store, **conditions))) == []  # type: ignore[arg-type]
