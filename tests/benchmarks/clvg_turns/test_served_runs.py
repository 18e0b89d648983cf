"""clvg_turns against a service over real HTTP: films by jobs, turn by turn, every way to fail, and kills on the way."""

import json
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from editor_server import Play
from forked_cli import ForkedCli, Plant
from generator_server import PATIENT, PER_CALL_USD, GeneratorServer, generator_server

from cutscore.benchmarks.clvg_turns.dataset import items
from cutscore.benchmarks.clvg_turns.staged import put_turn
from cutscore.bridge.rows import read_rows
from cutscore.core.row import Row, canonical_rows
from cutscore.store import Store

pytestmark = pytest.mark.real  # whole runs, some of which are killed

CASES = ("sums-a", "shapes-a", "homes-a")
TURNS = 3 * len(CASES)
# How the service treats some turns, by the answer that they are asked with; all others are served well.
FATES: dict[str, Play] = {
    "answered: The child picks the card with 5.": {"poll": ["refused"]},
    "answered: The child picks the card with 3.": {"video": ["half", "well"]},
    "answered: The child touches the circle.": {"poll": ["failed"]},
    "answered: The child touches the triangle.": {"poll": ["running"]},
    "answered: The viewer says: it lives in the tree.": {"video": ["half"]},
}
# Where a process dies, and at which time it comes there.
KILLS: list[tuple[str, int]] = [
    ("call-sent", 3),
    ("call-booked", 4),
    ("file-about-to-appear-in-store", 6),
    ("subject-about-to-work", 2),
    ("call-sent", 7),
    ("call-booked", 6),
    ("handover-left", 2),
    ("sample-marked", 1),
    ("sample-kept", 2),
    ("log-about-to-be-flushed", 1),
]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GeneratorServer]:
    store = Store(tmp_path_factory.mktemp("films"))
    case = items(store)[0]
    film = store.path(put_turn(store, "film.mp4", case, case.paths["scripted"][:1])).read_bytes()
    with generator_server(film) as made:
        yield made


@pytest.fixture(scope="module")
def calm(server: GeneratorServer, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that nobody killed."""
    folder = tmp_path_factory.mktemp("calm")
    server.begin(FATES)
    child = start(folder, server)
    assert child.end() == 0, child.said
    assert len(server.taken) == TURNS
    assert set(server.posts.values()) == {1}
    return folder


def start(folder: Path, server: GeneratorServer, *, plant: Plant = None) -> ForkedCli:
    folder.mkdir(exist_ok=True)
    server.describe(folder / "service.toml")
    words = ["run", "clvg_turns", "--subject", "x=http:service.toml", "--json"]
    return ForkedCli(folder, [*words, *(f"--item={id}" for id in CASES)], env=PATIENT, plant=plant)


def rows_of(folder: Path) -> dict[str, Row]:
    return {row.item: row for row in read_rows(folder / "logs")}


def spent_usd(folder: Path) -> float:
    lines = [json.loads(line) for line in (folder / "logs" / "ledger.jsonl").read_text().splitlines()]
    return sum(float(line["usd"]) for line in lines if line["state"] == "done" and line["usd"] is not None)


def test_each_way_to_fail_ends_its_turn_as_it_is_documented(calm: Path) -> None:
    rows = rows_of(calm)
    classes = {id: [turn.deliverable.failure_class for turn in rows[id].evidence.turns] for id in CASES[:2]}
    assert classes == {"sums-a": [None, "refused", None], "shapes-a": [None, "crash", "limit"]}
    causes = {
        id: [each.name for each in row.ending.findings if each.name.startswith("cause/")] for id, row in rows.items()
    }
    assert causes == {"sums-a": ["cause/refused"], "shapes-a": ["cause/crash"], "homes-a": []}
    assert [rows[id].ending.scores["case_passed@reference"] for id in CASES[:2]] == [0, 0]
    assert rows["sums-a"].ending.wholes.get("verdicts@reference") is None, "a refusal is no verdict"
    assert rows["sums-a"].evidence.file("turn_3.mp4") is not None, "a turn that failed is followed by the next"
    assert (rows["homes-a"].ending.status, rows["homes-a"].evidence.turns) == ("unscored", ())
    assert "attempts" in rows["homes-a"].ending.because
    assert [turn.cost_usd for turn in rows["sums-a"].evidence.turns] == pytest.approx([PER_CALL_USD] * 3)


def test_what_was_paid_for_is_not_asked_again(server: GeneratorServer, tmp_path: Path) -> None:
    server.begin(FATES)
    assert start(tmp_path, server).end() == 0
    server.by_words = {}
    again = start(tmp_path, server)
    assert again.end() == 0, again.said
    row = rows_of(tmp_path)["homes-a"]
    assert (row.ending.status, len(row.evidence.turns)) == ("marked", 3)
    assert set(server.posts.values()) == {1}, "the turns before it stayed, and of its own the film alone was fetched"


@pytest.mark.parametrize(
    ("event", "time"), [*KILLS[:3], *(pytest.param(*each, marks=pytest.mark.release) for each in KILLS[3:])]
)
def test_a_killed_run_pays_no_turn_twice_and_ends_with_the_same_rows(
    event: str, time: int, calm: Path, server: GeneratorServer, tmp_path: Path
) -> None:
    server.begin(FATES)
    killed = start(tmp_path, server, plant=(event, time))
    assert killed.end() == -signal.SIGKILL, killed.said
    again = start(tmp_path, server)
    assert again.end() == 0, again.said
    assert len(server.taken) == TURNS, "the same jobs, known again by their keys"
    repeated = sum(server.posts.values()) - TURNS
    on_their_way = len(CASES) - (event != "call-sent")  # the cases beside the one at which it was killed may be sending
    assert 0 <= repeated <= on_their_way, "only what was on its way is sent again"
    assert canonical_rows(rows_of(tmp_path).values()) == canonical_rows(rows_of(calm).values())
    assert spent_usd(tmp_path) == pytest.approx(spent_usd(calm))
