"""Requests to end that are no Ctrl-C: they end a command in the same way, with what it has done kept."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

ENDING = (signal.SIGTERM, signal.SIGHUP)


@contextmanager
def interrupt_on_signals() -> Iterator[list[str]]:
    """Make SIGTERM and SIGHUP interrupt like Ctrl-C while this lasts; gives the names of those that came.

    A signal that somebody ignores on purpose (`nohup`) stays ignored. Only the main thread can listen to signals.
    """
    came: list[str] = []

    def interrupt(number: int, _frame: FrameType | None) -> None:
        came.append(signal.Signals(number).name)
        if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a shell starts its background jobs so
            signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.raise_signal(signal.SIGINT)  # whoever has taken over Ctrl-C, an event loop, hears of it

    before = {}
    if threading.current_thread() is threading.main_thread():
        before = {each: signal.getsignal(each) for each in ENDING if signal.getsignal(each) is signal.SIG_DFL}
    for each in before:
        signal.signal(each, interrupt)
    try:
        yield came
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
