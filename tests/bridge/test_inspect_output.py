"""What Inspect writes by itself passes the redactor: messages, warnings, records of a log."""

import logging
import sys
import warnings
import zipfile
from pathlib import Path

import anyio
from inspect_ai._util.logger import _logHandler
from inspect_ai.log._recorders.eval import ZipLogFile

from cutscore.bridge.inspect_output import MessageFilter, quiet_inspect
from cutscore.redaction import Redactor

KEY = "zq7Kp0Vw3LmXs9Rt5YbN2cHd8FgJ4aUe"
redact = Redactor({"A_KEY": KEY})


def test_a_message_loses_the_key_wherever_it_has_it() -> None:
    try:
        raise RuntimeError(KEY)
    except RuntimeError:
        fault = sys.exc_info()
    record = logging.LogRecord("inspect_ai", logging.INFO, "here", 1, "called %s with %d", (KEY, 3), fault)
    record.detail, record.extra = f"to {KEY}", {"at": [KEY]}
    assert MessageFilter(redact).filter(record)
    assert record.getMessage() == "called [redacted:A_KEY] with 3"
    assert (record.detail, record.extra) == ("to [redacted:A_KEY]", {"at": ["[redacted:A_KEY]"]})
    assert KEY not in logging.Formatter().format(record)


def test_a_warning_shows_its_first_line_without_the_key(capsys) -> None:
    with quiet_inspect(redact):
        said = warnings.formatwarning(UserWarning(f"odd {KEY}\npieces of data"), UserWarning, "here.py", 1, line="")
    assert said == "here.py:1: UserWarning: odd [redacted:A_KEY]\n"


def test_records_of_a_log_are_cleaned_and_no_trace_is_kept(tmp_path: Path) -> None:
    async def write() -> None:
        log = ZipLogFile(str(tmp_path / "x.eval"))
        await log.init(None, 0, [])
        log._zip_writestr("header.json", {"said": KEY})
        await log.flush()

    before = ZipLogFile._open
    with quiet_inspect(redact):
        anyio.run(write)
    assert ZipLogFile._open is before
    with zipfile.ZipFile(tmp_path / "x.eval") as archive:
        assert archive.read("header.json") == b'{"said":"[redacted:A_KEY]"}'
    assert _logHandler["handler"] is not None
    assert not any(isinstance(x, MessageFilter) for x in _logHandler["handler"].filters)
