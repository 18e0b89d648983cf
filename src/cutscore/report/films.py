"""The files of an item's page: each film once, side by side with the others, whoever handed it in."""

from collections.abc import Iterable, Sequence

from cutscore.core.files import FileRef, FileStore
from cutscore.report.embed import Media
from cutscore.report.page_parts import PageClip
from cutscore.report.review import Review, ReviewFilm, TimedNote, lay_out_review


class PageFilms:
    """The players of a page's files. A film that several handed in has one player, which names them all."""

    def __init__(self, media: Media) -> None:
        self._media = media
        self._films: dict[str, ReviewFilm] = {}

    def clips(self, prefix: str, refs: Iterable[FileRef], store: FileStore, *, whose: str) -> tuple[PageClip, ...]:
        """Take files of the one who is named in; `prefix` begins the ids of those that are no films."""
        return tuple(self._clip(f"{prefix}-{place}", ref, store, whose) for place, ref in enumerate(refs, start=1))

    def review(self, lanes: Sequence[tuple[str, Sequence[TimedNote]]]) -> Review | None:
        """Lay all films out, with what is known of their seconds; None when there are none."""
        return lay_out_review(tuple(self._films.values()), lanes)

    def _clip(self, id: str, ref: FileRef, store: FileStore, whose: str) -> PageClip:
        shown = self._media.show(ref, store)
        if (known := self._films.get(shown.sha256)) is not None:
            self._films[shown.sha256] = known.also(whose)
            return PageClip(known.clip.id, shown, film=True)
        seen = self._media.preview(shown)
        if seen is None:  # no film, or none that we can decode: the browser may try
            return PageClip(id, shown)
        clip = PageClip(f"film-{len(self._films) + 1}", shown, film=True)
        self._films[shown.sha256] = ReviewFilm(clip, (whose,), seen, self._media.strip(shown, seen))
        return clip
