"""What is installed, and with what: the locks, the wheel, the entry points, the papers around the code."""

import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator
from email.parser import Parser
from importlib.metadata import entry_points
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

LOCKS = ("plain.txt", "build.txt", "demo.txt", "dev.txt", "ray.txt", "hub.txt", "web.txt", "lock.txt")
OPENCV = {"opencv-python", "opencv-python-headless", "opencv-contrib-python", "opencv-contrib-python-headless"}


@pytest.fixture(scope="module")
def project(repository: Path) -> dict:
    return tomllib.loads((repository / "pyproject.toml").read_text())


@pytest.fixture(scope="module")
def pins(repository: Path) -> dict[str, dict[str, set[str]]]:
    """Pinned versions by package, by lock."""

    def read(name: str) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for package, version in re.findall(
            r"^([\w.-]+)==(\S+)", (repository / "requirements" / name).read_text(), re.M
        ):
            found.setdefault(canonicalize_name(package), set()).add(version)
        return found

    return {name: read(name) for name in LOCKS}


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_names_no_address_and_hashes_every_pin(repository: Path, name: str) -> None:
    text = (repository / "requirements" / name).read_text()
    assert "://" not in text
    entries = [line for line in text.replace("\\\n", " ").splitlines() if line and not line.startswith("#")]
    assert entries
    for entry in entries:
        assert re.match(r"[\w.-]+==\S+ .*--hash=sha256:[0-9a-f]{64}", entry), entry[:60]


def test_the_plain_set_has_no_torch_and_at_most_one_opencv(pins) -> None:
    plain = pins["plain.txt"]
    assert not [name for name in plain if name.startswith(("torch", "nvidia-", "triton"))]
    assert len(OPENCV & plain.keys()) <= 1


def test_extras_add_no_second_opencv_and_no_torch(pins) -> None:
    assert len(OPENCV & pins["dev.txt"].keys()) <= 1
    assert "torch" not in pins["dev.txt"]


def test_the_locks_agree(pins) -> None:
    for smaller in ("plain.txt", "build.txt"):
        assert pins[smaller].items() <= pins["dev.txt"].items()


def spelled_out(wanted: list[str], extras: dict[str, list[str]]) -> Iterator[Requirement]:
    """Requirements, with what our own extras ask for in place of `cutscore[extra]`."""
    for requirement in map(Requirement, wanted):
        if requirement.name == "cutscore":
            yield from (Requirement(line) for name in sorted(requirement.extras) for line in extras[name])
        else:
            yield requirement


def test_the_locks_fit_pyproject(project, pins) -> None:
    extras = project["project"]["optional-dependencies"]
    for lock, wanted in (
        ("plain.txt", project["project"]["dependencies"]),
        ("build.txt", project["build-system"]["requires"]),
        ("dev.txt", extras["dev"]),
        ("ray.txt", extras["ray"]),
        ("hub.txt", [each for each in extras["hub"] if each.startswith("transformers")]),
    ):
        for requirement in spelled_out(wanted, extras):
            versions = pins[lock].get(canonicalize_name(requirement.name))
            assert versions, f"{lock} lacks {requirement.name}; run 'make lock'"
            assert all(requirement.specifier.contains(version) for version in versions), (
                f"{requirement}; run 'make lock'"
            )


@pytest.fixture(scope="module")
def built(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the source archive, and the wheel that was built from it."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(repository)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="module")
def wheel(built: Path) -> zipfile.ZipFile:
    return zipfile.ZipFile(next(built.glob("*.whl")))


@pytest.mark.real
def test_the_wheel_carries_every_file_of_the_package_and_no_other(repository: Path, wheel: zipfile.ZipFile) -> None:
    source = repository / "src"
    kept = {str(path.relative_to(source)) for path in (source / "cutscore").rglob("*") if path.is_file()}
    kept = {name for name in kept if "__pycache__" not in name}
    carried = {name for name in wheel.namelist() if ".dist-info/" not in name}
    assert carried == kept
    assert "cutscore/py.typed" in carried
    assert {"items.jsonl", "bars-01.mp4"} <= {
        name.rpartition("/")[2] for name in carried if name.startswith("cutscore/benchmarks/colorbars/starter/")
    }


@pytest.mark.real
def test_the_wheel_says_what_it_is(project, wheel: zipfile.ZipFile) -> None:
    info = f"cutscore-{project['project']['version']}.dist-info"
    metadata = Parser().parsestr(wheel.read(f"{info}/METADATA").decode())
    assert metadata["License-Expression"] == "Apache-2.0"
    assert metadata["Requires-Python"] == ">=3.11"
    assert "make demo" in metadata.get_payload()
    assert wheel.read(f"{info}/licenses/LICENSE").startswith(b"\n                                 Apache License")
    assert "cutscore = cutscore.cli:main" in wheel.read(f"{info}/entry_points.txt").decode()


@pytest.mark.real
def test_the_source_archive_can_be_tested(built: Path) -> None:
    with tarfile.open(next(built.glob("*.tar.gz"))) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    wanted = {"Makefile", "tests/conftest.py", "requirements/dev.txt", "tools/licences.py", "THIRD_PARTY.md", ".ci/run"}
    assert wanted <= names


@pytest.mark.real  # long, and needs nothing else
def test_the_wheel_works_where_the_checkout_is_not(built: Path, tmp_path: Path) -> None:
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "-qq", "--no-deps", "--no-index"]
    subprocess.run([*pip, "--target", str(tmp_path / "site"), str(next(built.glob("*.whl")))], check=True)
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path / "site"), os.environ["PYTHONPATH"]])}
    code = (
        "import cutscore, sys; from cutscore.registry import benchmarks;"
        "print(cutscore.__file__); print(*sorted(benchmarks()))"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=tmp_path, env=environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    place, names = done.stdout.splitlines()
    assert Path(place).is_relative_to(tmp_path)
    assert "colorbars" in names.split()


def test_the_installed_entry_points_load() -> None:
    (script,) = entry_points(group="console_scripts", name="cutscore")
    assert callable(script.load())
    (tasks,) = entry_points(group="inspect_ai", name="cutscore")
    tasks.load()
    assert callable(sys.modules["cutscore.benchmarks.colorbars.task"].colorbars)


def test_the_citation_is_valid_and_of_this_version(repository: Path, project) -> None:
    citation = yaml.safe_load((repository / "CITATION.cff").read_text())
    assert {"cff-version", "message", "title", "authors"} <= citation.keys()
    assert citation["cff-version"] == "1.2.0"
    assert citation["version"] == project["project"]["version"]
    assert citation["license"] == project["project"]["license"]


def test_make_alone_lists_every_target_that_the_papers_name(repository: Path) -> None:
    done = subprocess.run(["make", "--no-print-directory"], cwd=repository, capture_output=True, text=True, check=True)
    listed = set(re.findall(r"^  make ([a-z-]+) ", done.stdout, re.M))
    papers = [repository / name for name in ("README.md", "CONTRIBUTING.md", "changes/README.md", "bench/README.md")]
    named = {name for paper in papers for name in re.findall(r"(?:`|^|\$ )make ([a-z-]+)", paper.read_text(), re.M)}
    assert {"demo", "test", "test-real", "check", "licences", "lock", "bench", "clean"} <= listed
    assert {"demo", "test"} <= named <= listed


def test_ci_is_what_a_person_runs(repository: Path) -> None:
    steps = re.findall(r"^step (make .+)$", (repository / ".ci" / "run").read_text(), re.M)
    assert steps == ["make check", "make test", "make test-real"]
    assert os.access(repository / ".ci" / "run", os.X_OK)
