"""Agents: what a box and the way to the model cost, and how memory and logs grow with turns.

    python bench/agents.py [--rounds 5] [--requests 200] [--agent codex_cli] [--turns 20 200]

Wanted: a boxed render takes at most 1.1 × the same unboxed; a request takes at most 30 ms more (median) than one to a
bare server that says the same; memory is flat over 200 turns with 20 pictures. The start of a box is printed beside
that of a bare process. Requests have the same 40 kB each time. Where bubblewrap or the agent is missing, that is said.
"""

import argparse
import asyncio
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cutscore.core.errors import CutscoreError

RENDER = "ffmpeg -v error -y -f lavfi -i testsrc2=s=1280x720:d=8:r=25 -c:v libx264 -preset fast -threads 2 {out}"
TOOL = {"name": "Bash", "description": "run a command", "input_schema": {"type": "object", "properties": {}}}
BODY = {
    "model": "model",
    "max_tokens": 1000,
    "system": "word " * 8000,
    "tools": [TOOL],
    "messages": [{"role": "user", "content": "Say hello."}],
}
# Sends its requests one after the other, and prints the milliseconds of each.
CLIENT = """
import http.client, json, sys, time
port, number, body = int(sys.argv[1]), int(sys.argv[2]), open(sys.argv[3], "rb").read()
line = http.client.HTTPConnection("127.0.0.1", port)
took = []
for _ in range(number):
    began = time.perf_counter()
    line.request("POST", "/v1/messages", body, {"content-type": "application/json"})
    answer = line.getresponse()
    assert answer.status == 200, answer.read()
    answer.read()
    took.append(1000 * (time.perf_counter() - began))
print(json.dumps(took))
"""


def make_box(folder: Path, **more: Any) -> Any:
    from cutscore.environments.sandbox.box import Box
    from cutscore.environments.sandbox.isolation import find_isolation
    from cutscore.environments.sandbox.tools import media_mounts, own_folders

    mounts = (*media_mounts(), *more.pop("mounts", ()))
    return Box(folder, find_isolation(), mounts=mounts, hidden=own_folders(), **more)


def timed(call: Callable[[], object]) -> float:
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


def in_box(box: Any, argv: list[str], wall_s: float = 600.0) -> Any:
    from cutscore.environments.sandbox.tools import box_env

    ended = box.run(argv, name="bench", env=box_env(), wall_s=wall_s)
    assert ended.code == 0, ended.logs[1].read_text()
    return ended


def measure_start(folder: Path, rounds: int) -> None:
    """Print how long nothing takes: bare, under our guard, and in a box."""
    from cutscore.process import ProgramLimits, run

    box = make_box(folder / "box")
    ways = {
        "bare": lambda: subprocess.run(["/bin/true"], check=True),
        "guarded": lambda: run(["/bin/true"], limits=ProgramLimits(wall_s=60)),
        "boxed": lambda: in_box(box, ["/bin/true"]),
    }
    took = {name: statistics.median(timed(call) for _ in range(4 * rounds)) for name, call in ways.items()}
    told = ", ".join(f"{name} {1000 * took_s:.1f} ms" for name, took_s in took.items())
    print(f"start of a program: {told} ({box.isolation}, {len(box.mounts)} mounts)")


def measure_render(folder: Path, rounds: int) -> None:
    """Print a render in a box against the same outside of it, in turn."""
    box = make_box(folder / "box")
    inside, outside = [], []
    for _ in range(rounds):
        bare = RENDER.format(out=folder / "bare.mp4").split()
        outside.append(timed(lambda bare=bare: subprocess.run(bare, check=True)))
        inside.append(timed(lambda: in_box(box, RENDER.format(out="outputs/boxed.mp4").split())))
    ratio = statistics.median(inside) / statistics.median(outside)
    print(
        f"render of 8 s at 720p: unboxed {statistics.median(outside):.2f} s, boxed {statistics.median(inside):.2f} s, "
        f"ratio {ratio:.3f} (wanted at most 1.1)"
    )


async def measure_requests(folder: Path, requests: int) -> None:
    """Print what endpoint and relay add to a request."""
    from aiohttp import web

    from cutscore.environments.sandbox import relay
    from cutscore.environments.sandbox.bubblewrap import Mount
    from cutscore.environments.sandbox.layout import PYTHON, SOCKETS
    from cutscore.models.endpoint.server import Endpoint
    from cutscore.models.endpoint.translated import answer_by_model

    _use_scripted_model(folder)
    sockets = folder / "sockets"
    sockets.mkdir()
    box = make_box(folder / "box", mounts=(Mount(Path(relay.__file__), "/opt/relay.py"), Mount(sockets, SOCKETS)))
    body, client = box.workspace / "body.json", box.workspace / "client.py"
    body.write_text(json.dumps(BODY))
    client.write_text(CLIENT)
    python = f"{PYTHON}/bin/python3"
    words = [python, "/opt/relay.py", "8099", f"{SOCKETS}/model.sock", "--", python, client.name, "8099", str(requests)]
    async with Endpoint(answer_by_model(), "Say hello.").serve(sockets / "model.sock"):
        ended = await asyncio.to_thread(in_box, box, [*words, body.name])
    ours = json.loads(ended.logs[0].read_text())

    async def answer(request: web.Request) -> web.Response:
        await request.read()
        return web.json_response(
            {"type": "message", "role": "assistant", "content": [{"type": "text", "text": "hello"}]}
        )

    app = web.Application()
    app.router.add_post("/v1/messages", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = runner.addresses[0][1]
    bare_words = [sys.executable, str(client), str(port), str(requests), str(body)]
    done = await asyncio.to_thread(subprocess.run, bare_words, capture_output=True, check=True)
    await runner.cleanup()
    bare = json.loads(done.stdout)
    added = statistics.median(ours) - statistics.median(bare)
    print(
        f"{requests} requests of {body.stat().st_size / 1000:.0f} kB: bare server {statistics.median(bare):.1f} ms, "
        f"through relay and endpoint {statistics.median(ours):.1f} ms, added {added:.1f} ms (wanted at most 30), "
        f"95% under {sorted(ours)[int(0.95 * len(ours))]:.1f} ms"
    )


def _use_scripted_model(folder: Path) -> None:
    from inspect_ai.model import GenerateConfig, get_model
    from inspect_ai.model._model import init_active_model

    import cutscore.models.scripted  # noqa: F401  # registers it

    (folder / "script.json").write_text("{}")
    init_active_model(get_model(f"scripted/{folder / 'script.json'}"), GenerateConfig())


def run_turns(agent: str, turns: int) -> None:
    """Run one sample of so many turns, every tenth with a new picture; print its memory and what is kept of it."""
    import cutscore
    from cutscore.bridge.rows import read_rows

    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        script = [_turn(agent, number) for number in range(turns - 1)]
        (folder / "script.json").write_text(json.dumps({"turns": [*script, {"say": "Done."}]}))
        began_s, half = time.perf_counter(), _watch_memory()
        cutscore.run(
            "sequencing",
            subject=agent,
            model=f"scripted/{folder / 'script.json'}",
            items=["film-1"],
            log_dir=folder / "logs",
        )
        row = read_rows(folder / "logs")[0]
        kept = [path for path in (folder / "logs").rglob("*") if path.is_file()]
        logs = sum(path.stat().st_size for path in kept if path.suffix in (".eval", ".json", ".jsonl"))
        figures = {
            "turns": row.environment["turns"],
            "seconds": time.perf_counter() - began_s,
            "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
            "middle_mb": half(),
            "logs_kb": logs / 1000,
            "folder_kb": sum(path.stat().st_size for path in kept) / 1000,
        }
        print(json.dumps(figures), file=sys.__stdout__, flush=True)


def _turn(agent: str, number: int) -> dict[str, Any]:
    picture = f"/workspace/look-{number // 10}.png"
    if number % 10 == 8:
        source = f"testsrc2=s=640x360,noise=c0s=20:c0_seed={number}"
        return {"shell": f"ffmpeg -v error -f lavfi -i {source} -frames:v 1 {picture}"}
    if number % 10 != 9:
        return {"shell": f"ls -l film-1; echo turn {number}"}
    tool, words = {
        "claude_code": ("Read", ["file_path"]),
        "codex_cli": ("view_image", ["path"]),
        "gemini_cli": ("read_file", ["file_path"]),
    }.get(agent, ("read", ["path", "filePath"]))
    return {"tool": tool, "arguments": dict.fromkeys(words, picture)}


def _watch_memory() -> Callable[[], float]:
    """Return who tells the median of our resident memory, looked at twice a second."""
    seen: list[float] = []

    def look() -> None:
        while True:
            pages = int(Path("/proc/self/statm").read_text().split()[1])
            seen.append(pages * resource.getpagesize() / 1e6)
            time.sleep(0.5)

    threading.Thread(target=look, daemon=True).start()
    return lambda: statistics.median(seen)


def measure_turns(agent: str, turns: list[int]) -> None:
    """Print memory and kept bytes of a short and of a long sample, each in a process of its own."""
    for number in turns:
        words = [sys.executable, __file__, "--agent", agent, "--one", str(number)]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        if done.returncode:
            print(f"{agent}: {done.stderr.strip().splitlines()[-1]}")
            return
        told = json.loads(done.stdout.splitlines()[-1])
        print(
            f"{agent}, {told['turns']} turns, {number // 10} pictures: {told['seconds']:.0f} s, "
            f"peak {told['peak_mb']:.0f} MB, middle {told['middle_mb']:.0f} MB, "
            f"logs {told['logs_kb']:,.0f} kB, run folder {told['folder_kb']:,.0f} kB"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--requests", type=int, default=200)
    parser.add_argument("--agent", default="codex_cli")
    parser.add_argument("--turns", type=int, nargs="+", default=[20, 200])
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.one:
        run_turns(args.agent, args.one)
        return
    try:
        for measure in (measure_start, measure_render):
            with tempfile.TemporaryDirectory() as folder:
                measure(Path(folder), args.rounds)
        with tempfile.TemporaryDirectory() as folder:
            asyncio.run(measure_requests(Path(folder), args.requests))
    except CutscoreError as lacks:
        print(f"not measured: {lacks}")
        return
    measure_turns(args.agent, args.turns)


if __name__ == "__main__":
    main()
