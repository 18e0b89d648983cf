"""How an output lies against golden in time: one constant offset for pictures and one for sound, and no warping.

Both clips count their seconds from their first picture, and are compared by what is shown and heard at a second,
whatever rates and time bases they have. Muxers and editors still put everything a little later or earlier: a first
picture that is lost, one that is shown twice, the priming of AAC. So a stretch is given the offset at which it fits
best, of at most `MOST_FRAMES` of golden for pictures and `MOST_S` for sound. The offset is recorded; whatever lies
farther off is measured where it stands.

    offset, = align(output, golden)
    one_pass(output, reference=golden, pairs=[Psnr(), Ssim()], late_s=offset.pictures.late_s)

By the way it is seen how much of golden's movement the output shows: a still may be near to every picture of a calm
scene, and yet nothing happens in it.

Both clips stream. Nothing is held but a few small pictures (`picture_offsets`) and a block of sound (`sound_offsets`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from cutscore.benchmarks.repair.verify.picture_offsets import PictureOffset, picture_offsets
from cutscore.benchmarks.repair.verify.sound_offsets import SoundOffset, sound_offsets
from cutscore.core.errors import BadInput
from cutscore.core.finding import Finding
from cutscore.core.timeline import Span
from cutscore.media import deliverable

MOST_S = Fraction(1, 10)
MOST_SKEW_S = Fraction(1, 10)


@dataclass(frozen=True)
class TimeOffset:
    """How one stretch of an output, in golden's seconds, lies against golden; by default as golden does."""

    span: Span
    pictures: PictureOffset = field(default_factory=PictureOffset)
    sound: SoundOffset = field(default_factory=SoundOffset)

    @property
    def sound_late_s(self) -> Fraction:
        """The offset that is granted to the sound: where it lies, or 0 when that is farther off than is allowed."""
        found_s = self.sound.late_s or Fraction(0)
        return found_s if abs(found_s) <= MOST_S else Fraction(0)

    @property
    def skew_s(self) -> Fraction | None:
        """How much later than its pictures the sound comes."""
        return None if self.sound.late_s is None else self.sound.late_s - self.pictures.late_s


def align(output: Path, golden: Path, spans: Sequence[Span] = ()) -> tuple[TimeOffset, ...]:
    """Return the offsets of an output, one for each of the spans in golden's seconds; for all of golden by default."""
    facts = deliverable.probe(golden)
    if facts.duration_s is None or not facts.rate:
        raise BadInput(f"clip '{golden.name}'", "does not tell its length and rate")
    wanted = tuple(spans) or (Span(start_s=0, end_s=facts.duration_s),)
    pictures = picture_offsets(output, golden, wanted, 1 / facts.rate)
    sounds = sound_offsets(output, golden, wanted)
    return tuple(map(TimeOffset, wanted, pictures, sounds))


def offset_findings(offsets: Sequence[TimeOffset], *, file: str) -> list[Finding]:
    """Return the offsets in seconds, and `in_sync`, 0 where sound and pictures are too far apart."""
    return [
        Finding(name=name, value=value, because=because, file=file, at=offset.span)
        for offset in offsets
        for name, value, because in _offset_texts(offset)
    ]


def _offset_texts(offset: TimeOffset) -> Iterator[tuple[str, float, str]]:
    late, heard, skew = map(_ms, (offset.pictures.late_s, offset.sound.late_s, offset.skew_s))
    yield "pictures_late_s", float(offset.pictures.late_s), f"pictures lie {late} against golden"
    if offset.skew_s is not None:
        yield "sound_late_s", float(offset.sound_late_s), f"sound lies {heard} against golden"
        bound = f"{float(1000 * MOST_SKEW_S):.0f} ms"
        because = f"sound comes {skew} after its pictures, {bound} are allowed either way"
        yield "in_sync", float(abs(offset.skew_s) <= MOST_SKEW_S), because


def _ms(time_s: Fraction | None) -> str:
    return f"{float(1000 * (time_s or 0)):+.0f} ms"
