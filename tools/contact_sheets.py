"""Paint the pictures of docs/stage/ anew: `python tools/contact_sheets.py`."""

from pathlib import Path

from cutscore.media.frames import encode_jpeg
from cutscore.media.images import tile_pictures
from cutscore.stage import library
from cutscore.stage.render import frame
from cutscore.stage.sheet import contact_sheet, shrink

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "stage"
SHOWN = {"pancakes": 1, "birdhouse": 4, "picnic": 1, "treasure": 3}
QUALITY = 70
# A moment of each scene at which much can be seen.
MOMENT = 0.55


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, seed in SHOWN.items():
        sheet = contact_sheet(library.scene(name, seed=seed), columns=4, rows=2, width=224)
        (FOLDER / f"{name}.jpg").write_bytes(encode_jpeg(sheet, quality=QUALITY))
    scenes = [shrink(library.scene(name, seed=7), 148) for name in library.names()]
    pictures = [frame(scene, int(scene.frames * MOMENT)) for scene in scenes]
    (FOLDER / "library.jpg").write_bytes(encode_jpeg(tile_pictures(pictures, columns=8), quality=QUALITY))
    for path in sorted(FOLDER.glob("*.jpg")):
        print(f"{path.name:16}{path.stat().st_size / 1000:7.1f} kB")


if __name__ == "__main__":
    main()
