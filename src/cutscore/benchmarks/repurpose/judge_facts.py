"""What a judge of an edited film is told besides its pictures: what of the source is in it, its sound, its words.

All of it is measured from the film, so it goes to a judge as evidence, behind the fence, and never into a question.
"""

from collections.abc import Sequence
from pathlib import Path

from cutscore.benchmarks.repurpose.source_map.edit import SourceMap, first_showing, shown_s
from cutscore.core.errors import MissingExtra
from cutscore.core.timeline import Span
from cutscore.media import deliverable
from cutscore.media.levels import find_silences
from cutscore.media.loudness import loudness_lufs
from cutscore.perception.speech import RATE_HZ, transcribe

SILENCE = "Nothing is said."
_WHOLE = 0.9  # of a sentence that is played; less is told


def list_edit(film: SourceMap) -> str:
    """List which stretch of the source each stretch of a film shows."""
    return "\n".join(
        f"{piece.out}: {f'{piece.at} of the source' if piece.at else 'not of the source'}" for piece in film.pieces
    )


def describe_sound(path: Path, film: SourceMap) -> str:
    """Describe the sound of a film: how loud, where silent, how much of it is the source's own."""
    if not deliverable.has_sound(path):
        return "The film has no sound."
    sound = deliverable.read_sound(path, rate_hz=RATE_HZ, channels="mono")
    told = [f"Loudness {loudness_lufs(sound):.1f} LUFS."]
    told += [f"Silent from {float(span.start_s):.2f} to {float(span.end_s):.2f} s." for span in find_silences(sound)]
    told.append(f"{film.heard:.0%} of what is from the source is heard with the sound that it has there.")
    return " ".join(told)


def film_transcript(path: Path, film: SourceMap, said: Sequence[tuple[Span, str]]) -> str:
    """Write down what is said in a film, line by line with the second at which it begins.

    Of what is said in the source the film has what it plays. Where nobody knows that, the film is listened to.
    """
    if not said:
        return _recognise(path)
    lines = [
        (place.start_s, f"{float(place.start_s):.2f} s: {text}{_note_cut_off(span, film)}")
        for span, text in said
        if (place := first_showing(span, film, heard=True))
    ]
    return "\n".join(line for _, line in sorted(lines)) or SILENCE


def _note_cut_off(line: Span, film: SourceMap) -> str:
    there_s = shown_s(line, film, heard=True)
    whole = there_s >= line.length_s * _WHOLE
    return "" if whole else f" ({float(there_s):.2f} of {float(line.length_s):.2f} s are heard)"


def _recognise(path: Path) -> str:
    if not deliverable.has_sound(path):
        return SILENCE
    try:
        heard = transcribe(deliverable.read_sound(path, rate_hz=RATE_HZ, channels="mono"))
    except MissingExtra:
        return "(There is no transcript: no recogniser of speech is installed here.)"
    return "\n".join(f"{float(each.start_s):.2f} s: {each.text}" for each in heard.segments) or SILENCE
