"""Where packages come from: the public indexes of PyPI and npm, and those that this machine's pip and npm are set to.

An address with a name and a password in it is left out: nothing secret enters a box.
"""

import os
import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from urllib.parse import urlsplit

from cutscore.process import ProgramLimits, run

PUBLIC = ("https://pypi.org", "https://files.pythonhosted.org", "https://registry.npmjs.org")
PORTS = {"http": 80, "https": 443}
ASK_S = 20.0
_PIP = re.compile(r"^\S+?\.(index-url|extra-index-url)='(.*)'$", re.MULTILINE)
Address = tuple[str, int]  # host and port


@dataclass(frozen=True)
class PackageIndexes:
    """The indexes that a box may reach.

    Args:
        allowed: Hosts and ports.
        env: What pip and npm in the box have to be told.
        left_out: How many addresses were left out since they hold a password.
    """

    allowed: frozenset[Address]
    env: tuple[tuple[str, str], ...] = ()
    left_out: int = 0


@cache
def find_indexes() -> PackageIndexes:
    """Return the indexes by the settings of pip and npm on this machine; a program that is not there sets nothing."""
    pip = _ask(sys.executable, "-m", "pip", "config", "list")
    return choose_indexes(_PIP.findall(pip), _ask("/usr/bin/env", "npm", "config", "get", "registry").strip())


def _ask(*argv: str) -> str:
    told = run(list(argv), limits=ProgramLimits(wall_s=ASK_S), env=dict(os.environ))
    return told.out.decode(errors="replace") if told.ok else ""


def choose_indexes(pip: Iterable[tuple[str, str]], npm: str) -> PackageIndexes:
    r"""Return the indexes of settings: those of pip by their names, a later one before an earlier one.

    >>> found = choose_indexes([("index-url", "http://me:secret@host/simple")], "https://other:8443/")
    >>> sorted(found.allowed)[1:3], found.env, found.left_out
    ([('other', 8443), ('pypi.org', 443)], (('npm_config_registry', 'https://other:8443/'),), 1)
    """
    wanted = {f"PIP_{name.upper().replace('-', '_')}": re.split(r"\s+|\\n", value) for name, value in pip}
    wanted["npm_config_registry"] = [npm]
    env, addresses, left_out = [], list(PUBLIC), 0
    for variable, urls in wanted.items():
        remote = [url for url in urls if urlsplit(url).scheme in PORTS]
        open_ones = [url for url in remote if "@" not in urlsplit(url).netloc]
        left_out += len(remote) - len(open_ones)
        addresses += open_ones
        if open_ones:
            env.append((variable, " ".join(open_ones)))
    return PackageIndexes(frozenset(map(_address, addresses)), tuple(env), left_out)


def _address(url: str) -> Address:
    parts = urlsplit(url)
    return (parts.hostname or "").lower(), parts.port or PORTS[parts.scheme]
