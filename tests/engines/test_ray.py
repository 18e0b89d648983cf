"""Cells on a real Ray cluster of two nodes, which these tests start and end."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from cutscore.bridge.rows import read_rows
from cutscore.core.row import canonical_rows

pytestmark = pytest.mark.real

SOON_S = 120
SECRET = "sk-ray-0123456789abcdef"
NODES = """
import sys
from ray.cluster_utils import Cluster
cluster = Cluster()
for _ in range(2):  # on loopback; what is called localhost, Ray would look for on the network
    cluster.add_node(num_cpus=1, node_ip_address="127.0.0.2", include_dashboard=False)
print("address", cluster.address, flush=True)
sys.stdin.read()
cluster.shutdown()
"""


@dataclass(frozen=True)
class RunningCluster:
    """Two nodes of one processor each; the environment is that of its nodes, and `scratch` has its logs."""

    address: str
    env: dict[str, str]
    scratch: Path


@pytest.fixture(scope="module")
def ray_env() -> dict[str, str]:
    """An environment with Ray in it, or a skip that says what is missing."""
    folder = Path(sys.prefix) / "share" / "cutscore" / "ray"
    if not (folder / "ray").is_dir():
        pytest.skip("Ray is missing: 'sh tools/ray_package.sh' fetches it with pip")
    path = os.pathsep.join([os.environ["PYTHONPATH"], str(folder)])
    own = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": "0" * 64}
    return {**os.environ, **own, "PYTHONPATH": path}


@pytest.fixture(scope="module")
def cluster(ray_env: dict[str, str]) -> Iterator[RunningCluster]:
    """Two nodes that know a secret."""
    scratch = Path(tempfile.mkdtemp(prefix="cs-ray-"))  # short: Ray has sockets in it
    nodes = subprocess.Popen(
        [sys.executable, "-c", NODES],
        env={**ray_env, "NODE_API_KEY": SECRET, "RAY_TMPDIR": str(scratch)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert nodes.stdout is not None
    try:
        address = next(line.split()[1] for line in nodes.stdout if line.startswith("address"))
        yield RunningCluster(address, ray_env, scratch)
    finally:
        nodes.communicate(timeout=SOON_S)
        shutil.rmtree(scratch, ignore_errors=True)


@pytest.fixture
def sweep(repository: Path, tmp_path: Path, ray_env: dict[str, str]) -> Callable[..., subprocess.Popen[str]]:
    """Give a function that starts the example sweep into a folder."""

    def start(folder: str, *words: str) -> subprocess.Popen[str]:
        argv = [sys.executable, "-m", "cutscore", "sweep", str(repository / "examples" / "sweep.toml")]
        return subprocess.Popen(
            [*argv, "--log-dir", folder, *words],
            cwd=tmp_path,
            env=ray_env,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    return start


@pytest.fixture(scope="module")
def inline_rows(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = tmp_path_factory.mktemp("inline")
    argv = [sys.executable, "-m", "cutscore", "sweep", str(repository / "examples" / "sweep.toml")]
    subprocess.run([*argv, "--log-dir", folder], check=True, capture_output=True)
    return canonical_rows(read_rows(folder))


def workers(folder: Path) -> list[int]:
    """Processes that do a job on a node, for somebody who works in that folder; other tests have clusters, too."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            busy = (process / "cmdline").read_bytes().startswith(b"ray::perform_there")
            if busy and (process / "cwd").samefile(folder):
                found.append(int(process.name))
        except OSError:
            continue
    return found


def test_the_same_rows_as_inline(
    cluster: RunningCluster, sweep: Callable[..., subprocess.Popen[str]], inline_rows: bytes, tmp_path: Path
) -> None:
    out, err = sweep("logs", "--engine", "ray", "--address", cluster.address).communicate(timeout=SOON_S)
    assert "Traceback" not in err
    assert "360 samples in logs: 360 done, 0 unscored, 0 missing" in out
    assert canonical_rows(read_rows(tmp_path / "logs")) == inline_rows


def test_the_same_rows_with_a_worker_killed_in_the_middle(
    cluster: RunningCluster, sweep: Callable[..., subprocess.Popen[str]], inline_rows: bytes, tmp_path: Path
) -> None:
    running = sweep("logs", "--engine", "ray", "--address", cluster.address, "--json")
    until = time.monotonic() + SOON_S
    while not any(path.stat().st_size for path in tmp_path.glob("logs/*/*/work.jsonl")):
        assert time.monotonic() < until
        assert running.poll() is None
        time.sleep(0.02)
    killed = workers(tmp_path)
    assert killed
    for pid in killed:
        os.kill(pid, signal.SIGKILL)
    out, err = running.communicate(timeout=SOON_S)
    assert running.returncode == 0, err
    plain = json.loads(out)  # Ray tells of the lost worker, and not among results
    assert (plain["done"], plain["unscored"], plain["missing"]) == (360, 0, 0)
    assert canonical_rows(read_rows(tmp_path / "logs")) == inline_rows


PROBE = """
import json, os, signal, sys
from cutscore.engines import Job, run_jobs
jobs = [Job("key", os.getenv, ("NODE_API_KEY",)), Job("folder", os.getcwd), Job("dies", os._exit, (7,)),
        Job("raises", int, ("x",)), Job("lock", __import__, ("math",)), Job("lambda", lambda: 1)]
outcomes = list(run_jobs(jobs, engine="ray", address=sys.argv[1]))
print(json.dumps([[each.key, each.value, each.error] for each in outcomes]))
"""


def test_a_secret_of_the_node_s_environment_is_there_and_in_no_log(cluster: RunningCluster, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROBE, cluster.address],
        cwd=tmp_path, env=cluster.env, capture_output=True, text=True, timeout=SOON_S, check=True,
    )  # fmt: skip
    found = {key: (value, error) for key, value, error in json.loads(done.stdout)}
    assert found["key"] == (SECRET, "")
    assert found["folder"] == (str(tmp_path), "")
    assert found["dies"] == (None, "the worker died: WorkerCrashedError, 3 times")
    assert found["raises"] == (None, "ValueError: invalid literal for int() with base 10: 'x'")
    assert found["lock"][1].startswith("result cannot be sent back: TypeError: cannot pickle")
    assert found["lambda"][1].startswith("cannot be sent to a worker: ")
    logs = [path for path in cluster.scratch.rglob("*") if path.is_file() and not path.is_symlink()]
    assert logs
    assert [path for path in logs if SECRET.encode() in path.read_bytes()] == []


SLOW = """
import time
def answer(ask, context):
    time.sleep(0.2)
    return "red"
"""


def test_ctrl_c_ends_a_cluster_of_our_own_and_the_same_command_goes_on(ray_env: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(SLOW)
    argv = [sys.executable, "-m", "cutscore", "run", "colorbars", "--subject", "python:slow:answer", "--epochs", "4"]
    running = subprocess.Popen(
        [*argv, "--engine", "ray"],
        cwd=tmp_path,
        env=ray_env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    until = time.monotonic() + SOON_S
    while not any(path.stat().st_size for path in tmp_path.glob("logs/*/*/work.jsonl")):
        assert time.monotonic() < until
        time.sleep(0.05)
    assert workers(tmp_path)
    os.killpg(running.pid, signal.SIGINT)  # as a terminal does: to the whole group
    _, err = running.communicate(timeout=SOON_S)
    assert running.returncode == 130, err
    assert "Traceback" not in err
    assert err.splitlines()[-1].startswith("interrupted; run the same command again to go on: cutscore run colorbars")
    assert workers(tmp_path) == []
    status = subprocess.run([*argv, "--dry-run", "--json"], cwd=tmp_path, capture_output=True, text=True, check=True)
    plain = json.loads(status.stdout)
    assert 0 < plain["done"] < plain["planned"] == 240


def test_no_cluster_is_one_sentence(ray_env: dict[str, str], tmp_path: Path) -> None:
    argv = [sys.executable, "-m", "cutscore", "run", "colorbars", "--subject", "null", "--limit", "1"]
    done = subprocess.run(
        [*argv, "--engine", "ray", "--address", "127.0.0.1:9"],
        cwd=tmp_path, env=ray_env, capture_output=True, text=True, timeout=SOON_S, check=False,
    )  # fmt: skip
    assert done.returncode == 3
    assert done.stderr.startswith("error: Ray cluster '127.0.0.1:9': cannot be used: ")
    assert "start it with 'ray start --head', or leave --address out" in done.stderr
