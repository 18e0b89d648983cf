from email.message import Message
from importlib.metadata import Distribution
from pathlib import Path

import licences
import pytest


class Installed(Distribution):
    """A package with the metadata that a test gives it."""

    def __init__(self, *fields: tuple[str, str]) -> None:
        self._metadata = Message()
        for name, value in (("Name", "thing"), ("Version", "1"), *fields):
            self._metadata[name] = value

    @property
    def metadata(self):
        return self._metadata

    def read_text(self, filename: str) -> str | None:
        return None

    def locate_file(self, path):
        return path


OSI = "License :: OSI Approved :: "


@pytest.mark.parametrize(
    ("fields", "licence"),
    [
        ([("License-Expression", "mit and zlib"), ("License", "GPL")], "MIT AND Zlib"),
        ([("License", "Apache 2.0")], "Apache-2.0"),
        ([("License", "UNKNOWN"), ("Classifier", f"{OSI}MIT License")], "MIT"),
        ([("License", "MIT License\n\nCopyright (c) 2022 Somebody")], "MIT"),
        (
            [
                ("License", "Dual License"),
                ("Classifier", f"{OSI}BSD License"),
                ("Classifier", f"{OSI}Apache Software License"),
            ],
            "Apache-2.0 OR BSD-3-Clause",
        ),
        ([("License", "ask me"), ("Classifier", f"{OSI}Some New License")], "unknown"),
        ([("License", "GPL-3.0-or-later")], "GPL-3.0-or-later"),
        ([], "unknown"),
    ],
)
def test_a_licence_is_read_wherever_a_package_says_it(fields: list[tuple[str, str]], licence: str) -> None:
    assert licences.licence_of(Installed(*fields)) == licence


@pytest.mark.parametrize(
    "licence", ["GPL-2.0-only", "AGPL-3.0-or-later", "LGPL-3.0-only", "unknown", "(MIT)", "MIT AND unknown"]
)
def test_what_is_not_listed_is_not_allowed(licence: str) -> None:
    assert not licences.allowed(licence)


def test_the_closure_is_the_plain_set_also_beside_development_tools() -> None:
    names = {licences.canonicalize_name(each.name) for each in licences.closure("cutscore")}
    assert {"inspect-ai", "av", "numpy", "click"} <= names
    assert not {"pytest", "mypy", "ruff", "hypothesis", "cutscore"} & names


def test_a_refused_licence_fails_and_writes_nothing(monkeypatch, tmp_path: Path, capsys) -> None:
    monkeypatch.setattr(licences, "TARGET", tmp_path / "THIRD_PARTY.md")
    monkeypatch.setattr(licences, "packages", lambda: [licences.Package("thing", "1", "AGPL-3.0-only", "")])
    assert licences.main([]) == 1
    assert "thing 1: licence 'AGPL-3.0-only' is not on the allow-list" in capsys.readouterr().err
    assert not (tmp_path / "THIRD_PARTY.md").exists()


def test_a_stale_page_fails_the_check(monkeypatch, tmp_path: Path, capsys) -> None:
    page = tmp_path / "THIRD_PARTY.md"
    monkeypatch.setattr(licences, "TARGET", page)
    monkeypatch.setattr(licences, "packages", lambda: [licences.Package("thing", "1", "MIT", "")])
    assert licences.main(["--check"]) == 1
    assert "THIRD_PARTY.md: is stale; run 'make licences'" in capsys.readouterr().err
    assert licences.main([]) == 0
    assert licences.main(["--check"]) == 0
    page.write_text(page.read_text().replace("| thing | 1 |", "| thing | 2 |"))
    assert licences.main(["--check"]) == 1


def test_the_note_about_ffmpeg_is_true_of_the_installed_wheel() -> None:
    carried = {file.name.split("-")[0] for file in licences.distribution("av").files or [] if ".libs" in str(file)}
    if not carried:
        pytest.skip("this av was not installed from a wheel that carries its libraries")
    assert {"libx264", "libx265", "libavcodec"} <= carried
