"""Runs inside a box: ports on its own loopback that lead to sockets of ours, then the agent.

    python relay.py PORT SOCKET [PORT SOCKET …] -- PROGRAM [ARGUMENT …]

It uses the standard library alone. Its exit code is the program's.
"""

import asyncio
import sys
from contextlib import AsyncExitStack

_CHUNK = 1 << 16


async def _copy(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    try:
        while data := await source.read(_CHUNK):
            target.write(data)
            await target.drain()
    except OSError:
        pass
    finally:
        target.close()


async def _relay(port: int, socket: str) -> asyncio.Server:
    async def connect(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        theirs, ours = await asyncio.open_unix_connection(socket)
        await asyncio.gather(_copy(reader, ours), _copy(theirs, writer))

    return await asyncio.start_server(connect, "127.0.0.1", port)


async def main(ports: dict[int, str], argv: list[str]) -> int:
    """Serve the ports as long as the program runs; return its exit code."""
    async with AsyncExitStack() as servers:
        for port, socket in ports.items():
            await servers.enter_async_context(await _relay(port, socket))
        program = await asyncio.create_subprocess_exec(*argv, stdin=asyncio.subprocess.DEVNULL)
        return await program.wait()


if __name__ == "__main__":
    words, argv = sys.argv[1 : sys.argv.index("--")], sys.argv[sys.argv.index("--") + 1 :]
    code = asyncio.run(main({int(port): socket for port, socket in zip(words[::2], words[1::2], strict=True)}, argv))
    sys.exit(code if code >= 0 else 128 - code)
