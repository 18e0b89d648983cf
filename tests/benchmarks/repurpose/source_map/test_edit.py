"""What a film is made of, as a noun."""

from cutscore.benchmarks.repurpose.source_map.edit import EditPiece
from cutscore.core.timeline import Span

OUT, AT = Span(start_s=0, end_s=2), Span(start_s=5, end_s=7)


def test_what_has_a_place_is_of_the_source_and_what_has_none_is_new():
    assert EditPiece(out=OUT, source="a", at=AT).kind == "source"
    assert EditPiece(out=OUT).kind == "new"
    assert EditPiece(out=OUT, source="a", kind="frozen").at is None
