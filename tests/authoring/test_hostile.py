"""The makers of hostile submissions: what each writes is what it says, and the door or the reader refuses it."""

import json
import os
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from cutscore.authoring.hostile import Attack, HostileSubmission, attack_submission, file_attacks, json_attacks
from cutscore.authoring.hostile_films import copy_attacks, picture_attacks, player_attacks, video_attacks
from cutscore.core.deliverable import Deliverable
from cutscore.core.errors import BadInput
from cutscore.media import deliverable
from cutscore.media.plan import FramePlan
from cutscore.media.render import write_clip
from cutscore.media.sound import Sound
from cutscore.scoring.verifiers.refusal import Refusal
from cutscore.scoring.verifiers.solution import read_order_file
from cutscore.store import Store
from cutscore.submissions import read_submission

FILM, ORDER = "solution.mp4", "solution.json"
CLIPS = ["a.mp4", "b.mp4"]
GOOD = json.dumps(CLIPS).encode()


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """12 pictures of 64×48 at 12 a second, no two alike, with a tone."""
    path = tmp_path_factory.mktemp("hostile") / "good.mp4"
    slope = np.linspace(0, 200, 64, dtype=np.uint8)[None, :, None].repeat(48, axis=0).repeat(3, axis=2)
    tone = Sound(np.sin(np.arange(8000, dtype=np.float32) / 5), 8000)
    write_clip(path, (np.roll(slope, 5 * number, axis=1) for number in range(12)), rate=Fraction(12), sound=tone)
    return path


@pytest.fixture
def taken_in(tmp_path: Path) -> Callable[[Callable[[Path], None]], Deliverable]:
    """Writes a submission into a folder and takes it in as `cutscore score` does."""

    def take(write: Callable[[Path], None]) -> Deliverable:
        folder = tmp_path / "in" / "item"
        folder.mkdir(parents=True)
        write(folder)
        return read_submission(folder.parent, "item", store=Store(tmp_path / "store"))

    return take


def named(names: dict[str, Attack]) -> list[str]:
    return list(names)


@pytest.mark.parametrize("name", named(file_attacks(ORDER, GOOD)))
def test_a_file_that_is_none_is_not_taken_in(
    name: str, taken_in: Callable[[Callable[[Path], None]], Deliverable], tmp_path: Path
) -> None:
    [hostile] = attack_submission({ORDER: GOOD, "rest.txt": b"stays"}, {name: file_attacks(ORDER, GOOD)[name]})
    delivered = taken_in(hostile.write)
    assert delivered.file("rest.txt") is not None
    content = delivered.file(ORDER)
    text = None if content is None else Store(tmp_path / "store").path(content).read_text()
    assert isinstance(read_order_file(text, CLIPS), Refusal)


def test_a_giant_made_of_holes_is_refused_by_name(
    taken_in: Callable[[Callable[[Path], None]], Deliverable],
) -> None:
    def write(folder: Path) -> None:
        for name, size in (("all.mp4", 100 << 30), ("most.mp4", 4 << 30), ("small.mp4", 1 << 20)):
            (folder / name).write_bytes(b"x")
            os.truncate(folder / name, size)

    delivered = taken_in(write)
    assert [ref.name for ref in delivered.files] == ["small.mp4"]
    assert "'all.mp4' has 107,374,182,400 bytes, 34,359,738,368 are allowed" in delivered.failure
    assert "'most.mp4' has 4,294,967,296 bytes, nearly all of them holes" in delivered.failure


@pytest.mark.parametrize("name", named(json_attacks(ORDER, GOOD)))
def test_json_that_readers_differ_on_is_refused(name: str, tmp_path: Path) -> None:
    (tmp_path / ORDER).write_bytes(GOOD)
    json_attacks(ORDER, GOOD)[name](tmp_path)
    text = (tmp_path / ORDER).read_bytes().decode(errors="replace")
    order = read_order_file(text, CLIPS)
    assert isinstance(order, Refusal) or order == []  # an empty list is an order, of the wrong length


def test_the_first_place_of_any_json_is_replaced(tmp_path: Path) -> None:
    attacks = json_attacks("x.json", b'{"ranges": [{"start_s": 1, "end_s": 2}], "n": 3}')
    attacks["x.json with NaN in the first place"](tmp_path)
    assert (tmp_path / "x.json").read_text() == '{"ranges": [{"start_s": NaN, "end_s": 2}], "n": 3}'


def test_videos_that_lead_elsewhere_or_lie_are_refused(good: Path, tmp_path: Path) -> None:
    attacks = video_attacks(FILM, good)
    assert len(attacks) >= 18
    for name, attack in attacks.items():
        attack(tmp_path)
        assert [path.name for path in tmp_path.iterdir()] == [FILM], name
        # What can be shown and takes no time is for verifiers to refuse.
        assert refused(tmp_path / FILM) != name.endswith(("is one picture", "at the time 0")), name


def refused(path: Path) -> bool:
    try:
        return not deliverable.read_frames(path, FramePlan.parse("times=0"))
    except BadInput:
        return True


def test_a_film_without_its_sound_is_an_attack_where_it_is_asked_for(good: Path, tmp_path: Path) -> None:
    attacks = video_attacks(FILM, good, sound=True)
    [name] = attacks.keys() - video_attacks(FILM, good).keys()
    attacks[name](tmp_path)
    assert not deliverable.has_sound(tmp_path / FILM)
    assert len(deliverable.read_frames(tmp_path / FILM, FramePlan.parse("uniform=4"))) == 4


def test_other_pictures_are_as_long_as_the_film_and_copies_are_near_it(good: Path, tmp_path: Path) -> None:
    plan = FramePlan.parse("times=0.5")
    base = deliverable.read_frames(good, plan)[0].pixels.astype(int)
    apart = {}
    others, alike = picture_attacks(FILM, good), copy_attacks(FILM, good)
    for name, attack in {**others, **alike}.items():
        attack(tmp_path)
        facts = deliverable.probe(tmp_path / FILM)
        assert facts.duration_s == 1, name
        # As the good one has it: attacks must not fail for a reason of their own.
        assert facts.sound is not None, name
        assert (facts.sound.rate_hz, facts.sound.channels) == (8000, 1), name
        seen = deliverable.read_frames(tmp_path / FILM, plan)[0].pixels.astype(int)
        apart[name] = float(np.abs(seen - base).mean())
    same = {name for name, distance in apart.items() if distance == 0}
    assert same == {f"{FILM} is the input{how}" for how in ("", " with bytes behind it", " in a new container")}
    assert max(apart[name] for name in alike) < min(apart[name] for name in others)


def test_labels_change_what_a_player_shows_and_not_what_is_stored(good: Path, tmp_path: Path) -> None:
    facts = []
    for attack in player_attacks(FILM, good).values():
        (tmp_path / FILM).touch()
        attack(tmp_path)
        facts.append(deliverable.probe(tmp_path / FILM))
    wide, hdr, twice = facts
    assert {(each.width, each.height) for each in facts} == {(64, 48)}
    assert twice.display_aspect == deliverable.probe(good).display_aspect
    assert wide.display_aspect == 4 * deliverable.probe(good).display_aspect
    assert hdr.colour.transfer == "smpte2084"
    with pytest.raises(BadInput, match="has 2 sound tracks, and which one is heard is open"):
        deliverable.probe_film(tmp_path / FILM)


def test_what_is_spared_needs_a_reason() -> None:
    with pytest.raises(ValueError, match="hostile submission 'x': what is spared in a mode has a reason"):
        HostileSubmission("x", lambda _: None, most={"paper": 0.1})
    with pytest.raises(ValueError, match="has a reason, and only that"):
        HostileSubmission("x", lambda _: None, spared="because")


def test_a_damaged_submission_has_all_other_files(tmp_path: Path) -> None:
    [one] = attack_submission({ORDER: GOOD, "a/b.txt": b"b"}, {"bad": lambda folder: (folder / ORDER).unlink()})
    one.write(tmp_path)
    assert sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*")) == ["a", "a/b.txt"]
