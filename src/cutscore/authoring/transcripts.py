"""What is said in footage: from the file beside it, else written down by Whisper. Never invented."""

from cutscore.authoring.build_folder import Output
from cutscore.authoring.footage import Clip
from cutscore.core.errors import MissingExtra
from cutscore.media.listen import iter_sound
from cutscore.media.transcript import Transcript, read_transcript, write_transcript
from cutscore.perception.speech import RATE_HZ, transcribe

SILENT = "no sound"


def spoken(clip: Clip, out: Output) -> Transcript | None:
    """Return the transcript of a clip; None when nobody could listen because the extra `speech` is missing.

    A clip without sound has an empty transcript. What Whisper wrote is kept in the build's folder.

    Raises:
        BadInput: The file beside the clip is no transcript, or the sound cannot be decoded.
    """
    if clip.transcript is not None:
        return read_transcript(clip.transcript)
    if not clip.has_sound:
        return Transcript(made_by=SILENT, length_s=clip.length_s)

    def listen() -> Transcript:
        return transcribe(iter_sound(clip.path, rate_hz=RATE_HZ, channels="mono", trusted=False))

    try:
        file = out.once(f"transcripts/{clip.ref.sha256}.json", lambda draft: write_transcript(listen(), draft))
    except MissingExtra:
        return None
    return read_transcript(file)
