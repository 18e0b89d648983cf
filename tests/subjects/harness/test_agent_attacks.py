"""A real agent that does its worst in one sample: that sample ends, and the mark of its neighbour does not move.

The same model plays both at the same time; what it runs tells by the materials in whose box it is.
"""

from pathlib import Path

import pytest
from agent_fixtures import require_agent, write_script

import cutscore
from cutscore.core.row import Row

pytestmark = pytest.mark.real

NAME = "codex_cli"
HONEST = """\
cp "$(ls -d film-*/clip-01.mp4)" outputs/solution.mp4
ls film-* | sed 's/.*/"&"/' | paste -sd, | sed 's/.*/[&]/' > outputs/solution.json"""
FILL = "cat /dev/zero > /tmp/a & cat /dev/zero > /dev/shm/b"  # memory of nobody: the kernel ends the agent for it
SECRET = "of-the-machine-0123456789"


def _run(folder: Path, attack: str, **conditions: float) -> dict[str, Row]:
    """Return both rows of a run, by item; film-1 is the one that attacks."""
    require_agent(NAME)
    turns = [{"shell": f"if [ -d film-1 ]; then {attack}\nelse {HONEST}\nfi"}, {"say": "Done."}]
    model = write_script(folder / "script.json", turns)
    run = cutscore.run(
        "sequencing", subject=NAME, model=model, items=["film-1", "film-2"], conditions=conditions, log_dir=folder / "l"
    )
    return {row.item: row for row in run.samples}


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> Row:
    """The neighbour's row when nobody attacks."""
    return _run(tmp_path_factory.mktemp("calm"), HONEST)["film-2"]


@pytest.mark.parametrize(
    ("attack", "failure_class", "said"),
    [
        (":(){ :|:& };:; sleep 60", "limit", "used more processes than its box has"),
        (f"{FILL}; python3 -c 'x = bytearray(3 << 30)'; sleep 60", "limit", "used more memory than its box has"),
        ("truncate -s 100G outputs/solution.mp4; echo $?", "", ""),
        pytest.param("yes | head -c 1000M", "", "", marks=pytest.mark.release),  # half a minute for the agent itself
        ("ln -s {secret} outputs/solution.json; ln -s /etc/passwd outputs/solution.mp4", "", "is a link"),
        ("rm -rf / ~ /workspace; kill -9 -1", "", ""),
    ],
    ids=["fork bomb", "memory", "holes", "output", "links", "destruction"],
)
def test_an_attack_ends_one_sample_and_no_other(
    tmp_path: Path, calm: Row, attack: str, failure_class: str, said: str
) -> None:
    secret = tmp_path / "secret.json"
    secret.write_text(SECRET)
    rows = _run(tmp_path, attack.format(secret=secret) if "{secret}" in attack else attack, memory_gb=2)
    told, neighbour = rows["film-1"], rows["film-2"]
    assert (neighbour.ending.status, neighbour.ending.scores) == (calm.ending.status, calm.ending.scores)
    assert set(told.ending.scores.values()) == {0.0}
    assert said in f"{told.deliverable.failure} {told.ending.findings}"
    if failure_class:
        assert told.ending.failure_class == failure_class
    kept = [path for path in (tmp_path / "l").rglob("*") if path.is_file()]
    assert not any(SECRET.encode() in path.read_bytes() for path in kept)
    assert secret.read_text() == SECRET
