"""Pin every requirement with the hashes of all its files, and name no index.

    python tools/lock.py              keep the pins that still fit pyproject.toml
    python tools/lock.py --upgrade    take the newest that it allows

Eight files come out. The pins of the first bind the others, so that no two of them disagree:

    requirements/plain.txt    what `pip install cutscore` brings
    requirements/build.txt    what builds the package itself from a checkout
    requirements/demo.txt     what the demo needs besides them for websites: the extra `web`
    requirements/dev.txt      plain, build and demo, and the tools for tests and checks
    requirements/ray.txt      Ray, which tests of that engine get into a folder of its own, beside dev.txt
    requirements/hub.txt      what tests of hub models and the diffusers example get into theirs, torch excepted
    requirements/web.txt      the programs behind the pack software of videowebarena, in a folder of their own
    requirements/lock.txt     the resolver that this script runs

One version serves every Python from 3.11 on where there is one: numbers should not move with the interpreter.
"""

import argparse
import subprocess
import sys
import tempfile
import tomllib
import venv
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCKS = ROOT / "requirements"
OLDEST_PYTHON = "3.11"
RESOLVER = "uv"
# An editable install needs it beside the backend, and pyproject.toml has no place to say so.
EDITABLE = "editables"
# What google-genai of the extra `agents` still takes; Inspect brings tenacity and takes any.
FOR_AGENTS = "tenacity<9.2"
# All that the extra `web` needs and plain.txt does not bring.
WITH_WEB = ["greenlet"]
# All that Ray needs and dev.txt does not bring.
WITH_RAY = "msgpack"
# All that torch, transformers and diffusers need and dev.txt does not bring. torch itself is pinned by its version, in
# tools/hub_packages.sh: its builds for one processor or another have the same version and different hashes.
WITH_HUB = ["diffusers>=0.42,<0.43", "importlib-metadata", "mpmath<1.4", "networkx", "setuptools", "sympy", "typer"]
WITH_TYPER = ["lazy-importer", "shellingham"]
# Without these diffusers cannot load and prompt its Wan pipelines.
WITH_WAN = ["accelerate", "ftfy", "wcwidth"]
# Sites that the pack software of videowebarena is about; with whoosh the shop finds its products.
WEB_SOFTWARE = (
    "django-oscar==4.2\ndjango-machina>=1.3,<1.4\nTrac==1.6\nsorl-thumbnail\nwhoosh\ndjango>=5.2,<5.3\nsetuptools<81"
)


def build_requirements(pyproject: str) -> list[str]:
    """Name what builds the package from a checkout without isolation."""
    return [*tomllib.loads(pyproject)["build-system"]["requires"], EDITABLE]


def demo_requirements(pyproject: str) -> list[str]:
    """Name what the demo needs besides plain.txt; what is in both has one pin."""
    return [*tomllib.loads(pyproject)["project"]["optional-dependencies"]["web"], *WITH_WEB]


def ray_requirements(pyproject: str) -> list[str]:
    """Name what the tests of the engine `ray` need besides dev.txt."""
    return [*tomllib.loads(pyproject)["project"]["optional-dependencies"]["ray"], WITH_RAY]


def hub_requirements(pyproject: str) -> list[str]:
    """Name what the tests of hub models need besides dev.txt and torch."""
    extra: list[str] = tomllib.loads(pyproject)["project"]["optional-dependencies"]["hub"]
    return [*(each for each in extra if each.startswith("transformers")), *WITH_HUB, *WITH_TYPER, *WITH_WAN]


def header(name: str, about: str) -> str:
    install = f"pip install --require-hashes -r {name}"
    return f"# {about}\n# Written by `make lock` from pyproject.toml; install with `{install}`.\n"


def check(text: str, name: str) -> None:
    """Refuse a lock that names a host, or a pin without a hash."""
    entries = [line for line in text.replace("\\\n", " ").splitlines() if line and not line.startswith("#")]
    if "://" in text or any(line.startswith("-") for line in entries):
        raise SystemExit(f"{name}: names an index or an address; locks must be the same for everybody")
    bare = [line for line in entries if "--hash=sha256:" not in line]
    if bare:
        raise SystemExit(f"{name}: has no hash for {bare[0].strip()}")


def compile_lock(
    uv: Path, name: str, about: str, sources: Sequence[str], *, given: str = "", upgrade: bool, alone: bool = False
) -> None:
    """Resolve `sources` (and requirements `given` as text) into one lock file; alone, without what they need."""
    target = LOCKS / name
    before = LOCKS / "plain.txt"
    command = [
        *(str(uv), "pip", "compile", "--quiet", "--no-config", "--universal", "--python-version", OLDEST_PYTHON),
        *("--fork-strategy", "fewest", "--generate-hashes", "--no-annotate", "--no-header"),
        *("--no-emit-index-url", "--no-emit-find-links", "--output-file", str(target)),
        *(["--upgrade"] if upgrade else []),
        *(["--no-deps"] if alone else []),
        *(["--constraints", str(before)] if target != before else []),
        *sources,
        *(["-"] if given else []),
    ]
    done = subprocess.run(command, cwd=ROOT, input=given.encode(), check=False)
    if done.returncode:
        raise SystemExit(f"{name}: the requirements could not be resolved, see above")
    text = header(f"requirements/{name}", about) + target.read_text(encoding="utf-8")
    check(text, name)
    target.write_text(text, encoding="utf-8")
    print(f"{name}: {sum(line[:1].isalnum() for line in text.splitlines())} pins")


def resolver(folder: Path) -> Path:
    """Install the pinned resolver into a folder of its own; the first time ever, the newest one."""
    venv.create(folder, with_pip=True)
    pinned = LOCKS / "lock.txt"
    wanted = ["--require-hashes", "-r", str(pinned)] if pinned.exists() else [RESOLVER]
    python = str(folder / "bin" / "python")
    pip = [python, "-m", "pip", "--disable-pip-version-check", "install", "-qq", "--no-input"]
    subprocess.run([*pip, *wanted], check=True)
    return folder / "bin" / RESOLVER


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Pin every requirement with hashes.")
    parser.add_argument("--upgrade", action="store_true", help="take the newest versions that pyproject.toml allows")
    upgrade: bool = parser.parse_args(argv).upgrade
    pyproject = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    built_with, with_ray = "\n".join(build_requirements(pyproject)), "\n".join(ray_requirements(pyproject))
    with_hub, with_web = "\n".join(hub_requirements(pyproject)), "\n".join(demo_requirements(pyproject))
    LOCKS.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        uv = resolver(Path(scratch) / "resolver")
        compile_lock(uv, "plain.txt", "The plain install.", ["pyproject.toml"], given=FOR_AGENTS, upgrade=upgrade)
        compile_lock(uv, "build.txt", "What builds the package.", [], given=built_with, upgrade=upgrade)
        compile_lock(
            uv, "demo.txt", "The extra web, beside plain.txt.", [], given=with_web, upgrade=upgrade, alone=True
        )
        dev = ["pyproject.toml", "--extra", "dev", str(LOCKS / "build.txt"), str(LOCKS / "demo.txt")]
        compile_lock(uv, "dev.txt", "The plain install, what builds it, and the tools.", dev, upgrade=upgrade)
        compile_lock(uv, "ray.txt", "Ray, beside dev.txt.", [], given=with_ray, upgrade=upgrade, alone=True)
        compile_lock(uv, "hub.txt", "Hub models, beside dev.txt.", [], given=with_hub, upgrade=upgrade, alone=True)
        compile_lock(uv, "web.txt", "Sites of the starter pack.", [], given=WEB_SOFTWARE, upgrade=upgrade)
        compile_lock(uv, "lock.txt", "The resolver behind `make lock`.", [], given=RESOLVER, upgrade=upgrade)


if __name__ == "__main__":
    main(sys.argv[1:])
