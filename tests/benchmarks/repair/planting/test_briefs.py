"""What a client says."""

from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from cutscore.authoring.footage import SourceClip
from cutscore.benchmarks.repair.planting.briefs import LONGEST, client_request, wordings
from cutscore.core.errors import BadInput
from cutscore.core.files import FileRef


def test_a_client_may_write_his_own_request(tmp_path: Path) -> None:
    ref = FileRef(name="media/my.mp4", sha256="a" * 64, size_bytes=1)
    mine = SourceClip("my", ref, Path("my.mp4"), str(tmp_path / "my.mp4"), Fraction(4))
    assert client_request(mine, "blur", Random(1)) in wordings("blur")
    (tmp_path / "my.request.md").write_text("  Please\nmend it. ")
    assert client_request(mine, "blur", Random(1)) == "Please mend it."
    (tmp_path / "my.request.md").write_text("x" * (LONGEST + 1))
    with pytest.raises(BadInput, match="its request has 1201 characters; write 1 to 1200"):
        client_request(mine, "blur", Random(1))
