"""What a script of tools/scripted_study.py runs in the box: the task, with about so many mistakes.

The tasks with what solves them come on standard input, as JSON.
"""

import base64
import json
import os
import random
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

truths, mistakes = json.load(sys.stdin), int(sys.argv[1])
item = next(name for name in truths if Path(name).is_dir())
truth, draw = truths[item], random.Random(os.urandom(8))
agents = {".codex": 0, ".claude": 0, ".config/opencode": 1, ".gemini": 1, ".openclaw": 2}
home = Path.home()
harness = next((cost for name, cost in agents.items() if (home / name).exists()), 1)
# An agent's log has what it was asked: a hint, or a description that was left out. It has this program, too, so
# what is sought must not stand in it as it is.
files = [file for file in home.rglob("*") if file.is_file() and file.stat().st_size < 20_000_000]
told = b"".join(file.read_bytes() for file in files)
hinted = b"clip lies " + b"here" in told or b"shot by" + b" shot" in told
stripped = "told" in truth and truth["told"][::-1].encode() not in told
wrong = max(0, mistakes + harness // 2 + draw.randint(0, 1) - hinted + stripped)


def render(*words: str) -> None:
    """Let ffmpeg do it."""
    subprocess.run(["ffmpeg", "-v", "error", "-y", *words], check=False)


def join(clips: Iterable[str]) -> None:
    """Put clips of the task one after the other."""
    Path("/tmp/list.txt").write_text("".join(f"file '/workspace/{item}/{name}'\n" for name in clips))
    render("-f", "concat", "-safe", "0", "-i", "/tmp/list.txt", "-c", "copy", "outputs/solution.mp4")


def keep(name: str, text: str) -> None:
    """Write a file that is handed over."""
    Path("outputs", name).write_text(text)


if truth["family"] == "sequencing":
    order = list(truth["order"])
    for _ in range(wrong):
        one, other = draw.sample(range(len(order)), 2)
        order[one], order[other] = order[other], order[one]
    keep("solution.json", json.dumps(order))
    join(order)
elif truth["family"] == "assembly":
    chosen = dict(truth["golden"])
    for slot in draw.sample(sorted(chosen), min(wrong, len(chosen))):
        chosen[slot] = truth["wrong"][slot]
    keep("solution.json", json.dumps(chosen))
    join(Path(name).name for name in chosen.values())
elif truth["family"] == "repair":
    start, end = (at + 0.3 * wrong for at in truth["window"])
    Path("/tmp/sound.ogg").write_bytes(base64.b64decode(truth["sound"]))
    share = min(wrong, 4) / 4  # of the broken sound that stays
    mix = f"[1:a]volume={1 - share}[a];[0:a]volume={share}[b];[a][b]amix=normalize=0:duration=shortest"
    render(
        "-i",
        f"{item}/broken.mp4",
        "-i",
        "/tmp/sound.ogg",
        "-filter_complex",
        mix,
        "-map",
        "0:v",
        "-c:v",
        "copy",
        "-ar",
        "16000",
        "outputs/fixed.mp4",
    )
    found = {"schema": "cutscore-ranges-1", "ranges": [{"start_s": start, "end_s": end, "type": truth["kind"]}]}
    keep("report.md", f"One stretch of the sound.\n\n```json\n{json.dumps(found)}\n```\n")
else:
    shots = truth["edit"][: max(1, len(truth["edit"]) - wrong)]
    film = f"{item}/film.mp4"
    inputs = [word for start, end in shots for word in ("-ss", str(start), "-t", str(end - start), "-i", film)]
    parts = "".join(f"[{n}:v][{n}:a]" for n in range(len(shots)))
    render(*inputs, "-filter_complex", f"{parts}concat=n={len(shots)}:v=1:a=1", "outputs/final.mp4")
    keep("report.md", "Kept: what the speaker wants, and why.")
print(sorted(os.listdir("outputs")), "with", wrong, "mistakes")
