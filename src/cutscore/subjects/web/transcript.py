"""What is said in a tutorial: the subtitles that come with it, else what a recogniser hears where one is installed."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from cutscore.core.ask import Ask
from cutscore.core.errors import BrokenData, MissingExtra
from cutscore.core.files import FileRef
from cutscore.core.subject import WorkContext
from cutscore.core.timeline import timecode
from cutscore.media.transcript import Transcript, read_transcript

KEPT = 64  # tutorials that were heard; the tasks about one come one after the other


@dataclass(frozen=True)
class SpokenWords:
    """What is said, a line for each sentence with its time, and who wrote it down; empty where nobody did."""

    text: str = ""
    made_by: str = ""

    @classmethod
    def of(cls, transcript: Transcript) -> "SpokenWords":
        """Write a transcript as lines."""
        lines = [f"{timecode(each.start_s)} {' '.join(each.text.split())}" for each in transcript.segments]
        return cls("\n".join(lines), transcript.made_by)


NO_WORDS = SpokenWords()


async def read_spoken_words(ask: Ask, clip: FileRef, context: WorkContext) -> SpokenWords:
    """Return what is said in the tutorial of an ask. Where nobody can tell, the row says so."""
    from anyio import to_thread

    part = ask.part("transcript")
    if part and (subtitles := ask.file(part.file)):
        return SpokenWords.of(read_transcript(context.store.path(subtitles)))
    try:
        return await to_thread.run_sync(_hear, context.store.path(clip))
    except (MissingExtra, BrokenData) as error:
        context.tally.warn(f"what is said in '{clip.name}' was not told: {error}")
        return NO_WORDS


@lru_cache(maxsize=KEPT)
def _hear(file: Path) -> SpokenWords:
    """Return what a recogniser hears in a clip. Files of a store never change, so each is heard once."""
    from cutscore.media.audio import iter_sound
    from cutscore.perception.speech import RATE_HZ, transcribe

    return SpokenWords.of(transcribe(iter_sound(file, rate_hz=RATE_HZ, channels="mono")))
