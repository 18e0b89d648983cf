"""A log that was written once and must be read by every later pin of Inspect.

To keep another one when the pin moves: run six items with a scripted model whose provider fails for some of them,
copy the log to `kept/inspect-VERSION.eval`, and write its rows with `python tests/bridge/test_kept_log.py`.
"""

from pathlib import Path

import pytest
from inspect_ai.log import read_eval_log

from cutscore.bridge.rows import read_rows
from cutscore.core.row import canonical_rows

KEPT = sorted((Path(__file__).parent / "kept").glob("*.eval"))


def rows_of(log: Path, folder: Path) -> bytes:
    (folder / log.name).write_bytes(log.read_bytes())
    return canonical_rows(read_rows(folder))


@pytest.mark.parametrize("log", KEPT, ids=lambda log: log.stem)
def test_rows_are_what_they_were(log, tmp_path):
    assert rows_of(log, tmp_path) == log.with_suffix(".jsonl").read_bytes()


@pytest.mark.parametrize("log", KEPT, ids=lambda log: log.stem)
def test_inspect_reads_it_whole(log):
    read = read_eval_log(str(log))
    assert len(read.samples) == 6
    assert {sample.error is None for sample in read.samples} == {True, False}


if __name__ == "__main__":
    import tempfile

    for each in KEPT:
        with tempfile.TemporaryDirectory() as scratch:
            each.with_suffix(".jsonl").write_bytes(rows_of(each, Path(scratch)))
