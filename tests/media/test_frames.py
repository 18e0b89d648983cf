import hashlib
import io
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cutscore.core.errors import BadInput
from cutscore.core.files import FileRef
from cutscore.media.colour import EXACT, rgb_of
from cutscore.media.frames import Frame, decoder_version, encode_jpeg, iter_frames, manifest, read_frames
from cutscore.media.orientation import Pixels
from cutscore.media.plan import FramePlan, Times


def all_frames(path: Path) -> list[av.VideoFrame]:
    with av.open(str(path)) as container:
        return [frame for frame in container.decode(video=0) if frame.pts is not None]


def full_decode(path: Path) -> list[tuple[Fraction, Pixels]]:
    """Decode everything, the naive way: open by name, keep all, sort by time."""
    frames = all_frames(path)
    start = min(frame.pts for frame in frames)
    shown = [((frame.pts - start) * frame.time_base, rgb_of(frame)) for frame in frames]
    return sorted(shown, key=lambda pair: pair[0])


def shown_at(shown: list[tuple[Fraction, Pixels]], at_s: Fraction) -> tuple[Fraction, Pixels]:
    return [pair for pair in shown if pair[0] <= at_s][-1]


def assert_same(got: list[Frame], wanted: list[tuple[Fraction, Pixels]]) -> None:
    assert [frame.at_s for frame in got] == [at_s for at_s, _ in wanted]
    for frame, (_, pixels) in zip(got, wanted, strict=True):
        np.testing.assert_array_equal(frame.pixels, pixels)


def test_every_frame_of_any_encode_is_found_at_its_time(encoded: Path) -> None:
    shown = full_decode(encoded)
    assert_same(read_frames(encoded, FramePlan.parse("every@0-1000")), shown)
    starts = [at_s for at_s, _ in shown]
    befores = [max(Fraction(0), at_s - Fraction(1, 100_000)) for at_s in starts]
    times = sorted({*starts, *befores, starts[-1] + 5})
    got = read_frames(encoded, Times(tuple(times)))
    assert_same(got, [shown_at(shown, at_s) for at_s in times])
    last = all_frames(encoded)[-1]
    duration_s = starts[-1] + last.duration * last.time_base
    centres = [duration_s * part / 14 for part in range(1, 14, 2)]
    assert_same(read_frames(encoded, FramePlan.parse("uniform=7")), [shown_at(shown, at_s) for at_s in centres])


@settings(max_examples=25)
@given(spec=st.sampled_from(["uniform", "fps"]), count=st.integers(1, 120))
def test_plans_take_what_is_on_screen(red_blue: Path, spec: str, count: int) -> None:
    shown = full_decode(red_blue)
    plan = FramePlan.parse(f"{spec}={count}")
    got = read_frames(red_blue, plan)
    assert_same(got, [shown_at(shown, at_s) for at_s in plan.times(Fraction(2))])


def test_red_until_one_second_then_blue(red_blue: Path) -> None:
    times = Times((Fraction(0), Fraction("0.99999"), Fraction(1), Fraction("1.99")))
    corners = [frame.pixels[80, 5].tolist() for frame in read_frames(red_blue, times)]
    for corner, colour in zip(corners, [(255, 0, 0), (255, 0, 0), (0, 0, 255), (0, 0, 255)], strict=True):
        np.testing.assert_allclose(corner, colour, atol=3)


def test_every_takes_frames_that_begin_in_the_half_open_stretch(red_blue: Path) -> None:
    got = [frame.at_s for frame in read_frames(red_blue, FramePlan.parse("every@0.98-1.08"))]
    assert got == [Fraction(1), Fraction("1.04")]  # 0.96 is on screen at 0.98 but began before; 1.08 is the end


def test_frames_stream_without_being_kept(red_blue: Path) -> None:
    frames = iter_frames(red_blue, FramePlan.parse("every@0-2"))
    assert next(frames).at_s == 0
    frames.close()  # and the file with them: an open one would warn


def test_pixels_cannot_be_changed_by_one_reader_for_another(red_blue: Path) -> None:
    first, again = read_frames(red_blue, FramePlan.parse("times=0;0.001"))
    assert first.pixels is again.pixels
    with pytest.raises(ValueError, match="read-only"):
        first.pixels[0, 0] = 0


@pytest.mark.parametrize("mirror", [False, True])
@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_display_matrix_is_applied(tmp_path: Path, encode: type, turn: int, mirror: bool) -> None:
    """FFmpeg's matrix for a mirrored turn first turns counterclockwise and then mirrors left and right."""
    upright = full_decode(encode([0]).write(tmp_path / "plain.mp4"))[0][1]
    turned = np.rot90(upright, turn // 90)
    clip = encode([0], turn=turn, mirror=mirror).write(tmp_path / "turned.mp4")
    (frame,) = read_frames(clip, FramePlan.parse("uniform=1"))
    np.testing.assert_array_equal(frame.pixels, turned[:, ::-1] if mirror else turned)


def test_odd_angles_are_left_alone(tmp_path: Path, encode: type) -> None:
    upright = full_decode(encode([0]).write(tmp_path / "plain.mp4"))[0][1]
    (frame,) = read_frames(encode([0], turn=30).write(tmp_path / "tilted.mp4"), FramePlan.parse("uniform=1"))
    np.testing.assert_array_equal(frame.pixels, upright)


def by_definition(yuv: Pixels, red_weight: float, blue_weight: float) -> np.ndarray:
    """Planar 4:4:4 at limited range to RGB in floats, by the definition of ITU-R BT.601 and BT.709."""
    luma, blue, red = yuv.astype(float)
    luma, blue, red = (luma - 16) / 219, (blue - 128) / 224, (red - 128) / 224
    r, b = luma + 2 * (1 - red_weight) * red, luma + 2 * (1 - blue_weight) * blue
    g = (luma - red_weight * r - blue_weight * b) / (1 - red_weight - blue_weight)
    return 255 * np.stack([r, g, b], axis=-1).clip(0, 1)


@pytest.mark.parametrize(("tag", "weights"), [(1, (0.2126, 0.0722)), (2, (0.299, 0.114)), (6, (0.299, 0.114))])
def test_colours_follow_the_tags_of_the_stream(tmp_path: Path, tag: int, weights: tuple[float, float]) -> None:
    """Tag 1 is BT.709, 6 is BT.601, and 2 says nothing, which is read as BT.601."""
    path = tmp_path / "clip.mp4"
    yuv = np.random.default_rng(0).integers(16, 236, (3, 9, 16), dtype=np.uint8).repeat(10, 1).repeat(10, 2)
    with av.open(str(path), "w") as out:
        stream = out.add_stream("libx264", rate=25, options={"qp": "0"})
        stream.width, stream.height, stream.pix_fmt = 160, 90, "yuv444p"
        stream.codec_context.colorspace = tag
        out.mux(stream.encode(av.VideoFrame.from_ndarray(yuv, format="yuv444p")))
        out.mux(stream.encode(None))
    (frame,) = read_frames(path, FramePlan.parse("uniform=1"))
    np.testing.assert_allclose(frame.pixels, by_definition(yuv, *weights), atol=1.01)


def test_manifest_tells_times_hashes_and_decoder(red_blue: Path) -> None:
    plan = FramePlan.parse("times=0.5;1.25")
    clip = FileRef(name="red_blue.mp4", sha256="0" * 64, size_bytes=red_blue.stat().st_size)
    seen = manifest(clip, plan, read_frames(red_blue, plan))
    shown = full_decode(red_blue)
    assert seen.plan == "times=0.5;1.25"
    assert [frame.at_s for frame in seen.frames] == [Fraction("0.48"), Fraction("1.24")]
    assert [frame.sha256 for frame in seen.frames] == [
        hashlib.sha256(np.ascontiguousarray(shown[number][1])).hexdigest() for number in (12, 31)
    ]
    assert {(frame.width, frame.height) for frame in seen.frames} == {(160, 90)}
    assert seen.decoder == decoder_version() == f"PyAV {av.__version__}, FFmpeg {av.ffmpeg_version_info}"


def psnr_db(first: Pixels, second: Pixels) -> float:
    return float(10 * np.log10(255**2 / np.mean((first.astype(float) - second) ** 2)))


def jpeg_pixels(data: bytes) -> Pixels:
    with av.open(io.BytesIO(data), format="jpeg_pipe") as container:
        return next(container.decode(video=0)).to_ndarray(format="rgb24", interpolation=EXACT)


@pytest.fixture
def picture() -> Pixels:
    """91×161: ramps in all channels, and a red block with hard edges."""
    rows, columns = np.mgrid[0:91, 0:161]
    pixels = np.stack([columns, rows * 2, rows + columns], axis=-1).astype(np.uint8)
    pixels[20:41, 30:61] = (255, 0, 0)
    return pixels


def test_jpeg_keeps_the_picture(picture: Pixels) -> None:
    data = encode_jpeg(picture)
    assert data.startswith(b"\xff\xd8")
    assert data.endswith(b"\xff\xd9")
    assert jpeg_pixels(data).shape == picture.shape
    assert psnr_db(jpeg_pixels(data), picture) > 42
    assert encode_jpeg(picture) == data


def test_jpeg_quality_trades_size_for_likeness(picture: Pixels) -> None:
    sizes, likeness = zip(
        *[
            (len(data), psnr_db(jpeg_pixels(data), picture))
            for data in (encode_jpeg(picture, quality=q) for q in (5, 50, 90, 100))
        ],
        strict=True,
    )
    assert list(sizes) == sorted(set(sizes))
    assert list(likeness) == sorted(set(likeness))


def test_jpeg_is_full_range() -> None:
    for level in (0, 255):
        flat = np.full((16, 16, 3), level, np.uint8)
        np.testing.assert_allclose(jpeg_pixels(encode_jpeg(flat)), flat, atol=1)


def test_jpeg_refuses_what_is_no_picture(picture: Pixels) -> None:
    with pytest.raises(BadInput, match=r"jpeg: quality is 0; give 1 to 100"):
        encode_jpeg(picture, quality=0)
    with pytest.raises(
        BadInput, match="jpeg: pixels are float64 of shape 91×161×3; give uint8 of shape height×width×3"
    ):
        encode_jpeg(picture.astype(float))  # type: ignore[arg-type]
