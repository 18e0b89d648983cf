"""A clip of the user's → the two files of a repair task, broken and golden, and what is measured between them."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from random import Random

from cutscore.authoring.build_folder import BuildFolder
from cutscore.authoring.footage import SourceClip
from cutscore.authoring.source_facts import film_shots
from cutscore.benchmarks.repair.defect import AUDIO, KINDS, SPOKEN, DefectKind
from cutscore.benchmarks.repair.planting.anchors import Anchors, measure_anchors
from cutscore.benchmarks.repair.planting.injection import Injection, inject
from cutscore.benchmarks.repair.planting.options import DefectOptions
from cutscore.benchmarks.repair.planting.voices import draw_false_sentence, speak_fillers, speak_text
from cutscore.core.errors import BadInput
from cutscore.core.files import FileRef
from cutscore.core.frozen import digest_of
from cutscore.media.audio import Channels
from cutscore.media.edit import replace_sound
from cutscore.media.footage import Footage, change_pictures, load_footage, write_footage
from cutscore.media.probe import probe
from cutscore.media.sound import Sound
from cutscore.stage.setting import Voice
from cutscore.stage.sound import sound
from cutscore.stage.speech import available_voice

TRIES = 3  # windows that are drawn before a clip has no place for a defect
BROKEN, GOLDEN = "broken.mp4", "golden.mp4"


@dataclass(frozen=True, eq=False)
class OpenClip:
    """A clip with its footage, cropped to even sides, and its shots as picture numbers."""

    clip: SourceClip
    footage: Footage
    shots: Sequence[tuple[int, int]]

    @property
    def has_speech(self) -> bool:
        """Whether words are heard; the tones of a staged voice are not words."""
        scene = self.clip.scene
        return self.clip.transcript is not None or bool(scene and scene.lines and scene.voice != "tones")


@dataclass(frozen=True)
class BrokenClip:
    """A defect, the clip with it and the clip without it, and the anchors between the two."""

    injection: Injection
    broken: FileRef
    golden: FileRef
    anchors: Anchors


def open_clip(clip: SourceClip) -> OpenClip:
    """Read a clip's footage and shots; a staged clip gets the sound of its scene."""
    rate, shots = film_shots(clip)
    staged = clip.scene is not None
    facts = probe(clip.path, trusted=staged)
    channels: Channels = "mono" if facts.sound is not None and facts.sound.channels == 1 else "stereo"
    # A silent track would be compared with what is delivered, and nothing is like silence: it is left out.
    footage = load_footage(clip.path, rate=rate, channels=channels, sound=clip.has_sound, trusted=staged)
    if clip.scene is not None:
        footage = replace_sound(footage, sound(clip.scene))
    height, width = facts.height // 2 * 2, facts.width // 2 * 2  # colour is stored at half of the resolution
    return OpenClip(clip, change_pictures(footage, lambda old: (each[:height, :width] for each in old)), shots)


def fitting_kinds(opened: OpenClip, options: DefectOptions) -> list[DefectKind]:
    """Return the kinds that may be drawn for a clip; words only where somebody is known to speak."""
    clip, has_sound = opened.clip, opened.footage.sound is not None
    speaks = has_sound and (options.speech == "yes" or opened.has_speech or bool(clip.scene and clip.scene.lines))
    can_say = bool(options.insert or clip.scene or available_voice() != "tones")
    fit: dict[DefectKind, bool] = {
        **dict.fromkeys(AUDIO, has_sound),
        "swapped_shots": len(opened.shots) > 1,
        "filler_words": speaks and can_say,
        "wrong_sentences": speaks and can_say and bool(options.insert or options.sentence or clip.scene),
    }
    return [kind for kind in KINDS if fit.get(kind, True)]


def make_broken_clip(
    opened: OpenClip,
    kind: DefectKind,
    options: DefectOptions,
    out: BuildFolder,
    draw: Random,
    *,
    folder: str,
    most_cut: Fraction,
) -> BrokenClip:
    """Plant a defect and measure its anchors; where a drawn window does not tell broken from golden, draw another.

    At most the share `most_cut` of the broken clip may have to be cut out. `folder` holds the two files in the pack.

    Raises:
        BadInput: The clip has no place for the defect, or an encode would hide it.
    """
    speech = options.speech == "yes" or (options.speech == "auto" and opened.has_speech)
    for left in reversed(range(1 if options.at else TRIES)):
        try:
            made = plant_defect(opened, kind, options, draw)
            _check_cut_length(made, most_cut)
            stem = f"clips/{folder}/{digest_of(made.defect)[:8]}"
            paths = {
                name: out.once(f"{stem}-{name}", partial(write_footage, footage))
                for name, footage in ((BROKEN, made.broken), (GOLDEN, made.golden))
            }
            anchors = measure_anchors(paths[BROKEN], paths[GOLDEN], made.defect.window, kind, speech=speech)
            break
        except BadInput:
            if not left:
                raise
    kept = {name: out.store.put(path, name=f"{folder}/{name}", media_type="video/mp4") for name, path in paths.items()}
    return BrokenClip(made, kept[BROKEN], kept[GOLDEN], anchors)


def plant_defect(opened: OpenClip, kind: DefectKind, options: DefectOptions, draw: Random) -> Injection:
    """Plant a defect in a clip, where the user wants it or at a drawn place."""
    clip = opened.clip
    if opened.footage.sound is None and kind in (*AUDIO, *SPOKEN):
        raise BadInput(f"clip '{clip.name}'", "nothing is heard in it", "plant what is seen, or take a clip with sound")
    return inject(
        opened.footage,
        kind,
        at=options.at,
        seed=draw.getrandbits(32),
        shots=opened.shots,
        fillers=_fillers(clip, options, draw) if kind == "filler_words" else (),
        sentence=_sentence(clip, options, draw) if kind == "wrong_sentences" else None,
    )


def _fillers(clip: SourceClip, options: DefectOptions, draw: Random) -> Sequence[Sound]:
    """Return what may be said, the first ones first: own recordings in a drawn order, or the usual fillers."""
    own = options.insert
    return (draw.sample(own, len(own)) if len(own) > 1 else own) or speak_fillers(_voice(clip))


def _sentence(clip: SourceClip, options: DefectOptions, draw: Random) -> Sound:
    if options.insert:
        return draw.choice(options.insert) if len(options.insert) > 1 else options.insert[0]
    if options.sentence:
        return speak_text(options.sentence, _voice(clip))
    if clip.scene is None:
        fact, do = "nobody says what is wrong about it", "add --set sentence=TEXT or --set insert=FILE"
        raise BadInput(f"clip '{clip.name}'", fact, do)
    return speak_text(draw_false_sentence(clip.scene, draw), _voice(clip))


def _voice(clip: SourceClip) -> Voice:
    """Return the voice of a clip; tones stand in for words on the stage alone."""
    voice = clip.scene.voice if clip.scene is not None else available_voice()
    if clip.scene is None and voice == "tones":
        fact = "needs a spoken word, and no speech synthesis is installed"
        raise BadInput(f"clip '{clip.name}'", fact, "install espeak-ng, or add --set insert=FILE")
    return voice


def _check_cut_length(made: Injection, most: Fraction) -> None:
    """Refuse to plant so much that the clip without it would be shorter than the brief allows."""
    planted_s = made.broken.length_s - made.golden.length_s
    if planted_s > most * made.broken.length_s:
        fact = f"{float(planted_s):.2f} of {float(made.broken.length_s):.2f} s would have to be cut out"
        do = f"give a shorter place or a longer clip: {float(most):.0%} may go"
        raise BadInput(made.defect.kind.replace("_", " "), fact, do)
