"""clvg: deliverables whose marks are known, the judge who knows the truth, and what stays hidden from all others."""

from pathlib import Path

import pytest

from cutscore.benchmarks.clvg import weaknesses
from cutscore.benchmarks.clvg.ask import ask
from cutscore.benchmarks.clvg.ask_parts import GENERATED
from cutscore.benchmarks.clvg.dataset import GenerationCase, items
from cutscore.benchmarks.clvg.judge_stage import judge_by_truth
from cutscore.benchmarks.clvg.mark import question_of, show_context, view_of
from cutscore.benchmarks.clvg.oracle import PLANTED, empty, near_miss, perfect
from cutscore.core.deliverable import Deliverable
from cutscore.core.errors import UnknownName, Unscored
from cutscore.core.evidence import Evidence
from cutscore.core.frozen import canonical_json
from cutscore.core.judgement import Judgement
from cutscore.media import deliverable as door
from cutscore.prompts import load_prompts
from cutscore.registry import benchmark
from cutscore.store import Store


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    return Store(tmp_path_factory.mktemp("store"))


@pytest.fixture(scope="module")
def cases(store: Store) -> dict[str, GenerationCase]:
    return {item.id: item for item in items(store)}


def judge(made: Deliverable, item: GenerationCase, store: Store) -> Judgement:
    (said,) = judge_by_truth([question_of(item)], Evidence(files=made.files).bind(store), item)
    return said


def test_the_oracle_passes_and_a_near_miss_does_not(cases: dict[str, GenerationCase], store: Store) -> None:
    item = cases["order-cards"]
    right, wrong = judge(perfect(item, store), item, store), judge(near_miss(item, store), item, store)
    assert (right.answer, right.weaknesses) == ("no", ())
    assert (wrong.answer, [each.code for each in wrong.weaknesses]) == ("yes", ["wrong_order"])
    assert wrong.weaknesses[0].at is not None
    assert "green, cyan" in wrong.because or "cyan, green" in wrong.because


def test_nothing_is_handed_over_by_null(cases: dict[str, GenerationCase], store: Store) -> None:
    assert empty(cases["order-cards"], store) == Deliverable()
    said = judge(Deliverable(), cases["order-cards"], store)
    assert (said.answer, said.because) == (None, "it was shown no video")


def test_a_weakness_is_planted_where_the_case_can_show_it(cases: dict[str, GenerationCase], store: Store) -> None:
    item = cases["lamp-moves"]
    planted = judge(PLANTED["planted"](item, store, "wrong_shadow"), item, store)
    assert [each.code for each in planted.weaknesses] == ["wrong_shadow"]
    assert PLANTED["planted"](item, store, "wrong_sound") == perfect(item, store)


def test_a_strange_weakness_is_refused_with_the_nearest(cases: dict[str, GenerationCase], store: Store) -> None:
    with pytest.raises(UnknownName, match="did you mean 'wrong_order'"):
        PLANTED["planted"](cases["lamp-moves"], store, "wrong_ordr")


def test_echo_hands_back_what_was_given(cases: dict[str, GenerationCase], store: Store) -> None:
    clip, picture = cases["roll-on"], cases["order-cards"]
    back = PLANTED["echo"](clip, store, "")
    assert [file.sha256 for file in back.files] == [clip.files[0].sha256]
    assert [each.code for each in judge(back, clip, store).weaknesses] == ["no_change"]
    (still,) = PLANTED["echo"](picture, store, "").files
    assert (still.name, still.media_type) == (GENERATED, "image/png")


def test_a_frozen_film_is_as_long_as_the_right_one(cases: dict[str, GenerationCase], store: Store) -> None:
    item = cases["roll-on"]
    (film,) = PLANTED["frozen"](item, store, "").files
    assert door.probe(store.path(film)).duration_s == 3
    assert [each.code for each in judge(Deliverable(files=(film,)), item, store).weaknesses] == ["frozen"]


def test_nobody_knows_a_film_of_what_was_not_staged(cases: dict[str, GenerationCase], store: Store) -> None:
    strange = cases["roll-on"].model_copy(update={"staged": {}})
    with pytest.raises(Unscored, match="was not staged"):
        perfect(strange, store)
    said = judge(perfect(cases["roll-on"], store), strange, store)
    assert said.answer is None
    assert "name another judge" in said.because


def seen_by_others(item: GenerationCase, store: Store) -> list[bytes]:
    """Return every byte that a generator and a judge without the truth get of a case."""
    prompts = load_prompts(benchmark("clvg").folder / "prompts", benchmark="clvg")
    shown = show_context(Evidence(), item)
    words = [prompts[view_of(item).prompt].text.encode()]
    return [canonical_json(each) for each in (ask(item, prompts), question_of(item), view_of(item), shown)] + words


def test_truth_and_catalogue_reach_neither_generator_nor_reader(
    cases: dict[str, GenerationCase], store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = {name: seen_by_others(item, store) for name, item in cases.items()}
    other = {name: item.staged for name, item in zip(cases, reversed(cases.values()), strict=True)}
    known = weaknesses.read_catalogue()
    turned = dict(zip(known, reversed(known.values()), strict=True))
    monkeypatch.setattr(weaknesses, "read_catalogue", lambda: dict(reversed(turned.items())))
    for name, item in cases.items():
        assert seen_by_others(item.model_copy(update={"staged": other[name]}), store) == before[name]


def test_the_pack_is_small(cases: dict[str, GenerationCase]) -> None:
    folder = Path(benchmark("clvg").folder) / "starter"
    assert sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) < 2_500_000
