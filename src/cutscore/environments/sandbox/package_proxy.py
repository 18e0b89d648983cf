"""A way out of a box that leads to package indexes and to nothing else: an HTTP proxy on a unix socket.

`CONNECT` opens a tunnel to an allowed host, through which TLS goes unseen; an address with `http://` is fetched. Every
other host gets 403 and is counted. Names are looked up here: there is no DNS in the box.
"""

import asyncio
import os
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from cutscore.environments.sandbox.package_index import Address, PackageIndexes

MOST_HEAD_BYTES = 64 << 10
MOST_HOSTS = 1000  # refused ones that are told apart
CONNECT_S, CHUNK = 30.0, 1 << 16
PORT = 8098  # on the box's own loopback
# Whom this machine trusts, in files that a box sees; pip, Python and Node have lists of their own unless they are told.
BUNDLES = ("/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt")
TRUST = ("SSL_CERT_FILE", "PIP_CERT", "NODE_EXTRA_CA_CERTS")
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


def proxy_env(indexes: PackageIndexes) -> dict[str, str]:
    """Return the variables by which programs in a box find the proxy, and pip and npm their indexes."""
    proxy, around = f"http://127.0.0.1:{PORT}", "127.0.0.1,localhost"
    names = {"HTTP_PROXY": proxy, "HTTPS_PROXY": proxy, "NO_PROXY": around}
    both = {spelled: value for name, value in names.items() for spelled in (name, name.lower())}
    trusted = dict.fromkeys(TRUST, bundle) if (bundle := next(filter(os.path.isfile, BUNDLES), "")) else {}
    return {**both, **trusted, "PIP_DISABLE_PIP_VERSION_CHECK": "1", **dict(indexes.env)}


@dataclass
class PackageProxy:
    """Lets through to some hosts.

    Args:
        sockets: Sockets behind the box's own loopback: some programs ask a proxy for that, too.
        refused: How often others were asked for, by HOST:PORT.
    """

    allowed: frozenset[Address]
    sockets: Mapping[Address, Path] = field(default_factory=dict)
    refused: Counter[str] = field(default_factory=Counter)

    @asynccontextmanager
    async def serve(self, socket: Path) -> AsyncIterator[None]:
        """Listen at a socket while inside."""
        open_ones: set[asyncio.Task[None]] = set()

        async def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = asyncio.current_task()
            assert task is not None  # a callback of asyncio runs in one
            open_ones.add(task)
            with suppress(OSError, asyncio.CancelledError):
                await self._take((reader, writer))
            writer.close()
            open_ones.discard(task)

        server = await asyncio.start_unix_server(take, str(socket), limit=MOST_HEAD_BYTES)
        socket.chmod(0o666)
        try:
            yield
        finally:
            server.close()
            for task in list(open_ones):
                task.cancel()

    async def _take(self, client: Streams) -> None:
        reader, writer = client
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            method, target, _ = head.split(b"\r\n", 1)[0].decode("ascii").split(" ")
            host, port = read_target(method, target)
        except (ValueError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            await _tell(writer, "400 Bad Request", "this is a proxy for package indexes")
            return
        if (host, port) not in self.allowed and (host, port) not in self.sockets:
            name = f"{host}:{port}"
            self.refused[name if name in self.refused or len(self.refused) < MOST_HOSTS else "others"] += 1
            await _tell(writer, "403 Forbidden", f"{name} is no package index of this box")
            return
        try:
            async with asyncio.timeout(CONNECT_S):
                server = await self._connect((host, port))
        except OSError:  # a name that is not known, a host that is not there; TimeoutError is one
            await _tell(writer, "502 Bad Gateway", f"{host}:{port} cannot be reached")
            return
        if method == "CONNECT":
            writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        else:
            server[1].write(rewrite_head(head, target))
        await asyncio.gather(_copy(reader, server[1]), _copy(server[0], writer))

    async def _connect(self, address: Address) -> Streams:
        if address in self.sockets:
            return await asyncio.open_unix_connection(str(self.sockets[address]))
        return await asyncio.open_connection(*address)


def read_target(method: str, target: str) -> Address:
    """Return whom a request is for; ValueError where it is none for a proxy.

    >>> read_target("CONNECT", "PyPI.org:443"), read_target("GET", "http://host/simple/")
    (('pypi.org', 443), ('host', 80))
    """
    parts = urlsplit(f"//{target}" if method == "CONNECT" else target)
    port = parts.port if method == "CONNECT" else parts.port or 80
    if not parts.hostname or not port or (method != "CONNECT" and parts.scheme != "http"):
        raise ValueError(f"'{target}' is no address for a proxy")
    return parts.hostname.lower(), port


def rewrite_head(head: bytes, target: str) -> bytes:
    r"""Return the head of a request as a server wants it: with its path alone, and no further request after it.

    >>> rewrite_head(b"GET http://host/a?b HTTP/1.1\r\nHost: x\r\nProxy-Connection: keep-alive\r\n\r\n", "http://host/a?b")
    b'GET /a?b HTTP/1.1\r\nHost: host\r\nConnection: close\r\n\r\n'
    """
    parts = urlsplit(target)
    first, *lines = head.removesuffix(b"\r\n\r\n").split(b"\r\n")
    method, _, version = first.split(b" ")
    path = parts._replace(scheme="", netloc="").geturl() or "/"
    ours = {b"host", b"connection", b"proxy-connection", b"proxy-authorization"}
    kept = [line for line in lines if line.partition(b":")[0].strip().lower() not in ours]
    begun = [b" ".join((method, path.encode(), version)), b"Host: " + parts.netloc.encode()]
    return b"\r\n".join([*begun, *kept, b"Connection: close"]) + b"\r\n\r\n"


async def _copy(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await source.read(CHUNK):
            target.write(data)
            await target.drain()
    target.close()


async def _tell(writer: asyncio.StreamWriter, status: str, words: str) -> None:
    body = f"{words}\n".encode()
    writer.write(f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode() + body)
    await writer.drain()
