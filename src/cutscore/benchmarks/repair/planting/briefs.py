"""What a client says about a broken clip: that something is the matter, and neither what nor when.

Hints are for variants of a task that tell more: where the defect lies, what it is, and what to do about it.
"""

from collections.abc import Sequence
from random import Random

from cutscore.authoring.footage import SourceClip
from cutscore.authoring.source_facts import read_note
from cutscore.benchmarks.repair.defect import AUDIO, VISUAL, Defect, DefectKind
from cutscore.core.timeline import Span, timecode

SUFFIX = ".request.md"
LONGEST = 1200  # characters

_AUDIO = (
    "We watched this with the whole team, and in one passage everybody reached for the volume. Please find out what is"
    " the matter with the sound and make it as clean as the rest. The picture is approved.",
    "The picture is fine, please leave it alone. It is the sound that our client complained about: it does not hold up"
    " all the way through. Could you make it even?",
    "I played this on good speakers, and for a while something bothered my ears. Bring it back to how the remainder"
    " sounds, and touch nothing else.",
    "Can you give the audio a pass? One passage is not fit to go out like this. Everything else has been signed off.",
)
_VISUAL = (
    "The picture is not up to standard all the way through. Please find the passage that falls out of line, and bring"
    " it back to the look of its surroundings. The mix is approved.",
    "Our client says that the image looks off for a while, and could not tell us more. Could you take a look and put it"
    " right? Leave what looks good as it is.",
    "Something happens to the picture in this clip that should not. Please make it look all of a piece.",
    "I am happy with the edit and with the mix. With the image I am not, in one passage. Please restore it so that"
    " nobody notices.",
)
_TIMELINE = (
    "This does not play the way we cut it. Something went into the edit that should not be there, or does not belong"
    " where it is. Please make it flow as intended.",
    "The clip stumbles somewhere, and viewers lose the thread. Mend the edit, please, and tell us what you took out or"
    " moved.",
    "We got notes that the edit trips up in one passage. Picture quality and mix are fine. Please put the timeline"
    " right and leave everything else as it is.",
    "Whoever prepared this for us was in a hurry, and it shows in the edit. Please give us a version that we can send"
    " out.",
)

_IS: dict[DefectKind, str] = {
    "noise": "background noise lies over the sound; take it away and leave the rest of the sound alone",
    "echo": "the sound echoes as in a hard room; dry it",
    "clipping": "the sound is too loud and its waves are cut off; restore them at the level of the surroundings",
    "colour_shift": "colours are shifted; bring them back to those of the surroundings",
    "blur": "the picture is blurred; sharpen it",
    "lost_sharpness": "fine detail is lost, as if the picture had been scaled up; restore it",
    "swapped_shots": "two shots stand in each other's place; exchange them, with their sound",
    "filler_words": "filler words were left in; cut them out, picture and sound",
    "repeated_frames": "a stretch is shown twice; cut it out once, picture and sound",
    "wrong_sentences": "a sentence says what is not true; cut it out, picture and sound",
}


def client_request(clip: SourceClip, kind: DefectKind, draw: Random) -> str:
    """Return a client's words: NAME.request.md beside the clip, else one of ours for the group of the kind."""
    return read_note(clip, SUFFIX, longest=LONGEST) or draw_request(kind, draw)


def draw_request(kind: DefectKind, draw: Random) -> str:
    """Draw one of our own wordings; all kinds of a group have the same ones."""
    return draw.choice(wordings(kind))


def wordings(kind: DefectKind) -> Sequence[str]:
    """Return all of our wordings for a kind."""
    return _AUDIO if kind in AUDIO else _VISUAL if kind in VISUAL else _TIMELINE


def hints(defect: Defect, spans: Sequence[Span] = ()) -> dict[str, str]:
    """Return the hints: where the defect lies (`location`), and also what it is and what to do about it (`fix`).

    A defect of several stretches lies in `spans`.
    """
    places = ", ".join(f"{timecode(span.start_s)} to {timecode(span.end_s)}" for span in spans or [defect.window])
    where = f"The defect of this clip lies here: {places} (minutes and seconds of the clip as it was given)."
    return {"location": where, "fix": f"{where} What is wrong: {_IS[defect.kind]}."}
