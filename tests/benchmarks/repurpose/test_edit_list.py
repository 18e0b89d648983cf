"""What a film is made of, as a noun."""

import pytest
from pydantic import ValidationError

from cutscore.benchmarks.repurpose.edit_list import EditList, Piece
from cutscore.core.timeline import Span

OUT, AT = Span(start_s=0, end_s=2), Span(start_s=5, end_s=7)


def test_what_has_a_place_is_of_the_source_and_what_has_none_is_new():
    assert Piece(out=OUT, source="a", at=AT).kind == "source"
    assert Piece(out=OUT).kind == "new"
    assert Piece(out=OUT, source="a", kind="frozen").at is None


def test_it_survives_the_record():
    edits = EditList(pieces=(Piece(out=OUT, source="a", at=AT, speed=0.5, heard=True, sound="own"), Piece(out=AT)))
    assert EditList.model_validate_json(edits.model_dump_json()) == edits


def test_a_film_has_at_least_one_piece():
    with pytest.raises(ValidationError):
        EditList(pieces=())
