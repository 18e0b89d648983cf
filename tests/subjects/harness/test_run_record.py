"""What of an agent's outputs tells when it rendered last."""

import os
from pathlib import Path

from cutscore.subjects.harness.run_record import find_last_render


def test_the_newest_film_counts_and_links_do_not(tmp_path: Path) -> None:
    began_s = 1_000.0
    for name, at_s in (("a.mp4", 1_010), ("sub/b.MOV", 1_020), ("report.md", 1_030)):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"x")
        os.utime(tmp_path / name, (at_s, at_s))
    (tmp_path / "c.mp4").symlink_to(tmp_path / "report.md")
    assert find_last_render(tmp_path, began_s) == 20.0
    assert find_last_render(tmp_path / "none", began_s) is None
