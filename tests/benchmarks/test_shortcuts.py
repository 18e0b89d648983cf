"""Orders by what no viewer looks at."""

from fractions import Fraction
from pathlib import Path

import numpy as np

from cutscore.benchmarks._shortcuts import blind_orders
from cutscore.media.render import write_clip
from cutscore.store import Store


def test_clips_are_ordered_by_what_their_files_say(tmp_path: Path) -> None:
    """`a` is long and plain, `b` short and noisy, `c` in between in length and plain."""
    rng, store = np.random.default_rng(4), Store(tmp_path / "store")
    made = {
        "c.mp4": [np.full((48, 64, 3), 90, np.uint8)] * 8,
        "a.mp4": [np.full((48, 64, 3), 90, np.uint8)] * 12,
        "b.mp4": [rng.integers(0, 255, (48, 64, 3), np.uint8) for _ in range(4)],
    }
    for name, pictures in made.items():
        write_clip(tmp_path / name, pictures, rate=Fraction(8))
    clips = [store.put(tmp_path / name, name=name, media_type="video/mp4") for name in made]
    orders = {name: "".join(ref.name[0] for ref in order) for name, order in blind_orders(clips, store).items()}
    assert (orders["file names"], orders["file names, backwards"]) == ("abc", "cba")
    assert (orders["lengths"], orders["lengths, backwards"]) == ("bca", "acb")
    assert orders["file sizes"][-1] == orders["bit rates"][-1] == "b"
    assert orders["bit rates"] == "acb"
    assert len(orders) == 8
