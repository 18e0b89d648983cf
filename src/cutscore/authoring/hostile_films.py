"""Attacks on films, and films that are honest: what verifiers of all benchmarks are tried with (`hostile`)."""

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path

import numpy as np

from cutscore.authoring.hostile import Attack, replace_attack, write_files
from cutscore.core.timeline import Span
from cutscore.media import corrupt_clips
from cutscore.media.audio import has_sound
from cutscore.media.edit import join_footage, replace_sound, trim
from cutscore.media.footage import Footage, change_pictures, hold_picture, load_whole_clip, write_footage
from cutscore.media.orientation import Pixels
from cutscore.media.variants import advance_pictures, delay_pictures, delay_sound, write_as

# Honest films in codecs that a brief may exclude.
HEVC, VP9 = "HEVC", "VP9"
_NOTES_BYTES = 10_000_000
# Efforts of x264: for films that a verifier tells by what they show, and for those whose pictures it measures.
IN_HASTE, WELL = "ultrafast", "medium"
_A_DAY_S = 86_400


def video_attacks(name: str, good: Path, golden: Path | None = None, *, sound: bool = False) -> dict[str, Attack]:
    """Return attacks on a video file as a container: texts that lead elsewhere, lies of the index, floods.

    `good` is a clip of ours that would be right, and `golden` the marker's clip that others lead to, the good one by
    default. With `sound`, a clip without its sound is an attack, too.
    """
    there = golden or good
    texts = {
        "ffconcat text": f"ffconcat version 1.0\nfile '{there}'\n",
        "an HLS playlist": f"#EXTM3U\n#EXTINF:1,\nfile://{there}\n#EXT-X-ENDLIST\n",
        "a DASH playlist": f"<?xml version='1.0'?><MPD type='static'><BaseURL>file://{there}</BaseURL></MPD>",
        "an SVG drawing": f"<svg xmlns='http://www.w3.org/2000/svg'><image href='file://{there}'/></svg>",
        "subtitles": f"1\n00:00:00,000 --> 00:00:01,000\n<img src='file://{there}'>\n",
        "a shell script": f"#!/bin/sh\ncat '{there}'\n",
        "an address": f"file://{there}",
    }
    made: dict[str, Attack] = {
        "a PNG of 16,000 by 16,000": corrupt_clips.write_huge_png,
        "noise": corrupt_clips.write_noise,
        "an index cut off": partial(corrupt_clips.truncate_index, good),
        "an index without pictures": partial(corrupt_clips.truncate_pictures, good),
        "an index that names another file": partial(corrupt_clips.point_to_other_file, good),
        "a codec that nobody knows": partial(corrupt_clips.misname_codec, good),
        "a codec that nobody delivers": partial(corrupt_clips.write_black, codec="png", pix_fmt="rgb24", format="mov"),
        "golden in a second track": lambda path: _behind_black(there, path),
        "200 tracks": partial(corrupt_clips.remux, good, pictures=200, sound=False),
        "one picture": partial(corrupt_clips.keep_first_picture, good),
        "all pictures at the time 0": partial(corrupt_clips.stop_clock, good),
        "two pictures a day apart": partial(corrupt_clips.write_black, gap_s=_A_DAY_S),
        "10 MB of notes": partial(corrupt_clips.remux, good, tags={"comment": "x" * _NOTES_BYTES}),
    }
    if has_sound(good):
        made["the sound alone"] = partial(corrupt_clips.remux, good, pictures=0)
        if sound:
            made["pictures without their sound"] = partial(corrupt_clips.remux, good, sound=False)

    return {
        **{f"{name} is {what}": write_files({name: text.encode()}) for what, text in texts.items()},
        **{f"{name} is {what}": replace_attack(name, make) for what, make in made.items()},
    }


def player_attacks(name: str, good: Path) -> dict[str, Attack]:
    """Return the good film, in H.264, under labels that let a player show or play something else."""
    labels = {
        "shown four times as wide": "sample_aspect_ratio=4/1",
        "labelled as HDR": "transfer_characteristics=16:colour_primaries=9:matrix_coefficients=9",
    }
    made: dict[str, Attack] = {what: partial(corrupt_clips.relabel, good, label=how) for what, how in labels.items()}
    if has_sound(good):
        made["the good film with a second sound, which plays by default"] = partial(
            corrupt_clips.mux_two_sounds, good, good
        )
    return {f"{name} is {what}": replace_attack(name, make) for what, make in made.items()}


def _behind_black(golden: Path, path: Path) -> None:
    front = path.with_name(f"{path.name}.front")
    corrupt_clips.write_black(front)
    corrupt_clips.mux_two_tracks(front, golden, path)
    front.unlink()


def _filmed(
    name: str, clip: Path, change: Callable[[Footage], Footage], *, crf: int = 18, preset: str = WELL
) -> Attack:
    return lambda folder: write_footage(change(load_whole_clip(clip)), folder / name, crf=crf, preset=preset)


def picture_attacks(name: str, good: Path) -> dict[str, Attack]:
    """Return films as long as a good one that show something else: black, noise, one picture, half of it and padding.

    The sound of the good one stays.
    """
    in_haste = partial(_filmed, name, good, preset=IN_HASTE)

    def each(change: Callable[[int, Pixels], Pixels]) -> Attack:
        def changed(footage: Footage) -> Footage:
            return change_pictures(footage, lambda old: (change(number, one) for number, one in enumerate(old)))

        return in_haste(changed)

    def noise(number: int, pixels: Pixels) -> Pixels:
        return np.random.default_rng(number).integers(0, 256, pixels.shape, np.uint8)

    def frozen(footage: Footage) -> Footage:
        first = next(footage.pictures())
        return change_pictures(footage, lambda old: (first for _ in old))

    def padded(footage: Footage) -> Footage:
        first = next(footage.pictures())
        half = max(1, footage.count // 2)
        start = trim(footage, Span(start_s=0, end_s=half / footage.rate))
        rest = hold_picture(np.zeros_like(first), count=footage.count - half, rate=footage.rate)
        return replace_sound(join_footage([start, rest]), footage.sound)

    return {
        f"{name} is black": each(lambda _, pixels: np.zeros_like(pixels)),
        f"{name} is noise in pictures": each(noise),
        f"{name} is frozen at its first picture": in_haste(frozen),
        f"{name} is half of the film, padded with black": _filmed(name, good, padded),
    }


def copy_attacks(name: str, given: Path) -> dict[str, Attack]:
    """Return disguised copies of a clip that the subject was given: what somebody hands in who did nothing."""
    filmed = partial(_filmed, name, given)

    def moved(pixels: Pixels) -> Pixels:
        return np.concatenate([pixels[:, :1], pixels[:, :-1]], axis=1)

    def brighter(pixels: Pixels) -> Pixels:
        return np.minimum(pixels, 253) + np.uint8(2)

    def every(change: Callable[[Pixels], Pixels]) -> Callable[[Footage], Footage]:
        return lambda footage: change_pictures(footage, partial(map, change))

    def appended(folder: Path) -> None:
        (folder / name).write_bytes(given.read_bytes() + b"\0\0\x10\0free" + bytes(4088))

    return {
        f"{name} is the input": write_files({name: given}),
        f"{name} is the input with bytes behind it": appended,
        f"{name} is the input in a new container": lambda folder: corrupt_clips.remux(
            given, folder / name, tags={"title": "fixed"}
        ),
        f"{name} is the input, encoded once more": filmed(lambda footage: footage),
        f"{name} is the input, encoded badly": filmed(lambda footage: footage, crf=35),
        f"{name} is the input, one pixel aside": filmed(every(moved)),
        f"{name} is the input, one picture late": filmed(delay_pictures),
        f"{name} is the input, a shade brighter": filmed(every(brighter)),
    }


def honest_films(name: str, good: Path) -> dict[str, Attack]:
    """Return the right film as others encode it.

    Three codecs, three clocks, four ways to order an index, settings of H.264, late sound, a picture early or late.
    """

    def filmed(
        change: Callable[[Footage], Footage] = lambda footage: footage,
        *,
        codec: str = "libx264",
        options: dict[str, str] | None = None,
        tick_s: Fraction | None = None,
        index: str = "",
    ) -> Attack:
        return lambda folder: write_as(
            change(load_whole_clip(good)),
            folder / name,
            codec=codec,
            options={"crf": "18", **(options or {})},
            tick_s=tick_s,
            index=index,
        )

    return {
        "H.264, in haste": filmed(options={"preset": "veryfast"}),
        "H.264 without pictures that look ahead": filmed(options={"bf": "0"}),
        "H.264 of the baseline profile": filmed(options={"profile": "baseline"}),
        "H.264, every picture by itself": filmed(options={"g": "1"}),
        HEVC: filmed(codec="libx265", options={"preset": IN_HASTE, "x265-params": "log-level=none:pools=none"}),
        VP9: filmed(codec="libvpx-vp9", options={"b:v": "0", "deadline": "realtime", "cpu-used": "8"}),
        "its index in front": filmed(index="faststart"),
        "its index in fragments": filmed(index="frag_keyframe+empty_moov"),
        "its start moved by times below 0": filmed(index="negative_cts_offsets"),
        "notes of an editor": lambda folder: corrupt_clips.remux(
            good, folder / name, tags={"title": "Film", "comment": "made with an editor", "encoder": "x"}
        ),
        "a clock of 90 kHz": filmed(tick_s=Fraction(1, 90_000)),
        "a clock of milliseconds": filmed(tick_s=Fraction(1, 1000)),
        "sound late by a block of AAC": filmed(delay_sound),
        "one picture late": filmed(delay_pictures),
        "one picture early": filmed(advance_pictures),
    }
