import lock
import pytest

PIN = "six==1.17.0 \\\n    --hash=sha256:" + "0" * 64 + "\n"


def test_a_lock_with_hashes_and_without_addresses_passes() -> None:
    lock.check(lock.header("requirements/plain.txt", "The plain install.") + PIN, "plain.txt")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("--index-url https://example.org/simple\n" + PIN, "names an index or an address"),
        ("--extra-index-url mirror\n" + PIN, "names an index or an address"),
        ("--find-links wheels\n" + PIN, "names an index or an address"),
        ("thing @ https://example.org/thing.whl \\\n    --hash=sha256:0\n", "names an index or an address"),
        (PIN + "attrs==26.1.0\n", "has no hash for attrs==26.1.0"),
    ],
)
def test_a_lock_that_is_not_the_same_for_everybody_is_refused(text: str, said: str) -> None:
    with pytest.raises(SystemExit, match=said):
        lock.check(text, "plain.txt")


def test_what_builds_the_package_is_read_from_pyproject() -> None:
    assert lock.build_requirements('[build-system]\nrequires = ["hatchling>=1.27"]') == ["hatchling>=1.27", "editables"]


def test_torch_is_in_no_lock() -> None:
    extra = '[project.optional-dependencies]\nhub = ["torch>=2.9,<3", "transformers>=5.17,<6"]'
    wanted = lock.hub_requirements(extra)
    assert wanted[0] == "transformers>=5.17,<6"
    assert not any(each.startswith("torch") for each in wanted)
