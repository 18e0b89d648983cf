"""Real boxes: what is out of reach in them, and what ends a program that takes too much."""

import os
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cutscore.core.errors import Stopped
from cutscore.environments.sandbox.box import Box, BoxLimits, BoxRun, disk_use
from cutscore.environments.sandbox.bubblewrap import Mount
from cutscore.environments.sandbox.isolation import find_isolation

pytestmark = pytest.mark.real

MIB = 1 << 20
Shell = Callable[..., BoxRun]


@pytest.fixture(autouse=True)
def _can_shut_boxes() -> None:
    try:
        find_isolation()
    except Stopped as lacks:
        pytest.skip(str(lacks))


@pytest.fixture
def box(tmp_path: Path) -> Box:
    limits = BoxLimits(memory_bytes=300 * MIB, processes=64, disk_bytes=50 * MIB, file_bytes=1 << 30, log_bytes=MIB)
    return Box(tmp_path / "box", find_isolation(), limits=limits)


def _sh(box: Box, command: str, wall_s: float = 30.0, **more: object) -> BoxRun:
    env = {"PATH": "/usr/bin:/bin"}
    return box.run(["/bin/bash", "-c", command], name="try", env=env, wall_s=wall_s, **more)  # type: ignore[arg-type]


def _said(run: BoxRun) -> str:
    return run.logs[0].read_text() + run.logs[1].read_text()


def test_the_agent_is_nobody_in_a_place_of_its_own(box: Box) -> None:
    said = _said(_sh(box, "id -u; pwd; echo $HOME; ls -A ~; grep Cap /proc/self/status"))
    uid, cwd, home, *rest = said.split("\n")
    assert (uid, cwd, home) == ("1000", "/workspace", "/home/agent")
    assert all(line.endswith("0" * 16) for line in rest if line.startswith(("CapEff", "CapPrm", "CapBnd")))


PLACES = {
    "home": os.path.expanduser("~"),
    "root": "/root",
    "passwords": "/etc/shadow",
    "us": str(Path(__file__).parents[3]),
}


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
def test_what_is_not_named_is_not_there(box: Box, place: str) -> None:
    assert _sh(box, f"test -e '{place}'").code == 1


def test_our_own_process_and_its_environment_are_not_seen(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "sk-of-the-caller-0123456789")
    said = _said(_sh(box, "env; cat /proc/*/environ | tr '\\0' '\\n'; ls -d /proc/[0-9]*"))
    assert "sk-of-the-caller" not in said
    assert f"/proc/{os.getpid()}\n" not in said


@pytest.fixture
def listening() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=server.accept, daemon=True)
        thread.start()
        yield server.getsockname()[1]


def test_no_port_of_the_machine_is_reached(box: Box, listening: int) -> None:
    assert _sh(box, f"exec 3<>/dev/tcp/127.0.0.1/{listening}").code != 0


def test_materials_can_be_read_and_neither_written_nor_replaced(tmp_path: Path) -> None:
    film = tmp_path / "film.mp4"
    film.write_bytes(b"a film")
    box = Box(tmp_path / "box", find_isolation(), mounts=(Mount(film, "/workspace/film.mp4"),))
    tried = _sh(
        box, "cat film.mp4; echo x > film.mp4; rm -f film.mp4; mv film.mp4 other; mv /workspace /w; cat film.mp4"
    )
    assert _said(tried).startswith("a filma film")
    assert film.read_bytes() == b"a film"


def test_what_is_written_stays_for_the_next_program_and_no_process_does(box: Box) -> None:
    _sh(box, "echo kept > outputs/a; setsid sleep 1000 & disown")
    assert (box.outputs / "a").read_text() == "kept\n"
    assert "sleep" not in _said(_sh(box, "cat /proc/*/comm"))


@pytest.mark.parametrize(
    ("command", "ended"),
    [
        (":(){ :|:& };:; sleep 5", "processes"),
        ("python3 -c 'x = bytearray(900 << 20); print(len(x))'", "memory"),
        ("head -c 200M /dev/zero > outputs/zeros; sleep 20", "disk"),
        ("sleep 100", "time"),
    ],
)
def test_who_takes_too_much_is_ended(box: Box, command: str, ended: str) -> None:
    run = _sh(box, command, wall_s=3.0)
    assert (run.ended, run.code) == (ended, None)


@pytest.mark.skipif("find_isolation() != 'full'", reason="nobody but the kernel kills one and spares the others")
def test_who_started_a_greedy_program_goes_on_and_it_is_counted(box: Box) -> None:
    run = _sh(box, "python3 -c 'x = bytearray(900 << 20)'; echo it ended with $?; sleep 0.5")
    assert (run.ended, run.code, run.memory_kills) == ("exited", 0, 1)
    assert "it ended with 137" in _said(run)


def test_a_giant_of_holes_cannot_be_made(box: Box) -> None:
    run = _sh(box, "truncate -s 100G outputs/giant; echo went on")
    assert run.ended == "exited"
    assert disk_use(box.workspace) < MIB
    assert (box.outputs / "giant").stat().st_size == 0


def test_a_gigabyte_of_words_is_cut_and_does_not_hold_up(box: Box) -> None:
    run = _sh(box, "yes | head -c 1000M; echo the end >&2")
    assert run.code == 0
    assert run.logs[0].stat().st_size < 2 * MIB
    assert run.logs[1].read_text() == "the end\n"


def test_a_program_is_ended_when_somebody_asks_for_it(box: Box) -> None:
    stop: list[object] = []
    threading.Timer(0.5, lambda: stop.append("now")).start()
    run = _sh(box, "sleep 100", stop=stop)
    assert run.ended == "asked"
    assert run.wall_s < 20


def test_a_program_that_is_not_there_is_said(box: Box) -> None:
    run = box.run(["no-such-program"], name="try", env={"PATH": "/usr/bin"}, wall_s=10)
    assert run.code == 1
    assert "no-such-program" in _said(run)


def test_a_plain_folder_isolates_nothing_and_works(tmp_path: Path) -> None:
    film = tmp_path / "film.mp4"
    film.write_bytes(b"a film")
    mounts = (Mount(film, "/workspace/clips/film.mp4"), Mount(tmp_path, "/opt/agent"))
    box = Box(tmp_path / "box", "none", mounts=mounts)
    said = _said(_sh(box, "pwd; echo $HOME; cat clips/film.mp4; echo x > clips/film.mp4; ls /opt/agent/film.mp4"))
    assert said.split("\n")[:3] == [str(box.workspace), str(box.home), f"a film{film}"]
    assert film.read_bytes() == b"a film"


def test_only_whole_paths_of_a_box_are_put_elsewhere(tmp_path: Path) -> None:
    box = Box(tmp_path, "none", mounts=(Mount(Path("/a"), "/opt/agent"),))
    told = "see /opt/agent/x, '/workspace' and /opt/agents, x/workspace, /workspace.txt"
    assert box.locate(told) == f"see /a/x, '{tmp_path}/workspace' and /opt/agents, x/workspace, /workspace.txt"


def test_names_are_looked_up_where_a_box_has_the_network(tmp_path: Path) -> None:
    shut, opened = Box(tmp_path / "a", find_isolation()), Box(tmp_path / "b", find_isolation(), network=True)
    assert _said(_sh(shut, "cat /etc/resolv.conf")) == ""
    assert _said(_sh(opened, "cat /etc/resolv.conf")) == Path("/etc/resolv.conf").read_text()
