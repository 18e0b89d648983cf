"""Which subject a spec means, and what is said when it means none."""

import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import EntryPoint
from pathlib import Path

import anyio
import pytest

from cutscore import registry
from cutscore.cells.scoring_code import part_digest, reached_from
from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable
from cutscore.core.errors import BadInput, UnknownName
from cutscore.core.item import Item
from cutscore.core.subject import Subject, SubjectSpec, WorkContext
from cutscore.store import Store
from cutscore.subjects import choose as module
from cutscore.subjects.choose import KINDS, kinds, looks_at_input, open_subject, planted_kinds, takes_model
from cutscore.subjects.harness.catalogue import HARNESSES
from cutscore.subjects.web.agent import WEB_AGENTS

Work = Callable[[Subject], Deliverable]


@pytest.fixture(scope="session")
def items(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Item]:
    store = Store(tmp_path_factory.mktemp("store"))
    return {item.id: item for item in registry.benchmark("colorbars").part("dataset").items(store)}


@pytest.fixture
def chosen(items: dict[str, Item]) -> Callable[[str], Subject]:
    return lambda text: open_subject(SubjectSpec.parse(text), registry.benchmark("colorbars"), items)


def test_oracle_null_and_blind_come_from_the_benchmarks_folder(
    chosen: Callable[[str], Subject], work: Work, context: WorkContext
) -> None:
    made = work(chosen("oracle"))
    assert context.store.path(made.files[0]).read_text() == '{"answer":"orange"}'
    assert work(chosen("null")) == Deliverable()
    assert work(chosen("blind")).text in ("red", "blue")
    assert work(chosen("a=blind")) == work(chosen("b=blind@2"))


def test_blind_guesses_by_the_seed_of_the_sample(
    chosen: Callable[[str], Subject], ask: Ask, context: WorkContext
) -> None:
    async def guess(seed: int) -> str:
        return (await chosen("blind").work(ask, replace(context, seed=seed))).text

    guesses = [anyio.run(guess, seed) for seed in range(12)]
    assert set(guesses) == {"red", "blue"}
    assert guesses == [anyio.run(guess, seed) for seed in range(12)]


def test_the_oracle_knows_only_its_own_data(chosen: Callable[[str], Subject], context: WorkContext) -> None:
    async def once() -> Deliverable:
        return await chosen("oracle").work(Ask(item="other", brief="?"), context)

    with pytest.raises(BadInput, match="item 'other': is not in the data"):
        anyio.run(once)


def test_folder_and_python_are_opened(
    chosen: Callable[[str], Subject], work: Work, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "out/bars-01-a").mkdir(parents=True)
    (tmp_path / "out/bars-01-a/answer.json").write_text("{}")
    assert [file.name for file in work(chosen(f"folder:{tmp_path}/out")).files] == ["answer.json"]
    (tmp_path / "chosen_editor.py").write_text("def edit(ask, context):\n    return ask.item\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert work(chosen("mine=python:chosen_editor:edit")).text == "bars-01-a"


def test_the_transcript_alone_needs_a_model_or_a_function_of_the_benchmarks(
    chosen: Callable[[str], Subject], monkeypatch: pytest.MonkeyPatch, work: Work
) -> None:
    with pytest.raises(BadInput, match="subject 'transcript': benchmark 'colorbars' has none; it has oracle, reader"):
        chosen("transcript")
    keyless = registry.benchmark("colorbars").part("keyless")
    monkeypatch.setattr(keyless, "transcript", lambda ask, context: "heard", raising=False)
    assert work(chosen("transcript")).text == "heard"


def test_identity_changes_with_the_code_that_answers(items: dict[str, Item], tmp_path: Path) -> None:
    own = registry.benchmark("colorbars")
    for part in ("oracle", "keyless"):
        (tmp_path / f"{part}.py").write_text("# other code\n")
    other = registry.Benchmark(own.name, own.card, tmp_path, own.package)
    for kind in ("oracle", "null", "blind", "reader"):
        one, two = (open_subject(SubjectSpec.parse(kind), found, items) for found in (own, own))
        assert one.source_digest == two.source_digest != ""  # type: ignore[attr-defined]
    for part in ("oracle", "keyless"):
        assert part_digest(own, part) != part_digest(other, part)


def test_a_reader_with_other_eyes_is_another_subject() -> None:
    own = registry.benchmark("colorbars")
    reached = reached_from([own.folder / "keyless.py"], own)
    assert any(name.startswith("cutscore.perception.") for name in reached)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("oracel", "no subject 'oracel'; did you mean 'oracle'?"),
        ("codex", "no subject 'codex'; did you mean 'codex_cli'?"),
        ("zzz", "no subject 'zzz'; known: ahead, blind, claude_code, "),
        ("oracle:x", "subject 'oracle:x': 'oracle' takes nothing after a colon; write oracle"),
        ("folder", "subject 'folder': lacks what follows the colon; write folder:DIR"),
        ("python", "subject 'python': lacks what follows the colon; write python:pkg.mod:fn"),
        ("folder:/no/such/folder", "folder '/no/such/folder': does not exist"),
    ],
)
def test_one_clear_sentence(chosen: Callable[[str], Subject], text: str, words: str) -> None:
    with pytest.raises(BadInput) as caught:
        chosen(text)
    assert str(caught.value).startswith(words)


def test_models_and_agents_take_a_model() -> None:
    assert [kind for kind in KINDS if takes_model(kind)] == ["model", *HARNESSES, *WEB_AGENTS]
    with pytest.raises(UnknownName, match="did you mean 'model'"):
        takes_model("modelx")


def test_every_kind_that_the_card_lists_exists() -> None:
    assert set(registry.benchmark("colorbars").card.subjects) <= set(KINDS)


def test_a_benchmark_with_a_reader_has_a_reader(
    chosen: Callable[[str], Subject], work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    keyless = registry.benchmark("colorbars").part("keyless")
    monkeypatch.setattr(keyless, "reader", lambda ask, context: f"read {ask.item}")
    assert work(chosen("reader")).text == "read bars-01-a"


def test_a_benchmark_without_a_reader_says_whom_it_has(items: dict[str, Item], monkeypatch: pytest.MonkeyPatch) -> None:
    own = registry.benchmark("colorbars")
    others = tuple(kind for kind in own.card.subjects if kind != "reader")
    monkeypatch.delattr(own.part("keyless"), "reader")
    with pytest.raises(BadInput) as caught:
        open_subject(
            SubjectSpec.parse("reader"), replace(own, card=own.card.model_copy(update={"subjects": others})), items
        )
    assert str(caught.value) == (
        "subject 'reader': benchmark 'colorbars' has none; it has oracle, blind, null, model, folder, python"
    )


# --- kinds that another package offers --------------------------------------------------------------------------


class Echo:
    """A subject of somebody else's."""

    def __init__(self, spec: SubjectSpec) -> None:
        self.spec = spec

    async def work(self, ask: Ask, context: WorkContext) -> Deliverable:
        return Deliverable(text=f"{self.spec.spec} {ask.item}")


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch) -> None:
    class Entry(EntryPoint):
        def load(self) -> object:
            if self.value == "broken":
                raise ModuleNotFoundError("No module named 'gone'")
            return {"parrot": Echo, "useless": lambda spec: 7}[self.value]

    values = {"parrot": "parrot", "useless": "useless", "broken": "broken", "oracle": "parrot"}
    entries = {name: Entry(name, value, "cutscore.subjects") for name, value in values.items()}
    monkeypatch.setattr(module, "plugins", lambda kind: entries if kind == "subjects" else {})


@pytest.mark.usefixtures("offered")
def test_another_package_offers_a_kind(chosen: Callable[[str], Subject], work: Work) -> None:
    assert work(chosen("parrot:hello")).text == "hello bars-01-a"
    assert kinds() == (*KINDS, *planted_kinds(), "parrot", "useless", "broken")
    assert not takes_model("parrot")
    Echo.takes_model = True  # type: ignore[attr-defined]
    assert takes_model("parrot")
    del Echo.takes_model  # type: ignore[attr-defined]


@pytest.mark.usefixtures("offered")
def test_it_cannot_replace_one_of_ours(chosen: Callable[[str], Subject], work: Work) -> None:
    assert work(chosen("oracle")).files


@pytest.mark.usefixtures("offered")
@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("useless", "subject 'useless': its package made a int without work(ask, context)"),
        ("broken", "subject 'broken': its package cannot be imported: No module named 'gone'; mend or uninstall"),
        ("ecko", "no subject 'ecko'; did you mean 'echo'?"),
    ],
)
def test_one_that_does_not_work_is_named(chosen: Callable[[str], Subject], kind: str, words: str) -> None:
    with pytest.raises(BadInput) as caught:
        chosen(kind)
    assert str(caught.value).startswith(words)


def test_listing_kinds_loads_nothing_heavy() -> None:
    program = (
        "import sys; from cutscore.subjects.choose import kinds; kinds();"
        "print(sorted({'inspect_ai', 'numpy', 'av', 'cv2', 'scipy'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_benchmark_plants_subjects_of_its_own_and_others_have_none(chosen: Callable[[str], Subject]) -> None:
    assert {"partial", "collateral"} <= set(kinds())
    assert not takes_model("partial")
    assert not looks_at_input("partial")
    with pytest.raises(BadInput, match="subject 'partial': benchmark 'colorbars' has none; it has oracle"):
        chosen("partial:1")
    found = registry.benchmark("covebench")
    assert open_subject(SubjectSpec.parse("partial:1"), found, {}).source_digest  # type: ignore[attr-defined]
