"""The bytes decide what is embedded; each content lands in the site once."""

import os

import pytest

from cutscore.core.files import FileRef
from cutscore.report.embed import EXCERPT_CHARS, Media, recognize_media
from cutscore.store import Store

PNG = b"\x89PNG\r\n\x1a\n" + bytes(20)


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "store")


@pytest.fixture
def media(tmp_path):
    root = tmp_path / "site"
    root.mkdir()
    return Media(root, clean=lambda text: text.replace("hunter2", "[secret]"))


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (b"\0\0\0\x20ftypisom", ("video", ".mp4")),
        (b"\0\0\0\x14ftypqt  ", ("video", ".mov")),
        (b"\0\0\0\x20ftypM4A ", ("audio", ".m4a")),
        (b"\0\0\0\x20ftypavif", ("image", ".avif")),
        (b"\x1a\x45\xdf\xa3\x9f\x42\x82\x84webm", ("video", ".webm")),
        (b"\x1a\x45\xdf\xa3\x9f\x42\x82\x88matroska", ("video", ".mkv")),
        (b"OggS" + bytes(24) + b"\x80theora", ("video", ".ogv")),
        (b"OggS" + bytes(24) + b"OpusHead", ("audio", ".ogg")),
        (b"RIFF\0\0\0\0WAVE", ("audio", ".wav")),
        (b"RIFF\0\0\0\0WEBP", ("image", ".webp")),
        (b"ID3\x04", ("audio", ".mp3")),
        (b"\xff\xfb\x90\x00", ("audio", ".mp3")),
        (b"fLaC", ("audio", ".flac")),
        (PNG, ("image", ".png")),
        (b"\xff\xd8\xff\xe0", ("image", ".jpg")),
        (b"GIF89a", ("image", ".gif")),
    ],
)
def test_known_by_first_bytes(head, kind):
    found = recognize_media(head)
    assert (found.tag, found.suffix) == kind


@pytest.mark.parametrize(
    "head",
    [
        b"",
        b"ffconcat version 1.0\nfile golden.mp4",
        b"#EXTM3U",
        b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'>",
        b"<!doctype html><script>",
        b"%PDF-1.7",
        b"RIFF\0\0\0\0AVI ",
        b"\0\0\0\x20ftypheic",
        b"\xff\xfeU\0T\0F\0",
        b"PK\x03\x04",
        bytes(64),
    ],
)
def test_never_embedded(head):
    assert recognize_media(head) is None


def test_a_clip_is_copied_once_under_its_hash(media, store, tmp_path, clips):
    first = store.put(clips["red"], name="bars.mp4")
    again = store.put(clips["red"], name="other.mp4")
    shown = [media.show(ref, store) for ref in (first, again)]
    assert [each.name for each in shown] == ["bars.mp4", "other.mp4"]
    assert {each.href for each in shown} == {f"media/{first.sha256}.mp4"}
    (copy,) = (tmp_path / "site" / "media").iterdir()
    assert copy.read_bytes() == clips["red"].read_bytes()
    assert os.path.samefile(copy, store.path(first))


@pytest.mark.parametrize("how", ["asked", "unreadable", "no links"])
def test_copied_where_it_cannot_or_should_not_be_linked(tmp_path, store, clips, how, monkeypatch):
    ref = store.put(clips["red"], name="bars.mp4")
    if how == "unreadable":
        store.path(ref).chmod(0o400)
    if how == "no links":
        monkeypatch.setattr(os, "link", lambda *_: (_ for _ in ()).throw(OSError(18, "cross-device link")))
    (tmp_path / "site").mkdir()
    shown = Media(tmp_path / "site", clean=str, how="copy" if how == "asked" else "link").show(ref, store)
    copy = tmp_path / "site" / shown.href
    assert not os.path.samefile(copy, store.path(ref))
    assert copy.read_bytes() == clips["red"].read_bytes()
    assert copy.stat().st_mode & 0o044 == 0o044


def test_text_that_is_called_a_clip_is_shown_as_text(media, store, tmp_path):
    ref = store.put_bytes(b"ffconcat version 1.0\nfile golden.mp4\n", name="fixed.mp4", media_type="video/mp4")
    shown = media.show(ref, store)
    assert (shown.tag, shown.href) == (None, "")
    assert shown.excerpt.startswith("ffconcat version 1.0")
    assert not (tmp_path / "site" / "media").exists()


def test_an_excerpt_is_short_inert_and_without_secrets(media, store):
    text = "a\x1b[31mb\x00".replace("\x00", "\x07") + "hunter2" + "x" * (EXCERPT_CHARS - 12) + "hunter2" * 9000
    shown = media.show(store.put_bytes(text.encode(), name="report.md"), store)
    assert shown.excerpt.startswith("ab␇[secret]xx")
    assert "hunter" not in shown.excerpt
    assert len(shown.excerpt) == EXCERPT_CHARS
    assert shown.note == "the first 8,000 characters"


@pytest.mark.parametrize(
    ("data", "note"),
    [
        (b"", "empty file"),
        (b"a\0b", "not shown: neither picture, sound nor text"),
        (bytes(range(128, 250)), "not shown"),
    ],
)
def test_what_is_no_text_is_not_shown(media, store, data, note):
    shown = media.show(store.put_bytes(data, name="x.bin"), store)
    assert shown.note.startswith(note)
    assert not shown.excerpt


def test_lost_or_rotten_files_are_said_and_do_not_end_the_report(media, store):
    lost = FileRef(name="gone.mp4", sha256="ab" * 32, size_bytes=5)
    assert "is not in the store" in media.show(lost, store).note
    rotten = store.put_bytes(PNG, name="a.png")
    path = store.path(rotten)
    path.chmod(0o644)
    path.write_bytes(b"<html>" + bytes(len(PNG) - 6))
    assert media.show(rotten, store).note.startswith("cannot be shown: store entry")


def test_a_file_that_one_run_lost_is_taken_from_another(media, store, tmp_path):
    ref = store.put_bytes(PNG, name="a.png")
    assert media.show(ref, Store(tmp_path / "empty")).note
    assert media.show(ref, store).tag == "image"


def test_a_report_without_media_has_none_and_says_so(build, read):
    site = build(how="leave").parent
    assert not (site / "media").exists()
    page = read(site / "colorbars" / "items" / "red-1.html")
    assert "bars.mp4" in page.text
    assert "not in this report" in page.text
    assert not page.find("video")
