"""Submissions that must not score: files that are no manifest, and films that do not show what the manifest says."""

from collections.abc import Callable, Iterable
from fractions import Fraction
from pathlib import Path

from cutscore.authoring.clip_cache import splice_clips
from cutscore.authoring.hostile import (
    Attack,
    HonestSubmission,
    HostileSubmission,
    attack_submission,
    file_attacks,
    json_attacks,
    write_files,
)
from cutscore.authoring.hostile_films import picture_attacks, player_attacks, video_attacks
from cutscore.benchmarks.assembly.dataset import FILM, MANIFEST, AssemblyItem
from cutscore.benchmarks.assembly.oracle import perfect
from cutscore.core.files import FileStore
from cutscore.core.frozen import canonical_json
from cutscore.media.edit import change_speed, join_footage
from cutscore.media.footage import Footage, change_pictures, load_footage, write_footage
from cutscore.media.orientation import Pixels

SPARED = "equation 1 marks the manifest alone, and the manifest is right"


def hostile(item: AssemblyItem, store: FileStore) -> list[HostileSubmission]:
    """Return attacks on the manifest, which get 0 in every mode, and on the film, which get 0 in `strict`."""
    manifest, film = (store.path(ref) for ref in perfect(item, store).files)
    good: dict[str, Path | bytes] = {MANIFEST: manifest.read_bytes(), FILM: film}
    words = manifest.read_bytes()
    bad_films = {
        **file_attacks(FILM, film),
        **video_attacks(FILM, film),
        **player_attacks(FILM, film),
        **picture_attacks(FILM, film),
        **_film_attacks(item, store),
    }
    return [
        *attack_submission(
            good, {**file_attacks(MANIFEST, words), **json_attacks(MANIFEST, words), **_manifest_attacks(item)}
        ),
        *attack_submission(good, bad_films, most={"paper": 1.0}, spared=SPARED),
        HostileSubmission("the right film alone", write_files({FILM: film})),
        HostileSubmission(
            "the candidates as they were given", write_files({ref.name: store.path(ref) for ref in item.materials})
        ),
    ]


def honest(item: AssemblyItem, store: FileStore) -> list[HonestSubmission]:
    """Return the right film in another encoding."""
    manifest, film = (store.path(ref) for ref in perfect(item, store).files)

    def filmed(change: Callable[[Footage], Footage], crf: int = 18) -> Attack:
        return lambda folder: write_footage(change(load_footage(film)), folder / FILM, crf=crf)

    films = {
        "encoded badly": filmed(lambda footage: footage, 34),
        "at thrice the rate": filmed(lambda footage: load_footage(film, rate=3 * footage.rate)),
        "twice as large": filmed(lambda footage: _change_pictures(footage, lambda one: one.repeat(2, 0).repeat(2, 1))),
        "a shade darker": filmed(lambda footage: _change_pictures(footage, lambda one: one - one // 10)),
    }
    return [HonestSubmission(each.name, each.write) for each in attack_submission({MANIFEST: manifest}, films)]


def _change_pictures(footage: Footage, change: Callable[[Pixels], Pixels]) -> Footage:
    return change_pictures(footage, lambda old: map(change, old))


def _manifest_attacks(item: AssemblyItem) -> dict[str, Attack]:
    """Return manifests with several answers, or with names that do not exist."""
    golden, (first, *_) = dict(item.golden), item.slots
    candidates = {slot: item.candidates(slot) for slot in item.slots}
    contents: dict[str, object] = {
        "one clip in all slots": dict.fromkeys(item.slots, golden[first]),
        "all candidates in each slot": candidates,
        "all candidates in one text": {slot: ", ".join(names) for slot, names in candidates.items()},
        "two answers": {"slots": golden, "or": golden},
        "a list for all slots and more": [*golden.values(), golden[first]],
        "a list that is too short": list(golden.values())[:-1],
        "a slot that is not there": {**golden, "slot-99": golden[first]},
        "slots in capitals": {slot.upper(): clip for slot, clip in golden.items()},
        "slots by number": {str(number): clip for number, clip in enumerate(golden.values(), 1)},
        "clips by number": dict.fromkeys(item.slots, 1),
        "clips with a wildcard": dict.fromkeys(item.slots, f"{item.id}/*.mp4"),
        "clips that climb out": {slot: f"../../{clip}/.." for slot, clip in golden.items()},
        "a clip of another story": {**golden, first: "another-story/clip-01.mp4"},
        "the storyboard itself": [shot.model_dump() for shot in item.storyboard],
        "no clip at all": dict.fromkeys(item.slots),
        "the wrong clip everywhere": {slot: names[1] for slot, names in candidates.items()},
    }

    return {f"{MANIFEST} with {what}": write_files({MANIFEST: canonical_json(one)}) for what, one in contents.items()}


def _film_attacks(item: AssemblyItem, store: FileStore) -> dict[str, Attack]:
    """Return films that are not what the manifest says."""
    right = list(item.golden.values())
    wrong = [item.candidates(slot)[1] for slot in item.slots]

    def cut(names: Iterable[str]) -> Attack:
        clips = item.clips(list(names))

        def attack(folder: Path) -> None:
            write_files({FILM: store.path(splice_clips(store, FILM, clips))})(folder)

        return attack

    def changed(change: Callable[[Footage], Footage]) -> Attack:
        paths = [store.path(ref) for ref in item.clips(right)]
        return lambda folder: write_footage(join_footage([change(load_footage(one)) for one in paths]), folder / FILM)

    def repainted(change: Callable[[Pixels], Pixels]) -> Attack:
        return changed(lambda clip: _change_pictures(clip, change))

    return {
        f"{FILM} shows distractors": cut(wrong),
        f"{FILM} shows one distractor": cut([*right[:-1], wrong[-1]]),
        f"{FILM} shows the slots in another order": cut([*right[1:], right[0]]),
        f"{FILM} lacks the last slot": cut(right[:-1]),
        f"{FILM} shows every candidate": cut(ref.name for ref in item.materials),
        f"{FILM} shows a slot twice": cut([*right, right[0]]),
        f"{FILM} shows every clip at three times its speed": changed(lambda clip: change_speed(clip, Fraction(3))),
        f"{FILM} shows every clip upside down": repainted(lambda one: one[::-1].copy()),
        f"{FILM} shows every clip mirrored": repainted(lambda one: one[:, ::-1].copy()),
        f"{FILM} shows every clip as a negative": repainted(lambda one: 255 - one),
    }
