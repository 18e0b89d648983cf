"""Own footage of odd kinds through `build` and `check`: each clip is named, and passes or is refused in words."""

import json
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest
from command_fixtures import Cli

from cutscore.media.render import write_clip
from cutscore.media.sound import Sound

pytestmark = pytest.mark.real

SHOTS, EACH, RATE, HEARD_HZ = 7, 9, 8, 16_000
SECONDS = SHOTS * EACH / RATE
NAMES = ("mute.mp4", "silent.mp4", "variable.mp4", "vertical.mp4")


def pictures(width: int, height: int, seed: int) -> Iterator[np.ndarray]:
    """Seven places of 48 coloured fields each, every one moving to the right."""
    draw = np.random.default_rng(seed)
    for _ in range(SHOTS):
        fields = draw.integers(20, 236, (6, 8, 3)).astype(np.uint8)
        place = fields.repeat(-(-height // 6), 0).repeat(-(-width // 8), 1)[:height, :width]
        for number in range(EACH):
            yield np.ascontiguousarray(np.roll(place, 3 * number, axis=1))


def tones() -> Sound:
    at_s = np.arange(int(HEARD_HZ * SECONDS)) / HEARD_HZ
    noise = np.random.default_rng(0).standard_normal(len(at_s))
    heard = 0.2 * np.sin(2 * np.pi * (200 + 60 * np.floor(at_s)) * at_s) + 0.02 * noise
    return Sound(heard.astype(np.float32), HEARD_HZ)


def write_variable(path: Path) -> None:
    """Write pictures that last 60, 60 and 255 ms in turn, with sound."""
    with av.open(str(path), "w") as out:
        video = out.add_stream("libx264", rate=RATE)
        video.width, video.height, video.pix_fmt = 128, 72, "yuv420p"
        video.codec_context.time_base = Fraction(1, 1000)
        track = out.add_stream("aac", rate=HEARD_HZ, layout="mono")
        at_ms = 0
        for number, pixels in enumerate(pictures(128, 72, 4)):
            frame = av.VideoFrame.from_ndarray(pixels, format="rgb24")
            frame.pts, frame.time_base = at_ms, Fraction(1, 1000)
            out.mux(video.encode(frame))
            at_ms += 255 if number % 3 == 2 else 60
        out.mux(video.encode(None))
        sound = av.AudioFrame.from_ndarray(tones().samples.reshape(1, -1), format="fltp", layout="mono")
        sound.sample_rate, sound.pts = HEARD_HZ, 0
        out.mux(track.encode(sound))
        out.mux(track.encode(None))


@pytest.fixture(scope="module")
def clips(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Clips of eight seconds and what recipes want beside them: one without sound, one whose sound track is silent, one
    with a variable rate, and one that is higher than wide."""
    folder, rate = tmp_path_factory.mktemp("clips"), Fraction(RATE)
    nothing = Sound(np.zeros(int(HEARD_HZ * SECONDS), np.float32), HEARD_HZ)
    write_clip(folder / "mute.mp4", pictures(128, 72, 1), rate=rate)
    write_clip(folder / "silent.mp4", pictures(128, 72, 2), rate=rate, sound=nothing)
    write_clip(folder / "vertical.mp4", pictures(72, 128, 3), rate=rate, sound=tones())
    write_variable(folder / "variable.mp4")
    asked = [("places", "visual", "pictures"), ("order", "narrative", "pictures"), ("heard", "sound", "sound")]
    for name in NAMES:
        stem = name.removesuffix(".mp4")
        rubric = [
            {"id": id, "pillar": pillar, "points": 2, "text": f"At least one of the {id} is there.", "evidence": by}
            for id, pillar, by in asked
            if pillar != "sound" or name in ("variable.mp4", "vertical.mp4")
        ]
        (folder / f"{stem}.rubric.json").write_text(json.dumps(rubric))
        (folder / f"{stem}.synopsis.md").write_text("Seven places are seen, one after the other.\n")
        (folder / f"{stem}.brief.md").write_text("form: teaser\nlength_s: 4\n\nMake a short teaser of these places.\n")
        slots = [
            {"start_s": number * EACH / RATE, "end_s": (number + 1) * EACH / RATE, "description": f"Place {number}."}
            | {"shot_size": "medium shot", "camera_angle": "eye level", "lens": "normal lens"}
            for number in range(4)
        ]
        (folder / f"{stem}.storyboard.json").write_text(json.dumps({"story": "A walk.", "slots": slots}))
    return folder


@pytest.mark.parametrize(
    ("family", "more"),
    [
        pytest.param("repair", ("--defect", "blur"), marks=pytest.mark.release),
        ("sequencing", ("--set", "clips=7")),
        ("repurpose", ()),
        ("assembly", ("--set", "slots=3")),
    ],
)
def test_each_clip_is_named_and_passes_or_is_refused(cli: Cli, clips: Path, family: str, more: tuple[str, ...]) -> None:
    built = cli("build", family, clips, "-o", "pack", "--licence", "CC0-1.0", *more, "--json")
    assert built.code == 0, built.err
    refused = {each["what"].split()[0].removesuffix(",") + ".mp4" for each in built.json["refused"]}
    ran = cli("check", "pack", "--bench", family, "--engine", "inline", "--json")
    gates = ran.json["gates"]["items"]
    assert {each["source"] for each in gates} | refused == set(NAMES)
    assert [each["problems"] for each in ran.json["checks"] if each["problems"]] == []
    failed = [gate for each in gates for gate in each["gates"] if gate["state"] == "failed"]
    assert (ran.code, all(gate["faults"] for gate in failed)) == (int(bool(failed)), True)
    # Fields with sharp edges lose more to an encoder than honest repairs may: then the task is refused, and says so.
    wrong = {trial["kind"] for each in gates for trial in each["trials"] if trial["fault"]}
    assert wrong <= ({"honest"} if family == "repair" else set()), failed
    again = cli("check", "pack", "--bench", family, "--engine", "inline").out
    assert all(name in again for name in {each["source"] for each in gates})
    assert "Traceback" not in again


def test_what_was_not_tried_is_said_and_is_no_fault(cli: Cli, clips: Path) -> None:
    cli("build", "repurpose", clips / "mute.mp4", "-o", "pack", "--licence", "CC0-1.0")
    ran = cli("check", "pack", "--bench", "repurpose")
    lines = ran.out.splitlines()
    assert ran.code == 0
    assert lines[0].endswith("1 item: 8 of 8 promises kept, 5 not wholly tried, 1 of 1 task may be scored")
    assert lines[1] == "untried the oracle gets full marks"
    assert lines[2].endswith("(mute.mp4): nobody knows an edit that fulfils its rubric; add one as 'edit'")
    assert "its judge cannot mark it: between " in ran.out
    assert "shortcut" not in ran.out  # what nobody can mark is not called ok
