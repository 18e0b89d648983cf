"""What is tried right now, said across processes: a worker sends a datagram for each submission, and we listen."""

import json
import socket
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from cutscore.cells.progress import SubmissionTried

TellTried = Callable[[SubmissionTried], None]
_LONGEST_BYTES = 4096
_END = b"end"


def send_tried(address: str, tried: SubmissionTried) -> None:
    """Send it to whoever listens there; a word that is lost costs nothing."""
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ours:
        ours.setblocking(False)
        ours.sendto(json.dumps([tried.item, tried.what, tried.number, tried.of]).encode(), address)


@contextmanager
def hear_tried(tell: TellTried) -> Iterator[str]:
    """Return an address, and tell what is sent there while this lasts; an empty one where none can be had."""
    with (
        tempfile.TemporaryDirectory(prefix="cutscore-") as folder,
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ours,
    ):
        address = str(Path(folder) / "tried")
        try:
            ours.bind(address)
        except OSError:  # a temporary folder with a name that is too long for a socket
            yield ""
            return
        listener = threading.Thread(target=_listen, args=(ours, tell), daemon=True)
        listener.start()
        try:
            yield address
        finally:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as last:
                last.sendto(_END, address)
            listener.join()


def _listen(ours: socket.socket, tell: TellTried) -> None:
    while (said := ours.recv(_LONGEST_BYTES)) != _END:
        with suppress(ValueError, TypeError):  # cut off: the name of a submission may be long
            tell(SubmissionTried(*json.loads(said)))
