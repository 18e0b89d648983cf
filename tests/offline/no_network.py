"""Refuse every connection that leaves this machine, for tests and for the Python processes that they start.

An audit hook sees each connect, send and name lookup of the interpreter, whichever library makes it, and cannot be
taken off again. Loopback and Unix sockets pass. What was refused is kept in `attempts`, because a library may
swallow the error: conftest.py fails the test all the same.
"""

import os
import socket
import sys
from ipaddress import ip_address

# Set to 1 by conftest.py for tests marked `network`, `api` or `docker`, and inherited by their children.
ONLINE = "CUTSCORE_TESTS_ONLINE"

attempts: list[str] = []
"""Events that were refused in this process, as `event host`."""

_CONNECTS = {"socket.connect", "socket.sendto", "socket.sendmsg"}
_LOOKUPS = {"socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"}
_installed = False


class NetworkRefused(ConnectionError):
    """A test tried to reach another machine."""


def is_local(host: object, *, lookup: bool = False) -> bool:
    """Say whether a host is this machine.

    A lookup of any numeric address is local, too: nothing is sent, and the connect that follows is judged by itself.
    """
    text = host.decode("ascii", "replace") if isinstance(host, bytes) else host
    if not isinstance(text, str) or text in ("", "localhost", "localhost.localdomain"):
        return True  # a wildcard, or an address of a family that has no hosts
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return lookup and text.lower() == socket.gethostname().lower()
    return lookup or address.is_loopback or address.is_unspecified


def _judge(event: str, args: tuple[object, ...]) -> None:
    if event in _CONNECTS:
        address = args[1]
        host = address[0] if isinstance(address, tuple) and address else ""
        local = is_local(host)
    elif event in _LOOKUPS:
        host = args[0]
        local = is_local(host, lookup=True)
    else:
        return
    if local or os.environ.get(ONLINE) == "1":
        return
    attempts.append(f"{event} {host}")
    raise NetworkRefused(f"{event} {host}: tests run without network; mark the test 'network' or serve it on 127.0.0.1")


def block() -> None:
    """Start refusing; a second call does nothing."""
    global _installed  # noqa: PLW0603  # a hook cannot be asked for, nor removed
    if not _installed:
        _installed = True
        sys.addaudithook(_judge)
