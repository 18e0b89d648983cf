"""Runs inside a box: a port on its own loopback that leads to the model's socket, then the agent.

    python relay.py PORT SOCKET PROGRAM [ARGUMENT …]

It uses the standard library alone. Its exit code is the program's.
"""

import asyncio
import sys

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


async def main(port: int, socket: str, argv: list[str]) -> int:
    """Serve the port as long as the program runs; return its exit code."""

    async def connect(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        theirs, ours = await asyncio.open_unix_connection(socket)
        await asyncio.gather(_copy(reader, ours), _copy(theirs, writer))

    async with await asyncio.start_server(connect, "127.0.0.1", port):
        program = await asyncio.create_subprocess_exec(*argv, stdin=asyncio.subprocess.DEVNULL)
        return await program.wait()


if __name__ == "__main__":
    code = asyncio.run(main(int(sys.argv[1]), sys.argv[2], sys.argv[3:]))
    sys.exit(code if code >= 0 else 128 - code)
