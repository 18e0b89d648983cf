"""Which addresses a session may open. Pure.

The browser itself keeps to it: everything but the hosts and ports of the task goes to a proxy that is not there, and no
other name is resolved. So a link, a redirect, a frame, a worker or a socket of a page cannot leave either.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import urlsplit

# localhost and 127.0.0.1 are one place; a task may write either.
LOCAL = ("localhost", "127.0.0.1")
NOWHERE = "http://127.0.0.1:9"  # the port of `discard`, where nobody listens
_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443}
BLANK = "about:blank"
SHOWN_CHARS = 200


@dataclass(frozen=True)
class AddressGuard:
    """The hosts and ports that a session may open, as `host:port` in lower case."""

    places: frozenset[str]

    @classmethod
    def of(cls, addresses: Iterable[str]) -> "AddressGuard":
        """Return the guard that lets through the hosts and ports of these addresses.

        >>> sorted(AddressGuard.of(["http://localhost:7770/a"]).places)
        ['127.0.0.1:7770', 'localhost:7770']
        """
        places = set[str]()
        for address in addresses:
            host, port = _place(address)
            places |= {f"{each}:{port}" for each in (LOCAL if host in LOCAL else (host,))}
        return cls(frozenset(places))

    def refuse(self, url: str) -> str:
        """Return why an address may not be opened, empty where it may.

        >>> AddressGuard.of(["http://shop.localhost:7770"]).refuse("file:///etc/passwd")
        "addresses that begin with 'file:' are not opened here"
        """
        if url == BLANK:
            return ""
        try:
            scheme = urlsplit(url).scheme.lower() if ":" in url else ""
            if scheme and scheme not in ("http", "https"):
                return f"addresses that begin with '{scheme}:' are not opened here"
            host, port = _place(url)
        except ValueError:
            return f"'{url[:SHOWN_CHARS]}' is no address"
        return "" if f"{host}:{port}" in self.places else f"{host}:{port} is not among the sites of this task"

    @cached_property
    def hosts(self) -> frozenset[str]:
        """The names without their ports."""
        return frozenset(place.rpartition(":")[0] for place in self.places)

    @property
    def proxy(self) -> dict[str, str]:
        """Return the settings of a browser context by which nothing else is reached."""
        # Without the first rule Chromium lets all of this machine through, whatever the port.
        return {"server": NOWHERE, "bypass": ",".join(["<-loopback>", *sorted(self.places)])}


def resolver_rules(places: Iterable[str]) -> str:
    """Return the rules by which a browser finds these hosts, each at one port where it is told, and no others.

    >>> resolver_rules(["shop.localhost:7770"])
    'MAP shop.localhost:7770 shop.localhost:7770, MAP * ~NOTFOUND'
    """
    return ", ".join([*(f"MAP {place} {place}" for place in sorted(places)), "MAP * ~NOTFOUND"])


def _place(address: str) -> tuple[str, int]:
    parts = urlsplit(address)
    if not parts.hostname or parts.scheme.lower() not in _PORTS:
        raise ValueError(f"'{address}' has no host")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return host, parts.port or _PORTS[parts.scheme.lower()]
