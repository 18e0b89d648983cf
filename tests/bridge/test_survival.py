"""Runs that are killed: nothing lost, nothing paid or done twice, nothing torn, and the same rows in the end."""

import json
import random
import signal
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from chat_server import ChatServer
from forked_cli import ForkedCli

from cutscore.bridge.rows import read_rows
from cutscore.core.row import canonical_rows

pytestmark = pytest.mark.real  # long, and needs nothing else

MODEL = "openai-api/loopback/m"
EVENTS = [
    ("cell-file-written", 1),
    ("subject-about-to-work", 7),
    ("call-sent", 4),
    ("reply-about-to-be-written", 3),
    ("reply-written", 8),
    ("call-booked", 6),
    ("handover-left", 11),
    ("sample-marked", 13),
    ("sample-kept", 12),
    ("file-about-to-appear-in-store", 9),
    ("log-about-to-be-flushed", 1),
    ("log-flushed", 1),
    ("journal-about-to-be-dropped", 1),
]


class Place:
    """A folder with a run in it, and the server that its model speaks to."""

    def __init__(self, folder: Path, server: ChatServer) -> None:
        self.folder, self.server = folder, server
        folder.mkdir()
        (folder / "cutscore.toml").write_text(f"[models.'{MODEL}']\ntakes = 'text'\n")

    def start(self, *, limit: int = 6, epochs: int = 3, plant: tuple[str, int] | None = None) -> ForkedCli:
        words = ["run", "colorbars", "--model", MODEL, "--log-dir", "logs", "--limit", str(limit)]
        env = {"LOOPBACK_BASE_URL": self.server.url, "LOOPBACK_API_KEY": "none"}
        return ForkedCli(self.folder, [*words, "--epochs", str(epochs), "--json"], env=env, plant=plant)

    def finish(self, *, limit: int = 6, epochs: int = 3) -> ForkedCli:
        child = self.start(limit=limit, epochs=epochs)
        assert child.end() == 0, child.said
        return child

    def check_rows(self, *, limit: int = 6, epochs: int = 3) -> bytes:
        """Check that every row is there once and nothing else is left, and give the canonical rows."""
        rows = read_rows(self.folder / "logs")
        keys = [row.key for row in rows]
        assert len(keys) == len(set(keys)) == limit * epochs
        assert all(row.ending.status == "marked" for row in rows)
        assert not list(self.folder.rglob("work.jsonl")), "the logs have it all"
        return canonical_rows(rows)

    def calls(self) -> Counter[str]:
        """Count calls of the ledger by how they ended last."""
        last: dict[str, str] = {}
        for line in (self.folder / "logs" / "ledger.jsonl").read_text().splitlines():
            plain = json.loads(line)
            last[plain["call"]] = plain["state"]
        return Counter(last.values())

    def check_calls(self, *, limit: int = 6, epochs: int = 3) -> None:
        """Check that every row was paid for once, and that the ledger has all that the server was asked."""
        calls = self.calls()
        assert calls["done"] == limit * epochs, "what was answered and kept is not asked again"
        assert calls["done"] <= self.server.done.total() <= calls.total()
        assert calls.keys() <= {"done", "lost", "failed"}, "nothing is under way when a run has ended"


@pytest.fixture
def server() -> Iterator[ChatServer]:
    with ChatServer(latency_s=0.02).serve() as made:
        yield made


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> dict[int, bytes]:
    """The canonical rows of runs that nobody disturbed, by their number."""
    made = {}
    with ChatServer().serve() as server:
        for limit, epochs in ((6, 3), (60, 4)):
            place = Place(tmp_path_factory.mktemp("calm") / str(limit), server)
            place.finish(limit=limit, epochs=epochs)
            made[limit * epochs] = place.check_rows(limit=limit, epochs=epochs)
    return made


@pytest.mark.parametrize(("event", "n"), EVENTS)
def test_a_run_that_dies_at_a_named_event_ends_like_one_that_did_not(event, n, tmp_path, server, calm):
    place = Place(tmp_path / "killed", server)
    died = place.start(plant=(event, n))
    assert died.end() == -signal.SIGKILL, died.said
    place.finish()
    assert place.check_rows() == calm[18]
    place.check_calls()


def test_twenty_kills_at_random_points_of_240_samples(tmp_path, server, calm):
    """Each kill comes when the server was asked some more; what was called done stays so."""
    place, draw, kills, said = Place(tmp_path / "killed", server), random.Random(7), 0, 0
    while kills < 20:
        child, asked = place.start(limit=60, epochs=4), server.done.total()
        wanted = asked + draw.randint(1, 18)
        assert child.wait_until(lambda child=child: '"start"' in child.err.read_text()), "make the run longer"
        # Calls of the child before may have come in meanwhile, which are none of this one's.
        assert child.wait_until(lambda wanted=wanted: server.done.total() >= wanted), "make the run longer"
        child.send(signal.SIGKILL)
        assert child.end() == -signal.SIGKILL
        kills += 1
        events = child.events
        assert events[0]["event"] == "start"
        assert events[0]["done"] >= said, "what progress called done before a kill is done after it"
        said = events[-1]["done"]
        assert sum(row.ending.status == "marked" for row in read_rows(place.folder / "logs")) >= said
    last = place.finish(limit=60, epochs=4)
    assert last.events[0]["done"] >= said
    assert (last.events[-1]["event"], last.events[-1]["done"], last.events[-1]["total"]) == ("end", 240, 240)
    assert place.check_rows(limit=60, epochs=4) == calm[240]
    place.check_calls(limit=60, epochs=4)
    assert server.done.total() > 240, "some calls were lost in flight, or nothing was tested"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_a_run_that_goes_on_later(number, tmp_path, server, calm):
    place = Place(tmp_path / "ended", server)
    child = place.start(limit=60, epochs=4)
    assert child.wait_until(lambda: server.done.total() >= 60)
    child.send(number)
    assert child.end() == 130, child.said
    by = "" if number == signal.SIGINT else f" by {number.name}"
    said = child.err.read_text().splitlines()[-1]
    assert said.startswith(
        f"interrupted{by}; run the same command again to go on: cutscore run colorbars --model {MODEL}"
    )
    assert "Traceback" not in child.err.read_text()
    done = child.json["n"]
    assert 0 < done < 240
    last = place.finish(limit=60, epochs=4)
    assert last.events[0]["done"] == child.events[-1]["done"] == done
    assert place.check_rows(limit=60, epochs=4) == calm[240]
    place.check_calls(limit=60, epochs=4)


def test_two_processes_on_one_cell(tmp_path, server):
    place = Place(tmp_path / "shared", server)
    first = place.start(limit=60, epochs=4)
    assert first.wait_until(lambda: server.done.total() >= 5)
    second = place.start(limit=60, epochs=4)
    assert second.end() == 4
    assert second.json["error"]["kind"] == "Busy"
    assert second.json["error"]["fact"] == f"process {first.process.pid} is at work in it"
    assert first.end() == 0
    place.check_rows(limit=60, epochs=4)
    assert place.calls() == {"done": 240}


def test_a_disk_that_fills_in_the_middle_of_240_samples(tmp_path, server, calm, mount_disk):
    """A real disk of half a megabyte: the run names it, keeps what it called done, and goes on when there is room."""
    place = Place(tmp_path / "filled", server)
    logs = mount_disk(place.folder / "logs", size="500k")
    child = place.start(limit=60, epochs=4)
    assert child.end() == 3, child.said
    error, done = child.json["error"], child.json["n"]
    assert error["kind"] == "NoRoom"
    assert error["fact"] == f"cannot be written: the disk is full; {done} of 240 samples are kept"
    assert error["next"] == f"make room there, and run the same command again for the other {240 - done}"
    assert 0 < done == child.events[-1]["done"] < 240
    assert child.events[-1]["retries"] == {}, "nobody took too long"
    asked = server.done.total()
    assert asked < 240, "nobody is asked for what cannot be kept"
    subprocess.run(["mount", "-o", "remount,size=50m", logs], check=True)
    last = place.finish(limit=60, epochs=4)
    assert last.events[0]["done"] == done
    assert place.check_rows(limit=60, epochs=4) == calm[240]
    assert server.done.total() - asked <= 240 - done
