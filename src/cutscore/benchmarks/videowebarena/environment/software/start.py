"""Starts the sites of the pack `software`, writes `sites.toml` for them, and ends them again.

    python -m cutscore.benchmarks.videowebarena.environment.software.start FOLDER

They are django-oscar, django-machina and Trac as pip installs them, in a folder that `CUTSCORE_WEB_SOFTWARE` names or
that `tools/web_software.sh` has filled. Their state is in FOLDER; what is seeded there once is used again.
"""

import argparse
import importlib.util
import os
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from cutscore.benchmarks.videowebarena.environment.software.site_server import (
    ACCOUNT,
    MAIL,
    PASSWORD,
    READY,
    RESET_PATH,
)
from cutscore.benchmarks.videowebarena.sites import FILE, FILE_VARIABLE
from cutscore.core.errors import Stopped
from cutscore.process import Service, bare_env

VARIABLE = "CUTSCORE_WEB_SOFTWARE"
USUAL = Path(sys.prefix) / "share" / "cutscore" / "web"
START_S = 120.0


@dataclass(frozen=True)
class SiteProgram:
    """One program: the module that serves it, the package it needs, where it asks for an account, and for whom."""

    module: str
    package: str
    login_path: str
    account: str


PROGRAMS: Mapping[str, SiteProgram] = {
    "oscar": SiteProgram("shop", "oscar", "/accounts/login/", MAIL),
    "machina": SiteProgram("forum", "machina", "/login/", ACCOUNT),
    "trac": SiteProgram("tracker", "trac", "/login", ACCOUNT),
}


@dataclass(frozen=True)
class RunningSites:
    """Sites that answer: their addresses by name, and the variables under which a run finds them."""

    addresses: Mapping[str, str]
    variables: Mapping[str, str]


def find_software() -> Path:
    """Return the folder into which the programs were installed; Stopped where one is missing."""
    folder = Path(os.environ.get(VARIABLE) or USUAL)
    lacking = [each.package for each in PROGRAMS.values() if not (folder / each.package).is_dir()]
    if lacking:
        next_step = f"run 'sh tools/web_software.sh', or set {VARIABLE} to a folder that has it"
        raise Stopped("web software", f"'{lacking[0]}' is not in '{folder}'", next_step)
    return folder


@contextmanager
def start_sites(folder: Path) -> Iterator[RunningSites]:
    """Start all programs, each on a free port of loopback, and write `sites.toml`; they end with the block.

    Raises:
        Stopped: A program is not installed.
        RunBroken: One does not answer; its own words are in the error.
    """
    software, own = find_software(), Path(_source_folder())
    env = {**bare_env(), "PYTHONPATH": f"{software}{os.pathsep}{own}", "PYTHONDONTWRITEBYTECODE": "1"}
    with ExitStack() as open_ones:
        started = {}
        for name, program in PROGRAMS.items():
            home = folder / name
            home.mkdir(parents=True, exist_ok=True)
            module = f"{__package__}.{program.module}"
            # -S: a package that is installed beside us must not come between a program and its own.
            command = [sys.executable, "-S", "-W", "ignore", "-m", module, str(home)]
            started[name] = open_ones.enter_context(Service(command, logs=home, env=env, cwd=home, shared=True))
        addresses = {name: _address_of(service) for name, service in started.items()}
        file = folder / FILE
        file.write_text(write_sites(addresses), encoding="utf-8")
        passwords = {f"{name.upper()}_PASSWORD": PASSWORD for name in PROGRAMS}
        yield RunningSites(addresses, {FILE_VARIABLE: str(file.resolve()), **passwords})


def write_sites(addresses: Mapping[str, str]) -> str:
    """Return the file that tells a run of the sites."""
    return "".join(
        f'[{name}]\naddress = "{address}"\naccount = "{PROGRAMS[name].account}"\n'
        f'login_path = "{PROGRAMS[name].login_path}"\nreset_url = "{address}{RESET_PATH}"\n\n'
        for name, address in addresses.items()
    )


def _address_of(service: Service) -> str:
    service.wait_until_ready(READY, timeout_s=START_S)
    line = next(each for each in service.logs[0].read_text().splitlines() if each.startswith(READY))
    return line.removeprefix(READY).strip()


def _source_folder() -> str:
    spec = importlib.util.find_spec("cutscore")
    assert spec is not None
    assert spec.origin is not None
    return str(Path(spec.origin).parent.parent)


def main(argv: Sequence[str] | None = None) -> None:
    """Start the sites, print what a run needs to know, and wait until somebody ends it."""
    parser = argparse.ArgumentParser(description="Start the sites of the pack software.")
    parser.add_argument("folder", type=Path, help="Where they keep their state.")
    folder: Path = parser.parse_args(argv).folder
    with start_sites(folder) as sites:
        sys.stdout.writelines(f"export {name}={value}\n" for name, value in sites.variables.items())
        sys.stdout.flush()
        while True:
            time.sleep(3600)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
    except Stopped as error:
        sys.exit(str(error))
