"""VMAF: a model's guess of how people would rate a clip beside its reference, from 0 to 100.

The measure is libvmaf inside the FFmpeg program that `imageio-ffmpeg` brings (an extra; the program is under the GPL
and runs by itself). It is given pixels through a pipe and never a file: reference and test stand in one raw picture,
one above the other, so that one pipe is enough and the two cannot get out of step.

Frames are sent in batches. VMAF looks at a frame's neighbours for motion, and at nothing else around it, so batches
overlap by two frames and the numbers are those of one long run.
"""

import json
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Final, Literal

import numpy as np
import numpy.typing as npt

from cutscore.core.errors import BadInput, MissingExtra, Stopped, Unscored
from cutscore.process import ProgramLimits, run
from cutscore.scoring.metrics.metric import FrameSeries, Measurement, MetricFrame, Needs

Model = Literal["vmaf_v0.6.1", "vmaf_v0.6.1neg", "vmaf_4k_v0.6.1"]

BATCH_BYTES = 64 << 20
LEAST_BATCH = 8  # pairs, however large they are
SMALLEST = 32  # pixels a side; libvmaf crashes from 16 down
_FORMATS = {8: "yuv420p", 10: "yuv420p10le", 12: "yuv420p12le"}
_LIMITS: Final = ProgramLimits(wall_s=1800, output_bytes=16 << 20)


@dataclass(eq=False)
class Vmaf(FrameSeries):
    """VMAF of luma as stored, frame by frame; higher is nearer.

    FFmpeg run on two files first converts one of them where their tags of colour differ, and then gives other numbers
    (by 2 on a clip with tags and one without). We compare what is stored, as PSNR and SSIM do.

    The model stands in the name: numbers of two models are not comparable. The clip's number is the mean, as libvmaf
    pools by default. The first frame has no motion and so a lower number than its neighbours, also in libvmaf itself.

    Args:
        model: `vmaf_v0.6.1` is for a television at three times its height, `vmaf_v0.6.1neg` counts no enhancement
            as gain, `vmaf_4k_v0.6.1` is for 4K at one and a half times the height.
    """

    model: Model = "vmaf_v0.6.1"
    needs: Needs = field(default=Needs(kind="luma"), init=False)
    _waiting: list[bytes] = field(default_factory=list, init=False)
    _known: int = field(default=0, init=False)  # of those that wait: only there as a neighbour of the next
    _form: tuple[int, int, int] = field(default=(0, 0, 0), init=False)  # width, height, bits

    def compare(self, reference: MetricFrame, test: MetricFrame) -> None:
        """Put the pair into the batch, and run the batch when it is full."""
        height, width = reference.pixels.shape
        form = width, height, reference.bits
        if not self._at_s:
            _program()  # before the first picture rather than after the first batch
            if min(width, height) < SMALLEST:
                raise BadInput("VMAF", f"pictures are {width}×{height}", f"give at least {SMALLEST} pixels a side")
            if reference.bits not in _FORMATS:
                raise BadInput("VMAF", f"pictures have {reference.bits} bits", "give 8, 10 or 12")
        elif form != self._form:
            raise BadInput("VMAF", "pictures change their size or depth on the way", "scale them first")
        self._form = form
        self._at_s.append(reference.at_s)
        self._waiting.append(_stack(reference.pixels, test.pixels, reference.bits))
        if len(self._waiting) >= max(LEAST_BATCH, BATCH_BYTES // len(self._waiting[0])):
            # The last one waits for its successor; the one before it is its neighbour.
            self._values.extend(self._scores()[self._known : -1])
            self._waiting, self._known = self._waiting[-2:], 1

    def result(self) -> Measurement:
        """Return the scores, after the last batch."""
        if len(self._waiting) > self._known:
            self._values.extend(self._scores()[self._known :])
            self._waiting, self._known = [], 0
        return self._measure_mean(f"VMAF ({self.model})", f"{self.model}.1")

    def _scores(self) -> list[float]:
        """Run what waits through libvmaf; one number for each pair."""
        done = run(_command(self.model, *self._form), limits=_LIMITS, stdin=b"".join(self._waiting))
        said = done.err.decode(errors="replace").strip().splitlines()
        if not done.ok and any("No such filter: 'libvmaf'" in line for line in said):
            raise Stopped("VMAF", f"'{_program()}' was built without libvmaf", "unset IMAGEIO_FFMPEG_EXE")
        try:
            scores = [float(frame["metrics"]["vmaf"]) for frame in json.loads(done.out)["frames"]]
        except (ValueError, KeyError, TypeError):
            scores = []
        if not done.ok or len(scores) != len(self._waiting):
            raise Unscored("VMAF", f"could not be computed: {said[-1] if said else done}")
        return scores


def _stack(reference: npt.NDArray[Any], test: npt.NDArray[Any], bits: int) -> bytes:
    """Put two planes into one raw 4:2:0 picture, the test below the reference.

    libvmaf takes no grey pictures, and FFmpeg's conversion would stretch their range; colour, which VMAF does not look
    at, is flat. The test begins at an even row, where colour can be cut.
    """
    height, width = reference.shape
    gap = np.zeros((height % 2, width), reference.dtype)
    luma = np.concatenate([reference, gap, test, gap])
    colour = np.full(2 * ((width + 1) // 2) * (len(luma) // 2), 2 ** (bits - 1), luma.dtype)
    return luma.tobytes() + colour.tobytes()


def _command(model: Model, width: int, height: int, bits: int) -> list[str]:
    below = height + height % 2
    crop = f"crop={width}:{height}:0"
    graph = (
        f"[0:v]split[one][other];[one]{crop}:0:exact=1[reference];[other]{crop}:{below}:exact=1[test];"
        f"[test][reference]libvmaf=model=version={model}:log_fmt=json:log_path=/dev/stdout"
    )
    shape = ["-f", "rawvideo", "-pix_fmt", _FORMATS[bits], "-video_size", f"{width}x{2 * below}"]
    quiet = ["-nostats", "-hide_banner", "-loglevel", "error", "-protocol_whitelist", "pipe"]
    return [_program(), *quiet, *shape, "-i", "pipe:0", "-lavfi", graph, "-f", "null", "-"]


def _program() -> str:
    try:
        return str(import_module("imageio_ffmpeg").get_ffmpeg_exe())
    except ModuleNotFoundError as error:
        raise MissingExtra.of("VMAF", "vmaf") from error
    except RuntimeError as error:
        raise Stopped("VMAF", "imageio-ffmpeg has no FFmpeg for this system") from error
