"""Pictures of posts: drawn ones of the seed, and photos that visitors bring."""

import hashlib
from urllib.parse import urlsplit

from starlette.responses import Response

from cutscore.benchmarks.videowebarena.websites.photos import check_photo
from cutscore.benchmarks.videowebarena.websites.pictures import DrawnPicture, draw_picture
from cutscore.benchmarks.videowebarena.websites.visit import Upload, Visit

FOLDER = "/submission_images/"
_WIDTH, _HEIGHT = 480, 360


def keep_photo(visit: Visit, upload: Upload) -> str:
    """Keep a photo and return its name, which is that of its content."""
    media_type = check_photo(visit, upload)
    name = f"{hashlib.sha256(upload.content).hexdigest()}.{media_type.removeprefix('image/')}"
    visit.save_upload(Upload(upload.name, media_type, upload.content), name)
    return name


def own_picture(visit: Visit, url: str) -> str:
    """Return the name of the picture of this site at an address, so that a repost shows it; empty where it is none."""
    parts = urlsplit(url)
    if parts.netloc != visit.request.url.netloc or not parts.path.startswith(FOLDER):
        return ""
    name = parts.path.removeprefix(FOLDER)
    there = visit.row("SELECT 1 FROM picture WHERE name = ? UNION SELECT 1 FROM upload WHERE name = ?", name, name)
    return name if there else ""


def show_picture(visit: Visit) -> Response:
    """Show a picture as a file of its own."""
    name = visit.path["name"]
    if drawn := visit.row("SELECT shows FROM picture WHERE name = ?", name):
        content = draw_picture(DrawnPicture.model_validate_json(drawn["shows"]), _WIDTH, _HEIGHT)
        return Response(content, media_type="image/png")
    kept = visit.row("SELECT * FROM upload WHERE name = ?", name) or visit.missing("picture")
    return Response(kept["content"], media_type=kept["media_type"])
