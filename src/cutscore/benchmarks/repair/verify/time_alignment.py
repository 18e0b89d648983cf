"""How an output lies against golden in time: one constant offset for pictures and one for sound, and no warping.

Both clips count their seconds from their first picture, and are compared by what is shown and heard at a second,
whatever rates and time bases they have. Muxers and editors still put everything a little later or earlier: a first
picture that is lost, one that is shown twice, the priming of AAC. So a stretch is given the offset at which it fits
best, of at most `MOST_FRAMES` of golden for pictures and `MOST_S` for sound. The offset is recorded; whatever lies
farther off is measured where it stands.

    offset, = align(output, golden)
    one_pass(output, reference=golden, pairs=[Psnr(), Ssim()], late_s=offset.pictures_late_s)

By the way it is seen how much of golden's movement the output shows: a still may be near to every picture of a calm
scene, and yet nothing happens in it.

Both clips stream. Nothing is held but a few small pictures (`picture_offsets`) and a block of sound (`sound_offsets`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from cutscore.benchmarks.repair.verify.picture_offsets import picture_offsets
from cutscore.benchmarks.repair.verify.sound_offsets import sound_offsets
from cutscore.core.errors import BadInput
from cutscore.core.finding import Finding
from cutscore.core.timeline import Span
from cutscore.media import deliverable

MOST_S = Fraction(1, 10)
MOST_SKEW_S = Fraction(1, 10)


@dataclass(frozen=True)
class TimeOffset:
    """How one stretch of an output lies against golden.

    Args:
        span: The stretch, in golden's seconds.
        pictures_late_s: How much later the output shows it; below 0, earlier. 0 where nothing can be compared.
        pictures_apart: Root of the mean squared difference of small pictures at this offset, of 255; None where no
            picture could be compared.
        sound_found_s: Where the sound lies best, within half a second; None where one of the two is silent.
        sound_alike: From -1 to 1: correlation of the two sounds there.
        moved: Share of golden's movement that the output shows at its best offset, each picture of golden that is
            another than the one before counted alike: 0 of a still, 1 of golden. None where golden hardly moves.
    """

    span: Span
    pictures_late_s: Fraction
    pictures_apart: float | None
    sound_found_s: Fraction | None
    sound_alike: float | None
    moved: float | None = None

    @property
    def sound_late_s(self) -> Fraction:
        """The offset that is granted to the sound: where it lies, or 0 when that is farther off than is allowed."""
        found_s = self.sound_found_s or Fraction(0)
        return found_s if abs(found_s) <= MOST_S else Fraction(0)

    @property
    def skew_s(self) -> Fraction | None:
        """How much later than its pictures the sound comes."""
        return None if self.sound_found_s is None else self.sound_found_s - self.pictures_late_s


def align(output: Path, golden: Path, spans: Sequence[Span] = ()) -> tuple[TimeOffset, ...]:
    """Return the offsets of an output.

    Args:
        output: What was handed in.
        golden: What it should be.
        spans: Stretches that get an offset each, in golden's seconds; all of golden by default.

    Raises:
        BrokenData: The output cannot be decoded.
    """
    facts = deliverable.probe(golden)
    if facts.duration_s is None or not facts.rate:
        raise BadInput(f"clip '{golden.name}'", "does not tell its length and rate")
    wanted = tuple(spans) or (Span(start_s=0, end_s=facts.duration_s),)
    pictures = picture_offsets(output, golden, wanted, 1 / facts.rate)
    sounds = sound_offsets(output, golden, wanted)
    return tuple(
        TimeOffset(span, shown.late_s, shown.apart, heard.late_s, heard.alike, shown.moved)
        for span, shown, heard in zip(wanted, pictures, sounds, strict=True)
    )


def offset_findings(offsets: Sequence[TimeOffset], *, file: str) -> list[Finding]:
    """Return the offsets in seconds, and `in_sync`, 0 where sound and pictures are too far apart."""
    return [
        Finding(name=name, value=value, because=because, file=file, at=offset.span)
        for offset in offsets
        for name, value, because in _offset_texts(offset)
    ]


def _offset_texts(offset: TimeOffset) -> Iterator[tuple[str, float, str]]:
    late, heard, skew = map(_ms, (offset.pictures_late_s, offset.sound_found_s, offset.skew_s))
    yield "pictures_late_s", float(offset.pictures_late_s), f"pictures lie {late} against golden"
    if offset.skew_s is not None:
        yield "sound_late_s", float(offset.sound_late_s), f"sound lies {heard} against golden"
        bound = f"{float(1000 * MOST_SKEW_S):.0f} ms"
        because = f"sound comes {skew} after its pictures, {bound} are allowed either way"
        yield "in_sync", float(abs(offset.skew_s) <= MOST_SKEW_S), because


def _ms(time_s: Fraction | None) -> str:
    return f"{float(1000 * (time_s or 0)):+.0f} ms"
