from pathlib import Path

import download_size
import pytest


def test_the_sizes_of_a_folder_are_added_up(tmp_path: Path) -> None:
    (tmp_path / "a.whl").write_bytes(b"0" * 2_000_000)
    (tmp_path / "b.tar.gz").write_bytes(b"0" * 500_000)
    text, fits = download_size.summary(download_size.sizes(tmp_path), limit_mb=2.5)
    assert fits
    assert text.splitlines() == [
        "     2.0 MB  a.whl",
        "     0.5 MB  b.tar.gz",
        "plain install: 2.5 MB in 2 files, allowed are 2.5 MB",
    ]


@pytest.mark.parametrize(("size", "fits"), [(280_000_000, True), (280_000_001, False)])
def test_the_limit_is_280_megabytes(size: int, fits: bool) -> None:
    assert download_size.summary({"a.whl": size}, limit_mb=download_size.LIMIT_MB)[1] is fits
