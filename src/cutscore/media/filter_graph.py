"""Pictures and sound through FFmpeg's filters: arrays in, arrays out, one block at a time.

A chain is text as FFmpeg's users know it, `hue=s=0,gblur=sigma=2`: filters in a row with one input and one output,
without labels. Only the filters named here may be used, because others read or write files and devices by name
(`movie`, `curves`, `loudnorm`), and a chain may come from a card or a prompt.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import av
import numpy as np
import numpy.typing as npt
from av.audio.frame import AudioFrame
from av.filter import Graph
from av.filter.context import FilterContext
from av.video.frame import VideoFrame

from cutscore.core.errors import BadInput, UnknownName
from cutscore.media.orientation import Pixels

Samples = npt.NDArray[np.float32]


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


PICTURE_FILTERS = _names(
    "atadenoise avgblur bilateral chromashift colorbalance colorchannelmixer colorcontrast colorcorrect colorize"
    " colorlevels colortemperature convolution crop dblur deband deflicker drawbox drawgrid edgedetect"
    " exposure fade fillborders format gblur gradfun hflip hue huesaturation lenscorrection limiter lutrgb lutyuv"
    " median monochrome negate noise normalize null pad pixelize pseudocolor rgbashift rotate scale setsar shear"
    " shuffleplanes sobel tmix transpose unsharp vflip vibrance vignette"
)
SOUND_FILTERS = _names(
    "acompressor acontrast acrusher adelay adynamicequalizer aecho aemphasis aexciter afade aformat alimiter"
    " allpass anequalizer apad aphaser apulsator aresample areverse asetrate asoftclip asubboost atempo"
    " atilt bandpass bandreject bass chorus compand crossfeed crystalizer dcshift dynaudnorm equalizer extrastereo"
    " flanger haas highpass highshelf lowpass lowshelf pan speechnorm stereotools stereowiden superequalizer"
    " treble tremolo vibrato volume"
)

# A comma separates filters unless it is quoted or escaped.
_STEP = re.compile(r"(?:[^,'\\]|\\.|'[^']*')+", re.DOTALL)
# To the parser of whole graphs `/name=…` is a file to read the value from; ours takes no such option, and shall not.
_OPTION_OF_FILE = re.compile(r"(?:^|:)[\s'\\]*/")


@dataclass(frozen=True)
class FilterStep:
    """One filter with its options as FFmpeg writes them."""

    name: str
    options: str = ""


def parse_filter_chain(chain: str, known: frozenset[str]) -> tuple[FilterStep, ...]:
    r"""Read a chain, and refuse filters that are not among the known ones.

    >>> parse_filter_chain("hue=s=0,gblur=sigma=2", PICTURE_FILTERS)
    (FilterStep(name='hue', options='s=0'), FilterStep(name='gblur', options='sigma=2'))
    """
    steps = []
    position = 0
    while True:
        found = _STEP.match(chain, position)
        if found is None:
            raise BadInput(f"filter chain '{chain}'", f"has no filter at character {position + 1}")
        name, _, options = found.group().strip().partition("=")
        if name not in known:
            raise UnknownName.among("filter", name, known)
        if _OPTION_OF_FILE.search(options):
            raise BadInput(f"filter chain '{chain}'", f"'{name}' would open a file", "give its options in full")
        steps.append(FilterStep(name, options))
        position = found.end()
        if position == len(chain):
            return tuple(steps)
        position += 1


def filter_pictures(
    frames: Iterable[Pixels], steps: Sequence[FilterStep], *, rate: Fraction, what: str = "filter chain"
) -> Iterator[Pixels]:
    """Return RGB pictures after a chain, at the same rate; filters may change their size but not their number.

    `rate` is for filters that move with time; `what` is what to call the chain in messages.
    """
    graph: Graph | None = None
    given = taken = 0
    for given, pixels in enumerate(frames, 1):
        if graph is None:
            height, width = pixels.shape[:2]
            buffer = (
                f"width={width}:height={height}:pix_fmt=rgb24:time_base={1 / rate}:frame_rate={rate}:pixel_aspect=1/1"
            )
            graph = _build_graph(
                what, FilterStep("buffer", buffer), [*steps, FilterStep("format", "rgb24")], "buffersink"
            )
        picture = VideoFrame.from_ndarray(np.ascontiguousarray(pixels), format="rgb24")
        picture.pts, picture.time_base = given - 1, 1 / rate
        for out in _push(graph, picture, what):
            taken += 1
            yield out.to_ndarray(format="rgb24")
    for out in _push(graph, None, what) if graph is not None else ():
        taken += 1
        yield out.to_ndarray(format="rgb24")
    if taken != given:
        raise BadInput(what, f"makes {taken} pictures of {given}", "use filters that keep their number")


def filter_sound(
    blocks: Iterable[Samples], steps: Sequence[FilterStep], *, rate_hz: int, layout: str, what: str = "filter chain"
) -> Iterator[Samples]:
    """Return float32 samples of shape (n, channels) after a chain that ends in whatever rate and layout it names.

    Blocks follow each other without gaps; `layout` names their channels as FFmpeg does (`stereo`, `5.1`).
    """
    unit = Fraction(1, rate_hz)
    buffer = f"sample_rate={rate_hz}:sample_fmt=fltp:channel_layout={layout}:time_base={unit}"
    graph = _build_graph(
        what,
        FilterStep("abuffer", buffer),
        [*steps, FilterStep("aformat", "sample_fmts=fltp")],
        "abuffersink",
    )
    done = 0
    for block in blocks:
        if not len(block):
            continue
        frame = AudioFrame.from_ndarray(np.ascontiguousarray(block.T), format="fltp", layout=layout)
        frame.sample_rate, frame.time_base, frame.pts = rate_hz, unit, done
        done += len(block)
        for out in _push(graph, frame, what):
            yield np.ascontiguousarray(out.to_ndarray().T)
    for out in _push(graph, None, what) if done else ():
        yield np.ascontiguousarray(out.to_ndarray().T)


def _build_graph(what: str, source: FilterStep, steps: Sequence[FilterStep], sink: str) -> Graph:
    graph = Graph()
    graph.threads = 1  # in what order threads finish must not show
    try:
        nodes: list[FilterContext] = [graph.add(step.name, step.options or None) for step in (source, *steps)]
        graph.link_nodes(*nodes, graph.add(sink)).configure()
    except (av.error.FFmpegError, ValueError) as error:
        raise BadInput(what, f"FFmpeg does not take it: {error}") from error
    return graph


def _push(graph: Graph, frame: VideoFrame | AudioFrame | None, what: str) -> Iterator[Any]:
    """Hand one frame to the graph, None for the end, and yield what comes out of it now."""
    try:
        graph.push(frame)
        while True:
            yield graph.pull()
    except (av.error.BlockingIOError, av.error.EOFError):
        return
    except av.error.FFmpegError as error:
        raise BadInput(what, f"FFmpeg cannot go on: {error.strerror}") from error
