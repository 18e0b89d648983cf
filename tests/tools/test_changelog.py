from pathlib import Path

import changelog
import pytest


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A changelog with one release, and three fragments in two sections."""
    (tmp_path / "CHANGELOG.md").write_text(f"# Changelog\n\n{changelog.MARK}\n\n## 0.1.0 (2026-01-01)\n")
    changes = tmp_path / "changes"
    changes.mkdir()
    (changes / "README.md").write_text("how to")
    (changes / "b-thing.added.md").write_text("Second.\nWith a second line.\n")
    (changes / "a-thing.added.md").write_text("First.\n")
    (changes / "cuts.scores.md").write_text("colorbars 1 → 2.\n")
    return tmp_path


def test_scores_come_first_and_fragments_are_gone(checkout: Path) -> None:
    assert changelog.main(["0.2.0"], root=checkout) == 0
    text = (checkout / "CHANGELOG.md").read_text()
    new, old = text.split("## 0.1.0")
    assert "## 0.2.0 (" in new
    assert new.index("### Scores") < new.index("- colorbars 1 → 2.") < new.index("### Added")
    assert "- First.\n- Second.\n  With a second line.\n" in new
    assert old == " (2026-01-01)\n"
    assert [path.name for path in (checkout / "changes").iterdir()] == ["README.md"]


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("thing.md", "x", "changes/thing.md: is not SLUG.SECTION.md"),
        ("thing.new.md", "x", "SECTION one of scores, added, changed, fixed, removed"),
        ("Thing.added.md", "x", "changes/Thing.added.md: is not"),
        ("thing.fixed.md", " \n", "changes/thing.fixed.md: is empty"),
    ],
)
def test_a_fragment_that_cannot_be_placed_is_refused_and_nothing_is_written(
    checkout: Path, name: str, text: str, said: str
) -> None:
    before = (checkout / "CHANGELOG.md").read_text()
    (checkout / "changes" / name).write_text(text)
    with pytest.raises(SystemExit, match=said):
        changelog.main(["0.2.0"], root=checkout)
    assert (checkout / "CHANGELOG.md").read_text() == before


@pytest.mark.parametrize("version", ["", "two", "1.0"])
def test_a_version_is_needed(checkout: Path, version: str) -> None:
    with pytest.raises(SystemExit, match="is not a version; say make changelog VERSION"):
        changelog.main([version], root=checkout)


def test_the_fragments_of_this_checkout_can_be_gathered(repository: Path) -> None:
    fragments = changelog.read_fragments(repository / "changes")
    assert changelog.release("9.9.9", "2026-01-01", fragments).startswith("## 9.9.9 (2026-01-01)\n")
    assert changelog.MARK in (repository / "CHANGELOG.md").read_text()
