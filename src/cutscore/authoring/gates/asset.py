"""Asset: does everything decode, is all of it there, is its origin known, and does nothing of it tell the truth?"""

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path, PurePosixPath
from typing import Any

from pydantic import BaseModel

from cutscore.authoring.loaded_benchmark import LoadedBenchmark
from cutscore.core.bundle import Bundle
from cutscore.core.errors import BadInput, CorruptEntry
from cutscore.core.files import FileRef
from cutscore.core.gate import Gate, make_gate
from cutscore.environments.sandbox.layout import find_instruction_files
from cutscore.media import deliverable
from cutscore.media.tags import read_tags

UNKNOWN_LICENCES = {"", "unknown", "none", "LicenseRef-unknown"}
# What every muxer writes, and what tells nothing as long as all files say the same.
PLAIN_TAGS = {
    *("major_brand", "minor_version", "compatible_brands", "encoder", "handler_name", "language", "vendor_id"),
    *("DURATION", "ENCODER"),
}
# Words of the author's trade that give a file away; a broken clip may be called so, everybody knows that it is.
TELLING = {"golden", "distractor", "truth", "answer", "correct", "original", "reference-cut"}
SHORTEST_WORD, SHORTEST_TEXT = 4, 12  # letters of a truth that would be found in everything otherwise
LONGEST_TEXT_BYTES = 1_000_000
SOUND_HZ = 8000
CUT_OFF_S = Fraction(1, 4)  # containers round, and blocks of sound are padded
_FILE = re.compile(r"[\w./-]*\w\.(?:mp4|mov|mkv|webm|wav|mp3|flac|png|jpg|jpeg|json|csv|srt|vtt|zip|md|txt)\b", re.I)
_SHOWN_FACTS = {
    *("container", "codec", "width", "height", "rotation", "mirrored", "sample_aspect", "pixel_format", "bits"),
    *("colour", "interlaced", "rate", "time_base", "sound", "streams"),
}


def check_asset(bench: LoadedBenchmark, item: Bundle) -> Gate:
    """Check every file of a task."""
    broken = [*_decoding_faults(bench, item)]
    found = [*broken, *_licence_faults(item), *_reference_faults(bench, item)]
    found += [*_name_leaks(item), *_order_faults(item)]
    if not broken:  # what cannot be opened has no notes either
        found += [*_tag_leaks(bench, item), *_text_leaks(bench, item), *_encoding_leaks(bench, item)]
    return make_gate("asset", found)


def _decoding_faults(bench: LoadedBenchmark, item: Bundle) -> Iterator[str]:
    for ref in (*item.materials, *item.hidden):
        try:
            path = bench.store.path(ref)
            if ref.media_type.startswith("video/"):
                yield from (f"file '{ref.name}' {fault}" for fault in _length_faults(path))
            elif ref.media_type.startswith("audio/"):
                _sound_length_s(path)
        except (BadInput, CorruptEntry) as fault:
            yield f"file '{ref.name}' {fault.fact}"


def _length_faults(path: Path) -> Iterator[str]:
    """Decode a video to its end and say what is missing; cut off between two pictures, no decoder minds."""
    facts = deliverable.probe(path)
    seen = sum(1 for _ in deliverable.iter_pictures(path, forms=("luma",)))
    reaches_s = facts.duration_s or Fraction(0)
    shown_s = seen / facts.rate if facts.rate else reaches_s
    if facts.sound is not None:
        reaches_s = max(reaches_s, _sound_length_s(path))
    told_s = facts.container_s or reaches_s
    if told_s - reaches_s > CUT_OFF_S:
        yield f"ends after {float(reaches_s):.2f} s, its container speaks of {float(told_s):.2f} s"
    elif (facts.duration_s or 0) - shown_s > CUT_OFF_S:
        yield f"has pictures for {float(shown_s):.2f} s of {float(facts.duration_s or 0):.2f} s"


def _sound_length_s(path: Path) -> Fraction:
    """Decode a sound to its end and give its seconds."""
    blocks = deliverable.iter_sound(path, rate_hz=SOUND_HZ, channels="mono")
    return Fraction(sum(len(block) for block in blocks), SOUND_HZ)


def _licence_faults(item: Bundle) -> Iterator[str]:
    if item.licence in UNKNOWN_LICENCES:
        yield f"the licence of the task is '{item.licence}'"
    for ref in (*item.materials, *item.hidden):
        origin = item.provenance.get(ref.name)
        if origin is None:
            yield f"nobody says where '{ref.name}' is from"
        elif origin.licence in UNKNOWN_LICENCES:
            yield f"the licence of '{ref.name}' is '{origin.licence}'"
        elif not (origin.source or origin.recipe or origin.made_by):
            yield f"'{ref.name}' has a licence and no source"


def _reference_faults(bench: LoadedBenchmark, item: Bundle) -> Iterator[str]:
    """Return files that the brief or a sheet mentions and that are not there."""
    there = {ref.name for ref in item.materials} | {each.name for each in item.deliveries}
    known = there | {PurePosixPath(name).name for name in there}
    # An example in a prompt file is the benchmark's own word, the same for every task.
    known |= {name for prompt in bench.prompts.values() for name in _FILE.findall(prompt.text)}
    told = {"the brief": bench.found.ask(item, bench.prompts).brief}
    told |= {f"'{ref.name}'": text for ref, text in _text_materials(bench, item)}
    for where, text in told.items():
        for name in sorted(set(_FILE.findall(text))):
            if name.removeprefix("./") not in known and PurePosixPath(name).name not in known:
                yield f"{where} speaks of '{name}', which is no file of the task"


def _name_leaks(item: Bundle) -> Iterator[str]:
    """Return what names give away: that of the item, which every subject reads, and those of its files."""
    truth = {text.casefold() for text in _truth_words(item) if len(text) >= SHORTEST_WORD}
    for name in (item.id, *(ref.name for ref in item.materials)):
        words = set(re.split(r"[^a-z0-9]+", name.casefold())) | {name.casefold()}
        words |= set(re.split(r"[^a-z0-9_-]+", name.casefold()))
        for word in sorted(words & (TELLING | truth)):
            yield f"the name '{name}' says '{word}'"


def _order_faults(item: Bundle) -> Iterator[str]:
    """Return materials that would not be looked at but obeyed."""
    for name in find_instruction_files(ref.name for ref in item.materials):
        yield f"agents take '{name}' for orders or settings of their own; give it another name"


def _tag_leaks(bench: LoadedBenchmark, item: Bundle) -> Iterator[str]:
    """Return tags of files that are more than a muxer writes."""
    truth = [text for text in _truth_words(item) if len(text) >= SHORTEST_WORD]
    for ref in item.materials:
        if not ref.media_type.startswith(("video/", "audio/", "image/")):
            continue
        for place, text in read_tags(bench.store.path(ref)).items():
            if place.rpartition(" ")[2] not in PLAIN_TAGS:
                yield f"file '{ref.name}' carries a note, {place}"
            elif told := next((each for each in truth if each.casefold() in text.casefold()), None):
                yield f"file '{ref.name}' says '{told}' in its {place}"


def _text_leaks(bench: LoadedBenchmark, item: Bundle) -> Iterator[str]:
    """Return sheets that hold a truth word by word, and titles of sources in the brief, which can be looked up."""
    long = [text for text in _truth_words(item) if len(text) >= SHORTEST_TEXT]
    for ref, text in _text_materials(bench, item):
        if told := next((each for each in long if each in text), None):
            yield f"file '{ref.name}' has a truth in it: '{told[:40]}'"
    words = _words(item.brief)
    for title in sorted({origin.source for origin in item.provenance.values()}):
        named = _words(PurePosixPath(title).stem)
        if not title.startswith("stage:") and len(named.split()) > 1 and f" {named} " in f" {words} ":
            yield f"the brief names the source: '{named}'"


def _encoding_leaks(bench: LoadedBenchmark, item: Bundle) -> Iterator[str]:
    """Return materials that are encoded otherwise than others, where the truth tells them apart."""
    videos = [ref for ref in item.materials if ref.media_type.startswith("video/")]
    told = set(_strings(_truth(item)))
    if len(videos) < 2 or not any(ref.name in told for ref in videos):
        return
    first = _encoding_facts(bench, videos[0])
    for ref in videos[1:]:
        facts = _encoding_facts(bench, ref)
        if other := sorted(name for name in first.keys() | facts.keys() if first.get(name) != facts.get(name)):
            yield f"'{ref.name}' is written otherwise than '{videos[0].name}': {', '.join(other)}"


def _encoding_facts(bench: LoadedBenchmark, ref: FileRef) -> dict[str, object]:
    path = bench.store.path(ref)
    facts = deliverable.probe(path).model_dump(include=_SHOWN_FACTS)
    tags = {place: text for place, text in read_tags(path).items() if not place.endswith("DURATION")}
    return {**facts, **tags}


def _text_materials(bench: LoadedBenchmark, item: Bundle) -> Iterator[tuple[FileRef, str]]:
    """Return the words of the materials that are texts."""
    for ref in item.materials:
        if ref.is_text:
            try:
                with bench.store.path(ref).open("rb") as stream:
                    yield ref, stream.read(LONGEST_TEXT_BYTES).decode(errors="replace")
            except (BadInput, CorruptEntry):  # said when it was to be decoded
                continue


def _truth_words(item: Bundle) -> list[str]:
    """Return the words that only the marker may know, the names of hidden files without their ending included."""
    shown = {name: value for name, value in item.without_truth().items() if name != "groups"}  # strata are for tables
    public = {text.casefold() for text in _strings(shown)}
    hidden = {PurePosixPath(ref.name).stem for ref in item.hidden}
    sources = {PurePosixPath(origin.source).stem.removeprefix("stage:") for origin in item.provenance.values()}
    known = {*_strings(_truth(item)), *hidden, *sources}
    return sorted(text for text in known if text.casefold() not in public and re.search("[A-Za-z]", text))


def _truth(item: Bundle) -> dict[str, Any]:
    # Licences and builders are everybody's words; sources are looked at by themselves.
    return {name: getattr(item, name) for name in item.truth_fields() if name != "provenance"}


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, BaseModel):
        yield from _strings(value.model_dump(mode="json"))
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from _strings(each)
    elif isinstance(value, list | tuple | set | frozenset):
        for each in value:
            yield from _strings(each)


def _words(text: str) -> str:
    """Write a text as its words of three letters and more, in lower case.

    >>> _words("BigBuckBunny_60s"), _words("Big Buck Bunny!")
    ('big buck bunny', 'big buck bunny')
    """
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text)
    return " ".join(re.findall(r"(?<![a-z0-9])[a-z]{3,}", apart.casefold()))
