"""Rules about the images of pages: what they show, by somebody who looks, and how like another image they are."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from cutscore.benchmarks.videowebarena.evaluators.judged import Jury
from cutscore.benchmarks.videowebarena.evaluators.page_checks import (
    PageCheck,
    PageRecord,
    reference_name,
    require_readable,
)
from cutscore.benchmarks.videowebarena.evaluators.verdict import (
    CheckOutcome,
    Verdict,
    all_passed,
    invalid_task,
    show_value,
)
from cutscore.benchmarks.videowebarena.released import PageImageQuery
from cutscore.core.errors import BrokenData, CutscoreError, Unscored
from cutscore.core.files import FileRef
from cutscore.media.deliverable import read_still
from cutscore.scoring.metrics.ssim import ssim_uniform7

THRESHOLD = 0.8  # of the released code, where a query has none of its own
Pixels = npt.NDArray[np.uint8]
_LOBES = 3  # of the Lanczos kernel
_FIXED = 22  # bits of its weights behind the point, as Pillow has them
_LUMA = np.array([19595, 38470, 7471], np.int64)  # ITU-R 601, in 16 bits


@dataclass(frozen=True)
class ReferenceImages:
    """The images that those of pages are compared with.

    Args:
        addresses: All of a task, as it writes them.
        at_hand: Those that the user's folder has, by address; others lie on the sites and were read there.
    """

    addresses: tuple[str, ...]
    at_hand: Mapping[str, FileRef]


def match_images(check: PageCheck, record: PageRecord, references: ReferenceImages, jury: Jury) -> CheckOutcome | None:
    """Check one query; None where there is no image to look at, which is 0 and the end of the queries."""
    require_readable(check)
    query = check.query
    if query is None or not (query.eval_vqa or query.eval_fuzzy_image_match):
        raise invalid_task(f"image query {check.number}", "has neither a question nor an image to compare with")
    images = page_images(record.fact(check), record)
    if not images:
        return None
    verdicts = [_ask_about(images, each.question, each.answer, jury) for each in query.eval_vqa]
    if query.eval_fuzzy_image_match:
        verdicts.append(_compare(images, query, record, references))
    return all_passed(verdicts)


def page_images(fact: Mapping[str, Any], record: PageRecord) -> list[FileRef]:
    """Return the images of a page that were kept; Unscored where there are none and the browser shows one."""
    listed = fact.get("images")
    entries = [each for each in listed if isinstance(each, Mapping)] if isinstance(listed, list) else []
    files = [record.evidence.file(str(each.get("file"))) for each in entries if each.get("file")]
    found = [file for file in files if file is not None]
    if len(found) < len(files):
        raise Unscored("images of a page", "were recorded and are not there", "run the cell again")
    shown = [each for each in entries if each.get("width") and not each.get("file")]
    if shown and not found:  # of a kind that we do not decode, as SVG
        why = str(shown[0].get("error") or "unknown")[:120]
        raise Unscored(f"image '{str(shown[0].get('src'))[:120]}'", f"is on the page and was not kept: {why}")
    return found


def _ask_about(images: Sequence[FileRef], question: str, answer: str, jury: Jury) -> Verdict:
    """Put a question to each image; one reply with the answer in it will do."""
    said = []
    for image in images:
        reply = jury.look_at(image, question)
        if answer.lower() in str(reply.answer).lower():
            return Verdict(True, f"'{image.name}': {question} {reply.message}")
        said.append(f"'{image.name}': {reply.message}")
    return Verdict(False, f"{question} Wanted {show_value(answer)}; seen {'; '.join(said[:3])}")


def _compare(
    images: Sequence[FileRef], query: PageImageQuery, record: PageRecord, references: ReferenceImages
) -> Verdict:
    """Compare every image with every reference; one pair above the threshold will do."""
    threshold = THRESHOLD if query.ssim_threshold is None else query.ssim_threshold
    wanted = [(address, _reference_pixels(address, record, references)) for address in query.match_images]
    best, pair = -1.0, ""
    for name, pixels in _decode(images, record):  # one at a time: a page may have hundreds
        for address, reference in wanted:
            likeness = image_ssim(pixels, reference)
            if likeness > best:
                best, pair = likeness, f"'{name}' and {show_value(address)}"
    if not pair:
        return Verdict(False, f"seen {len(images)} images, none of which can be decoded")
    return Verdict(best > threshold, f"seen SSIM {best:.4f} of {pair}, wanted more than {threshold:g}")


def _decode(images: Sequence[FileRef], record: PageRecord) -> Iterator[tuple[str, Pixels]]:
    for image in images:
        try:
            yield image.name, read_still(record.evidence.path(image.name))
        except BrokenData:  # a page may hold anything
            continue


def _reference_pixels(address: str, record: PageRecord, references: ReferenceImages) -> Pixels:
    """Return an image to compare with: of the user's folder, else as it was read from a site."""
    what = f"image '{address[:120]}'"
    try:
        if address in references.at_hand:
            return read_still(record.evidence.store.path(references.at_hand[address]))
        if not address.startswith("__"):
            raise Unscored(what, "is not at hand", "put it into images/ of the data folder")
        name = record.named(reference_name(references.addresses, address)).get("file")
        return read_still(record.evidence.path(str(name)))
    except Unscored:
        raise
    except CutscoreError as error:
        raise Unscored(what, f"cannot be compared with: {error.fact}", error.next) from error


def image_ssim(first: Pixels, second: Pixels) -> float:
    """Return the SSIM of two images: both made as large as the larger one, grey, 7×7 windows."""
    height, width = np.maximum(first.shape[:2], second.shape[:2])
    if min(height, width) < 7:
        raise Unscored("image to compare", f"is {width}×{height} pixels", "SSIM needs at least 7×7")
    a, b = (grey(resize_lanczos(each, int(height), int(width))) for each in (first, second))
    return ssim_uniform7(a, b)


def grey(pixels: Pixels) -> Pixels:
    """Return the luma of an image in 8 bits, rounded as Pillow does."""
    return ((pixels.astype(np.int64) @ _LUMA + 0x8000) >> 16).astype(np.uint8)


def resize_lanczos(pixels: Pixels, height: int, width: int) -> Pixels:
    """Return an image in another size, by Pillow's Lanczos filter, first across and then down."""
    if width != pixels.shape[1]:
        pixels = _weigh(pixels.transpose(1, 0, 2), width).transpose(1, 0, 2)
    return pixels if height == pixels.shape[0] else _weigh(pixels, height)


def _weigh(lines: Pixels, count: int) -> Pixels:
    """Return another number of lines, each a weighted sum of the few that are near it."""
    flat = np.ascontiguousarray(lines).reshape(lines.shape[0], -1)
    made = np.empty((count, flat.shape[1]), np.uint8)
    for line in range(count):
        first, weights = _weights(line, lines.shape[0] / count, lines.shape[0])
        # Whole numbers below 2^53: the sum is exact, as it is in integers.
        total = np.floor((weights @ flat[first : first + len(weights)] + 2.0 ** (_FIXED - 1)) / 2.0**_FIXED)
        made[line] = np.clip(total, 0, 255)
    return made.reshape(count, *lines.shape[1:])


def _weights(line: int, scale: float, old: int) -> tuple[int, npt.NDArray[np.float64]]:
    """Return the first old line that gives something to a new one, and what it and those behind it give."""
    stretch = max(scale, 1.0)
    reach, centre = _LOBES * stretch, (line + 0.5) * scale
    first, last = max(0, int(centre - reach + 0.5)), min(old, int(centre + reach + 0.5))
    at = (np.arange(first, last) - centre + 0.5) / stretch
    kernel = np.where(np.abs(at) < _LOBES, np.sinc(at) * np.sinc(at / _LOBES), 0.0)
    kernel = kernel / kernel.sum() * 2**_FIXED
    return first, np.where(kernel < 0, np.ceil(kernel - 0.5), np.floor(kernel + 0.5))
