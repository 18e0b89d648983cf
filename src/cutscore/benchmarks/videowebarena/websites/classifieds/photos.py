"""Photos of listings: drawn from known attributes, or uploaded by whoever publishes."""

from starlette.responses import Response

from cutscore.benchmarks.videowebarena.websites.photos import check_photo
from cutscore.benchmarks.videowebarena.websites.pictures import DrawnPicture, draw_picture
from cutscore.benchmarks.videowebarena.websites.visit import Visit

MOST_PHOTOS = 3  # of a listing
_ENDINGS = {"image/png": "png", "image/jpeg": "jpg", "image/webp": "webp", "image/gif": "gif"}


def show_photo(visit: Visit) -> Response:
    """Return a photo with its own media type."""
    found = visit.row(
        "SELECT * FROM photo WHERE listing = ? AND name = ?", visit.path["listing"], visit.path["name"]
    ) or visit.missing("photo")
    content = found["content"]
    if content is None:
        content = draw_picture(DrawnPicture.model_validate_json(found["picture"]))
    return Response(content, media_type=found["media_type"])


def photo_name(listing: int, place: int, media_type: str) -> str:
    """Return the file name of a photo of a listing, by its place there.

    >>> photo_name(17, 1, "image/png"), photo_name(17, 2, "image/jpeg")
    ('17.png', '17_2.jpg')
    """
    return f"{listing}{f'_{place}' if place > 1 else ''}.{_ENDINGS[media_type]}"


def photo_address(listing: int, name: str) -> str:
    """Return where a photo is found, as on the published site."""
    return f"/oc-content/uploads/{listing}/{name}"


def add_photos(visit: Visit, listing: int) -> None:
    """Add the photos of a form to a listing, in the first places that are free."""
    taken = {row["name"].partition(".")[0] for row in visit.rows("SELECT name FROM photo WHERE listing = ?", listing)}
    for _, upload in sorted(visit.uploads.items()):
        media_type = check_photo(visit, upload)
        free = (photo_name(listing, place, media_type) for place in range(1, MOST_PHOTOS + 1))
        name = next((each for each in free if each.partition(".")[0] not in taken), None)
        if name is None:
            visit.refuse(f"A listing has at most {MOST_PHOTOS} photos.")
        taken.add(name.partition(".")[0])
        row = (listing, name, media_type, upload.content)
        visit.db.execute("INSERT INTO photo (listing, name, media_type, content) VALUES (?, ?, ?, ?)", row)
