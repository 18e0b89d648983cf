import hashlib
import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any, get_args

import cv2
import numpy as np
import pytest

from cutscore.core.errors import BadInput
from cutscore.media.audio import read_sound
from cutscore.media.frames import read_frames
from cutscore.media.orientation import Pixels
from cutscore.media.plan import FramePlan
from cutscore.stage.blend import FINE
from cutscore.stage.figures import FIGURES, shows
from cutscore.stage.figures.kind import Appearance
from cutscore.stage.layout import Shadow, layout
from cutscore.stage.paint import Pose, _SpriteCache, sprite
from cutscore.stage.render import frame, frames, write
from cutscore.stage.scene import Scene
from cutscore.stage.setting import Backdrop, Filter, Light, Place, Weather
from cutscore.stage.sheet import contact_sheet
from cutscore.stage.sound import sound
from cutscore.stage.states import Animation
from cutscore.stage.things import Body, Move, Thing


def digest(pictures: Any) -> str:
    return hashlib.sha256(b"".join(pixels.tobytes() for pixels in pictures)).hexdigest()


def picture(backdrop: str = "park", **fields: Any) -> Scene:
    place = Place(backdrop=backdrop, light=fields.pop("light", "day"), weather=fields.pop("weather", "clear"))
    size = {"width": 160, "height": 90, "length_s": 1, "rate": 5}
    return Scene(name="a", title="A", places=(place,), **{**size, **fields})


# All of this together is what RENDERER promises: whoever changes these bytes on purpose raises it and this digest.
# A new kind of thing changes the digest alone, if it is as before without that kind.
PINNED = "1ba7b92cc803304f1d44b4542275e4c8e7b39b3bda1c117ce99f01ee38431ba5"


def everything_pinned() -> str:
    things = tuple(
        Thing(
            id=f"t{n}",
            kind=kind,
            colour="red",
            x=60 + 130 * (n % 12),
            y=60 + 80 * (n // 12),
            width=70,
            turn=n,
            fill="1/2" if "fill" in shows(kind) else 0,
        )
        for n, kind in enumerate(sorted(FIGURES))
    )
    pictures = [frame(picture("studio", things=things, width=320, height=180), 0)]
    pictures += [frame(picture(backdrop), 0) for backdrop in get_args(Backdrop)]
    pictures += [frame(picture(weather=weather, style=("grain",)), 3) for weather in get_args(Weather)]
    pictures += [
        frame(picture(light=light, style=(style,)), 2) for light in get_args(Light) for style in get_args(Filter)
    ]
    return digest(pictures)


def test_the_bytes_are_the_ones_that_the_renderers_version_promises() -> None:
    assert everything_pinned() == PINNED


def test_equal_scenes_give_equal_bytes_with_any_number_of_threads(pour: Scene) -> None:
    pour = pour.model_copy(update={"rate": Fraction(4)})
    before = cv2.getNumThreads()
    try:
        cv2.setNumThreads(1)
        alone = digest(frames(pour))
        cv2.setNumThreads(4)
        assert digest(frames(pour)) == alone
    finally:
        cv2.setNumThreads(before)


PLAINER = {
    "OPENCV_CPU_DISABLE": "AVX,AVX2,FMA3,FP16,SSE4.1,SSE4.2",
    "NPY_DISABLE_CPU_FEATURES": "AVX2 FMA3 AVX512F AVX512_SKX",
    "PYTHONHASHSEED": "5",
}


@pytest.mark.real
def test_a_plainer_processor_gives_the_same_bytes(pour: Scene) -> None:
    """OpenCV and NumPy are told to do without wide registers and fused operations, as on an older processor."""
    code = (
        "import sys, hashlib; from cutscore.stage.scene import load_scene; from cutscore.stage.render import frames;"
        "from cutscore.stage.sound import sound; scene = load_scene(sys.stdin.read());"
        "print(hashlib.sha256(b''.join(each.tobytes() for each in frames(scene))).hexdigest(),"
        "hashlib.sha256(sound(scene).samples.tobytes()).hexdigest())"
    )
    told = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code],
        input=pour.model_dump_json(),
        env={**os.environ, **PLAINER},
        capture_output=True,
        text=True,
        check=True,
    )
    heard = hashlib.sha256(sound(pour).samples.tobytes()).hexdigest()
    assert told.stdout.split() == [digest(frames(pour)), heard]


def test_any_frame_can_be_painted_alone(pour: Scene) -> None:
    together = list(frames(pour))
    assert len(together) == 40
    for number in (0, 17, 21, 39):
        assert np.array_equal(frame(pour, number), together[number])
    assert [digest([one]) for one in frames(pour, 20, 23)] == [digest([one]) for one in together[20:23]]


def test_frames_are_read_only_rgb_of_the_size(pour: Scene) -> None:
    pixels = frame(pour, 0)
    assert (pixels.shape, pixels.dtype) == ((180, 320, 3), np.uint8)
    assert not pixels.flags.writeable


def test_equal_layouts_are_equal_pixels_and_others_are_not(pour: Scene) -> None:
    performance = Animation(pour)
    keys = [layout(performance, n).key(pour) for n in range(40)]
    pictures = list(frames(pour))
    for n in range(39):
        assert (keys[n] == keys[n + 1]) == np.array_equal(pictures[n], pictures[n + 1]), n


@pytest.mark.parametrize("size", [(160, 90), (90, 160), (128, 128), (320, 64)])
def test_any_shape_of_picture_shows_the_whole_stage(size: tuple[int, int]) -> None:
    corners = [
        Thing(id=f"c{n}", kind="square", colour="red", x=x, y=y, width=100)
        for n, (x, y) in enumerate([(50, 50), (1550, 50), (50, 850), (1550, 850)])
    ]
    scene = picture("studio", things=tuple(corners), width=size[0], height=size[1])
    red = _is_near(frame(scene, 0), (214, 58, 56))
    middle_x, middle_y = size[0] // 2, size[1] // 2
    for part in (
        red[:middle_y, :middle_x],
        red[:middle_y, middle_x:],
        red[middle_y:, :middle_x],
        red[middle_y:, middle_x:],
    ):
        assert part.any()


def _is_near(pixels: Pixels, rgb: tuple[int, int, int]) -> Any:
    return (np.abs(pixels.astype(int) - np.array(rgb)) < 36).all(axis=2)


def test_every_kind_stays_inside_its_box() -> None:
    """What a figure paints far beyond its box would not fit its size; the counter alone is wider than the stage."""
    for name in sorted(set(FIGURES) - {"counter"}):
        kind = FIGURES[name]
        for part in kind.draw(Appearance(fill=0.5, count=5)):
            assert all(-10 <= x <= kind.width + 10 and -12 <= y <= kind.height + 12 for x, y in part.points), name


def test_rain_and_grain_move_and_depend_on_the_seed() -> None:
    for scene in (picture(weather="rain"), picture(weather="snow"), picture(style=("grain",))):
        first, second = list(frames(scene))[:2]
        assert not np.array_equal(first, second)
        assert not np.array_equal(first, frame(scene.model_copy(update={"seed": 9}), 0))
    assert np.array_equal(*list(frames(picture()))[:2])


def test_light_and_fog_change_the_picture_as_they_should() -> None:
    day, night, fog = (frame(picture(**f), 0).astype(int) for f in ({}, {"light": "night"}, {"weather": "fog"}))
    assert night.mean() < 0.6 * day.mean()
    assert fog.std() < 0.75 * day.std()


def test_a_written_scene_can_be_watched_and_heard(pour: Scene, tmp_path: Path) -> None:
    path = tmp_path / "pour.mp4"
    pour = pour.model_copy(update={"width": 96, "height": 54})
    write(pour, path)
    seen = read_frames(path, FramePlan.parse("times=0.5;2.5"))
    for at, number in zip(seen, (5, 25), strict=True):
        assert np.abs(at.pixels.astype(int) - frame(pour, number)).mean() < 5
    assert abs(float(read_sound(path, rate_hz=48_000, channels="mono").length_s) - 4) < 0.05


def test_a_contact_sheet_shows_the_first_and_the_last_frame(pour: Scene) -> None:
    sheet = contact_sheet(pour, columns=2, rows=2, width=160)
    small = pour.model_copy(update={"width": 160, "height": 90})
    assert sheet.shape == (2 * 94 + 4, 2 * 164 + 4, 3)
    assert np.array_equal(sheet[4:94, 4:164], frame(small, 0))
    assert np.array_equal(sheet[98:188, 168:328], frame(small, 39))


def test_what_is_lifted_throws_no_shadow_and_what_flies_does() -> None:
    lift = Move(thing="cup", at_s=0, for_s=1, x=800, y=300)
    cup, ball = Thing(id="cup", kind="cup", x=800, y=600), Thing(id="ball", kind="ball", x=300, y=300, body=Body())
    performance = Animation(picture("room", things=(cup, ball), changes=(lift,), length_s=2))
    shades = [[each.owner for each in layout(performance, n).drawn if isinstance(each, Shadow)] for n in (0, 3, 9)]
    assert shades == [["ball"], ["ball"], ["ball"]]
    resting = Animation(picture("room", things=(cup,)))
    assert any(isinstance(each, Shadow) for each in layout(resting, 0).drawn)


def test_a_thing_that_is_too_large_to_paint_is_said() -> None:
    scene = picture("studio", things=(Thing(id="moon", kind="moon", x=800, y=450, width=200_000),))
    with pytest.raises(BadInput, match=r"thing 'moon': is 20000×20000 pixels in the picture; make it smaller"):
        frame(scene, 0)


def test_sprites_are_forgotten_before_they_fill_the_memory() -> None:
    kept = _SpriteCache(300_000)
    poses = [_pose(width) for width in range(100 * FINE, 140 * FINE, 5 * FINE)]
    for pose in poses:
        kept.sprite(pose)
    assert kept.sprite(poses[-1]) is kept.sprite(poses[-1])
    assert kept._bytes <= 300_000
    assert poses[0] not in kept._sprites
    again = kept.sprite(poses[0])
    assert np.array_equal(again.cover, sprite(poses[0]).cover)


def _pose(width: int) -> Pose:
    red = (214, 58, 56)
    return Pose("circle", Appearance(), red, red, "matte", "", width, width, 0, (0, 0))
