from pathlib import Path

import pytest

from cutscore.core.errors import CutscoreError, MissingExtra, Unscored
from cutscore.media import deliverable
from cutscore.report.preview import preview


def fail_with(error: CutscoreError, monkeypatch: pytest.MonkeyPatch) -> None:
    def probe(path: Path) -> None:
        raise error

    monkeypatch.setattr(deliverable, "probe", probe)


def test_a_film_whose_decoder_was_killed_has_no_preview_and_the_page_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fail_with(Unscored("clip 'a.mp4'", "was not decoded, which is no fault of the file"), monkeypatch)
    assert preview(tmp_path / "a.mp4", "0" * 64) is None


def test_what_this_machine_lacks_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fail_with(MissingExtra.of("pictures", "media"), monkeypatch)
    with pytest.raises(MissingExtra):
        preview(tmp_path / "a.mp4", "0" * 64)
