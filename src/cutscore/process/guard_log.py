"""The guard's side of a log file: what a program writes goes into it up to a length, and its last words at the end.

Loaded by the guard alone, and only where a program has log files; like the guard it uses the standard library alone.
"""

import os
import select

# What is kept of the end of an output that is too long: mostly it says why a program ended.
LAST_BYTES = 1 << 14
_CHUNK_BYTES = 1 << 16


class LogWriter:
    """One output of the program, on its way into a file.

    Args:
        file: Descriptor of the file.
        most_bytes: How much of the beginning it takes. What comes later is read, so that nobody waits for us, and of
            that the last is added when the program has ended.
    """

    def __init__(self, file: int, most_bytes: int) -> None:
        self.pipe, self.program_end = os.pipe()
        self._file, self._room = file, most_bytes
        self._last, self.left_out, self.is_open = bytearray(), 0, True

    def take(self) -> None:
        """Take what is there; the end of it closes the log."""
        data = os.read(self.pipe, _CHUNK_BYTES)
        self._write(data[: self._room])
        self._last += data[self._room :]
        self._room = max(0, self._room - len(data))
        self.left_out += max(0, len(self._last) - LAST_BYTES)
        del self._last[:-LAST_BYTES]
        self.is_open = bool(data)

    def finish(self) -> None:
        """Take what is left in the pipe, and write the last words."""
        while self.is_open and select.select([self.pipe], [], [], 0)[0]:
            self.take()
        if self.left_out:
            self._write(f"\n[{self.left_out} bytes are left out here]\n".encode())
        self._write(bytes(self._last))

    def _write(self, data: bytes) -> None:
        try:
            while data:
                data = data[os.write(self._file, data) :]
        except OSError:  # no room on the disk: that is said like what was too long
            self._room = 0
            self.left_out += len(data)
