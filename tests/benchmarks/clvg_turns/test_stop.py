"""`--set stop=first-fail` over real HTTP: fewer films, the same rates, and a killed run pays for nothing twice."""

import json
import signal
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from editor_server import Play
from forked_cli import ForkedCli, Plant
from generator_server import PATIENT, GeneratorServer, generator_server

from cutscore.benchmarks.clvg_turns.dataset import items
from cutscore.benchmarks.clvg_turns.staged import put_turn
from cutscore.bridge.rows import read_rows
from cutscore.core.row import Row, canonical_rows
from cutscore.store import Store

pytestmark = pytest.mark.real  # whole runs, some of which are killed

PASSES, FAILS_AT_3, REFUSED_AT_2 = "homes-b", "sums-b", "shapes-b"  # of four turns each
MADE = {PASSES: 4, FAILS_AT_3: 3, REFUSED_AT_2: 2}  # films with the stop
FATES: dict[str, Play] = {"answered: The child touches the star.": {"poll": ["refused"]}}
STOP = ("--set", "stop=first-fail")
# Where a process dies that has one case, which fails at turn 3, and at which time it comes there. Notes are, in this
# order: job and end of turn 1, go on; job and end of turn 2, go on; job and end of turn 3, stop. The judge replies
# twice to turn 2 and once to turn 3.
KILLS = [
    *[("reply-written", 3), ("note-about-to-be-written", 9), ("judgement-about-to-be-kept", 3)],
    *[("note-written", time) for time in (4, 5, 6, 8)],
    *[("note-about-to-be-written", time) for time in (3, 6, 7)],
    *[("reply-written", 1), ("reply-about-to-be-written", 2)],
    *[("judgement-about-to-be-kept", 1), ("call-sent", 3), ("call-sent", 6), ("call-booked", 3), ("call-booked", 6)],
    *[("handover-left", 1), ("sample-marked", 1)],
]
# Dies when a job was taken and before its number is on disk: it is submitted again, under the key that tells it.
UNDER_WAY = ("note-about-to-be-written", 7)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GeneratorServer]:
    store = Store(tmp_path_factory.mktemp("films"))
    case = items(store)[0]
    film = store.path(put_turn(store, "film.mp4", case, case.paths["scripted"][:1])).read_bytes()
    with generator_server(film) as made:
        yield made


def start(
    folder: Path, server: GeneratorServer, *more: str, cases: Sequence[str] = (FAILS_AT_3,), plant: Plant = None
) -> ForkedCli:
    """Run some cases with a model as the judge, who says no to turn 3 of one of them and yes to everything else."""
    folder.mkdir(exist_ok=True)
    server.describe(folder / "service.toml")
    asked = r'(?s)^(?=.*seal (?P<seal>[0-9a-f]{8}))(?=.*"turn(?P<turn>\d)/'
    rules = [
        {"when": rf'{asked}branch")(?=.*picks the card with 2)', "say": answer(branch="no", focus="yes", action="yes")},
        {"when": rf'{asked}branch")', "say": answer(branch="yes", focus="yes", action="yes")},
        {"when": rf'{asked}continuity")', "say": answer(continuity="yes")},
    ]
    (folder / "judge.json").write_text(json.dumps({"rules": rules}))
    words = ["run", "clvg_turns", "--subject", "x=http:service.toml", "--judge", "scripted/judge.json", "--json"]
    return ForkedCli(folder, [*words, *more, *(f"--item={id}" for id in cases)], env=PATIENT, plant=plant)


def answer(**said: str) -> str:
    each = ({"id": rf"turn\g<turn>/{name}", "because": "Seen.", "answer": words} for name, words in said.items())
    return json.dumps({"seal": r"\g<seal>", "addressed": False, "answers": [*each]}).replace("\\\\", "\\")


def rows_of(folder: Path) -> dict[str, Row]:
    return {row.item: row for row in read_rows(folder / "logs")}


def paid_calls(folder: Path) -> Counter[str]:
    """Return how many calls were paid, by role."""
    lines = [json.loads(line) for line in (folder / "logs" / "ledger.jsonl").read_text().splitlines()]
    roles = {line["call"]: line["role"] for line in lines if line["state"] == "sent"}
    return Counter(roles[line["call"]] for line in lines if line["state"] == "done")


def test_reached_rates_are_those_of_a_run_that_makes_every_turn(server: GeneratorServer, tmp_path: Path) -> None:
    scores, calls = {}, {}
    for name, more in (("all", ()), ("stop", STOP)):
        server.begin(FATES)
        child = start(tmp_path / name, server, *more, cases=tuple(MADE))
        assert child.end() == 0, child.said
        rows = rows_of(tmp_path / name)
        scores[name] = {id: (row.ending.scores, row.ending.wholes, row.ending.gaps) for id, row in rows.items()}
        calls[name] = (len(server.taken), paid_calls(tmp_path / name)["judge"])
    assert scores["stop"] == scores["all"]
    assert rows[FAILS_AT_3].ending.wholes["turn4_all@reference"] == 1, "not reached, and of all cases a fail"
    assert "turn4@reference" not in rows[FAILS_AT_3].ending.scores
    assert (calls["all"][0], calls["stop"][0]) == (12, sum(MADE.values()))
    assert calls["stop"][1] == calls["all"][1], "what was asked between turns was not asked again"
    assert {id: len([each for each in row.evidence.turns if not each.not_made]) for id, row in rows.items()} == MADE
    assert rows[FAILS_AT_3].conditions["stop"] == "first-fail"


@pytest.fixture(scope="module")
def calm(server: GeneratorServer, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that nobody killed."""
    folder = tmp_path_factory.mktemp("calm")
    server.begin(FATES)
    child = start(folder, server, *STOP)
    assert child.end() == 0, child.said
    return folder


@pytest.mark.parametrize(
    "plant", [*KILLS[:3], *(pytest.param(each, marks=pytest.mark.release) for each in KILLS[3:])], ids=str
)
def test_a_killed_run_stops_at_the_same_turn_and_pays_for_nothing_twice(
    plant: Plant, calm: Path, server: GeneratorServer, tmp_path: Path
) -> None:
    server.begin(FATES)
    killed = start(tmp_path, server, *STOP, plant=plant)
    assert killed.end() == -signal.SIGKILL, killed.said
    again = start(tmp_path, server, *STOP)
    assert again.end() == 0, again.said
    assert len(server.taken) == MADE[FAILS_AT_3]
    assert sum(server.posts.values()) == MADE[FAILS_AT_3] + (plant == UNDER_WAY)
    assert canonical_rows(rows_of(tmp_path).values()) == canonical_rows(rows_of(calm).values())
    assert paid_calls(tmp_path) == paid_calls(calm)
