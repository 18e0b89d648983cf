"""The picture of the layers is what the import contract gives."""

import layers


def test_the_picture_is_current() -> None:
    assert layers.PICTURE.read_text() == layers.draw(layers.layers()), "run python tools/layers.py"


def test_every_package_is_in_it_once() -> None:
    shown = [name for row in layers.layers() for name in row]
    home = layers.ROOT / "src" / "cutscore"
    there = {path.parent.name for path in home.glob("*/__init__.py")} | {path.stem for path in home.glob("*.py")}
    assert sorted(shown) == sorted(there - {"__init__", "__main__"})
