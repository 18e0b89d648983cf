"""Whole runs against a video service over real HTTP: every way to end, money, and a kill in the middle."""

import json
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from editor_server import EditorServer, editor_server
from forked_cli import ForkedCli

import cutscore.benchmarks.covebench
from cutscore.bridge.rows import read_rows
from cutscore.core.row import Row

pytestmark = pytest.mark.real  # whole runs, one of which is killed

PARK = Path(cutscore.benchmarks.covebench.__file__).parent / "starter" / "park.mp4"  # two seconds
PER_CALL_USD, PER_SECOND_USD = 0.05, 0.01
PRICE = f"per_call_usd = {PER_CALL_USD}\nper_second_usd = {PER_SECOND_USD}"
PATIENT = {"CUTSCORE_MAX_RETRIES": "2", "CUTSCORE_BACKOFF_S": "0.01"}


class Place:
    """A folder with a run in it, and the service that it asks."""

    def __init__(self, folder: Path, server: EditorServer) -> None:
        self.folder, self.server = folder, server
        self.write_profile()

    def write_profile(
        self, *, price: str = f"per_call_usd = {PER_CALL_USD}\nper_second_usd = {PER_SECOND_USD}"
    ) -> None:
        head = f'url = "{self.server.url}"\nrefused_status = [451]\n{price}\n'
        (self.folder / "service.toml").write_text(f"{head}[poll]\nevery_s = 0.02\ntimeout_s = 5\n")

    def start(self, *words: str) -> ForkedCli:
        said = ["run", "covebench", "--subject", "x=http:service.toml", "--set", "metrics=none", "--json", *words]
        return ForkedCli(self.folder, said, env=PATIENT)

    def rows(self) -> dict[str, Row]:
        return {row.item: row for row in read_rows(self.folder / "logs")}

    def ledger(self) -> list[dict[str, object]]:
        return [json.loads(line) for line in (self.folder / "logs" / "ledger.jsonl").read_text().splitlines()]

    def spent_usd(self) -> float:
        return sum(float(str(line["usd"])) for line in self.ledger() if line["state"] == "done")


@pytest.fixture
def server() -> Iterator[EditorServer]:
    with editor_server(video=PARK.read_bytes()) as made:
        yield made


@pytest.fixture
def place(tmp_path: Path, server: EditorServer) -> Place:
    return Place(tmp_path, server)


def test_a_run_that_is_killed_while_it_polls_pays_each_job_once(place: Place, server: EditorServer) -> None:
    server.play = {"poll": ["running"]}
    child = place.start("--limit", "3")
    assert child.wait_until(lambda: '"start"' in child.err.read_text())
    assert child.wait_until(lambda: len(server.jobs) == 3 and server.asked["poll"] > 6)
    child.send(signal.SIGKILL)
    assert child.end() == -signal.SIGKILL
    assert not place.rows(), "nothing had ended"
    server.play = {}
    again = place.start("--limit", "3")
    assert again.end() == 0, again.said
    assert server.asked["submit"] == len(server.jobs) == 3, "nobody submitted anything again"
    rows = place.rows()
    assert sorted(rows) == ["park-1", "park-2", "park-3"]
    assert all(row.ending.status == "marked" and not row.failed for row in rows.values())
    paid = 3 * (PER_CALL_USD + 2 * PER_SECOND_USD)
    assert place.spent_usd() == pytest.approx(paid)
    assert sum(row.cost_usd or 0 for row in rows.values()) == pytest.approx(paid)
    assert sum(line["state"] == "sent" for line in place.ledger()) == 3


def test_every_way_in_which_a_service_fails_ends_as_it_is_documented(place: Place, server: EditorServer) -> None:
    server.by_words = {
        "Make the red ball blue": {"submit": ["429", "503", "well"]},
        "Replace the dog with a cat": {"video": ["half", "html", "well"]},
        "Add a pink flower": {"submit": ["503"]},
        "Make the blue car yellow": {"video": ["half"]},
        "Film it as a medium shot": {"poll": ["failed"]},
        "Replace the fir tree": {"poll": ["running"]},
        "Make the red boat green": {"poll": ["refused"]},
        "Add an orange star": {"submit": ["451"]},
        "Replace the bird": {"video": ["html"]},
        "Move the lamp": {"submit": ["direct"]},
    }
    child = place.start("--limit", "10")
    child.end()
    rows = place.rows()
    said = {item: (row.ending.status, row.ending.failure_class, row.deliverable.failure) for item, row in rows.items()}
    for item in ("park-1", "park-2", "room-1"):
        assert said[item] == ("marked", None, ""), rows[item].ending.because
    for item, words in (
        ("park-3", "answers with HTTP 503 (3 attempts)"),
        ("street-1", "(3 attempts)"),
        ("sea-3", "sent a page instead of a video (3 attempts)"),
    ):
        assert rows[item].ending.status == "unscored"
        assert words in rows[item].ending.because
    for item, failure_class, words in (
        ("street-2", "crash", "failed: it shows a face"),
        ("street-3", "limit", "was still running after 5 s"),
        ("sea-1", "refused", "refused job"),
        ("sea-2", "refused", "refused the request (HTTP 451)"),
    ):
        assert said[item][:2] == ("marked", failure_class)
        assert words in said[item][2]
    # Seconds of three videos; of the endless job nobody knows them, and those that we could not fetch are not paid yet.
    made, ended = 3 * (PER_CALL_USD + 2 * PER_SECOND_USD), 2 * PER_CALL_USD
    known = [line for line in place.ledger() if line["state"] == "done" and line["usd"] is not None]
    assert sum(float(str(line["usd"])) for line in known) == pytest.approx(made + ended)
    assert sum(line["state"] == "lost" for line in place.ledger()) == 2
    server.by_words, jobs = {}, len(server.jobs)
    assert place.start("--limit", "10").end() == 0
    assert len(server.jobs) == jobs + 1, "only the one that was never taken is submitted again"
    assert all(row.ending.status == "marked" for row in place.rows().values())


def test_a_price_is_told_before_kept_to_and_told_after(place: Place, server: EditorServer) -> None:
    dry = place.start("--limit", "4", "--dry-run")
    assert dry.end() == 0, dry.said
    each = PER_CALL_USD + 2 * PER_SECOND_USD
    assert dry.json["price_usd"] == pytest.approx(4 * each)
    assert not server.jobs
    refused = place.start("--limit", "4", "--cost-limit", "0.1")
    assert refused.end() == 4
    assert "at least $0.20" in refused.said
    assert not server.jobs
    first = place.start("--limit", "4", "--cost-limit", "0.21")
    assert first.end() == 4, first.said
    assert len(server.jobs) == 3, "the third job reaches the limit of three at seven cents each"
    second = place.start("--limit", "4")
    assert second.end() == 0
    assert second.json["spent_usd"] == pytest.approx(each)
    assert place.spent_usd() == pytest.approx(len(server.jobs) * each) == pytest.approx(4 * each)


def test_a_limit_cannot_be_kept_where_nobody_says_the_price(place: Place, server: EditorServer) -> None:
    place.write_profile(price="")
    child = place.start("--limit", "1", "--cost-limit", "1")
    assert child.end() == 2
    assert child.json["error"]["fact"] == "has no known price, so --cost-limit cannot be kept"
    assert child.json["error"]["next"] == "set per_call_usd or per_second_usd in its profile; 0 is free"
    assert place.start("--limit", "1").end() == 0
    assert place.rows()["park-1"].cost_usd is None, "unknown, and not 0"
    assert len(server.jobs) == 1
