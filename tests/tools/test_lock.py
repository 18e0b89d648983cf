from importlib.metadata import requires
from pathlib import Path

import lock
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

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


def test_the_lock_of_the_demo_and_the_plain_one_hold_all_that_either_needs(repository: Path) -> None:
    def pins(name: str) -> dict[str, str]:
        lines = (repository / "requirements" / name).read_text(encoding="utf-8").splitlines()
        return {name: version for name, _, version in (line.rstrip(" \\").partition("==") for line in lines) if version}

    plain, demo, dev = pins("plain.txt"), pins("demo.txt"), pins("dev.txt")
    assert {"playwright", "starlette"} <= demo.keys()
    assert demo.items() <= dev.items(), "pip installs no other version beside the tools"
    for name in demo:
        for need in map(Requirement, requires(name) or ()):
            if need.marker is None or need.marker.evaluate({"extra": ""}):
                assert canonicalize_name(need.name) in plain.keys() | demo.keys(), f"{name} needs {need}"
